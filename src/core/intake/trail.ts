/**
 * Imports audit trails from another database. An import can create a trail but never change one: it is written only if
 * the center has none, and only if `audit verify` finds no problem in it.
 */

import { insertEntries, insertHeads, insertRecordLists, type TrailRow } from '../audit/import-trail-sql.ts'
import { verifyTrail } from '../audit/verify/verify-trail.ts'
import type { Queryable } from '../database/database.ts'
import { recordListText } from '../database/record-list.ts'
import { parseMoment } from '../locale/dates.ts'
import { onlyEnglish } from '../locale/said.ts'
import type { JsonObject, Kind, KindName } from './kinds/kind.ts'
import { KINDS } from './kinds.ts'
import { LINE_SCHEMAS } from './lines/line-schemas.ts'
import { toRowPatch } from './lines/rows.ts'
import { type FieldProblem, findProblems } from './rejects/problems.ts'
import type { StagedLine } from './stage/stage-sql.ts'

type Refusals = Map<number, readonly FieldProblem[]>

interface Row {
  readonly line: StagedLine
  readonly values: JsonObject
}

/** The first problems of a manipulated trail are enough. */
const PROBLEMS_MAX = 10

/** Writes trails, then verifies them. */
export class TrailImport {
  readonly #tx: Queryable
  /** The line of the head, by center. */
  readonly #begun = new Map<string, number>()
  /** Centers whose head was refused; the other lines of their trails are then not reported. */
  readonly #refused = new Set<string>()

  constructor(tx: Queryable) {
    this.#tx = tx
  }

  /** Writes lines of one kind, heads first. @returns the refused lines */
  async write(name: KindName, lines: readonly StagedLine[]): Promise<Refusals> {
    const refusals: Refusals = new Map()
    const rows = lines.flatMap((line) => {
      const values = this.#read(KINDS[name], line, refusals)
      return values === undefined ? [] : [{ line, values }]
    })
    if (rows.length === 0) return refusals
    if (name === 'auditHead') await this.#writeHeads(rows, refusals)
    else if (name === 'auditRecordList') await this.#tx.query(insertRecordLists(recordLists(rows)))
    else await this.#tx.query(insertEntries(rows.map(entryOf)))
    return refusals
  }

  /** Verifies the new trails. @returns problems, by the line of the trail's head */
  async verify(): Promise<Refusals> {
    const refusals: Refusals = new Map()
    for (const [center, seq] of this.#begun) {
      const { problems } = await verifyTrail(this.#tx, center)
      const reported = problems.slice(0, PROBLEMS_MAX)
      if (reported.length > 0) {
        refusals.set(
          seq,
          reported.map(({ message }) => ({
            ...onlyEnglish(`is of a trail that is not as it was written: ${message}`),
          })),
        )
      }
    }
    return refusals
  }

  /** The line's values by column; undefined if the line or its trail is refused. */
  #read(kind: Kind, line: StagedLine, refusals: Refusals): JsonObject | undefined {
    const { seq, first_seq, center_id, body } = line
    const given = JSON.parse(body) as JsonObject
    const refuse = (...problems: FieldProblem[]) => void refusals.set(seq, problems)
    if ('deleted' in given) {
      return refuse({ field: 'deleted', ...onlyEnglish('is given; records of a trail cannot be removed') })
    }
    const { schema, check } = LINE_SCHEMAS[kind.name].record
    if (!check(given)) {
      if (kind.name === 'auditHead') this.#refused.add(center_id)
      return refuse(...findProblems(schema, given))
    }
    if (kind.name !== 'auditRecordList' && seq !== first_seq) {
      return refuse({ ...onlyEnglish(`is given twice: each ${kind.name} has one line`) })
    }
    if (kind.name !== 'auditHead' && !this.#begun.has(center_id)) {
      if (this.#refused.has(center_id)) return undefined
      this.#refused.add(center_id)
      return refuse({
        field: 'centerId',
        ...onlyEnglish(
          `is "${center_id}", whose auditHead is not among these records; a trail is imported as a whole`,
        ),
      })
    }
    return { ...toRowPatch(kind, given), center_id, ...keyOf(kind, given), ids: given.ids ?? null }
  }

  async #writeHeads(rows: readonly Row[], refusals: Refusals): Promise<void> {
    const heads = insertHeads(rows.map(({ values }) => values))
    const begun = await this.#tx.query<{ center_id: string }>(heads)
    const centers = new Set(begun.map(({ center_id }) => center_id))
    for (const { line } of rows) {
      if (centers.has(line.center_id)) {
        this.#begun.set(line.center_id, line.seq)
        continue
      }
      this.#refused.add(line.center_id)
      refusals.set(line.seq, [
        {
          field: 'centerId',
          ...onlyEnglish(
            `is "${line.center_id}", which has an audit trail here; a trail is imported only where there is none, and the one that is there stays as it is`,
          ),
        },
      ])
    }
  }
}

const keyOf = (kind: Kind, given: JsonObject): JsonObject =>
  Object.fromEntries(kind.key.map(({ field, column }) => [column, given[field] ?? null]))

/** Joins successive lines of the same list. */
function recordLists(rows: readonly Row[]): TrailRow[] {
  const lists = Map.groupBy(rows, ({ line }) => `${line.center_id}/${line.key}`)
  return [...lists.values()].map((parts) => ({
    ...parts[0]?.values,
    ids: recordListText(parts.flatMap(({ values: { ids } }) => (Array.isArray(ids) ? ids.map(String) : []))),
  }))
}

const entryOf = ({ values }: Row): TrailRow => ({ ...values, at: microsOf(String(values.at)) })

/** Epoch microseconds of a text like `2025-01-15T08:00:00.123456Z`. */
const microsOf = (text: string) => (parseMoment(text, 'UTC') ?? 0) * 1000 + Number(text.slice(23, 26))

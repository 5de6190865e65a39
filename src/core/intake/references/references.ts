/** Checks the conditions between records once all of them are written. */

import type { Sql } from 'sql-template-tag'
import type { Queryable } from '../../database/database.ts'
import { onlyEnglish, reason } from '../../locale/said.ts'
import { type Json, KIND_NAMES, type KindName } from '../kinds/kind.ts'
import { dietFieldsOf } from '../kinds/meal-rules.ts'
import type { RowState } from '../lines/rows.ts'
import { metaFieldsSql } from '../merge/center-facts-sql.ts'
import type { WrittenRecord } from '../merge/write-batch.ts'
import type { FieldProblem } from '../rejects/problems.ts'
import { BATCH_ROWS, readRowsInChunks } from '../stage/chunks.ts'
import { kindPlace } from '../stage/stage.ts'
import { BOOKING_REFERENCES } from './booking-references.ts'
import type { BrokenReference, BrokenRemoval } from './references-sql.ts'
import * as statements from './references-sql.ts'

/** A problem and the line that it belongs to. */
export interface LineProblem extends FieldProblem {
  readonly seq: number
}

/** A custom field that was removed or changed. */
interface ChangedMetaField {
  readonly seq: number
  readonly centerId: string
  readonly key: string
  readonly was: MetaField
  readonly is: MetaField | undefined
}

interface MetaField {
  readonly owner: 'customer' | 'booking'
  readonly type: string
}

/** The custom fields that a center's new meal rules name as diets, and the line that set the rules. */
interface DietFields {
  readonly seq: number
  readonly keys: readonly string[]
}

const isDiet = (field: Pick<MetaField, 'type'> | undefined) =>
  field?.type === 'string' || field?.type === 'boolean'

const metaFieldOf = ({ owner, type }: RowState): MetaField => ({
  owner: owner === 'customer' ? 'customer' : 'booking',
  type: String(type),
})

/** Notes references and removals while records are written, and finds the broken ones at the end. */
export class References {
  readonly #tx: Queryable
  readonly #removedCenters = new Map<string, number>()
  readonly #changedMetaFields: ChangedMetaField[] = []
  readonly #dietFields = new Map<string, DietFields>()
  /** the columns of references that were noted, and the kinds of removed records */
  readonly #noted = new Set<string>()

  constructor(tx: Queryable) {
    this.#tx = tx
  }

  /** Creates the tables with the first note: most deliveries remove nothing, and many refer to nothing. */
  async #note(what: readonly string[], statement: Sql): Promise<void> {
    const isFirst = this.#noted.size === 0
    for (const one of what) this.#noted.add(one)
    if (isFirst) for (const create of statements.createReferencesSql) await this.#tx.query(create)
    await this.#tx.query(statement)
  }

  /** Discards what is stored in memory. Its tables are rolled back with the transaction. */
  forget(): void {
    this.#noted.clear()
    this.#removedCenters.clear()
    this.#changedMetaFields.length = 0
    this.#dietFields.clear()
  }

  /** Centers to remove at the end, when nothing in them is left. */
  get removedCenters(): ReadonlyMap<string, number> {
    return this.#removedCenters
  }

  /** Notes what must be checked at the end about a batch of records. */
  async note(kind: KindName, records: readonly WrittenRecord[]): Promise<void> {
    if (kind === 'booking') await this.#noteBookings(records)
    const removed = records.filter(({ isChanged, after }) => isChanged && after === undefined)
    const lastLine = ({ lines }: Pick<WrittenRecord, 'lines'>) =>
      lines.findLast(({ effect }) => effect !== undefined && effect !== 'older')!.seq
    if (kind === 'center') {
      for (const record of removed) this.#removedCenters.set(record.centerId, lastLine(record))
      for (const { centerId, after, isChanged, ...record } of records) {
        const keys = isChanged ? dietFieldsOf(after?.meal_rules) : []
        if (keys.length > 0) this.#dietFields.set(centerId, { seq: lastLine(record), keys })
      }
    } else if (kind === 'metaField') {
      for (const record of records) this.#noteMetaField(record, lastLine)
    } else if (removed.length > 0 && BOOKING_REFERENCES.some((reference) => reference.kind === kind)) {
      const rows = removed.map((record) => ({
        seq: lastLine(record),
        kind: kindPlace(kind),
        center_id: record.centerId,
        key: record.key,
      }))
      await this.#note([kind], statements.noteRemovalsSql(JSON.stringify(rows)))
    }
  }

  #noteMetaField(record: WrittenRecord, lastLine: (record: WrittenRecord) => number): void {
    const { before, after, isChanged } = record
    if (!isChanged || before === undefined) return
    const was = metaFieldOf(before)
    const is = after && metaFieldOf(after)
    if (was.owner === is?.owner && was.type === is.type) return
    this.#changedMetaFields.push({
      seq: lastLine(record),
      centerId: record.centerId,
      key: record.key,
      was,
      is,
    })
  }

  async #noteBookings(records: readonly WrittenRecord[]): Promise<void> {
    const rows = records.flatMap((record) => {
      const { centerId: center_id, key: booking_id, before, after, isChanged } = record
      const bySeq = new Map<number, Record<string, unknown>>()
      const give = (seq: number, column: string, value: unknown, refused: boolean) => {
        const row = bySeq.get(seq) ?? { seq, center_id, booking_id, refused }
        row[column] = value
        bySeq.set(seq, row)
      }
      for (const { seq, problems, references } of record.lines) {
        if (problems.length === 0) continue
        for (const [column, value] of Object.entries(references)) give(seq, column, value, true)
      }
      if (isChanged && after !== undefined) {
        for (const { column } of BOOKING_REFERENCES) {
          if (after[column] === undefined || String(after[column]) === String(before?.[column])) continue
          // If the target does not exist, the last line that set the reference is reported.
          const giver = record.lines.findLast(
            ({ problems, references }) => problems.length === 0 && references[column] !== undefined,
          )
          if (giver !== undefined) give(giver.seq, column, after[column], false)
        }
      }
      return [...bySeq.values()]
    })
    if (rows.length === 0) return
    const columns = BOOKING_REFERENCES.map(({ column }) => column).filter((column) =>
      rows.some((row) => row[column] !== undefined),
    )
    await this.#note(columns, statements.noteReferencesSql(JSON.stringify(rows)))
  }

  /**
   * All broken references. With `ignoreRefused`, references to refused records of this import are skipped, because they
   * are valid once those are corrected.
   */
  async *findBroken(ignoreRefused: boolean): AsyncGenerator<LineProblem> {
    if (this.#noted.size > 0)
      for (const statement of statements.analyzeReferencesSql) await this.#tx.query(statement)
    for (const reference of BOOKING_REFERENCES) {
      const { field, kind } = reference
      if (!this.#noted.has(reference.column)) continue
      const statement = statements.missingTargetsSql(reference, kindPlace(kind))
      for await (const rows of readRowsInChunks<BrokenReference>(this.#tx, statement, BATCH_ROWS)) {
        for (const { seq, target, target_refused } of rows) {
          if (target_refused && ignoreRefused) continue
          const key = reference[target_refused ? 'refused' : 'missing']
          const why = reason({ key, values: { id: target } })
          yield { seq, field, ...why, ...(target_refused ? { isConsequence: true } : {}) }
        }
      }
    }
    for (const reference of BOOKING_REFERENCES) {
      const { kind } = reference
      if (!this.#noted.has(kind)) continue
      const statement = statements.targetsInUseSql(reference, kindPlace(kind))
      for await (const rows of readRowsInChunks<BrokenRemoval>(this.#tx, statement, BATCH_ROWS)) {
        for (const { seq, booking_id } of rows) {
          yield {
            seq,
            ...onlyEnglish(`cannot remove the ${kind}: booking "${booking_id}" still refers to it`),
          }
        }
      }
    }
    yield* this.#missingDietFields()
    yield* this.#metaFieldsInUse()
    yield* this.#centersInUse()
  }

  /** Diets that are not custom fields, or whose type cannot be a diet. */
  async *#missingDietFields(): AsyncGenerator<LineProblem> {
    for (const [centerId, { seq, keys }] of this.#dietFields) {
      const rows = await this.#tx.query<{ key: string; type: string }>(metaFieldsSql([centerId]))
      for (const [at, key] of keys.entries()) {
        const found = rows.find((row) => row.key === key)
        if (found !== undefined && isDiet(found)) continue
        const why =
          found === undefined
            ? 'there is no such custom field, neither in the database nor among these records'
            : `a custom field of the type ${found.type}; a diet has the type string or boolean`
        yield { seq, field: `mealRules.dietFields[${at}].field`, ...onlyEnglish(`is "${key}"; ${why}`) }
      }
    }
  }

  async #isDietField(centerId: string, key: string): Promise<boolean> {
    const [center] = await this.#tx.query<{ meal_rules: Json }>(statements.mealRulesSql(centerId))
    return dietFieldsOf(center?.meal_rules).includes(key)
  }

  async *#metaFieldsInUse(): AsyncGenerator<LineProblem> {
    for (const { seq, centerId, key, was, is } of this.#changedMetaFields) {
      const type = is?.owner === was.owner ? is.type : null
      const act = is === undefined ? 'remove' : 'change'
      if (!isDiet(is) && !this.#dietFields.has(centerId) && (await this.#isDietField(centerId, key))) {
        yield {
          seq,
          ...onlyEnglish(`cannot ${act} the custom field: mealRules.dietFields of the center names it`),
        }
        continue
      }
      const statement = statements.recordWithMetaSql(was.owner, centerId, key, type)
      const [user] = await this.#tx.query<{ id: string }>(statement)
      if (user === undefined) continue
      yield {
        seq,
        ...onlyEnglish(`cannot ${act} the custom field: ${was.owner} "${user.id}" still has a value for it`),
      }
    }
  }

  async *#centersInUse(): AsyncGenerator<LineProblem> {
    for (const [centerId, seq] of this.#removedCenters) {
      const [contents] = await this.#tx.query(statements.centerContentsSql(centerId))
      const left = KIND_NAMES.filter((kind) => contents?.[kind] === true)
      if (left.length === 0) continue
      yield {
        seq,
        ...onlyEnglish(`cannot remove the center: it still has records of the kind ${left.join(', ')}`),
      }
    }
  }
}

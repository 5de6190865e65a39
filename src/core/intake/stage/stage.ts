/** The staged lines of one import: written as they are read, then read back kind by kind. */
import type { Queryable } from '../../database/database.ts'
import { deleteMarkedSql, type ErasedRow, erasedRowsSql } from '../erased/erased-sql.ts'
import { KIND_NAMES, type KindName } from '../kinds/kind.ts'
import { KINDS } from '../kinds.ts'
import { type NamedRecord, type Origin, originOf, type RecordLine, splitKey } from '../lines/record-line.ts'
import { withoutBookingSql } from '../references/references-sql.ts'
import { type ErasedRows, type ErasedShare, type RefusedLine, rowName } from '../rejects/problem-report.ts'
import type { FieldProblem } from '../rejects/problems.ts'
import type { Row } from '../spreadsheets/tables/table.ts'
import { readRowsInChunks } from './chunks.ts'
import { EXAMPLES_MAX, type Missing, type Snapshot, type SnapshotKind } from './snapshot.ts'
import { missingKeysSql, stageMissingSql } from './snapshot-sql.ts'
import {
  analyzeStageSql,
  createStageSql,
  dropStageSql,
  indexStageSql,
  joinRepeatedSql,
  originsSql,
  readStageSql,
  refuseLinesSql,
  repeatedLinesSql,
  repeatedRowsSql,
  replaceBodiesSql,
  type StagedLine,
  stageLinesSql,
} from './stage-sql.ts'

/** The number of a kind in the staging table, which is its position in writing order. */
export const kindPlace = (kind: KindName) => KIND_NAMES.indexOf(kind)

/** Lines per statement: enough to make its fixed cost negligible, few enough for flat memory. */
export const BATCH_LINES = 1000
/**
 * Records written by one statement: more than a commit's list of changes names individually (`changes_bound` in the
 * database). So the first statement of a long import records its kind as changed as a whole, instead of a thousand
 * records that are then replaced.
 */
export const WRITTEN_LINES = 1200
/**
 * Records whose keys are remembered while lines are staged. If none repeats, no lines have to be joined, which took 40 ms for
 * 20,000 lines.
 */
const KEYS_MAX = 50_000
/** Bounds a batch of long lines, which is in memory as lines, as one JSON text, and as bytes being sent. */
const BATCH_CHARACTERS = 1_000_000

/** So few lines are found without an index, and planned for without statistics. Making both took longer than their import. */
const FEW_LINES = 200

/** The file name for staged removals of a snapshot. Their lines have the number 0. */
export const NOT_IN_THE_FILE = 'not in the file'

/** The problems of refused lines, by position in the input. */
export type Refusals = ReadonlyMap<number, readonly FieldProblem[]>

/** A row of a table that makes a record together with others. */
export interface RepeatedRow {
  readonly seq: number
  readonly first_seq: number
  readonly line: number
  readonly body: string
  readonly version: number | null
  readonly origin: Origin
}

/** Writes and reads the staging table. */
export class Stage {
  readonly #tx: Queryable
  readonly #origins: Origin[] = []
  #batch: object[] = []
  #characters = 0
  #staged = 0
  #seqMax = 0
  #isIndexed = false
  /** Kinds of which no line was staged are not looked for. */
  readonly #kinds = new Set<KindName>()
  readonly #keys = new Set<string>()
  #mayRepeat = false
  /** The batch being written while the next lines are read. */
  #writing: Promise<unknown> = Promise.resolve()

  constructor(tx: Queryable) {
    this.#tx = tx
  }

  /** Number of staged lines. */
  get size(): number {
    return this.#staged
  }

  async create(): Promise<void> {
    await this.#tx.query(createStageSql)
  }

  async add(
    seq: number,
    origin: Origin & Pick<RecordLine, 'line' | 'loose' | 'rows'>,
    record: NamedRecord,
    body: string,
  ): Promise<void> {
    const given = origin.rows === undefined ? null : JSON.stringify(origin.rows)
    this.#batch.push({
      seq,
      file: this.#originNumber(origin),
      line: origin.line,
      kind: kindPlace(record.kind),
      center_id: record.centerId,
      key: record.key,
      loose: origin.loose ?? false,
      version: record.version ?? null,
      body,
      given,
      ...record.stay,
    })
    this.#staged += 1
    this.#seqMax = seq
    this.#kinds.add(record.kind)
    this.#noteKey(`${record.kind} ${record.centerId} ${record.key}`)
    this.#characters += body.length + (given?.length ?? 0)
    if (this.#batch.length >= BATCH_LINES || this.#characters >= BATCH_CHARACTERS) await this.#write()
  }

  /** Stages records that follow from stored ones. Called when all lines are staged. */
  async addLate(origin: Origin, records: readonly { readonly record: NamedRecord; readonly body: string }[]) {
    const lines = records.map(({ record: { kind, centerId, key }, body }) => ({
      seq: ++this.#seqMax,
      file: this.#originNumber(origin),
      line: 0,
      kind: kindPlace(kind),
      center_id: centerId,
      key,
      loose: false,
      body,
    }))
    this.#staged += lines.length
    for (const { record } of records) this.#kinds.add(record.kind)
    await this.#tx.query(stageLinesSql(JSON.stringify(lines)))
  }

  /** Waits for statements in progress, so that none reaches the database after the transaction has ended. */
  async settle(): Promise<void> {
    await settled(this.#writing)
  }

  /** Writes the remaining lines and makes the table ready for reading. */
  async finish(): Promise<void> {
    await this.#write()
    await this.#writing
    if (this.#mayRepeat) await this.#tx.query(joinRepeatedSql)
    this.#keys.clear()
    await this.#index()
  }

  async #index(): Promise<void> {
    if (this.#isIndexed || this.#staged <= FEW_LINES) return
    this.#isIndexed = true
    for (const statement of indexStageSql) await this.#tx.query(statement)
  }

  /** Updates statistics for the planner, once the lines of erased people are deleted. */
  async analyze(): Promise<void> {
    if (this.#isIndexed) await this.#tx.query(analyzeStageSql)
  }

  /**
   * The lines of a kind that are not refused, in batches. All lines of a record are in one batch, unless they exceed
   * it. The next batch is read while one is processed.
   */
  async *read(kind: KindName): AsyncGenerator<StagedLine[]> {
    if (!this.#kinds.has(kind)) return
    const readAfter = (after: { firstSeq: number; seq: number }) => {
      const asked = WRITTEN_LINES
      const lines = this.#tx.query<StagedLine>(readStageSql(kindPlace(kind), after, asked, BATCH_CHARACTERS))
      lines.catch(() => {})
      return { asked, lines }
    }
    let next = readAfter({ firstSeq: 0, seq: 0 })
    try {
      while (true) {
        const lines = await next.lines
        const isLast = lines.length === (lines[0]?.page ?? 0) && lines.length < next.asked
        const batch = isLast ? lines : wholeRecords(lines)
        const end = batch.at(-1)
        if (end !== undefined && !isLast) next = readAfter({ firstSeq: end.first_seq, seq: end.seq })
        if (end !== undefined) yield batch
        if (end === undefined || isLast) return
      }
    } finally {
      await settled(next.lines)
    }
  }

  /** Stages removals of the records that the snapshot lacks. Called when all lines are staged. */
  async addMissing({ center, kinds, session, removeAtMost = 0 }: Snapshot): Promise<Missing> {
    const counts: Partial<Record<SnapshotKind, number>> = {}
    const examples: string[] = []
    let count = 0
    for (const kind of kinds) {
      const place = {
        kind: kindPlace(kind),
        file: this.#originNumber({ file: NOT_IN_THE_FILE }),
        after: this.#seqMax,
      }
      const [staged] = await this.#tx.query<{ count: number }>(
        stageMissingSql(KINDS[kind], center, session, place),
      )
      const missing = staged?.count ?? 0
      if (missing === 0) continue
      const keys = await this.#tx.query<{ key: string }>(missingKeysSql(place.kind, EXAMPLES_MAX))
      examples.push(...keys.map(({ key }) => `${kind} ${splitKey(key).at(-1)}`))
      counts[kind] = missing
      count += missing
      this.#staged += missing
      this.#seqMax += missing
      this.#kinds.add(kind)
    }
    await this.#index()
    return { count, kinds: counts, examples: examples.slice(0, EXAMPLES_MAX), allowed: removeAtMost }
  }

  /** The rows that the lines marked by `markErased` were made from. */
  async erasedRows(): Promise<ErasedRows> {
    const rows = new Map<string, ErasedShare>()
    for (const { file, line, is_whole, is_cleared } of await this.#tx.query<ErasedRow>(erasedRowsSql))
      rows.set(rowName(this.#origins[file] ?? {}, line), is_whole ? 'whole' : is_cleared ? 'cleared' : 'part')
    return rows
  }

  /** Deletes the lines marked by `markErased`. */
  async deleteErased(count: number): Promise<void> {
    await this.#tx.query(deleteMarkedSql)
    this.#staged -= count
  }

  /**
   * The rows of tables that make one record, record by record, if they differ or a mapping adds them up. Called after
   * `adopt`.
   */
  async *repeatedRows(): AsyncGenerator<RepeatedRow[]> {
    if (!this.#mayRepeat) return
    const chunks = readRowsInChunks<Omit<RepeatedRow, 'origin'> & { file: number }>(
      this.#tx,
      repeatedRowsSql(this.#origins.some(addsUp)),
      BATCH_LINES,
    )
    for await (const rows of chunks)
      yield rows.map(({ file, ...row }) => ({ ...row, origin: this.#origins[file] ?? {} }))
  }

  /** Number of records that lines of JSON give more than once. Called when all lines are staged. */
  async repeatedRecords(): Promise<number> {
    if (!this.#mayRepeat) return 0
    const [found] = await this.#tx.query<{ count: number }>(repeatedLinesSql)
    return found?.count ?? 0
  }

  /** Number of imported customers without a booking. Called after the records are written. */
  async withoutBooking(): Promise<number> {
    if (!this.#kinds.has('customer')) return 0
    const [found] = await this.#tx.query<{ count: number }>(withoutBookingSql(kindPlace('customer')))
    return found?.count ?? 0
  }

  /** Replaces the records of lines. */
  async rewrite(bodies: readonly { seq: number; body: string }[]): Promise<void> {
    if (bodies.length > 0) await this.#tx.query(replaceBodiesSql(JSON.stringify(bodies)))
  }

  /** Drops the table at the end of the transaction. */
  async drop(): Promise<void> {
    await this.#tx.query(dropStageSql)
  }

  /** Excludes lines from further reading. */
  async refuse(seqs: readonly number[]): Promise<void> {
    for (let at = 0; at < seqs.length; at += BATCH_LINES) {
      await this.#tx.query(refuseLinesSql(seqs.slice(at, at + BATCH_LINES)))
    }
  }

  /** Describes refused lines with their origins and contents. */
  async *describe(refusals: Refusals): AsyncGenerator<RefusedLine> {
    const seqs = [...refusals.keys()]
    for (let at = 0; at < seqs.length; at += BATCH_LINES) {
      const origins = await this.#tx.query<{
        seq: number
        file: number
        line: number
        kind: number
        key: string
        body: string
        given: string | null
      }>(originsSql(seqs.slice(at, at + BATCH_LINES)))
      for (const { seq, file, line, kind, key, body, given } of origins) {
        yield {
          seq,
          ...this.#origins[file],
          line,
          kind: KIND_NAMES[kind]!,
          id: splitKey(key).at(-1)!,
          problems: refusals.get(seq) ?? [],
          record: body,
          // Written by this code, so its type is known.
          ...(given === null ? {} : { rows: JSON.parse(given) as Row[] }),
        }
      }
    }
  }

  #noteKey(key: string): void {
    if (this.#mayRepeat) return
    this.#mayRepeat = this.#keys.size >= KEYS_MAX || this.#keys.has(key)
    if (this.#mayRepeat) this.#keys.clear()
    else this.#keys.add(key)
  }

  async #write(): Promise<void> {
    if (this.#batch.length === 0) return
    const lines = JSON.stringify(this.#batch)
    this.#batch = []
    this.#characters = 0
    await this.#writing
    this.#writing = this.#tx.query(stageLinesSql(lines))
    // The next caller that awaits it gets its failure; until then it must not count as an unhandled rejection.
    this.#writing.catch(() => {})
  }

  #originNumber(line: Origin): number {
    const { file, sheet, terms } = line
    const known = this.#origins.findLastIndex(
      (origin) => origin.file === file && origin.sheet === sheet && origin.terms === terms,
    )
    return known >= 0 ? known : this.#origins.push(originOf(line)) - 1
  }
}

const addsUp = ({ terms }: Origin): boolean =>
  terms?.fields.values().some(({ rows }) => rows === 'sum') === true

async function settled(work: Promise<unknown>): Promise<void> {
  await Promise.allSettled([work])
}

/** The lines without those of the last record, which may continue in the next batch. */
function wholeRecords(lines: StagedLine[]): StagedLine[] {
  const last = lines.at(-1)!.first_seq
  const end = lines.findIndex(({ first_seq }) => first_seq === last)
  return end === 0 ? lines : lines.slice(0, end)
}

/** Whether a batch continues the last record of the one before. */
export const continuesRecord = (lines: readonly StagedLine[], before: readonly StagedLine[]): boolean =>
  lines[0]?.first_seq === before.at(-1)?.first_seq

/** One import within its transaction: lines are staged as they are read, then written kind by kind. */

import type { Queryable } from '../database/database.ts'
import { onlyEnglish } from '../locale/said.ts'
import { noSuchCenter } from '../records/centers/find-center.ts'
import {
  CHANGED_RECORDS_MAX,
  type ChangedRecord,
  type Counts,
  CountsByCenter,
  noCounts,
  RecordsMet,
} from './counts.ts'
import { ERASED_PROBLEM, markErased } from './erased/erased.ts'
import { markedLinesSql } from './erased/erased-sql.ts'
import { UNREAD_OF_ERASED, UnreadLines } from './erased/erased-unread.ts'
import { KIND_NAMES, type KindName } from './kinds/kind.ts'
import { KINDS } from './kinds.ts'
import { FirstChecks } from './lines/first-check.ts'
import { originOf, type RecordLine, readLine } from './lines/record-line.ts'
import { unwanted } from './lines/refused-kinds.ts'
import { CONTEXT_OF_CENTERS } from './merge/center-context.ts'
import { CenterDirectory } from './merge/center-facts.ts'
import { changedFields } from './merge/changed-fields.ts'
import { DietWords } from './merge/diet-words.ts'
import { type AddedDiets, dietRecords } from './merge/diets.ts'
import { deleteRowsSql } from './merge/upsert-sql.ts'
import { type BatchContext, type Judged, writeBatch } from './merge/write-batch.ts'
import { References } from './references/references.ts'
import type { ProblemReport } from './rejects/problem-report.ts'
import type { FieldProblem } from './rejects/problems.ts'
import type { RunOptions } from './run-options.ts'
import { Slices } from './slices.ts'
import { wrongMapping } from './spreadsheets/mapping/wrong-mapping.ts'
import { combineRows } from './stage/combine-rows.ts'
import { overlapBatches } from './stage/overlapping-batches.ts'
import type { Missing } from './stage/snapshot.ts'
import { BATCH_LINES, continuesRecord, Stage } from './stage/stage.ts'
import {
  checkConstraintsSql,
  lockCenterImportsSql,
  lockImportsSql,
  releaseSavepointSql,
  rollbackToSavepointSql,
  type StagedLine,
  savepointSql,
} from './stage/stage-sql.ts'
import { TrailImport } from './trail.ts'

/** The file name for staged records of diets. */
const DIETS_OF_MAPPING = 'diets of the mapping'

export class ImportRun {
  readonly #tx: Queryable
  readonly #report: ProblemReport
  readonly #options: RunOptions
  readonly #stage: Stage
  readonly #references: References
  readonly #centers: CenterDirectory
  readonly #trail: TrailImport
  readonly #refused = new Set<number>()
  readonly #refusedCenters = new Set<string>()
  readonly #slices = new Slices()
  readonly #looks: FirstChecks
  readonly #unread: UnreadLines
  #unnamed = 0
  /** Whether records use the default center, and whether the input contains that center itself. */
  #isCenterUsed = false
  #isCenterGiven = false
  lines = 0
  counts: Counts = noCounts()
  readonly countsByCenter = new CountsByCenter()
  /** the first records created, changed or removed, kind by kind */
  changedRecords: ChangedRecord[] = []
  /** the stored records that lines of a key were compared with */
  met = new RecordsMet()
  /** lines left out because they belong to erased people; by center if the line names one */
  erased = 0
  erasedByCenter: ReadonlyMap<string, number> = new Map()
  /** records that several lines of JSON give; the lines are applied in their order */
  repeated = 0
  /** imported customers without a booking, whom no list of guests shows */
  withoutBooking = 0
  /** for a snapshot: the records that it lacks */
  missing: Missing | undefined
  /** diets of the mapping that the center lacked, and that it had */
  diets: AddedDiets | undefined
  readonly dietWords: DietWords

  constructor(tx: Queryable, report: ProblemReport, options: RunOptions) {
    this.#tx = tx
    this.#report = report
    this.#options = options
    this.#stage = new Stage(tx)
    this.#looks = new FirstChecks(options)
    this.#references = new References(tx)
    this.#centers = new CenterDirectory(tx)
    this.#trail = new TrailImport(tx)
    this.#unread = new UnreadLines(tx, options)
    this.dietWords = new DietWords(options.diets ?? [], options.areDietsConfirmed ?? false)
  }

  get rejected(): number {
    return this.#unnamed + this.#refused.size
  }

  /** Reads all lines into the stage. Lines without a record are refused here. */
  async read(input: AsyncIterable<RecordLine> | Iterable<RecordLine>): Promise<void> {
    await this.#stage.create()
    try {
      await this.#readLines(input)
    } finally {
      await this.#stage.settle()
    }
    await this.#stage.finish()
  }

  async #readLines(input: AsyncIterable<RecordLine> | Iterable<RecordLine>): Promise<void> {
    for await (const line of input) {
      if (this.isCutShort) return
      this.lines += 1
      this.dietWords.note(line.value)
      const read = this.#slices.do(() => readLine(line, this.#options.center))
      if (this.#slices.isOver) await this.#slices.letOthersRun()
      const { text, kind } = read
      const problem =
        kind && (unwanted(kind, read.record?.centerId, this.#options) ?? wrongMapping(kind, text))
      const { record, problems } = problem === undefined ? read : { record: undefined, problems: [problem] }
      this.#looks.note(kind, record === undefined ? undefined : read.look)
      if (record !== undefined && text !== undefined) {
        if (record.centerId === this.#options.center) {
          if (kind === 'center') this.#isCenterGiven = true
          else this.#isCenterUsed = true
        }
        await this.#slices.do(() => this.#stage.add(this.lines, line, record, text))
        if (this.#slices.isOver) await this.#slices.letOthersRun()
      } else if (await this.#unread.isOfErased(text, line.rows)) {
        this.#unnamed += 1
        await this.#report.add({
          seq: this.lines,
          ...originOf(line),
          line: line.line,
          problems: [onlyEnglish(UNREAD_OF_ERASED)],
        })
      } else {
        this.#unnamed += 1
        await this.#report.add({
          seq: this.lines,
          ...originOf(line),
          line: line.line,
          ...(kind === undefined ? {} : { kind }),
          problems: problems ?? [{ ...onlyEnglish('is not a record') }],
          ...(text === undefined ? {} : { record: text }),
          ...(line.rows === undefined ? {} : { rows: line.rows }),
        })
      }
      if (this.lines % 1000 === 0) this.#options.onProgress?.({ phase: 'reading', done: this.lines })
    }
  }

  /** Whether the maximum of problems was reached, so that the rest was not checked. */
  get isCutShort(): boolean {
    return this.#report.problems >= (this.#options.problemsMax ?? Number.POSITIVE_INFINITY)
  }

  /** Whether more would be removed than allowed; nothing is written then. */
  get isBeyondBound(): boolean {
    return this.missing !== undefined && this.missing.count > this.missing.allowed && !this.#options.dryRun
  }

  /** What comes before writing: everything that may end the import without a row written. */
  async prepare(): Promise<void> {
    if (this.isCutShort) return
    // The lock is taken only now, so that someone who types records into an import does not block others.
    const { only } = this.#options
    await this.#tx.query(only === undefined ? lockImportsSql : lockCenterImportsSql(only.center))
    // Before looking for missing records: a snapshot that contains an erased person's order does not lack it.
    const marked = await markErased(this.#tx, this.#options.restoreErased ?? false)
    this.erasedByCenter = marked.counts
    await this.#requireCenter()
    await this.#addDiets()
    if (this.erasedByCenter.size === 0) await this.#stage.analyze()
    if (this.#options.snapshot !== undefined) {
      this.missing = await this.#stage.addMissing(this.#options.snapshot)
      if (this.isBeyondBound) return
    }
    await this.#leaveErasedOut(marked.isCleared)
    await combineRows(this.#stage, this.#slices, (refusals) => this.#refuse(refusals))
    this.repeated = await this.#stage.repeatedRecords()
    if (this.#looks.areToBeJudged) await this.#writeAll({})
  }

  /** Writes the staged lines; with `skipInvalid` repeatedly, until no further line proves invalid. */
  async write(): Promise<void> {
    if (this.isCutShort || this.isBeyondBound || (this.#looks.areToBeJudged && this.rejected > 0)) return
    if (!this.#options.skipInvalid) {
      await this.#writeAll()
      await this.#refuseBroken()
      if (this.rejected === 0) await this.#refuse(await this.#trail.verify())
    } else {
      await this.#tx.query(savepointSql)
      while (true) {
        await this.#writeAll()
        if (!(await this.#refuseBroken())) break
        // Some records just written refer to records that do not exist: roll back and write again without them.
        await this.#tx.query(rollbackToSavepointSql)
        await this.#tx.query(releaseSavepointSql)
        await this.#stage.refuse([...this.#refused])
        await this.#tx.query(savepointSql)
      }
    }
    if (this.rejected > 0 && !this.#options.skipInvalid) return
    const removed = [...this.#references.removedCenters.keys()]
    if (removed.length > 0)
      await this.#tx.query(deleteRowsSql(KINDS.center, { centerIds: removed, keys: [] }))
    // A system that sends its changes sends a customer before their booking.
    if (this.#options.only === undefined) this.withoutBooking = await this.#stage.withoutBooking()
    await this.#stage.drop()
    await this.#tx.query(checkConstraintsSql)
  }

  /** Reports a wrong `--center` once, not for every record. @throws {NoSuchCenter} */
  async #requireCenter(): Promise<void> {
    const { center, only } = this.#options
    if (center === undefined || only !== undefined || !this.#isCenterUsed || this.#isCenterGiven) return
    const found = await this.#centers.find([center])
    if (!found.has(center)) throw await noSuchCenter(this.#tx, center)
  }

  /** Stages the custom fields and the meal rules that the center lacks for the diets of a mapping. */
  async #addDiets(): Promise<void> {
    const { center, diets = [] } = this.#options
    if (center === undefined || diets.length === 0) return
    await this.dietWords.load()
    const { records, ...added } = await dietRecords(this.#tx, center, diets, this.dietWords)
    this.diets = added
    const staged = records.flatMap((value) => {
      const { record, text } = readLine({ line: 0, value }, center)
      if (record === undefined || text === undefined) return []
      this.#looks.note(record.kind, 'whole')
      return [{ record, body: text }]
    })
    if (staged.length === 0) return
    this.lines += staged.length
    await this.#stage.addLate({ file: DIETS_OF_MAPPING }, staged)
  }

  async #leaveErasedOut(isCleared: boolean): Promise<void> {
    const count = this.erasedByCenter.values().reduce((sum, ofCenter) => sum + ofCenter, 0)
    if (count === 0 && !isCleared) return
    const forgotten = this.#report.withhold(await this.#stage.erasedRows())
    if (count === 0) return
    this.#unnamed -= forgotten
    if (this.#options.refuseErased) {
      const lines = await this.#tx.query<{ seq: number }>(markedLinesSql)
      return this.#refuse(new Map(lines.map(({ seq }) => [seq, [ERASED_PROBLEM]])))
    }
    this.erased = count + forgotten
    await this.#stage.deleteErased(count)
    await this.#stage.analyze()
  }

  /** @param judged if they are not written, only checked */
  async #writeAll(judged?: Judged): Promise<void> {
    this.#references.forget()
    this.#centers.forget()
    this.counts = noCounts()
    this.countsByCenter.forget()
    this.changedRecords = []
    this.met = new RecordsMet()
    let done = 0
    for (const kind of KIND_NAMES) {
      const atATime = judged ? 1 : 2
      await overlapBatches(this.#batches(kind), atATime, continuesRecord, async (lines) => {
        await this.#writeLines(kind, lines, judged)
        done += lines.length
        const phase = judged ? 'checking' : 'writing'
        this.#options.onProgress?.({ phase, done, total: this.#stage.size })
      })
      // Custom fields are now written, so from here on they are read together with their centers.
      if (kind === 'metaField') this.#centers.forget()
    }
  }

  async *#batches(kind: KindName): AsyncGenerator<StagedLine[]> {
    for await (const lines of this.#stage.read(kind)) {
      if (this.isCutShort) return
      yield lines
    }
  }

  async #writeLines(kind: KindName, lines: StagedLine[], judged?: Judged): Promise<void> {
    if (KINDS[kind].only === 'audit') {
      const refusals = await this.#trail.write(kind, lines)
      this.counts[kind].created += lines.length - refusals.size
      for (const { seq, center_id } of lines) {
        const counts = this.countsByCenter.of(center_id)
        if (!refusals.has(seq)) counts.add(kind, 'created')
      }
      return this.#refuse(refusals)
    }
    const context = kind === 'center' ? CONTEXT_OF_CENTERS : await this.#recordContext(lines)
    const records = await writeBatch(this.#tx, KINDS[kind], lines, context, this.#slices, judged)
    await this.#references.note(kind, records)
    const refusals = new Map<number, readonly FieldProblem[]>()
    for (const { centerId, key, before, after, isChanged, lines: outcomes } of records) {
      if (before !== undefined && this.#options.only !== undefined) this.met.add(kind, key)
      if (isChanged && this.changedRecords.length < CHANGED_RECORDS_MAX) {
        const effect = before === undefined ? 'created' : after === undefined ? 'removed' : 'changed'
        const fields = this.#options.showsFields
          ? { fields: changedFields(KINDS[kind], centerId, before, after) }
          : {}
        this.changedRecords.push({ effect, kind, centerId, id: key, ...fields })
      }
      const ofCenter = this.countsByCenter.of(centerId)
      for (const { seq, effect, problems } of outcomes) {
        if (effect === undefined) {
          refusals.set(seq, problems)
          if (kind === 'center') this.#refusedCenters.add(centerId)
          continue
        }
        this.counts[kind][effect] += 1
        ofCenter.add(kind, effect)
      }
    }
    await this.#refuse(refusals)
  }

  async #recordContext(lines: readonly StagedLine[]): Promise<BatchContext> {
    const facts = await this.#centers.find(lines.map(({ center_id }) => center_id))
    const removed = this.#references.removedCenters
    return {
      centerState: (id) => {
        if (removed.has(id)) return 'removed'
        return facts.get(id) ?? (this.#refusedCenters.has(id) ? 'refused' : 'unknown')
      },
    }
  }

  async #refuse(refusals: ReadonlyMap<number, readonly FieldProblem[]>): Promise<void> {
    if (refusals.size === 0) return
    for await (const line of this.#stage.describe(refusals)) await this.#report.add(line)
    await this.#stage.refuse([...refusals.keys()])
    for (const seq of refusals.keys()) this.#refused.add(seq)
  }

  /** Refuses the lines with broken references. @returns whether any were newly refused */
  async #refuseBroken(): Promise<boolean> {
    const before = this.#refused.size
    let broken = new Map<number, FieldProblem[]>()
    for await (const { seq, ...problem } of this.#references.findBroken(!this.#options.skipInvalid)) {
      if (this.isCutShort) break
      const problems = broken.get(seq)
      if (problems === undefined) broken.set(seq, [problem])
      else problems.push(problem)
      if (broken.size >= BATCH_LINES) {
        await this.#refuse(broken)
        broken = new Map()
      }
    }
    await this.#refuse(broken)
    return this.#refused.size > before
  }
}

/**
 * One file of a center on its way in: looked at, checked, corrected and imported, each in the background. A page asks for
 * its state, and may leave at any time: what is not imported is forgotten.
 */
import type { KeyState } from '../../access/key-states.ts'
import { recordAct } from '../../audit/record-act.ts'
import { type Database, DatabaseUnavailable, type Queryable } from '../../database/database.ts'
import { NoSuchCenter } from '../../errors/no-such-center.ts'
import type { Language } from '../../locale/languages.ts'
import { type Written, write } from '../../locale/questions.ts'
import type { Said, Sentence } from '../../locale/said.ts'
import { importFiles } from '../import-files.ts'
import { ImportConflict, type ImportSummary } from '../import-records.ts'
import { InputError } from '../input-error.ts'
import type { KindName } from '../kinds/kind.ts'
import { type Correction, correctionPlace } from '../lines/corrections.ts'
import { Spool } from '../lines/spool.ts'
import {
  changeMapping,
  changingMappings,
  type FilePreview,
  lookAtFile,
  type MappingChange,
} from '../preview/preview-thread.ts'
import { shown, withValue } from '../rejects/problems.ts'
import { formOfInput } from '../rejects/rejects-form.ts'
import { rejectsDelimiter, rejectsWriter } from '../rejects/rejects-writer.ts'
import type { ImportProgress } from '../run-options.ts'
import { type AskedQuestion, type CsvForm, readMappingTree } from '../spreadsheets.ts'
import { SNAPSHOT_KINDS, type Snapshot, type SnapshotKind } from '../stage/snapshot.ts'
import { listMappings, storeMapping } from '../stored-mappings.ts'
import { changesOf } from './answers.ts'
import type { FileJobs } from './file-jobs.ts'
import { type FileOutcome, OutcomeNotes } from './file-outcome.ts'
import {
  type OutcomeView,
  outcomeIn,
  type QuestionView,
  questionsIn,
  reasonsOf,
  type TableView,
  tablesIn,
} from './proposal-view.ts'
import type { Body } from './receive-body.ts'

/**
 * `reading`: it is looked at. `asking`: the mapping has open questions. `checking`: the dry run. `checked`: it can be
 * imported. `importing`, `done`; `failed`: it cannot be read or imported as it is, and nothing was imported.
 */
export type FilePhase = 'reading' | 'asking' | 'checking' | 'checked' | 'importing' | 'done' | 'failed'

export interface ImportInput {
  /** how many records may be removed because the file lacks them */
  readonly removeAtMost: number
  /** the name under which the mapping is stored */
  readonly saveAs: string | undefined
}

export interface FileView {
  /** increases with each change */
  readonly version: number
  readonly name: string
  readonly bytes: number
  readonly sha256: string
  /** epoch ms */
  readonly receivedAt: number
  /** when it is deleted, epoch ms */
  readonly endsAt: number
  readonly phase: FilePhase
  /** whether another job has to end before */
  readonly isWaiting: boolean
  readonly progress: ImportProgress | null
  /** Why it failed, or why the last change was not possible. */
  readonly problem: Written | null
  readonly mapping: FilePreview['mapping'] | null
  readonly tables: readonly TableView[]
  /** `says` is an answer as a person reads it, and `answer` as the mapping has it */
  readonly questions: readonly QuestionView[]
  /** of a proposal with questions that are open: tried with the first answer of each */
  readonly trial: FilePreview['trial'] | null
  readonly check: OutcomeView | null
  readonly result: OutcomeView | null
  readonly complete: readonly string[]
  /** whether a person has said what the words of the diets mean, or the center has stored the mapping */
  readonly areDietsConfirmed: boolean
  readonly corrections: number
  /** the name of the file of refused rows, if there is one */
  readonly rejects: string | null
}

export interface FileImportOptions {
  readonly database: Database
  readonly folder: string
  readonly jobs: FileJobs
  readonly key: KeyState
  readonly name: string
  readonly body: Body
  /** epoch ms */
  readonly now: () => number
  readonly endsAt: number
  /** Repeats the check of the key. @throws {ApiError} */
  readonly readmit: () => Promise<unknown>
  /** Called with an error that nobody expected, of which a person reads nothing. */
  readonly onFault: (error: unknown) => void
}

/** The source of the log of imports, so that imports by hand do not count for the sources that are expected. */
export const PAGE_SOURCE = 'page'

const KINDS: ReadonlySet<KindName> = new Set(SNAPSHOT_KINDS)
/** Between two notes of progress. */
const PROGRESS_MS = 250
const CORRECTIONS_MAX = 1000
/** A change takes less than a second. */
const CHANGE_WAIT_MS_MAX = 10_000

class Ended extends Error {}

export class FileImport {
  readonly #options: FileImportOptions
  readonly #receivedAt: number
  #version = 1
  #changed = Promise.withResolvers<void>()
  #phase: FilePhase = 'reading'
  #isWaiting = false
  #progress: ImportProgress | null = null
  #problem: Sentence | null = null
  #look: FilePreview | undefined
  #questions: readonly AskedQuestion[] = []
  #check: FileOutcome | null = null
  #result: FileOutcome | null = null
  #complete: readonly SnapshotKind[] = []
  readonly #corrections = new Map<string, Correction>()
  #rejects: Spool | undefined
  #job = new AbortController()
  readonly #closed = new AbortController()
  #running: Promise<void> = Promise.resolve()
  #isClosed = false
  /** the texts of the proposal by what they are in English, which the mapping has */
  #says: ReadonlyMap<string, Said> = new Map()
  /** why the proposal does not use a column */
  #reasons: ReadonlyMap<string, Said> = new Map()
  /** whether a person wrote the mapping, or said what each word of its diets means */
  #isWritten = false

  constructor(options: FileImportOptions) {
    this.#options = options
    this.#receivedAt = options.now()
  }

  get key(): KeyState {
    return this.#options.key
  }

  get isImporting(): boolean {
    return this.#phase === 'importing'
  }

  get endsAt(): number {
    return this.#options.endsAt
  }

  get bytes(): number {
    return this.#options.body.bytes
  }

  /** @param language of the reader */
  view(language: Language): FileView {
    const { name, body, endsAt } = this.#options
    return {
      version: this.#version,
      name,
      bytes: body.bytes,
      sha256: body.sha256,
      receivedAt: this.#receivedAt,
      endsAt,
      phase: this.#phase,
      isWaiting: this.#isWaiting,
      progress: this.#progress,
      problem: this.#problem && write(this.#problem, language),
      mapping: this.#look?.mapping ?? null,
      tables: tablesIn(this.#look?.tables ?? [], this.#reasons, language),
      questions: questionsIn(this.#questions, this.#says, language),
      trial: this.#look?.trial ?? null,
      check: outcomeIn(this.#check, language),
      result: outcomeIn(this.#result, language),
      complete: this.#complete,
      areDietsConfirmed: this.#areDietsConfirmed,
      corrections: this.#corrections.size,
      rejects: this.#rejects === undefined ? null : this.rejectsName,
    }
  }

  /** Resolves when the state is another one than `version`. */
  async changedSince(version: number): Promise<void> {
    while (this.#version <= version && !this.#isClosed) await this.#changed.promise
  }

  #tell(change: () => void): void {
    change()
    this.#version += 1
    const { resolve } = this.#changed
    this.#changed = Promise.withResolvers()
    resolve()
  }

  /**
   * Looks at the file, and checks it unless something is to be answered first.
   * @param sheet one that the mapping is to read, too
   */
  start(chosen?: { readonly name: string; readonly body: string }, sheet?: string): void {
    this.#begin('reading', async (signal) => {
      const { database, key, body, name, now } = this.#options
      if (formOfInput(name, { isMapped: true }) === 'ndjson') {
        this.#look = { mapping: undefined, tables: [] }
      } else {
        const rows = await listMappings(database, key.center)
        const stored = rows.toSorted((a, b) => b.saved_at - a.saved_at)
        this.#look = await lookAtFile(
          {
            source: await body.source(),
            name,
            now: now(),
            stored: stored.map(({ name, body }) => ({ name, body })),
            chosen,
            sheet,
          },
          signal,
        )
      }
      this.#questions = this.#look.parsed?.questions ?? []
      const { proposed } = this.#look
      if (proposed !== undefined) {
        this.#says = new Map([...this.#says, ...proposed.says])
        this.#reasons = new Map([...this.#reasons, ...reasonsOf(proposed.tables)])
      }
      if (this.#questions.some(({ answer }) => answer === undefined)) {
        this.#tell(() => {
          this.#phase = 'asking'
        })
        return
      }
      await this.#checkNow(signal)
    })
  }

  /**
   * Changes the mapping.
   * @throws {InputError} if it would not be a mapping any more
   * @throws {WaitedTooLong} if others change theirs
   */
  change(change: MappingChange): Promise<void> {
    return changingMappings.run(async () => {
      this.#refuseOver()
      const before = this.#look?.mapping
      if (change.is !== 'mapping' && before === undefined)
        throw new InputError('This file is read without a mapping')
      const changed = await changeMapping({ before, change }, this.#closed.signal)
      this.#refuseOver()
      if (change.is === 'mapping' || change.is === 'meanings') this.#isWritten = true
      this.start(changed)
    }, CHANGE_WAIT_MS_MAX)
  }

  /** Reads one more sheet of the workbook. @throws {InputError} */
  readSheet(sheet: string): void {
    this.#refuseOver()
    const { mapping, tables = [] } = this.#look ?? {}
    if (mapping === undefined) throw new InputError('This file is read without a mapping')
    const found = tables.find((table) => table.sheet === sheet)
    if (found === undefined) throw new InputError(`The file has no sheet ${shown(sheet)} with rows`)
    if (found.table !== undefined) throw new InputError(`The sheet ${shown(sheet)} is read already`)
    this.start({ name: mapping.name, body: mapping.body }, sheet)
  }

  /** Corrects a row, or leaves it out, and checks the file again. @throws {InputError} */
  correct(
    rows: readonly {
      readonly sheet: string | undefined
      readonly row: number
      readonly cells: ReadonlyMap<number, string>
      readonly isLeftOut: boolean
    }[],
  ): void {
    this.#refuseOver()
    for (const { sheet, row, cells, isLeftOut } of rows) {
      const place = correctionPlace(sheet, row)
      const before = this.#corrections.get(place)
      if (before === undefined && this.#corrections.size >= CORRECTIONS_MAX) {
        throw new InputError(
          `More than ${CORRECTIONS_MAX} rows cannot be corrected here; download them, or correct the file itself`,
        )
      }
      this.#corrections.set(place, {
        cells: new Map([...(before?.cells ?? []), ...cells]),
        isLeftOut,
      })
    }
    this.check(this.#complete)
  }

  /** Tries the import, and changes nothing. @param complete kinds of which the file has all records */
  check(complete: readonly SnapshotKind[]): void {
    this.#refuseOver()
    this.#refuseOpen()
    this.#complete = complete
    this.#begin('checking', (signal) => this.#checkNow(signal))
  }

  /** Imports the file. @throws {InputError} if it was not checked, or its questions are open */
  import(input: ImportInput, requestId: string): void {
    this.#refuseOver()
    this.#refuseOpen()
    if (this.#phase !== 'checked') throw new InputError('The file was not checked yet')
    this.#begin('importing', async (signal) => {
      await this.#options.readmit()
      await this.#importNow(input, requestId, signal)
    })
  }

  /** Ends what is under way; nothing was imported then, unless the state says so. */
  async cancel(): Promise<void> {
    const wasImporting = this.#phase === 'importing'
    this.#job.abort(new Ended('cancelled'))
    await this.#running
    if (wasImporting && this.#phase === 'failed') {
      this.#tell(() => {
        this.#phase = 'checked'
        this.#problem = null
      })
    }
  }

  get rejectsName(): string {
    const { name } = this.#options
    const form = formOfInput(name, { isMapped: this.#look?.mapping !== undefined })
    return `${name}.rejects.${form}`
  }

  rejects(): AsyncGenerator<Buffer> | undefined {
    return this.#rejects?.read()
  }

  /** Ends what is under way, and deletes the file. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#closed.abort(new InputError('The file was deleted'))
    this.#job.abort(new Ended('closed'))
    await this.#running
    this.#changed.resolve()
    await this.#options.body.close()
    await this.#rejects?.close()
  }

  #refuseOver(): void {
    if (this.#phase === 'importing') throw new InputError('The file is being imported')
    if (this.#phase === 'done' || this.#isClosed)
      throw new InputError('The file was imported and deleted; choose it again')
  }

  #refuseOpen(): void {
    const open = this.#questions.filter(({ answer }) => answer === undefined).length
    if (open > 0) throw new InputError(`${open === 1 ? 'A question is' : `${open} questions are`} open`)
  }

  /** Ends the job that is under way, and begins another one. */
  #begin(phase: FilePhase, job: (signal: AbortSignal) => Promise<void>): void {
    this.#job.abort(new Ended('replaced'))
    const own = new AbortController()
    this.#job = own
    const before = this.#running
    this.#tell(() => {
      this.#phase = phase
      this.#progress = null
      this.#problem = null
      this.#isWaiting = true
    })
    const run = async () => {
      await before
      try {
        await this.#options.jobs.run(own.signal, async () => {
          this.#tell(() => {
            this.#isWaiting = false
          })
          await job(own.signal)
        })
      } catch (error) {
        if (this.#job !== own && error instanceof Ended) return
        const sentence = sentenceOf(error)
        if (sentence === undefined) this.#options.onFault(error)
        this.#tell(() => {
          this.#phase = 'failed'
          this.#isWaiting = false
          this.#progress = null
          this.#problem = sentence ?? { key: 'importFault' }
        })
      }
    }
    this.#running = run()
  }

  #showProgress(): (progress: ImportProgress) => void {
    let last = 0
    return (progress) => {
      const now = performance.now()
      if (now - last < PROGRESS_MS) return
      last = now
      this.#tell(() => {
        this.#progress = progress
      })
    }
  }

  async #run(
    notes: OutcomeNotes,
    importing: Omit<Parameters<typeof importFiles>[1]['importing'], 'onProblem'> & {
      readonly onProblem?: Parameters<typeof importFiles>[1]['importing']['onProblem']
      readonly onForm?: (form: CsvForm) => void
    },
  ): Promise<ImportSummary> {
    const { database, key, name, body } = this.#options
    const { mapping, parsed } = this.#look ?? {}
    const { onForm, ...options } = importing
    return importFiles(database, {
      names: [name],
      // The name is for messages, and leads to no file.
      files: { open: async () => body.read() },
      reading: {
        ...(mapping && parsed && { mapping: readMappingTree(parsed.tree, mapping.name) }),
        keepRows: true,
        corrections: this.#corrections,
        onForm: (_, form) => onForm?.(form),
        onLeftOut: (_, found) => {
          notes.leftOut = found
        },
      },
      importing: {
        ...options,
        center: key.center,
        only: { center: key.center, kinds: KINDS },
        showsFields: true,
        areDietsConfirmed: this.#areDietsConfirmed,
        onProgress: this.#showProgress(),
        async onProblem(problem) {
          notes.addProblem(problem)
          await importing.onProblem?.(problem)
        },
      },
      onLine: (line) => notes.addLine(line),
    })
  }

  async #checkNow(signal: AbortSignal): Promise<void> {
    const { database, key, body } = this.#options
    this.#tell(() => {
      this.#phase = 'checking'
    })
    const notes = new OutcomeNotes()
    const snapshot = this.#snapshot(Number.MAX_SAFE_INTEGER)
    const summary = await this.#run(notes, {
      dryRun: true,
      skipInvalid: snapshot === undefined,
      snapshot,
      signal,
    })
    const seesStored = this.#seesStored
    await database.transaction((tx) =>
      recordAct(tx, {
        center: key.center,
        name: 'checkFile',
        by: key,
        ...summary.met.inTrail,
        facts: { sha256: body.sha256, values: seesStored ? 'old' : 'none' },
        scopes: seesStored ? ['import'] : [],
      }),
    )
    this.#tell(() => {
      this.#phase = 'checked'
      this.#progress = null
      this.#check = notes.outcome(summary, seesStored)
    })
  }

  async #importNow(input: ImportInput, requestId: string, signal: AbortSignal): Promise<void> {
    const { key, body, name, folder } = this.#options
    const notes = new OutcomeNotes()
    const rejects = new Spool(folder)
    let form: CsvForm | undefined
    const writer = rejectsWriter(
      {
        form: formOfInput(name, { isMapped: this.#look?.mapping !== undefined }),
        namesFiles: false,
        othersGoIn: true,
        delimiter: () => rejectsDelimiter(form),
      },
      async () => ({
        write: (content) => rejects.add(Buffer.from(content)),
        async keep() {},
        discard: () => rejects.close(),
      }),
    )
    const parsed = this.#look?.parsed
    const snapshot = this.#snapshot(input.removeAtMost)
    let summary: ImportSummary
    try {
      summary = await this.#run(notes, {
        skipInvalid: snapshot === undefined,
        snapshot,
        signal,
        origin: {
          way: 'intake',
          by: { publicKey: key.publicKey },
          files: () => [body],
          source: PAGE_SOURCE,
        },
        onForm(found) {
          form = found
        },
        onProblem: (problem) => writer.add(withValue(problem)),
        async alongside(tx, done) {
          await noteImport(tx, key, body, done, requestId)
          if (input.saveAs !== undefined && parsed !== undefined) {
            await storeMapping(
              tx,
              {
                centerId: key.center,
                name: input.saveAs,
                tree: parsed.tree,
                user: key.name,
                by: key,
              },
              (diet, word) => done.dietWords.isStored(diet, word),
            )
          }
        },
      })
    } catch (error) {
      await rejects.close()
      throw error
    }
    // The valid records are in the database by now, whatever becomes of the others.
    const isStored = await writer.keep().then(
      () => true,
      () => false,
    )
    const hasRejects = summary.applied && summary.rejected > 0 && isStored
    if (!hasRejects) await rejects.close()
    const outcome = notes.outcome(summary, this.#seesStored)
    if (!summary.applied) {
      this.#tell(() => {
        this.#phase = 'checked'
        this.#progress = null
        this.#check = outcome
        this.#problem = { key: 'importChangedSince' }
      })
      return
    }
    await body.close()
    this.#tell(() => {
      this.#phase = 'done'
      this.#progress = null
      this.#result = outcome
      if (hasRejects) this.#rejects = rejects
      if (!isStored) this.#problem = { key: 'importNoRejects' }
    })
  }

  /** What a person wrote or the center has stored is no proposal of this file. */
  get #areDietsConfirmed(): boolean {
    return this.#look?.mapping?.isStored === true || this.#isWritten
  }

  #snapshot(removeAtMost: number): Snapshot | undefined {
    if (this.#complete.length === 0) return undefined
    return { center: this.#options.key.center, kinds: this.#complete, removeAtMost }
  }

  /** Ruling 49: the scope `import` shows old values. */
  get #seesStored(): boolean {
    return this.#options.key.seesStored
  }
}

async function noteImport(
  tx: Queryable,
  key: KeyState,
  body: Body,
  summary: ImportSummary,
  requestId: string,
): Promise<void> {
  await recordAct(tx, {
    center: key.center,
    name: 'takeRecords',
    by: key,
    records: changesOf(summary),
    facts: {
      sha256: body.sha256,
      outcome: 'done',
      ...(summary.id !== null && { import: summary.id }),
      requestId,
    },
    scopes: [],
  })
}

/** What a person reads: a problem of the file in its words; undefined for an error that nobody expected. */
function sentenceOf(error: unknown): Sentence | undefined {
  if (error instanceof InputError || error instanceof NoSuchCenter) return { english: error.message }
  if (error instanceof ImportConflict) return { key: 'importConflict' }
  if (error instanceof Ended) return { key: 'importCancelled' }
  if (error instanceof DatabaseUnavailable) return { key: 'importNoDatabase' }
  return undefined
}

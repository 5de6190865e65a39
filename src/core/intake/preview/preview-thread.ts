/**
 * Looks at a file in a thread of its own: whether a stored mapping reads it, or which mapping is proposed; and changes a mapping,
 * also for an erasure.
 * Looking takes seconds of computing without a break, and parsing the YAML of a mapping half a second, in which a service would
 * answer nobody.
 */
import { Worker } from 'node:worker_threads'
import { Mutex } from '../../database/queue/mutex.ts'
import { InputError } from '../input-error.ts'
import type { SpoolSource } from '../lines/spool.ts'
import type {
  AskedQuestion,
  ProposedMapping,
  setColumn,
  TableDescription,
  TreeNode,
  Trial,
  WordMeaning,
} from '../spreadsheets.ts'
import { readingMemory } from './reading-memory.ts'
import { takeSlot } from './reading-slot.ts'

export interface PreviewRequest {
  readonly source: SpoolSource
  readonly name: string
  /** epoch ms */
  readonly now: number
  /** Those of the center, the newest first. */
  readonly stored: readonly { readonly name: string; readonly body: string }[]
  /** The mapping that the person chose, which needs no search. */
  readonly chosen?: { readonly name: string; readonly body: string } | undefined
  /** A sheet that the mapping is to read, too. */
  readonly sheet?: string | undefined
}

export interface FilePreview {
  /** undefined if the columns are named as fields are, so that no mapping is needed */
  readonly mapping: { readonly name: string; readonly body: string; readonly isStored: boolean } | undefined
  /** The mapping as it was parsed, and its questions. */
  readonly parsed?: { readonly tree: TreeNode; readonly questions: readonly AskedQuestion[] } | undefined
  readonly tables: readonly TableDescription[]
  /** what was proposed, for the whole file or for a sheet: its texts by what they are in English, and its tables */
  readonly proposed?: Pick<ProposedMapping, 'says' | 'tables'>
  readonly trial?: Pick<Trial, 'guests' | 'refused' | 'preview' | 'withoutBooking'>
}

const MS_MAX = 300_000
/** What reads spreadsheets and YAML is loaded there alone: loading it takes a tenth of a second. */
const PROGRAM = new URL('./preview-work.ts', import.meta.url)

/** What a page says about a mapping. */
export type MappingChange =
  | { readonly is: 'mapping'; readonly name: string; readonly body: string }
  | { readonly is: 'withoutTable'; readonly table: number }
  | { readonly is: 'meanings'; readonly meanings: readonly WordMeaning[] }
  | { readonly is: 'answer'; readonly table: number; readonly question: number; readonly answer: string }
  | ({ readonly is: 'column' } & Parameters<typeof setColumn>[2])

export interface ChangeRequest {
  readonly before: { readonly name: string; readonly body: string } | undefined
  readonly change: MappingChange
}

interface ForgetRequest {
  readonly body: string
  /** of an erased person, lower case */
  readonly terms: readonly string[]
}

export type Request =
  | { readonly looks: PreviewRequest }
  | { readonly changes: ChangeRequest }
  | { readonly forgets: ForgetRequest }
export type Answer<Found> =
  | { readonly found: Found }
  | { readonly refused: string }
  | { readonly failed: string }

/** @throws {InputError} if the file cannot be read; what the signal says, if it is aborted */
export async function lookAtFile(request: PreviewRequest, signal: AbortSignal): Promise<FilePreview> {
  const release = await takeSlot(request.name, { signal })
  return await inThread<FilePreview>({ looks: request }, request.name, signal).finally(release)
}

/** Mappings are changed one after the other in the whole process. */
export const changingMappings = new Mutex()

/** For one who holds `changingMappings`. @throws {InputError} if it would not be a mapping any more; what the signal says, if it is aborted */
export const changeMapping = (
  request: ChangeRequest,
  signal: AbortSignal,
): Promise<{ readonly name: string; readonly body: string }> =>
  inThread({ changes: request }, 'The mapping', signal)

/** A stored mapping without the words of diets that name an erased person. */
export const forgetInMapping = (request: ForgetRequest): Promise<string> =>
  changingMappings.run(() => inThread({ forgets: request }, 'The mapping'))

/** @param name for messages */
async function inThread<Found>(request: Request, name: string, signal?: AbortSignal): Promise<Found> {
  signal?.throwIfAborted()
  const worker = new Worker(PROGRAM, {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: readingMemory().lookMb },
    // Node's type stripping prints a warning that it is experimental.
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const ended = Promise.withResolvers<Answer<Found>>()
  worker.once('message', (answer: Answer<Found>) => ended.resolve(answer))
  worker.once('error', (error: Error & { code?: string }) =>
    ended.resolve(
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? { refused: `${name} takes too much memory to read; divide it, or export it as CSV` }
        : { failed: error.name },
    ),
  )
  const stop = () => ended.reject(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  const timer = setTimeout(
    () => ended.resolve({ refused: `${name} takes too long to read; divide it, or export it as CSV` }),
    MS_MAX,
  )
  try {
    const answer = await ended.promise
    if ('refused' in answer) throw new InputError(answer.refused)
    if ('failed' in answer) throw Object.assign(new Error('a thread failed'), { name: answer.failed })
    return answer.found
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
    await worker.terminate()
  }
}

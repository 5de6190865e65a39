/**
 * Files that are read with much memory are read one after the other in the whole process, so that the memory which one may take
 * (reading-memory.ts) is there. Some others wait, and are refused if that takes long.
 */
import { workerData } from 'node:worker_threads'
import { Mutex, WaitedTooLong } from '../../database/queue/mutex.ts'
import { InputError } from '../input-error.ts'

/** Nothing is wrong with the file: it could not be read now, and can be later. */
export class NotNow extends InputError {}

const slot = new Mutex()
let waiting = 0
/** As many files as the import page holds (port/serve-files.ts), and some of commands. */
const WAITING_MAX = 32
/** Workbooks of 300,000 rows are read in less. */
const WAIT_MS_MAX = 120_000

export interface SlotOptions {
  readonly waitMsMax?: number
  /** ends the wait */
  readonly signal?: AbortSignal | undefined
}

/**
 * Waits for the slot. A thread that looks at a file uses the slot of the one that started it.
 * @param name the file's name, for messages
 * @returns releases the slot
 * @throws {NotNow} if others take too long, or too many wait; what the signal says, if it is aborted
 */
export async function takeSlot(
  name: string,
  { waitMsMax = WAIT_MS_MAX, signal }: SlotOptions = {},
): Promise<() => void> {
  if (typeof workerData === 'object' && workerData !== null && 'looks' in workerData) return () => {}
  signal?.throwIfAborted()
  if (waiting >= WAITING_MAX) throw othersFirst(name)
  waiting += 1
  const ended = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const leave = () => {
    ended.resolve()
    begun.reject(signal?.reason)
  }
  signal?.addEventListener('abort', leave, { once: true })
  const work = slot.run(() => {
    begun.resolve()
    return ended.promise
  }, waitMsMax)
  work.catch(begun.reject)
  try {
    await begun.promise
  } catch (error) {
    throw error instanceof WaitedTooLong ? othersFirst(name) : error
  } finally {
    waiting -= 1
    signal?.removeEventListener('abort', leave)
  }
  return ended.resolve
}

const othersFirst = (name: string) =>
  new NotNow(`${name} was not read, because other files are being read; try it again later`)

/**
 * The queue of reads. As many run simultaneously as there are slots (connections); the others wait here in a fair
 * order. The queue of a pool, or the database itself, would serve them first come, first served, so one center's
 * ten-year reports would delay everyone.
 */
import { DatabaseUnavailable } from '../database.ts'
import { Deadlines } from './deadlines.ts'
import { FairQueue, isHeavy, type QueuedRead } from './fair-queue.ts'
import { Counts, FailedKinds, RunningReads } from './running-reads.ts'

export interface DatabaseQueue {
  /**
   * Runs `work` when it gets a slot.
   * @throws {DatabaseUnavailable} if it gets none in time; `work` has not run then
   */
  run<T>(read: QueuedRead, work: (slot: Slot) => Promise<T>): Promise<T>
  /**
   * Slows work that takes no slots but continues for long. If other centers are reading, it waits three times the
   * duration of the last piece, at most 5 s.
   */
  rest(center: string, tookMs: number): Promise<void>
  readonly numbers: QueueNumbers
}

/**
 * What a read has while it runs. A center has at most one heavy read at a time, which counts until it ends, even
 * while its slot is given up.
 */
export interface Slot {
  /**
   * Gives up the slot to waiting reads, and waits for another one.
   * @throws {DatabaseUnavailable} if it gets none in time
   */
  pause(): Promise<void>
  /**
   * Gives up the slot: the read needs the database no longer.
   * @returns how long it was held, in ms
   */
  leave(): number
}

export interface QueueNumbers {
  /** reads waiting for a slot */
  readonly waiting: number
  /** reads refused because they got no slot in time */
  readonly refused: number
}

/** In ms. A client waits longer for a heavy read than for a page, which it would request again. */
const WAIT_MS_MAX = { cheap: 5000, heavy: 10_000 }
/** About what a read of cost 1 takes, in ms. A read that takes longer than its cost is charged for the difference. */
const MS_OF_COST = 2
/**
 * If other centers are reading, a heavy read pauses for this multiple of the time that it held its slot, and its
 * center waits as long before its next heavy read. So a center's heavy reads use the database and the event loop for a
 * quarter of the time.
 */
const REST = 3
const REST_MS_MAX = 5000
/** Waiting reads per application: as many as the default limit of requests per minute. */
const WAITING_PER_KEY_MAX = 100
const NO_SLOT = 'other reads are in front of this one, and it did not get a slot'

/** The largest total cost of reads sent together, such as eight pages of a session: the last of them waits for all. */
const TOGETHER_COST_MAX = 8

/** A slot, held by one read or by several that were sent together. */
interface HeldSlot {
  readonly head: QueuedRead
  /** number of reads that began with it */
  begun: number
  /** number of reads that still use it */
  left: number
}

interface Waiting extends QueuedRead {
  /** whether it continues after a pause */
  readonly goesOn: boolean
  /** set when the read begins */
  taken: HeldSlot | undefined
  begin(): void
}

/**
 * @param atATime number of connections for reads
 * @param togetherMax maximum number of reads of one statement that share a slot
 * @param clock milliseconds, to charge reads for the time they take
 */
export function createDatabaseQueue(
  atATime: number,
  clock: () => number = () => performance.now(),
  togetherMax = 1,
): DatabaseQueue {
  const queue = new FairQueue<Waiting>()
  const waiting = new Counts()
  const failed = new FailedKinds()
  const running = new RunningReads(atATime, failed)
  /** centers that have just had a heavy read */
  const resting = new Set<string>()
  const lastCenters = new LastCenters()
  const deadlines = {
    cheap: new Deadlines(WAIT_MS_MAX.cheap, NO_SLOT),
    heavy: new Deadlines(WAIT_MS_MAX.heavy, NO_SLOT),
  }
  let refused = 0

  /** If the database takes no reads together, each read goes alone. */
  const known = (read: QueuedRead): QueuedRead => {
    if (togetherMax > 1 || read.statement === undefined) return read
    const { statement, ...alone } = read
    return alone
  }
  const mayBegin = (read: QueuedRead) => running.mayBegin(read, resting)
  const beginNext = () => {
    while (queue.size > 0) {
      const next = queue.next(mayBegin)
      if (next === undefined) return
      const taken = take(next)
      start(next, taken)
      for (const companion of companyOf(next)) {
        queue.spend(companion, companion.cost)
        taken.begun += 1
        taken.left += 1
        start(companion, taken)
      }
    }
  }
  const start = (waiting: Waiting, taken: HeldSlot) => {
    waiting.taken = taken
    waiting.begin()
  }
  /** The next reads of the same statement and the same center, so that no center waits for another's reads. */
  const companyOf = (head: Waiting): Waiting[] => {
    const { center, kind, statement } = head
    if (
      statement === undefined ||
      isHeavy(head) ||
      failed.hasFailedWidely(kind) ||
      failed.hasFailed(kind, center)
    )
      return []
    const company: Waiting[] = []
    let costLeft = TOGETHER_COST_MAX - head.cost
    const mayJoin = (other: Waiting) =>
      other.center === center && other.statement === statement && other.cost <= costLeft
    while (company.length + 1 < togetherMax && queue.size > 0) {
      const companion = queue.next(mayJoin)
      if (companion === undefined) break
      costLeft -= companion.cost
      company.push(companion)
    }
    return company
  }
  const take = (read: QueuedRead & { readonly goesOn?: boolean }): HeldSlot => {
    running.countSlot(read, 1)
    if (read.goesOn !== true) {
      running.countHeavy(read, 1)
      queue.spend(read, read.cost)
    }
    return { head: read, begun: 1, left: 1 }
  }
  const giveUp = (taken: HeldSlot) => {
    taken.left -= 1
    if (taken.left > 0) return
    running.countSlot(taken.head, -1)
    queue.forget()
    beginNext()
  }

  /** Waits for a slot. @throws {DatabaseUnavailable} if it gets none in time */
  const waitForSlot = async (read: QueuedRead, goesOn: boolean): Promise<HeldSlot> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const entry: Waiting = { ...read, goesOn, taken: undefined, begin: resolve }
    queue.add(entry)
    // The reads ahead in the queue may be ones that may not begin now.
    beginNext()
    try {
      await deadlines[isHeavy(read) ? 'heavy' : 'cheap'].within(promise)
      if (entry.taken === undefined) throw new Error('a read began without a slot')
      return entry.taken
    } catch (error) {
      // It may have got the slot at the same moment.
      if (entry.taken === undefined) queue.remove(entry)
      else {
        if (!goesOn) running.countHeavy(read, -1)
        giveUp(entry.taken)
      }
      refused += 1
      throw error
    }
  }

  const rest = async (center: string, ms: number): Promise<void> => {
    resting.add(center)
    await waitMs(ms)
    resting.delete(center)
    beginNext()
  }
  const restMs = (center: string, tookMs: number): number =>
    lastCenters.hasOther(center, clock()) ? Math.min(tookMs * REST, REST_MS_MAX) : 0
  const restMsOf = (read: QueuedRead, tookMs: number): number =>
    isHeavy(read) ? restMs(read.center, tookMs) : 0

  const runIn = async <T>(
    first: HeldSlot,
    read: QueuedRead,
    work: (place: Slot) => Promise<T>,
  ): Promise<T> => {
    let taken = first
    /** charged in advance for its cost */
    let paidMs = read.cost * MS_OF_COST
    let since: number | undefined = clock()
    const leave = (): number => {
      if (since === undefined) return 0
      const tookMs = (clock() - since) / taken.begun
      since = undefined
      paidMs -= tookMs
      if (paidMs < 0) {
        queue.spend(read, -paidMs / MS_OF_COST)
        paidMs = 0
      }
      giveUp(taken)
      return tookMs
    }
    const pause = async () => {
      const ms = restMsOf(read, leave())
      if (ms > 0) await rest(read.center, ms)
      taken = await waitForSlot({ ...read, statement: undefined }, true)
      since = clock()
    }
    try {
      const result = await work({ pause, leave })
      failed.remove(read)
      return result
    } catch (error) {
      if (error instanceof DatabaseUnavailable) failed.add(read)
      throw error
    } finally {
      running.countHeavy(read, -1)
      const ms = since === undefined ? 0 : restMsOf(read, clock() - since)
      if (ms > 0) void rest(read.center, ms)
      leave()
      beginNext()
    }
  }

  const refuse = (sentence: string) => {
    refused += 1
    return new DatabaseUnavailable(sentence)
  }

  return {
    numbers: {
      get waiting() {
        return queue.size
      },
      get refused() {
        return refused
      },
    },

    async rest(center, tookMs) {
      const ms = restMs(center, tookMs)
      if (ms > 0) await waitMs(ms)
    },

    async run(asked, work) {
      const read = known(asked)
      lastCenters.note(read.center, clock())
      if (queue.size === 0 && mayBegin(read)) return runIn(take(read), read, work)
      const name = `${read.center} ${read.key}`
      if (waiting.of(name) >= WAITING_PER_KEY_MAX)
        throw refuse('too many reads of this application wait already')
      waiting.add(name, 1)
      let taken: HeldSlot
      try {
        taken = await waitForSlot(read, false)
      } finally {
        waiting.add(name, -1)
      }
      return runIn(taken, read, work)
    },
  }
}

const waitMs = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms).unref())

/** A center counts as reading for this long after its last read. */
const PRESENT_MS = 1000

/** The center that asked for a read last, and the last other one before it. */
class LastCenters {
  #newest = { center: '', at: Number.NEGATIVE_INFINITY }
  #other = this.#newest

  note(center: string, at: number): void {
    if (center !== this.#newest.center) this.#other = this.#newest
    this.#newest = { center, at }
  }

  /** Whether a center other than this one is reading. */
  hasOther(center: string, now: number): boolean {
    const { at } = this.#newest.center === center ? this.#other : this.#newest
    return now - at < PRESENT_MS
  }
}

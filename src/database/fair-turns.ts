/**
 * Turns at the database. As many reads run simultaneously as there are connections; the others wait here in a fair
 * order. The line of a pool, or the database itself, would serve them first come, first served, so one center's
 * ten-year reports would delay everyone.
 */
import { Arrivals } from './arrivals.ts'
import { DatabaseUnavailable } from './database.ts'
import { Deadlines } from './deadlines.ts'
import { Doubts } from './doubts.ts'
import { FairQueue, isHeavy, type Turn } from './fair-queue.ts'
import { Counts, Running } from './running.ts'

export interface FairTurns {
  /**
   * Runs `work` when its turn comes.
   * @throws {DatabaseUnavailable} if the turn does not come in time; `work` has not run then
   */
  inTurn<T>(turn: Turn, work: (place: Place) => Promise<T>): Promise<T>
  /**
   * Slows work that takes no turns but continues for long. If other centers are reading, it waits three times the
   * duration of the last piece, at most 5 s.
   */
  rest(center: string, tookMs: number): Promise<void>
  readonly numbers: TurnNumbers
}

/**
 * What a read has during its turn. A center has at most one heavy read at a time, which counts until it ends, even
 * while its place is given up.
 */
export interface Place {
  /**
   * Gives up the place to waiting reads, and waits for another turn.
   * @throws {DatabaseUnavailable} if the next turn does not come in time
   */
  pause(): Promise<void>
  /**
   * Gives up the place: the read needs the database no longer.
   * @returns how long it was held, in ms
   */
  leave(): number
}

export interface TurnNumbers {
  /** reads waiting for their turn */
  readonly waiting: number
  /** reads refused because their turn did not come */
  readonly refused: number
}

/** In ms. A client waits longer for a heavy read than for a page, which it would request again. */
const WAIT_MS_MAX = { cheap: 5000, heavy: 10_000 }
/** About what a read of cost 1 takes, in ms. A read that takes longer than its cost is charged for the difference. */
const MS_OF_COST = 2
/**
 * If other centers are reading, a heavy read pauses for this multiple of the time that it held its place, and its
 * center waits as long before its next heavy read. So a center's heavy reads use the database and the event loop for a
 * quarter of the time.
 */
const REST = 3
const REST_MS_MAX = 5000
/** Waiting reads per application: as many as the default limit of requests per minute. */
const WAITING_PER_KEY_MAX = 100
const NO_TURN = 'other reads are in front of this one, and it did not get its turn'

/** The largest total cost of reads sent together, such as eight pages of a session: the last of them waits for all. */
const TOGETHER_COST_MAX = 8

/** A place at the database, held by one read or by several that were sent together. */
interface Taken {
  readonly head: Turn
  /** number of reads that began with it */
  begun: number
  /** number of reads that still use it */
  left: number
}

interface Waiting extends Turn {
  /** whether it continues after a pause */
  readonly goesOn: boolean
  /** set when the read begins */
  taken: Taken | undefined
  begin(): void
}

/**
 * @param atATime number of connections for reads
 * @param togetherMax maximum number of reads of one statement that share a place
 * @param clock milliseconds, to charge reads for the time they take
 */
export function createFairTurns(
  atATime: number,
  clock: () => number = () => performance.now(),
  togetherMax = 1,
): FairTurns {
  const queue = new FairQueue<Waiting>()
  const waiting = new Counts()
  const doubts = new Doubts()
  const running = new Running(atATime, doubts)
  /** centers that have just had a heavy read */
  const resting = new Set<string>()
  const arrivals = new Arrivals()
  const deadlines = {
    cheap: new Deadlines(WAIT_MS_MAX.cheap, NO_TURN),
    heavy: new Deadlines(WAIT_MS_MAX.heavy, NO_TURN),
  }
  let refused = 0

  /** If the database takes no reads together, each read goes alone. */
  const known = (turn: Turn): Turn => {
    if (togetherMax > 1 || turn.statement === undefined) return turn
    const { statement, ...alone } = turn
    return alone
  }
  const mayBegin = (turn: Turn) => running.mayBegin(turn, resting)
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
  const start = (waiting: Waiting, taken: Taken) => {
    waiting.taken = taken
    waiting.begin()
  }
  /** The next reads of the same statement and the same center, so that no center waits for another's reads. */
  const companyOf = (head: Waiting): Waiting[] => {
    const { center, kind, statement } = head
    if (statement === undefined || isHeavy(head) || doubts.ofAll(kind) || doubts.of(kind, center)) return []
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
  const take = (turn: Turn & { readonly goesOn?: boolean }): Taken => {
    running.countPlace(turn, 1)
    if (turn.goesOn !== true) {
      running.countHeavy(turn, 1)
      queue.spend(turn, turn.cost)
    }
    return { head: turn, begun: 1, left: 1 }
  }
  const giveUp = (taken: Taken) => {
    taken.left -= 1
    if (taken.left > 0) return
    running.countPlace(taken.head, -1)
    queue.forget()
    beginNext()
  }

  /** Waits in line. @throws {DatabaseUnavailable} if the turn does not come in time; the read then has no place */
  const waitInLine = async (turn: Turn, goesOn: boolean): Promise<Taken> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const entry: Waiting = { ...turn, goesOn, taken: undefined, begin: resolve }
    queue.add(entry)
    // The reads ahead in the line may be ones that may not begin now.
    beginNext()
    try {
      await deadlines[isHeavy(turn) ? 'heavy' : 'cheap'].within(promise)
      if (entry.taken === undefined) throw new Error('a read began without a place')
      return entry.taken
    } catch (error) {
      // The turn may have come at the same moment.
      if (entry.taken === undefined) queue.remove(entry)
      else {
        if (!goesOn) running.countHeavy(turn, -1)
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
    arrivals.hasOther(center, clock()) ? Math.min(tookMs * REST, REST_MS_MAX) : 0
  const restMsOf = (turn: Turn, tookMs: number): number => (isHeavy(turn) ? restMs(turn.center, tookMs) : 0)

  const run = async <T>(turn: Turn, first: Taken, work: (place: Place) => Promise<T>): Promise<T> => {
    let taken = first
    /** charged in advance for its cost */
    let paidMs = turn.cost * MS_OF_COST
    let since: number | undefined = clock()
    const leave = (): number => {
      if (since === undefined) return 0
      const tookMs = (clock() - since) / taken.begun
      since = undefined
      paidMs -= tookMs
      if (paidMs < 0) {
        queue.spend(turn, -paidMs / MS_OF_COST)
        paidMs = 0
      }
      giveUp(taken)
      return tookMs
    }
    const pause = async () => {
      const ms = restMsOf(turn, leave())
      if (ms > 0) await rest(turn.center, ms)
      taken = await waitInLine({ ...turn, statement: undefined }, true)
      since = clock()
    }
    try {
      const result = await work({ pause, leave })
      doubts.settle(turn)
      return result
    } catch (error) {
      if (error instanceof DatabaseUnavailable) doubts.raise(turn)
      throw error
    } finally {
      running.countHeavy(turn, -1)
      const ms = since === undefined ? 0 : restMsOf(turn, clock() - since)
      if (ms > 0) void rest(turn.center, ms)
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

    async inTurn(asked, work) {
      const turn = known(asked)
      arrivals.note(turn.center, clock())
      if (queue.size === 0 && mayBegin(turn)) return run(turn, take(turn), work)
      const name = `${turn.center} ${turn.key}`
      if (waiting.of(name) >= WAITING_PER_KEY_MAX)
        throw refuse('too many reads of this application wait already')
      waiting.add(name, 1)
      let taken: Taken
      try {
        taken = await waitInLine(turn, false)
      } finally {
        waiting.add(name, -1)
      }
      return run(turn, taken, work)
    },
  }
}

const waitMs = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms).unref())

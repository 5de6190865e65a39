/**
 * Turns at the database. As many reads run at a time as it has connections for them; the others wait here, where
 * their order is fair, rather than in a pool's line or in the database, where the first come are served and one
 * center's ten-year reports are everybody's delay.
 */
import { Arrivals } from './arrivals.ts'
import { DatabaseUnavailable } from './database.ts'
import { Deadlines } from './deadlines.ts'
import { Doubts } from './doubts.ts'
import { FairQueue, isHeavy, type Turn } from './fair-queue.ts'
import { Counts, Running } from './running.ts'

export interface FairTurns {
  /**
   * Runs `work` when it is its turn.
   * @throws {DatabaseUnavailable} when that does not come in time; `work` was not begun then
   */
  inTurn<T>(turn: Turn, work: (place: Place) => Promise<T>): Promise<T>
  /**
   * For what takes no turns, and goes on for long: waits three times as long as the last piece of it took, where other
   * centers read too.
   */
  rest(center: string, tookMs: number): Promise<void>
  readonly numbers: TurnNumbers
}

/** What a read has while it is its turn. Of a heavy read its center has no other one until it ends, place or not. */
export interface Place {
  /**
   * Gives the place to whoever waits, until it is its turn again.
   * @throws {DatabaseUnavailable} when that does not come in time
   */
  pause(): Promise<void>
  /** Gives it up for good: nothing more is read. @returns for how long it was held, in ms */
  leave(): number
}

export interface TurnNumbers {
  /** reads that wait for their turn */
  readonly waiting: number
  /** reads that were refused because their turn did not come */
  readonly refused: number
}

/** A heavy read is worth waiting for; who asks for a page asks again. */
const WAIT_MS_MAX = { cheap: 5000, heavy: 10_000 }
/** What a read of cost 1 takes, about: one that takes longer than its cost says is charged for that. */
const MS_OF_COST = 2
/**
 * Where other centers read too, a heavy read pauses for so many times as long as it had its place, and so does its
 * center before the next one. The database and the event loop are then its for a quarter of the time.
 */
const REST = 3
const REST_MS_MAX = 5000
/** Of one key, as many as it may ask for in a minute, unless told otherwise. */
const WAITING_PER_KEY_MAX = 100
const NO_TURN = 'other reads are in front of this one, and it did not get its turn'

/** Pages of a session, or what costs as much, that go to the database together: whoever is last waits for all. */
const TOGETHER_COST_MAX = 8

/** A place at the database, and whose it is: of one read, or of several that go together. */
interface Taken {
  readonly head: Turn
  /** how many began */
  begun: number
  /** how many have it still */
  left: number
}

interface Waiting extends Turn {
  /** whether it has begun before and goes on */
  readonly goesOn: boolean
  /** once it has begun */
  taken: Taken | undefined
  begin(): void
}

/**
 * @param atATime reads that the database has connections for
 * @param togetherMax reads of one statement that may go to the database together, in one place
 * @param clock milliseconds, to charge a read for the time it took
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

  /** Of a database that takes no reads together each goes by itself. */
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
  /** The next reads of the same statement and center, so that nobody waits for what another center asks. */
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

  /** Waits in line. @throws {DatabaseUnavailable} when its turn does not come in time; it has no place then */
  const waitInLine = async (turn: Turn, goesOn: boolean): Promise<Taken> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const entry: Waiting = { ...turn, goesOn, taken: undefined, begin: resolve }
    queue.add(entry)
    // Those in front may be ones that may not begin now.
    beginNext()
    try {
      await deadlines[isHeavy(turn) ? 'heavy' : 'cheap'].within(promise)
      if (entry.taken === undefined) throw new Error('a read began without a place')
      return entry.taken
    } catch (error) {
      // Its turn may have come in the same moment.
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
    /** of its cost, which it was charged for as it began */
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

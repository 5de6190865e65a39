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

/** What runs at a time of everything there is room for, so that no one of them can take it all. */
interface Bounds {
  readonly perCenter: number
  /** A locked table stops all reads of a kind; those of other kinds must find room beside them. */
  readonly perKind: number
  /** of all centers; one center has one */
  readonly heavy: number
}

const boundsOf = (atATime: number): Bounds => ({
  perCenter: Math.max(1, atATime - 1),
  perKind: Math.max(1, atATime - 2),
  heavy: Math.max(1, Math.floor(atATime / 3)),
})

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

interface Waiting extends Turn {
  /** whether it has begun before and goes on */
  readonly goesOn: boolean
  begun: boolean
  begin(): void
}

/**
 * @param atATime reads that the database has connections for
 * @param clock milliseconds, to charge a read for the time it took
 */
export function createFairTurns(atATime: number, clock: () => number = () => performance.now()): FairTurns {
  const bounds = boundsOf(atATime)
  const queue = new FairQueue<Waiting>()
  const running = new Counts()
  const waiting = new Counts()
  const doubts = new Doubts()
  /** centers that have just had a heavy read */
  const resting = new Set<string>()
  const arrivals = new Arrivals()
  const deadlines = {
    cheap: new Deadlines(WAIT_MS_MAX.cheap, NO_TURN),
    heavy: new Deadlines(WAIT_MS_MAX.heavy, NO_TURN),
  }
  let refused = 0

  const mayBegin = (turn: Turn & { readonly goesOn?: boolean }): boolean => {
    const { center, kind } = turn
    if (running.of('all') >= atATime || running.of(`center ${center}`) >= bounds.perCenter) return false
    if (isHeavy(turn)) {
      if (turn.goesOn === true) return true
      return (
        running.of('heavy') < bounds.heavy && running.of(`heavy of ${center}`) === 0 && !resting.has(center)
      )
    }
    const ofKind = doubts.ofAll(kind) ? 1 : bounds.perKind
    const ofCenter = doubts.of(kind, center) ? 1 : bounds.perKind
    return running.of(`kind ${kind}`) < ofKind && running.of(`kind ${kind} of ${center}`) < ofCenter
  }
  const countPlace = (turn: Turn, by: 1 | -1) => {
    const { center, kind } = turn
    running.add('all', by)
    running.add(`center ${center}`, by)
    if (isHeavy(turn)) return
    running.add(`kind ${kind}`, by)
    running.add(`kind ${kind} of ${center}`, by)
  }
  const countHeavy = (turn: Turn, by: 1 | -1) => {
    if (!isHeavy(turn)) return
    running.add('heavy', by)
    running.add(`heavy of ${turn.center}`, by)
  }
  const beginNext = () => {
    while (queue.size > 0) {
      const next = queue.next(mayBegin)
      if (next === undefined) return
      begin(next)
      next.begun = true
      next.begin()
    }
  }
  const begin = (turn: Turn & { readonly goesOn?: boolean }) => {
    countPlace(turn, 1)
    if (turn.goesOn === true) return
    countHeavy(turn, 1)
    queue.spend(turn, turn.cost)
  }
  const giveUpPlace = (turn: Turn) => {
    countPlace(turn, -1)
    queue.forget()
    beginNext()
  }

  /** Waits in line. @throws {DatabaseUnavailable} when its turn does not come in time; it has no place then */
  const waitInLine = async (turn: Turn, goesOn: boolean): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const entry: Waiting = { ...turn, goesOn, begun: false, begin: resolve }
    queue.add(entry)
    // Those in front may be ones that may not begin now.
    beginNext()
    try {
      await deadlines[isHeavy(turn) ? 'heavy' : 'cheap'].within(promise)
    } catch (error) {
      // Its turn may have come in the same moment.
      if (!entry.begun) queue.remove(entry)
      else {
        if (!goesOn) countHeavy(turn, -1)
        giveUpPlace(turn)
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

  const run = async <T>(turn: Turn, work: (place: Place) => Promise<T>): Promise<T> => {
    /** of its cost, which it was charged for as it began */
    let paidMs = turn.cost * MS_OF_COST
    let since: number | undefined = clock()
    const leave = (): number => {
      if (since === undefined) return 0
      const tookMs = clock() - since
      since = undefined
      paidMs -= tookMs
      if (paidMs < 0) {
        queue.spend(turn, -paidMs / MS_OF_COST)
        paidMs = 0
      }
      giveUpPlace(turn)
      return tookMs
    }
    const pause = async () => {
      const ms = restMsOf(turn, leave())
      if (ms > 0) await rest(turn.center, ms)
      await waitInLine(turn, true)
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
      countHeavy(turn, -1)
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

    async inTurn(turn, work) {
      arrivals.note(turn.center, clock())
      if (queue.size === 0 && mayBegin(turn)) {
        begin(turn)
        return run(turn, work)
      }
      const name = `${turn.center} ${turn.key}`
      if (waiting.of(name) >= WAITING_PER_KEY_MAX)
        throw refuse('too many reads of this application wait already')
      waiting.add(name, 1)
      try {
        await waitInLine(turn, false)
      } finally {
        waiting.add(name, -1)
      }
      return run(turn, work)
    },
  }
}

const waitMs = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms).unref())

/** How many there are of what has a name; a name without any takes no room. */
class Counts {
  readonly #counts = new Map<string, number>()

  of(name: string): number {
    return this.#counts.get(name) ?? 0
  }

  add(name: string, by: 1 | -1): void {
    const after = this.of(name) + by
    if (after === 0) this.#counts.delete(name)
    else this.#counts.set(name, after)
  }
}

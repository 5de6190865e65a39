/**
 * Turns at the database. As many reads run at a time as it has connections for them; the others wait here, where
 * their order is fair, rather than in a pool's line or in the database, where the first come are served and one
 * center's ten-year reports are everybody's delay.
 */
import { DatabaseUnavailable } from './database.ts'
import { Deadlines } from './deadlines.ts'
import { FairQueue, isHeavy, type Turn } from './fair-queue.ts'

export interface FairTurns {
  /**
   * Runs `work` when it is its turn.
   * @throws {DatabaseUnavailable} when that does not come in time; `work` was not begun then
   */
  inTurn<T>(turn: Turn, work: () => Promise<T>): Promise<T>
  readonly numbers: TurnNumbers
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
 * After a heavy read its center has no other one for so many times as long. Its rows are made into an answer where
 * every other request is served too, and nothing can come in between: with this it has a quarter of that time.
 */
const REST = 3
const REST_MS_MAX = 5000
/** Of one key, as many as it may ask for in a minute, unless told otherwise. */
const WAITING_PER_KEY_MAX = 100
const NO_TURN = 'other reads are in front of this one, and it did not get its turn'

interface Waiting extends Turn {
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
  const deadlines = {
    cheap: new Deadlines(WAIT_MS_MAX.cheap, NO_TURN),
    heavy: new Deadlines(WAIT_MS_MAX.heavy, NO_TURN),
  }
  let refused = 0

  const mayBegin = (turn: Turn): boolean => {
    const { center, kind } = turn
    if (running.of('all') >= atATime || running.of(`center ${center}`) >= bounds.perCenter) return false
    if (isHeavy(turn)) {
      return (
        running.of('heavy') < bounds.heavy && running.of(`heavy of ${center}`) === 0 && !resting.has(center)
      )
    }
    const ofKind = doubts.ofAll(kind) ? 1 : bounds.perKind
    const ofCenter = doubts.of(kind, center) ? 1 : bounds.perKind
    return running.of(`kind ${kind}`) < ofKind && running.of(`kind ${kind} of ${center}`) < ofCenter
  }
  const count = (turn: Turn, by: 1 | -1) => {
    const { center, kind } = turn
    running.add('all', by)
    running.add(`center ${center}`, by)
    for (const name of isHeavy(turn)
      ? ['heavy', `heavy of ${center}`]
      : [`kind ${kind}`, `kind ${kind} of ${center}`]) {
      running.add(name, by)
    }
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
  const begin = (turn: Turn) => {
    count(turn, 1)
    queue.spend(turn, turn.cost)
  }
  const end = (turn: Turn) => {
    count(turn, -1)
    queue.forget()
    beginNext()
  }

  const rest = (center: string, ms: number) => {
    resting.add(center)
    setTimeout(() => {
      resting.delete(center)
      beginNext()
    }, ms).unref()
  }

  const run = async <T>(turn: Turn, work: () => Promise<T>): Promise<T> => {
    const started = clock()
    try {
      const result = await work()
      doubts.settle(turn)
      return result
    } catch (error) {
      if (error instanceof DatabaseUnavailable) doubts.raise(turn)
      throw error
    } finally {
      const tookMs = clock() - started
      const more = tookMs / MS_OF_COST - turn.cost
      if (more > 0) queue.spend(turn, more)
      if (isHeavy(turn) && tookMs > 0) rest(turn.center, Math.min(tookMs * REST, REST_MS_MAX))
      end(turn)
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

    async inTurn(turn, work) {
      if (queue.size === 0 && mayBegin(turn)) {
        begin(turn)
        return run(turn, work)
      }
      const name = `${turn.center} ${turn.key}`
      if (waiting.of(name) >= WAITING_PER_KEY_MAX)
        throw refuse('too many reads of this application wait already')
      const { promise, resolve } = Promise.withResolvers<void>()
      const entry: Waiting = { ...turn, begun: false, begin: resolve }
      queue.add(entry)
      waiting.add(name, 1)
      // Those in front may be ones that may not begin now.
      beginNext()
      try {
        await deadlines[isHeavy(turn) ? 'heavy' : 'cheap'].within(promise)
      } catch (error) {
        // Its turn may have come in the same moment.
        if (entry.begun) end(turn)
        else queue.remove(entry)
        refused += 1
        throw error
      } finally {
        waiting.add(name, -1)
      }
      return run(turn, work)
    },
  }
}

/**
 * Kinds of cheap reads that have come to nothing: while a table is locked they must not hold what others need. A
 * center has one at a time of such a kind until one succeeds, and so have all centers together once it happened to
 * two of them: what one center does to itself is not held against the others.
 */
class Doubts {
  readonly #centers = new Map<string, Set<string>>()

  of(kind: string, center: string): boolean {
    return this.#centers.get(kind)?.has(center) ?? false
  }

  ofAll(kind: string): boolean {
    return (this.#centers.get(kind)?.size ?? 0) > 1
  }

  raise(turn: Turn): void {
    if (isHeavy(turn)) return
    const centers = this.#centers.get(turn.kind)
    if (centers === undefined) this.#centers.set(turn.kind, new Set([turn.center]))
    else centers.add(turn.center)
  }

  /** One that succeeds shows that the table is there, for all. */
  settle(turn: Turn): void {
    if (!isHeavy(turn)) this.#centers.delete(turn.kind)
  }
}

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

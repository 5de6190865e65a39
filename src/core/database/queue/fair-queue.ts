/**
 * The fair order of waiting reads. The next read is from the center that has used the least of the database recently,
 * and within it from the key that has. So neither many requests nor costly ones put a center ahead of others, nor a key
 * ahead of its center's other keys.
 */

/** A read as the queue knows it. */
export interface QueuedRead {
  readonly center: string
  /** the application, which its keys share */
  readonly key: string
  /** the operation's name */
  readonly kind: string
  /** 1 for a page of a session or of a month; several hundred for a report of ten years */
  readonly cost: number
  /** text of the only statement that the read sends, which may then be batched with others of the same text */
  readonly statement?: string | undefined
}

/** A read above this cost is heavy: a year of guests, a quarter of the report. */
const HEAVY_COST = 12

/** Whether a read counts as heavy, with its own bounds and time-outs. */
export const isHeavy = ({ cost }: Pick<QueuedRead, 'cost'>): boolean => cost > HEAVY_COST

/** Waiting reads by center and by key. */
export class FairQueue<Waiting extends QueuedRead> {
  readonly #centers = new Shares(() => new Shares<Waiting[]>(() => []))
  #size = 0

  get size(): number {
    return this.#size
  }

  add(read: Waiting): void {
    this.#centers.arrive(read.center).arrive(read.key).push(read)
    this.#size += 1
  }

  /** Removes and returns the next read that may begin. Within a key, light reads come before heavy ones. */
  next(mayBegin: (read: Waiting) => boolean): Waiting | undefined {
    for (const [center, { own: keys }] of this.#centers.inOrder()) {
      for (const [key, { own: line }] of keys.inOrder()) {
        const next =
          line.find((read) => !isHeavy(read) && mayBegin(read)) ??
          line.find((read) => isHeavy(read) && mayBegin(read))
        if (next === undefined) continue
        this.#centers.serve(center)
        keys.serve(key)
        this.remove(next)
        return next
      }
    }
    return undefined
  }

  /** Removes a read that no longer waits. */
  remove(read: Waiting): void {
    const line = this.#centers.of(read.center).of(read.key)
    const at = line.indexOf(read)
    if (at < 0) return
    line.splice(at, 1)
    this.#size -= 1
  }

  /** Charges a cost to a center and its key. */
  spend({ center, key }: QueuedRead, cost: number): void {
    this.#centers.spend(center, cost)
    this.#centers.of(center).spend(key, cost)
  }

  /** Forgets all costs if nobody waits: then no order has to be retained. */
  forget(): void {
    if (this.#size === 0) this.#centers.clear()
  }
}

interface Share<Own> {
  spent: number
  readonly own: Own
}

/** What each name has used, as costs above a common base. */
class Shares<Own> {
  readonly #make: () => Own
  readonly #shares = new Map<string, Share<Own>>()
  #now = 0

  constructor(make: () => Own) {
    this.#make = make
  }

  /** Adds a name to the line. It gets no credit for the time it was away. */
  arrive(name: string): Own {
    const share = this.#share(name)
    share.spent = Math.max(share.spent, this.#now)
    return share.own
  }

  of(name: string): Own {
    return this.#share(name).own
  }

  spend(name: string, cost: number): void {
    this.#share(name).spent += cost
  }

  /** Serves this name: names that arrive from now on start at its costs. */
  serve(name: string): void {
    this.#now = Math.max(this.#now, this.#share(name).spent)
  }

  /** Names in the order of their costs, lowest first. */
  inOrder(): Iterable<readonly [name: string, share: Share<Own>]> {
    // This runs whenever a read arrives or ends, and often there is only one center with one key.
    if (this.#shares.size <= 1) return this.#shares
    return [...this.#shares].sort(([, a], [, b]) => a.spent - b.spent)
  }

  clear(): void {
    this.#shares.clear()
    this.#now = 0
  }

  #share(name: string): Share<Own> {
    let share = this.#shares.get(name)
    if (share === undefined) {
      share = { spent: this.#now, own: this.#make() }
      this.#shares.set(name, share)
    }
    return share
  }
}

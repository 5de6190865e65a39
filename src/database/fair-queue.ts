/**
 * Who is next: the center that has had the least of the database lately, and of its keys the one that has had the
 * least. So neither a center with many requests nor one with costly ones puts itself in front of the others, and a
 * key does not put itself in front of its center's other keys.
 */

/** A read that wants its turn. */
export interface Turn {
  readonly center: string
  /** the application, which its keys share */
  readonly key: string
  /** what it reads: the operation's name */
  readonly kind: string
  /** 1 for a page of a session or of a month; a report of ten years is several hundred */
  readonly cost: number
  /** the text of the only statement that it sends: with others of the same text it may go to the database together */
  readonly statement?: string | undefined
}

/** What costs more than this is a heavy read: a year of guests, a quarter of the report. */
const HEAVY_COST = 12

export const isHeavy = ({ cost }: Pick<Turn, 'cost'>): boolean => cost > HEAVY_COST

export class FairQueue<Waiting extends Turn> {
  readonly #centers = new Shares(() => new Shares<Waiting[]>(() => []))
  #size = 0

  get size(): number {
    return this.#size
  }

  add(turn: Waiting): void {
    this.#centers.arrive(turn.center).arrive(turn.key).push(turn)
    this.#size += 1
  }

  /** Takes out the next one of those that may begin now; of one key the cheap reads come before the heavy ones. */
  next(mayBegin: (turn: Waiting) => boolean): Waiting | undefined {
    for (const [center, { own: keys }] of this.#centers.inOrder()) {
      for (const [key, { own: line }] of keys.inOrder()) {
        const next =
          line.find((turn) => !isHeavy(turn) && mayBegin(turn)) ??
          line.find((turn) => isHeavy(turn) && mayBegin(turn))
        if (next === undefined) continue
        this.#centers.serve(center)
        keys.serve(key)
        this.remove(next)
        return next
      }
    }
    return undefined
  }

  /** Takes out one that does not wait any longer. */
  remove(turn: Waiting): void {
    const line = this.#centers.of(turn.center).of(turn.key)
    const at = line.indexOf(turn)
    if (at < 0) return
    line.splice(at, 1)
    this.#size -= 1
  }

  /** Notes what was spent on a center and its key. */
  spend({ center, key }: Turn, cost: number): void {
    this.#centers.spend(center, cost)
    this.#centers.of(center).spend(key, cost)
  }

  /** Where nobody waits nobody is ahead of anybody, and there is nothing to remember. */
  forget(): void {
    if (this.#size === 0) this.#centers.clear()
  }
}

interface Share<Own> {
  spent: number
  readonly own: Own
}

/** What each has had, in costs, from a beginning that all have in common. */
class Shares<Own> {
  readonly #make: () => Own
  readonly #shares = new Map<string, Share<Own>>()
  #now = 0

  constructor(make: () => Own) {
    this.#make = make
  }

  /** One that wants something: what it did not take while it was away is gone. */
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

  /** It is the turn of this one: who arrives from now on begins with what it has had so far. */
  serve(name: string): void {
    this.#now = Math.max(this.#now, this.#share(name).spent)
  }

  /** Who has had the least comes first. */
  inOrder(): Iterable<readonly [name: string, share: Share<Own>]> {
    // It is looked at with every read that comes or ends, and often one center alone reads, with one key.
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

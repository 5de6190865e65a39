/**
 * A map whose entries are claimed by cells: each key has one value, which is chosen from what the cells say. Only the changes
 * of a cell cost time, however large the whole map is.
 */
export interface Claim {
  readonly cell: string
  readonly value: string
  /** The highest one is taken: while a center moves, two cells have it. */
  readonly rank: number
}

export interface Change {
  readonly key: string
  /** undefined: no cell claims it any more */
  readonly value: string | undefined
  /** undefined: it is new */
  readonly before: string | undefined
}

type Said = Pick<Claim, 'value' | 'rank'>

export class Claimed {
  readonly #claims = new Map<string, readonly Claim[]>()
  readonly #ofCell = new Map<string, ReadonlyMap<string, Said>>()
  readonly values = new Map<string, string>()

  /**
   * Replaces what a cell claims. Among values of the same rank, the one that was taken before remains: a database cannot take
   * over what another one has.
   */
  replace(cell: string, said: ReadonlyMap<string, Said>): Change[] {
    const before = this.#ofCell.get(cell) ?? new Map<string, Said>()
    this.#ofCell.set(cell, said)
    const changes: Change[] = []
    for (const key of before.keys()) if (!said.has(key)) this.#claim(key, cell, undefined, changes)
    for (const [key, one] of said) {
      const last = before.get(key)
      if (last?.rank !== one.rank || last.value !== one.value) this.#claim(key, cell, one, changes)
    }
    return changes
  }

  #claim(key: string, cell: string, said: Said | undefined, changes: Change[]): void {
    const others = (this.#claims.get(key) ?? []).filter((claim) => claim.cell !== cell)
    const claims = said === undefined ? others : [...others, { cell, ...said }]
    if (claims.length === 0) this.#claims.delete(key)
    else this.#claims.set(key, claims)
    const before = this.values.get(key)
    const value = chosen(claims, before)
    if (value === before) return
    if (value === undefined) this.values.delete(key)
    else this.values.set(key, value)
    changes.push({ key, value, before })
  }
}

function chosen(claims: readonly Claim[], before: string | undefined): string | undefined {
  const highest = Math.max(...claims.map(({ rank }) => rank))
  const values = claims.filter(({ rank }) => rank === highest).map(({ value }) => value)
  return before !== undefined && values.includes(before) ? before : values[0]
}

/**
 * Which cell answers for which key, link and one-time link. There are two maps: from the public half of each to a tag of its
 * center, and from the tag to the cell. So a center moves with all its keys at once, with one change of a small map: to
 * change an entry of a map with a million entries takes HAProxy a third of a second, in which it answers nobody.
 */
import { parseDeviceLinkId, parseLinkId, parsePublicKey, publicHalf } from '../../core/access/keys/token.ts'
import type { Cell } from './cells-file.ts'
import { type Change, Claimed } from './claimed.ts'
import type { ClaimsRow } from './map-sql.ts'

/** The two maps, in the order in which something new must get into them. */
export const MAPS = ['centers', 'keys'] as const
export type MapName = (typeof MAPS)[number]

export interface MapUpdate {
  readonly changes: Readonly<Record<MapName, readonly Change[]>>
  /** identifiers that have the form of none, and were left out */
  readonly malformed: number
}

/** The public half of a key, or of a link. */
const HALF = /^(?:[0-9A-Za-z]{22}|[0-9A-Za-z]{16})$/
const TAG = /^[0-9a-f]{16}$/

export class CellMap {
  readonly #cells: ReadonlySet<string>
  readonly #maps: Readonly<Record<MapName, Claimed>> = { centers: new Claimed(), keys: new Claimed() }

  constructor(cells: readonly Pick<Cell, 'name'>[]) {
    this.#cells = new Set(cells.map(({ name }) => name))
  }

  /** The entries of a map. */
  values(map: MapName): ReadonlyMap<string, string> {
    return this.#maps[map].values
  }

  /** A map as HAProxy reads it, a line each. */
  text(map: MapName): string {
    const lines: string[] = []
    for (const [key, value] of this.values(map)) lines.push(`${key} ${value}\n`)
    return lines.join('')
  }

  /** The cell of each public half, a line each. */
  *lines(): Iterable<string> {
    const cells = this.values('centers')
    for (const [half, tag] of this.values('keys')) {
      const cell = cells.get(tag)
      if (cell !== undefined) yield `${half} ${cell}`
    }
  }

  /**
   * Sets what the maps contain before the cells are read, from the texts of earlier ones. A cell that cannot be read retains
   * it. Lines of cells that are not listed any more, and malformed ones, are ignored.
   */
  seed(texts: Readonly<Record<MapName, string>>): void {
    const cellOf = new Map(
      pairsOf(texts.centers).filter(([tag, cell]) => TAG.test(tag) && this.#cells.has(cell)),
    )
    const halves = pairsOf(texts.keys).filter(([half]) => HALF.test(half))
    const ids = Map.groupBy(halves, ([, tag]) => tag)
    for (const [cell, own] of Map.groupBy(cellOf, ([, cell]) => cell)) {
      const said = own.map(([tag]) => [tag, 1] as const)
      const keys = said.flatMap(([tag, rank]) =>
        (ids.get(tag) ?? []).map(([half]) => [half, { value: tag, rank }] as const),
      )
      this.#maps.centers.replace(cell, new Map(said.map(([tag, rank]) => [tag, { value: cell, rank }])))
      this.#maps.keys.replace(cell, new Map(keys))
    }
  }

  /** Replaces what a cell claims. */
  update(cell: string, claims: NonNullable<ClaimsRow['claims']>): MapUpdate {
    let malformed = 0
    const centers = new Map<string, { value: string; rank: number }>()
    const keys = new Map<string, { value: string; rank: number }>()
    for (const [tag, rank, ids] of claims) {
      if (!TAG.test(tag)) throw new Error('a tag is malformed')
      centers.set(tag, { value: cell, rank })
      const said = { value: tag, rank }
      for (const id of ids) {
        const half = halfOf(id)
        if (half === undefined) malformed += 1
        else keys.set(half, said)
      }
    }
    return {
      changes: {
        centers: this.#maps.centers.replace(cell, centers),
        keys: this.#maps.keys.replace(cell, keys),
      },
      malformed,
    }
  }
}

const pairsOf = (text: string): (readonly [string, string])[] =>
  text.split('\n').flatMap((line) => {
    const [key, value, ...more] = line.split(' ')
    return key === undefined || value === undefined || more.length > 0 ? [] : [[key, value] as const]
  })

/** @returns undefined for what is no identifier that the service has made: nothing else gets into the map */
function halfOf(id: unknown): string | undefined {
  if (typeof id !== 'string') return undefined
  const parsed = parsePublicKey(id) ?? parseLinkId(id) ?? parseDeviceLinkId(id)
  return parsed === undefined ? undefined : publicHalf(parsed)
}

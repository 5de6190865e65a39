/** Random sources of a center: what each delivered when, in order or with a fault. */
import { hash } from 'node:crypto'
import type { Random } from '../../support/random.ts'
import type { CenterRecord, Make } from './random-center.ts'

export interface MadeDelivery {
  /** before the pages are opened */
  readonly hoursAgo: number
  readonly way: 'command' | 'watch'
  readonly records: readonly CenterRecord[]
  /** undefined for what came through a pipe */
  readonly file: { readonly sha256: string; readonly bytes: number; readonly hoursAgo: number } | undefined
  /** whether the valid lines are imported where others are not valid */
  readonly skipInvalid: boolean
}

export interface MadeSource {
  readonly name: string
  /** undefined if the center expects nothing at any time */
  readonly schedule: string | undefined
  /** the oldest first */
  readonly deliveries: readonly MadeDelivery[]
}

const NAMES = [
  'property-management-system',
  'Zimmerverwaltung.der.Verwaltungsgesellschaft.Export',
  'rooms',
  'export_2',
  'x',
] as const
/** The page shows the newest ten of them. */
const COUNTS = [0, 1, 2, 5, 14] as const

/**
 * Their records are terms, so that the age of what other pages show is that of the center's own import.
 * @param terms that the center has
 */
export function makeSources(random: Random, of: Make, terms: readonly CenterRecord[]): MadeSource[] {
  const names = random.some(NAMES, random.pick([0, 0, 1, 2, 5]))
  return names.map((name, at) => {
    const every = random.pick([1, 6, 24])
    const count = random.pick(COUNTS)
    const last = 3 + random.pick([0, 0, 1, 40])
    const deliveries = Array.from({ length: count }, (_, before) =>
      makeDelivery(random, of, { terms, name, at, hoursAgo: last + every * (count - 1 - before) }),
    )
    return {
      name,
      schedule: random.pick([undefined, 'hourly', 'hourly 06:00–22:00', 'every night by 04:00']),
      // A sender that sends the same file again.
      deliveries: random.chance(0.2)
        ? deliveries.map((one) => ({ ...one, file: deliveries[0]?.file }))
        : deliveries,
    }
  })
}

interface DeliveryParts {
  readonly terms: readonly CenterRecord[]
  readonly name: string
  /** of the source */
  readonly at: number
  readonly hoursAgo: number
}

function makeDelivery(random: Random, of: Make, { terms, name, at, hoursAgo }: DeliveryParts): MadeDelivery {
  const own = Array.from({ length: random.pick([0, 1, 30]) }, (_, n) =>
    of('term', {
      set: 'unit',
      id: `from-${at}-${n}`,
      name: `${name.slice(0, 20)} ${random.whole(1, 3)}`,
    }),
  )
  const wrong = Array.from({ length: random.pick([0, 0, 0, 1, 12]) }, (_, n) =>
    of('term', { set: random.pick(['unit', 'no such set']), id: `wrong-${n}`, name: 7 }),
  )
  const records = [...random.some(terms, random.pick([0, 3, 20])), ...own, ...wrong]
  return {
    hoursAgo,
    way: random.pick(['command', 'watch']),
    records,
    file: random.chance(0.8)
      ? {
          sha256: hash('sha256', `${name} ${hoursAgo} ${random.next()}`),
          bytes: random.whole(0, 5_000_000),
          hoursAgo: hoursAgo + random.pick([0, 1, 30]),
        }
      : undefined,
    skipInvalid: random.chance(0.6),
  }
}

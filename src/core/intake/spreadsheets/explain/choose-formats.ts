/** Chooses the formats of dates and numbers, as far as the cells prove them. What they do not prove is a question. */
import { clash, dateFormat, dateOrder, readDate, timeFormat, withTimes } from '../mapping/formats.ts'
import type { Decimals } from '../mapping/numbers.ts'
import { HALVES } from '../mapping/written-forms.ts'
import type { Assigned } from './evidence.ts'
import type { Profile } from './profile.ts'

/** Dates that may be days of two orders, with nothing in the file that decides. */
export interface OpenDates {
  readonly profiles: readonly Profile[]
  readonly ways: readonly (readonly string[])[]
}

export interface ChosenDates {
  /** For the whole table. */
  readonly all: readonly string[]
  /** Columns that the common formats would read wrongly, with formats of their own. */
  readonly own: ReadonlyMap<Profile, readonly string[]>
  readonly open: readonly OpenDates[]
}

const TIMES = ['HH:mm', 'HH:mm:ss', HALVES, 'HH.mm'].flatMap((text) => timeFormat(text) ?? [])

/** The cells of a column as local days, `2026-11-16`; undefined for other texts. */
export function daysOf(
  { texts }: Profile,
  formats: readonly string[],
  notAfter?: string,
): (string | undefined)[] {
  const read = withTimes(
    ['YYYY-MM-DD', ...formats].flatMap((text) => dateFormat(text) ?? []),
    TIMES,
  )
  return texts.map((text) => (text === '' ? undefined : readDate(text, read, notAfter)?.slice(0, 10)))
}

export const nightsBetween = (from: string, until: string) =>
  Math.round((Date.parse(until) - Date.parse(from)) / 86_400_000)

/** Stays of which most are longer are rather misread dates, if another reading has short ones. */
const LONG_STAY = 120
const USUAL_STAY = 45

/** Chooses the format of each column of dates. */
export function chooseDates(assigned: readonly Assigned[], today: string): ChosenDates {
  const columns = assigned.filter(({ field, profile }) => field !== undefined && profile.dates !== undefined)
  const ways = new Map(columns.map(({ profile }) => [profile, differentWays(profile)]))
  const of = (field: string) => columns.find((column) => column.field === field)?.profile
  const [start, end] = [of('booking.startDate'), of('booking.endDate')]
  if (start !== undefined && end !== undefined) keepPlausibleStays(start, end, ways)
  const born = of('customer.dob')
  if (born !== undefined) {
    keep(ways, born, (formats) => {
      const days = daysOf(born, formats, today).filter((day) => day !== undefined)
      return days.filter((day) => day > today).length <= days.length * 0.2
    })
  }
  // The other columns of a file are written by the same program.
  const orders = new Map<string, Set<string>>()
  for (const [profile, known] of ways) {
    if (known.length !== 1 || profile.dates?.isMixed) continue
    for (const format of known[0] ?? []) {
      const shape = shapeOf(format)
      orders.set(shape, (orders.get(shape) ?? new Set()).add(dateOrder(format)))
    }
  }
  for (const [profile, known] of ways) {
    if (known.length < 2) continue
    const proven = known.filter((formats) =>
      formats.some((format) => {
        const found = orders.get(shapeOf(format))
        return found?.size === 1 && found.has(dateOrder(format))
      }),
    )
    if (proven.length === 1) ways.set(profile, proven)
  }
  return settle(columns, ways)
}

const shapeOf = (format: string) =>
  format.replaceAll(/[YMDHhms]+/g, (run) => (run.startsWith('Y') ? 'Y' : '#')).replaceAll('Y', '#')

function settle(
  columns: readonly Assigned[],
  ways: ReadonlyMap<Profile, readonly (readonly string[])[]>,
): ChosenDates {
  const all = new Set<string>()
  const own = new Map<Profile, readonly string[]>()
  const open = new Map<string, { profiles: Profile[]; ways: readonly (readonly string[])[] }>()
  for (const { profile } of columns) {
    const known = ways.get(profile) ?? [[]]
    if (known.length > 1) {
      const key = JSON.stringify(known)
      const same = open.get(key)
      if (same === undefined) open.set(key, { profiles: [profile], ways: known })
      else same.profiles.push(profile)
      continue
    }
    // No formats read all dates of a mixed column. With only the first order declared, the others are refused.
    const formats = profile.dates?.isMixed ? (known[0] ?? []).slice(0, 1) : (known[0] ?? [])
    if (formats.some((format) => [...all].some((other) => clash(format, other)))) own.set(profile, formats)
    else for (const format of formats) all.add(format)
  }
  return { all: [...all], own, open: [...open.values()] }
}

/** The ways that read some cell as another day. `DD. MM. YYYY` and `DD.MM.YYYY` read the same text alike. */
function differentWays(profile: Profile): (readonly string[])[] {
  const ways = profile.dates?.ways ?? [[]]
  if (ways.length < 2) return [...ways]
  const seen = new Map<string, readonly string[]>()
  for (const formats of ways) {
    const key = JSON.stringify(daysOf(profile, formats))
    if (!seen.has(key)) seen.set(key, formats)
  }
  return [...seen.values()]
}

type Ways = Map<Profile, (readonly string[])[]>

/** Removes the ways that do not hold, unless none does. */
function keep(ways: Ways, profile: Profile, holds: (formats: readonly string[]) => boolean): void {
  const known = ways.get(profile) ?? []
  const left = known.filter(holds)
  if (left.length > 0 && left.length < known.length) ways.set(profile, left)
}

interface Stays {
  readonly formats: readonly string[]
  readonly until: readonly string[]
  readonly negative: number
  readonly median: number
}

/** Nobody leaves before the arrival, and stays of many months are not the rule. */
function keepPlausibleStays(start: Profile, end: Profile, ways: Ways): void {
  const [from, until] = [ways.get(start) ?? [[]], ways.get(end) ?? [[]]]
  if (from.length < 2 && until.length < 2) return
  const stays: Stays[] = from.flatMap((formats) => {
    const same = until.filter((other) => JSON.stringify(other) === JSON.stringify(formats))
    return (same.length > 0 ? same : until).map((other) => staysOf(start, end, formats, other))
  })
  const isBetter = (one: Stays, other: Stays) =>
    one.negative < other.negative ||
    (one.negative === other.negative && other.median > LONG_STAY && one.median <= USUAL_STAY)
  const left = stays.filter((one) => !stays.some((other) => isBetter(other, one)))
  const unique = (list: readonly (readonly string[])[]) => [
    ...new Map(list.map((formats) => [JSON.stringify(formats), formats])).values(),
  ]
  ways.set(start, unique(left.map(({ formats }) => formats)))
  ways.set(end, unique(left.map(({ until }) => until)))
}

function staysOf(start: Profile, end: Profile, formats: readonly string[], until: readonly string[]): Stays {
  const [from, to] = [daysOf(start, formats), daysOf(end, until)]
  const nights = from.flatMap((day, at) => {
    const last = to[at]
    return day === undefined || last === undefined ? [] : [nightsBetween(day, last)]
  })
  const sorted = nights.toSorted((a, b) => a - b)
  return {
    formats,
    until,
    negative: nights.filter((count) => count < 0).length,
    median: sorted[Math.floor(sorted.length / 2)] ?? 0,
  }
}

/** Pairs of columns of which one is never before the other, by a few days: arrival and departure. */
export function stayPairs(
  from: readonly Profile[],
  until: readonly Profile[],
): { readonly start: Profile; readonly end: Profile }[] {
  const pairs = from.flatMap((start) =>
    until.flatMap((end) => {
      if (start === end || start.dates === undefined || end.dates === undefined) return []
      const ways = (start.dates.ways.length > 0 ? start.dates.ways : [[]]).flatMap((formats) => {
        const others = end.dates?.ways ?? [[]]
        const same = others.filter((other) => JSON.stringify(other) === JSON.stringify(formats))
        return (same.length > 0 ? same : others).map((other) => staysOf(start, end, formats, other))
      })
      const fitting = ways.filter(({ negative, median }) => negative === 0 && median <= LONG_STAY)
      const isLater = fitting.some(({ formats, until: to }) => {
        const [first, last] = [daysOf(start, formats), daysOf(end, to)]
        return first.some((day, at) => day !== undefined && last[at] !== undefined && day !== last[at])
      })
      return isLater ? [{ start, end }] : []
    }),
  )
  return pairs
}

export interface ChosenDecimals {
  /** For the whole table; undefined if no number has decimals. */
  readonly all: Decimals | undefined
  readonly own: ReadonlyMap<Profile, Decimals>
  /** Columns whose numbers may be thousands or decimals. */
  readonly open: readonly Profile[]
}

/** Chooses the decimal separator of each column of numbers. */
export function chooseDecimals(
  assigned: readonly Assigned[],
  numeric: (field: string) => boolean,
): ChosenDecimals {
  const isText = ({ numbers }: Profile) => numbers !== undefined && !numbers.isTyped
  const proven = new Map<Profile, Decimals>()
  // A column of times (`10.30`) or versions proves nothing about amounts.
  const isAmount = ({ field, twin }: Assigned) => (field === undefined ? twin !== undefined : numeric(field))
  for (const { profile } of assigned.filter(isAmount)) {
    const [sign, other] = profile.numbers?.decimals ?? []
    if (isText(profile) && sign !== undefined && other === undefined && (profile.numbers?.share ?? 0) > 0.8) {
      proven.set(profile, sign)
    }
  }
  const used = assigned.filter(
    ({ field, profile }) => field !== undefined && numeric(field) && isText(profile),
  )
  const signs = new Set(proven.values())
  const [only] = signs.size === 1 ? signs : []
  const usedSigns = used.flatMap(({ profile }) => proven.get(profile) ?? [])
  const all = only ?? usedSigns[0]
  const own = new Map<Profile, Decimals>()
  const open: Profile[] = []
  for (const { profile } of used) {
    const sign = proven.get(profile)
    if (sign !== undefined && sign !== all) own.set(profile, sign)
    if (sign === undefined && only === undefined && (profile.numbers?.twoReadings.length ?? 0) > 0)
      open.push(profile)
  }
  const isNeeded = used.length > 0
  return { all: isNeeded ? all : undefined, own, open }
}

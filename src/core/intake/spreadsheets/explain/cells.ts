/** How a proposed field reads its column: the name alone if that is enough. */
import { inWords } from '../../../errors/in-words.ts'
import { shown } from '../../rejects/problems.ts'
import { addressesIn } from '../mapping/email-addresses.ts'
import { phonesIn } from '../mapping/phone-numbers.ts'
import { rawWord } from '../mapping/statuses.ts'
import { onceEach } from '../mapping/words.ts'
import { timeFormatOf } from '../mapping/written-forms.ts'
import { type Draft, type Fields, HOURS } from './draft.ts'
import { areIdentifiers } from './evidence.ts'
import type { Profile } from './profile.ts'

export function addFields(draft: Draft, record: Fields, kind: string): void {
  for (const { field, profile, isByCells } of draft.columns) {
    const [of, ...path] = field?.split('.') ?? []
    const key = path.join('.')
    if (of !== kind || key === 'id') continue
    if (isByCells) draft.check(kind, key, 'recognized by the cells of the column, not by its name')
    record[key] =
      key === 'role' || key === 'status'
        ? wordsOf(draft, profile, key, isByCells)
        : valueFields(draft, profile, kind, key)
  }
}

function valueFields(draft: Draft, profile: Profile, kind: string, key: string): unknown {
  const { dates, name } = profile
  if (dates?.isMixed) {
    draft.check(
      kind,
      key,
      `dates in two orders, ${dates.ways[0]?.join(' in some rows and ')} in others; write all of them in one way first`,
    )
  }
  const several = key === 'email' ? profile.texts.find((text) => addressesIn(text).length > 1) : undefined
  if (several !== undefined) {
    draft.check(kind, key, `some cells have several addresses ("${shown(several)}"); the first one is used`)
  }
  const phones = key === 'phone' ? profile.texts.find((text) => phonesIn(text).length > 1) : undefined
  if (phones !== undefined && !draft.has('customer.secondaryPhone')) {
    draft.check(
      kind,
      key,
      `some cells have several numbers ("${shown(phones)}"); the second one is secondaryPhone`,
    )
  }
  const time = kind === 'booking' ? HOURS[key] : undefined
  if (time === undefined || dates === undefined || dates.hasTimes) return cellsOf(draft, profile)
  const hours = draft.named(key === 'startDate' ? 'startTime' : 'endTime')
  if (hours !== undefined) return withHours(draft, profile, hours, key, time)
  if (!dates.isMixed && !draft.checks.has(`records ${kind} ${key}`)) {
    draft.check(kind, key, `${shown(name)} has no time of day; write yours in place of ${time}`)
  }
  return { column: name, ...ownDates(draft, profile), time }
}

/** A day and its time of day in another column. */
function withHours(draft: Draft, day: Profile, hours: Profile, key: string, time: string): Fields {
  const formats = new Set(hours.texts.flatMap((text) => timeFormatOf(text) ?? []))
  const isUsual = [...formats].every((format) => ['HH:mm', 'HH:mm:ss'].includes(format))
  const isMissing = hours.texts.some((text, at) => text === '' && day.texts[at] !== '')
  draft.check(
    'booking',
    key,
    isMissing
      ? `${shown(hours.name)} is the time of day; write yours in place of ${time} for rows without one`
      : `${shown(hours.name)} is the time of day`,
  )
  return {
    columns: [day.name, hours.name],
    ...ownDates(draft, day),
    ...(isUsual ? {} : { times: [...formats] }),
    ...(isMissing ? { time } : {}),
  }
}

export function ownDates(draft: Draft, profile: Profile): Fields {
  const [date, ...others] = draft.dates.own.get(profile) ?? []
  return date === undefined ? {} : { dates: others.length === 0 ? date : [date, ...others] }
}

/** The column's name alone if that is enough. */
export function cellsOf(draft: Draft, profile: Profile): unknown {
  const sign = draft.decimals.own.get(profile)
  const own = { ...ownDates(draft, profile), ...(sign === undefined ? {} : { decimals: sign }) }
  return Object.keys(own).length > 0 ? { column: profile.name, ...own } : profile.name
}

/** A column whose words mean values of the service, unless all are those values. */
export function withMeanings(
  kind: Parameters<typeof rawWord>[0],
  column: string,
  words: readonly string[],
): unknown {
  const others = onceEach(words.filter((word) => ![undefined, word].includes(rawWord(kind, word))))
  return others.length === 0
    ? column
    : { column, values: Object.fromEntries(others.map((word) => [word, rawWord(kind, word)])) }
}

/** The meanings of a column's words, as far as a catalogue contains them; the others are questions. */
function wordsOf(
  draft: Draft,
  { name, words }: Profile,
  kind: 'role' | 'status',
  isByCells: boolean,
): unknown {
  const unknown = onceEach(words).filter((word) => rawWord(kind, word) === undefined)
  if (unknown.length > 0) {
    const listed = inWords(unknown.map((word) => `"${shown(word)}"`))
    draft.check('booking', kind, `say in values what ${listed} ${unknown.length === 1 ? 'means' : 'mean'}`)
  } else if (isByCells) draft.check('booking', kind, 'is this what the words mean?')
  return withMeanings(kind, name, words)
}

/** Uses the cells unchanged if they are valid identifiers. */
export const identifierOf = (profile: Profile) =>
  areIdentifiers(profile) ? profile.name : { column: profile.name, identifier: 'text' }

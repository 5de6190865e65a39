/** Asks what dates and numbers mean that can be read in two ways. */
import { inWords } from '../../../errors/in-words.ts'
import { shown } from '../../problems.ts'
import { daysOf } from './choose-formats.ts'
import { type Draft, type Fields, HOURS } from './draft.ts'
import type { Profile } from './profile.ts'
import { orderRecord } from './propose-stay.ts'

export function askDates(draft: Draft): void {
  for (const { profiles, ways } of draft.dates.open) {
    const [profile] = profiles
    if (profile === undefined) continue
    const example = profile.dates?.example ?? ''
    const columns = inWords(profiles.map(({ name }) => shown(name)))
    draft.questions.push({
      ask: `${columns}: which day is "${shown(example)}"? All dates of this column can be read in ${ways.length} ways.`,
      answers: ways.map((formats) => ({
        answer: formats.join(' and '),
        means: profile.samples
          .slice(0, 3)
          .map((text) => `${shown(text)} is ${dayMeant(draft, profile, formats, text)}`)
          .join(', '),
        patch: datesPatch(draft, profiles, formats),
      })),
    })
  }
}

function dayMeant(draft: Draft, profile: Profile, formats: readonly string[], text: string): string {
  const isBorn = draft.named('customer.dob') === profile
  const day = daysOf({ ...profile, texts: [text] }, formats, isBorn ? draft.today : undefined)[0]
  return day === undefined
    ? 'no date'
    : new Intl.DateTimeFormat('en', {
        day: 'numeric',
        month: 'long',
        year: 'numeric',
        timeZone: 'UTC',
      }).format(new Date(day))
}

/** For the table if no other format of it reads the same text, otherwise for the columns. */
function datesPatch(draft: Draft, profiles: readonly Profile[], formats: readonly string[]): object {
  if (draft.dates.all.length === 0 && draft.dates.open.length === 1) {
    return { dates: formats.length === 1 ? formats[0] : formats }
  }
  const records: Record<string, Fields> = {}
  for (const { field, profile } of draft.columns) {
    const [kind = '', ...path] = field?.split('.') ?? []
    if (!profiles.includes(profile) || path.length === 0) continue
    records[kind] ??= {}
    const time = kind === 'booking' ? HOURS[path.join('.')] : undefined
    records[kind][path.join('.')] = {
      column: profile.name,
      dates: formats,
      ...(time && !profile.dates?.hasTimes ? { time } : {}),
    }
  }
  return { records }
}

export function askDecimals(draft: Draft): void {
  for (const profile of draft.decimals.open) {
    const column = draft.columns.find((one) => one.profile === profile)
    const [kind = '', ...path] = column?.field?.split('.') ?? []
    const [example = ''] = profile.numbers?.twoReadings ?? []
    const digits = /\d{1,3}[.,]\d{3}/.exec(example)?.[0] ?? example
    const whole = digits.replaceAll(/[.,]/g, '')
    const part = String(Number(digits.replace(',', '.')))
    const thousands = digits.includes('.') ? ',' : '.'
    const patch = (decimals: string) => {
      const value = { column: profile.name, decimals }
      const order =
        orderRecord(draft) === undefined || path.join('.') !== 'financial.total'
          ? {}
          : { order: { totalAmount: value } }
      return { records: { [kind]: { [path.join('.')]: value }, ...order } }
    }
    draft.questions.push({
      ask: `${shown(profile.name)}: is "${shown(example)}" ${whole} or ${part}?`,
      answers: [
        {
          answer: whole,
          means: `the ${digits.includes('.') ? 'point' : 'comma'} separates thousands`,
          patch: patch(thousands),
        },
        {
          answer: part,
          means: `the ${digits.includes('.') ? 'point' : 'comma'} is before the decimals`,
          patch: patch(digits.includes('.') ? '.' : ','),
        },
      ],
    })
  }
}

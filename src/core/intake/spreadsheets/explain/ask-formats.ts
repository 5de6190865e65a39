/** Asks what dates and numbers mean that can be read in two ways. */
import type { Said } from '../../../locale/said.ts'
import { shown } from '../../rejects/problems.ts'
import { daysOf } from './choose-formats.ts'
import { type Draft, type Fields, HOURS, quoted } from './draft.ts'
import type { Profile } from './profile.ts'
import { orderRecord } from './propose-stay.ts'

export function askDates(draft: Draft): void {
  for (const { profiles, ways } of draft.dates.open) {
    const [profile] = profiles
    if (profile === undefined) continue
    const example = profile.dates?.example ?? ''
    draft.questions.push({
      ask: {
        key: 'whichDay',
        values: { columns: { list: profiles.map(({ name }) => shown(name)) }, example: quoted(example) },
      },
      answers: ways.map((formats) => ({
        answer: { list: formats },
        means: {
          list: profile.samples.slice(0, 3).map((text) => ({
            key: 'textIs',
            values: { text: shown(text), day: dayMeant(draft, profile, formats, text) },
          })),
          by: ', ',
        },
        patch: datesPatch(draft, profiles, formats),
      })),
    })
  }
}

function dayMeant(draft: Draft, profile: Profile, formats: readonly string[], text: string): Said {
  const isBorn = draft.named('customer.dob') === profile
  const day = daysOf({ ...profile, texts: [text] }, formats, isBorn ? draft.today : undefined)[0]
  return day === undefined ? { key: 'noDate' } : { day }
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
      ask: {
        key: 'wholeOrPart',
        values: { column: shown(profile.name), example: quoted(example), whole, part },
      },
      answers: [
        {
          answer: whole,
          means: { key: digits.includes('.') ? 'pointThousands' : 'commaThousands' },
          patch: patch(thousands),
        },
        {
          answer: part,
          means: { key: digits.includes('.') ? 'pointDecimals' : 'commaDecimals' },
          patch: patch(digits.includes('.') ? '.' : ','),
        },
      ],
    })
  }
}

/** What every kind of report is made with: the answers of the interface, the words, and the age of the data. */
import { intlTag, type Language } from '../../../core/locale/languages.ts'
import { ageOf, isLateAt, receivedOf } from '../../../documents/data-age.ts'
import { localTime, writtenDay } from '../../../documents/days.ts'
import type { WordKey, Words } from '../../../documents/words.ts'
import type { Asked, AskInside } from '../ask-inside.ts'
import type { Block, ReportDocument } from './document.ts'
import { wordsIn } from './words-in.ts'

/** What is asked of a report at its time. */
export interface Making {
  readonly ask: AskInside
  readonly language: Language
  readonly center: CenterFacts
  /** the local day of the scheduled time */
  readonly day: string
  /** epoch ms */
  readonly now: number
}

export interface CenterFacts {
  readonly name: string
  readonly timezone: string
  readonly maximumPageLength: number
  /** raw statuses of bookings that are not active (ruling 50) */
  readonly inactive: readonly string[]
}

export interface Writing extends Making {
  readonly t: Words
}

export const startWriting = (making: Making): Writing => ({ ...making, t: wordsIn(making.language) })

/** Which ages a document tells, by kind of data. */
const AGES = {
  bookings: ['bookingsReceived', 'bookingsNeverReceived', 'bookingsAgeUnknown'],
  orders: ['ordersReceived', 'ordersNeverReceived', 'ordersAgeUnknown'],
  sessions: ['sessionsReceived', 'sessionsNeverReceived', 'sessionsAgeUnknown'],
} as const satisfies Readonly<Record<string, readonly [WordKey, WordKey, WordKey]>>
export type AgeKind = keyof typeof AGES

/** `Bookings last received 3 h ago; expected every hour`, as the console says it. */
function ageOfData(
  { t, now }: Writing,
  header: string | undefined,
  kind: AgeKind,
): { text: string; isLate: boolean } {
  const [last, never, unknown] = AGES[kind]
  const received = receivedOf(header ?? null, kind)
  if (received === undefined) return { text: t(unknown), isLate: false }
  const { at, every } = received
  const said = at === undefined ? t(never) : t(last, { age: ageOf(at, now) })
  const expected = every === undefined ? '' : `; ${expectation(t, every)}`
  return { text: said + expected, isLate: isLateAt(received, now) }
}

function expectation(t: Words, every: number): string {
  if (every === 3600) return t('expectedHourly')
  if (every === 86_400) return t('expectedDaily')
  return t('expectedMinutes', { minutes: Math.round(every / 60) })
}

export interface Content {
  readonly heading: readonly [name: string, day: string]
  /** the page of the console that prints the same, in front of the center's name */
  readonly page: string
  readonly ages: readonly AgeKind[]
  readonly asked: Asked
  readonly blocks: readonly Block[]
  readonly file: ReportDocument['file']
}

export function finishDocument(writing: Writing, content: Content): ReportDocument {
  const { t, center, language, now } = writing
  const { heading, page, asked, blocks, file } = content
  const { day, time } = localTime(now, center.timezone)
  const asOf = day === writing.day ? time : `${writtenDay(day, language)} ${time}`
  const title = [page, heading.join(' ').trim()].filter((part, at, all) => all.indexOf(part) === at)
  return {
    title: `${title.join(': ')} · ${center.name}`,
    heading,
    center: heading[0] === page ? center.name : `${page}, ${center.name}`,
    language: intlTag(language),
    zone: center.timezone,
    asOf: now,
    asOfText: t('asOfOnly', { time: asOf }),
    ages: content.ages.map((kind) => ageOfData(writing, asked.dataReceived, kind)),
    blocks,
    pageText: t('pageOf', { n: '{n}', total: '{total}' }),
    file,
  }
}

/** Asks page after page. @returns the records of all, and the last answer */
export async function everyPage<One>(
  { ask, language, center }: Making,
  path: string,
): Promise<{ records: One[]; asked: Asked; body: Readonly<Record<string, unknown>> }> {
  const length = Math.min(100, center.maximumPageLength)
  const records: One[] = []
  for (let start = 1; ; start += 1) {
    const page = `${path}${path.includes('?') ? '&' : '?'}start=${start}&length=${length}`
    const asked = await ask(page, language)
    const body = JSON.parse(asked.body) as { data: One[]; total: number }
    records.push(...body.data)
    if (records.length >= body.total || body.data.length === 0) {
      return { records, asked, body: body as unknown as Readonly<Record<string, unknown>> }
    }
  }
}

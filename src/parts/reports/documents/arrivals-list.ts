/** Who arrives and who leaves on the day, of the active bookings (ruling 50), by room. */
import { localTime, weekday, writtenDay } from '../../../documents/days.ts'
import { numberText } from '../../../documents/numbers.ts'
import type { Block, ReportDocument } from './document.ts'
import { everyPage, finishDocument, type Making, startWriting, type Writing } from './writing.ts'

interface Arriving {
  readonly name: string | null
  readonly status: string
  readonly acc: { readonly roomId: string | null }
  readonly programId: string | null
  readonly startDate: string
  readonly endDate: string
  readonly ids: { readonly status: string; readonly startDate: string; readonly endDate: string }
}

const FIELDS = 'name,status,acc.roomId,programId,startDate,endDate'

export async function arrivalsList(making: Making): Promise<ReportDocument> {
  const writing = startWriting(making)
  const { t, language, day, center } = writing
  const path = `/guests?startDate=${day}&endDate=${day}&project=${FIELDS}`
  const { records, asked } = await everyPage<Arriving>(making, path)
  const active = records.filter(({ ids }) => !center.inactive.includes(ids.status))
  const isOn = (moment: string) => localTime(moment, center.timezone).day === day
  const lists = [
    ['arrive', active.filter(({ ids }) => isOn(ids.startDate))],
    ['leave', active.filter(({ ids }) => isOn(ids.endDate))],
  ] as const
  const blocks = lists.flatMap(([word, guests]): Block[] => [
    {
      kind: 'paragraph',
      style: 'heading',
      text: `${t(word)} · ${numberText(guests.length, language)}`,
    },
    ...(guests.length === 0
      ? [{ kind: 'paragraph', text: t('none') } as const]
      : [table(writing, word, guests)]),
  ])
  return finishDocument(writing, {
    heading: [weekday(t, day), writtenDay(day, language)],
    page: `${t('arrive')}, ${t('leave')}`,
    ages: ['bookings'],
    asked,
    blocks,
    file: {
      name: 'arrivals',
      headings: ['what', 'name', 'room', 'startDate', 'endDate', 'status', 'program'],
      rows: lists.flatMap(([word, guests]) =>
        guests.map(({ name, acc, ids, programId }) => [
          word === 'arrive' ? 'arriving' : 'leaving',
          name,
          acc.roomId,
          localTime(ids.startDate, center.timezone).day,
          localTime(ids.endDate, center.timezone).day,
          ids.status,
          programId,
        ]),
      ),
    },
  })
}

function table(
  { t, language, center }: Writing,
  word: 'arrive' | 'leave',
  guests: readonly Arriving[],
): Block {
  const written = (moment: string) => writtenDay(localTime(moment, center.timezone).day, language)
  const byRoom = guests.toSorted(
    (a, b) =>
      (a.acc.roomId ?? '\uffff').localeCompare(b.acc.roomId ?? '\uffff', 'en', { numeric: true }) ||
      (a.name ?? '').localeCompare(b.name ?? ''),
  )
  return {
    kind: 'table',
    caption: t(word),
    headings: [t('room'), t('guest'), t(word === 'arrive' ? 'to' : 'from'), t('status')],
    rows: byRoom.map(({ acc, name, status, ids }) => ({
      cells: [
        acc.roomId === null ? t('noRoom') : acc.roomId,
        name ?? '–',
        written(word === 'arrive' ? ids.endDate : ids.startDate),
        status,
      ],
    })),
  }
}

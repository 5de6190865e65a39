/** The question about columns that count people: whether the others have rows, or come with the guest of the row. */
import { isObject, shown } from '../../rejects/problems.ts'
import { readNumber } from '../mapping/numbers.ts'
import type { Draft, Fields } from './draft.ts'
import type { Profile } from './profile.ts'

/** Ruling 43: additional people have no name, and are in the portions. */
export function askPeople(draft: Draft, booking: Fields): void {
  const columns = addedUp(
    draft.columns.flatMap(({ field, profile }) => (field === 'people' ? [profile] : [])),
  )
  const counts = [...draft.look.rows.keys()].map((at) => sum(columns, at))
  const at = counts.findIndex((count) => count > 1)
  const [from, until] = [dayOf(booking, 'startDate'), dayOf(booking, 'endDate')]
  if (at < 0 || from === undefined || until === undefined || haveRows(draft, counts)) return
  const names = columns.map(({ name }) => name)
  draft.questions.push({
    ask: {
      key: 'countedPeople',
      values: {
        columns: { list: names.map(shown) },
        n: counts[at] ?? 0,
        row: draft.look.rows[at]?.number ?? 0,
      },
    },
    answers: [
      { answer: { key: 'eachHasRow' }, means: { key: 'eachHasRowMeans' }, patch: {} },
      {
        answer: { key: 'oneRowForAll' },
        means: { key: 'oneRowForAllMeans' },
        patch: {
          records: {
            booking: {
              meals: [
                {
                  from,
                  until,
                  guests: { ...(names.length === 1 ? { column: names[0] } : { columns: names }), less: 1 },
                },
              ],
            },
          },
        },
      },
    ],
  })
}

const countIn = ({ texts }: Profile, at: number) => readNumber(texts[at] ?? '') ?? 0
const sum = (columns: readonly Profile[], at: number) =>
  columns.reduce((all, column) => all + countIn(column, at), 0)

/** Adults and children are added up, unless a column is already their sum. */
function addedUp(columns: readonly Profile[]): readonly Profile[] {
  const total = columns.find((column) => {
    const others = columns.filter((other) => other !== column)
    return others.length > 0 && column.texts.every((_, at) => countIn(column, at) === sum(others, at))
  })
  return total === undefined ? columns : [total]
}

/** Whether as many rows have the same number of an order or a booking, or the same room and arrival, as people are counted. */
function haveRows(draft: Draft, counts: readonly number[]): boolean {
  const [order, id] = [draft.named('order.uuid'), draft.named('booking.id')]
  const room = ['booking.acc.roomId', 'booking.startDate'].flatMap((field) => draft.named(field) ?? [])
  const groups = [order, id].flatMap((column) => (column === undefined ? [] : [[column]]))
  if (room.length === 2) groups.push(room)
  return groups.some((group) => {
    const keys = counts.map((_, at) => group.map(({ texts }) => texts[at]).join('\n'))
    const rows = Map.groupBy(keys, (key) => key)
    return counts.every((count, at) => count <= (rows.get(keys[at] ?? '')?.length ?? 0))
  })
}

/** The day of a moment that the booking has: its cells, without a time of day. */
function dayOf(booking: Fields, field: 'startDate' | 'endDate'): unknown {
  const source = booking[field]
  if (source === undefined) return undefined
  const { time: _, ...day } = isObject(source) ? source : { column: source }
  const { columns, times: __, ...own } = day as Fields
  return { ...own, ...(Array.isArray(columns) ? { column: columns[0] } : {}), type: 'date' }
}

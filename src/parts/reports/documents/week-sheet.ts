/** The kitchen's sheet of seven days from the report's day: portions and who skips, then the diets; as the console prints it. */
import type { MealPortionsAnswer } from '../../../../client/src/index.ts'
import { addDays, weekday, writtenDay } from '../../../documents/days.ts'
import {
  dietKey,
  dietsOf,
  eatingAt,
  hasAllergies,
  MEALS,
  type Meal,
  type PortionsDay,
  skippingAt,
} from '../../../documents/portions.ts'
import { countRooms, shortName, shortRooms } from '../../../documents/short-names.ts'
import { dietsNotices, dietText, portionsFile, portionsQuery } from './day-sheet.ts'
import type { Block, ReportDocument } from './document.ts'
import { finishDocument, type Making, startWriting, type Writing } from './writing.ts'

const DAYS = 7
/** More names than this next to a number become rooms. */
const NAMES_MAX = 12
const ROOMS_MAX = 30

export async function weekSheet(making: Making): Promise<ReportDocument> {
  const writing = startWriting(making)
  const { t, language, day: from } = writing
  const until = addDays(from, DAYS - 1)
  const asked = await making.ask(portionsQuery(from, until), language)
  const answer = JSON.parse(asked.body) as MealPortionsAnswer
  const { days } = answer
  const short = shortRooms(days.flatMap(({ guestList = [] }) => guestList.map(({ room }) => room)))
  const roomText = (room: string | null) => (room === null ? '–' : short(room))
  const allergies = hasAllergies(days) ? ` ! ${t('allergy')}` : ''
  const blocks: Block[] = [
    ...dietsNotices(writing, answer.diets),
    {
      kind: 'table',
      caption: t('portionsToCook'),
      headings: [t('day'), ...MEALS.map((meal) => t(meal))],
      rows: days.map((day) => ({
        cells: [dayText(writing, day), ...MEALS.map((meal) => mealText(writing, day, meal, roomText))],
      })),
      widths: [22, 26, 26, 26],
    },
    ...dietTable(writing, days),
    { kind: 'paragraph', style: 'small', text: t('weekSheetKey') + allergies },
  ]
  return finishDocument(writing, {
    heading: [t('sevenDays'), `${writtenDay(from, language)} – ${writtenDay(until, language)}`],
    page: t('kitchen'),
    ages: ['bookings'],
    asked,
    blocks,
    file: portionsFile('week-sheet', MEALS, answer),
  })
}

const shortDay = ({ t }: Writing, date: string) => `${weekday(t, date, 'short')} ${Number(date.slice(8))}`

function dayText(writing: Writing, { date, arriving, departing }: PortionsDay): string {
  const { t } = writing
  return [
    shortDay(writing, date),
    ...(arriving > 0 ? [t('arriving', { n: arriving })] : []),
    ...(departing > 0 ? [t('departing', { n: departing })] : []),
  ].join(' · ')
}

/** The number, then who skips, or, if these are fewer, who eats. */
function mealText(
  writing: Writing,
  day: PortionsDay,
  meal: Meal,
  roomText: (room: string | null) => string,
): string {
  const { t } = writing
  const { served, portions } = day.meals[meal]
  if (!served) return `– ${t('notServed')}`
  const skipping = skippingAt(day, meal)
  const eating = eatingAt(day, meal)
  const showsEating = skipping.length > eating.length && eating.length > 0
  const named = showsEating ? eating : skipping
  if (eating.length === 0 || named.length === 0) return String(portions)
  const rooms = countRooms(named.map(({ room }) => roomText(room)))
  if (rooms.size > ROOMS_MAX) return `${portions} · ${t('skip', { n: skipping.length })}`
  const list =
    named.length > NAMES_MAX
      ? [...rooms].map(([room, count]) => (count === 1 ? room : `${room} ×${count}`))
      : named.map(({ room, name }) => `${roomText(room)} ${shortName(name ?? '')}`)
  return `${portions} · ${showsEating ? `${t('theseEat')} ` : ''}${list.join(', ')}`
}

function dietTable(writing: Writing, days: readonly PortionsDay[]): Block[] {
  const { t } = writing
  const diets = dietsOf(days)
  if (diets.length === 0) return []
  const rows = diets.map((diet) => ({
    cells: [
      dietText(t, diet),
      ...days.map((day) => {
        const row = day.byDiet.find((one) => dietKey(one) === dietKey(diet))
        return MEALS.map((meal) => row?.[meal] ?? 0).join(' · ')
      }),
    ],
    isStrong: diet.allergy,
  }))
  const headings = [t('ofThesePortions'), ...days.map(({ date }) => shortDay(writing, date))]
  return [{ kind: 'table', caption: t('diet'), headings, rows }]
}

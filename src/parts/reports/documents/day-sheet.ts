/** The kitchen's sheet of a day: plates and diets, then guests of whom a cook must know more; as the console prints it. */
import type { MealPortionsAnswer } from '../../../../client/src/index.ts'
import { dayList, MEAL_MARKS, mealMark } from '../../../documents/day-list.ts'
import { weekday, writtenDay } from '../../../documents/days.ts'
import { hasAllergies, MEALS, type Meal, type PortionsDay } from '../../../documents/portions.ts'
import { mealsText, wordedReasons } from '../../../documents/reason-text.ts'
import { hasReasons } from '../../../documents/reasons.ts'
import { shortRooms } from '../../../documents/short-names.ts'
import type { Block, FileCell, ReportDocument, Row } from './document.ts'
import { finishDocument, type Making, startWriting, type Writing } from './writing.ts'

export const portionsQuery = (from: string, until: string): string =>
  `/meals/portions?startDate=${from}&endDate=${until}&includeGuests=true&includeReasons=true`

export async function daySheet(making: Making): Promise<ReportDocument> {
  const writing = startWriting(making)
  const { t, language, day: date } = writing
  const asked = await making.ask(portionsQuery(date, date), language)
  const answer = JSON.parse(asked.body) as MealPortionsAnswer
  const day = answer.days[0]
  if (day === undefined) throw new Error('an answer of portions has no day')
  const list = dayList(day)
  const blocks: Block[] = [
    plates(writing, day),
    ...dietsNotices(writing, answer.diets),
    ...(list.guests.length === 0
      ? []
      : [
          peopleTable(writing, day),
          { kind: 'paragraph', style: 'small', text: t('mealMarks', MEAL_MARKS) } as const,
        ]),
    { kind: 'paragraph', style: 'small', text: othersText(writing, day, answer.diets) },
    ...(hasAllergies([day])
      ? [{ kind: 'paragraph', style: 'small', text: `! ${t('allergy')}` } as const]
      : []),
  ]
  return finishDocument(writing, {
    heading: [weekday(t, date), writtenDay(date, language)],
    page: t('kitchen'),
    ages: ['bookings'],
    asked,
    blocks,
    file: portionsFile('day-sheet', MEALS, answer),
  })
}

function plates({ t }: Writing, day: PortionsDay): Block {
  const served = (meal: Meal, text: string) => (day.meals[meal].served ? text : t('notServed'))
  const additional = MEALS.map((meal) => day.meals[meal].additional ?? 0)
  const rows: Row[] = [
    {
      cells: [
        t('portions'),
        ...MEALS.map((meal) => (day.meals[meal].served ? String(day.meals[meal].portions) : '–')),
      ],
    },
    {
      cells: [
        '',
        ...MEALS.map((meal) => {
          const { present, skipping } = day.meals[meal]
          return served(meal, t('ofSkip', { n: present, skip: skipping }))
        }),
      ],
    },
    ...(additional.some((n) => n > 0)
      ? [{ cells: ['', ...additional.map((n) => (n > 0 ? t('ofAdditional', { n }) : ''))] }]
      : []),
    ...day.byDiet.map((row) => ({
      cells: [dietText(t, row), ...MEALS.map((meal) => String(row[meal]))],
      isStrong: true,
    })),
  ]
  return {
    kind: 'table',
    caption: t('portionsToCook'),
    style: 'plates',
    headings: ['', ...MEALS.map((meal) => t(meal))],
    rows,
    numbers: [1, 2, 3],
    widths: [28, 24, 24, 24],
  }
}

type ShownDiet = Pick<PortionsDay['byDiet'][number], 'label' | 'kind' | 'allergy' | 'field'>

/** The center's own words; an allergy has a mark, and what nobody can read yet is said to be unknown. */
export function dietText(t: Writing['t'], { label, kind, allergy, field }: ShownDiet): string {
  if (field === null) return label
  if (kind === 'unknown') return `! ${t('unknownDiet')}: ${label}`
  return allergy ? `! ${label}` : label
}

/** An allergy that nobody sees must not look like none. */
export function dietsNotices(
  { t }: Pick<Writing, 't'>,
  { fields, withheld }: MealPortionsAnswer['diets'],
): Block[] {
  const notice = (text: string): Block => ({ kind: 'paragraph', style: 'notice', text })
  if (withheld.length > 0) {
    const what =
      fields.length > 0 ? t('withheldSheetSome', { fields: withheld.join(', ') }) : t('withheldSheet')
    return [notice(`${what} ${t('withheldSheetWhy')}`)]
  }
  return fields.length > 0 ? [] : [notice(t('noDietFields'))]
}

export const areDietsRead = ({ fields, withheld }: MealPortionsAnswer['diets']): boolean =>
  withheld.length === 0 && fields.length > 0

function othersText(writing: Writing, day: PortionsDay, diets: MealPortionsAnswer['diets']): string {
  const { t } = writing
  const { others, byEaters, bySkippers, byAnswer } = dayList(day)
  const isRead = areDietsRead(diets)
  const meals = mealsText(writing, bySkippers) || t('noMeal')
  const said =
    byEaters.length === 0
      ? t(isRead ? 'othersEatAll' : 'othersEatAllDietUnknown', { n: others })
      : t(isRead ? 'othersEat' : 'othersEatDietUnknown', { n: others, meals })
  return isRead && byAnswer !== undefined ? `${said} ${t('othersByAnswer', byAnswer)}` : said
}

/** Shares of the width: of the room, the guest, the diet, and a mark for each meal; as on the console's sheet. */
const WIDTHS = [8, 26, 34, 3, 3, 3] as const
/** Of rooms whose names are not shortened. */
const WIDE_WIDTHS = [14, 24, 30, 3, 3, 3] as const

function peopleTable(writing: Writing, day: PortionsDay): Block {
  const { t } = writing
  const { guests, served } = dayList(day)
  const roomText = shortRooms((day.guestList ?? []).map(({ room }) => room))
  const rows = guests.map((guest) => {
    const { room, name, additional = 0, diets } = guest
    const why = hasReasons(guest) ? wordedReasons(writing, guest, served).join('; ') : ''
    const people = additional > 0 ? t('andWithoutName', { n: additional }) : ''
    return {
      cells: [
        room === null ? t('noRoom') : roomText(room),
        [[name ?? '', people].filter(Boolean).join(' '), why].filter(Boolean).join('; '),
        diets.map((diet) => dietText(t, diet)).join(', '),
        ...MEALS.map((meal) => mealMark(guest, meal, served)),
      ],
      isStrong: diets.some(({ allergy }) => allergy),
    }
  })
  const isWide = rows.some(({ cells: [room = ''] }) => room.length > WIDTHS[0])
  return {
    kind: 'table',
    caption: t('listedGuests'),
    headings: [
      ...(['room', 'guest', 'diet', 'breakfastShort', 'lunchShort', 'dinnerShort'] as const).map((head) =>
        t(head),
      ),
    ],
    rows,
    widths: isWide ? WIDE_WIDTHS : WIDTHS,
  }
}

/** One row for each day, meal and what is counted; then one for each guest who skips; and what is withheld. */
export function portionsFile(
  name: string,
  meals: readonly Meal[],
  { days, diets }: MealPortionsAnswer,
): ReportDocument['file'] {
  const rows: FileCell[][] = days.flatMap((day) =>
    meals.flatMap((meal): FileCell[][] => {
      const { served, portions, present, skipping } = day.meals[meal]
      const row = (kind: string, label: FileCell, count: FileCell, room: FileCell = null): FileCell[] => [
        day.date,
        meal,
        kind,
        label,
        room,
        count,
      ]
      if (!served) return [row('notServed', null, null)]
      return [
        row('portions', null, portions),
        row('present', null, present),
        row('skipping', null, skipping),
        ...day.byDiet.map((diet) => row(diet.allergy ? 'allergy' : 'diet', diet.label, diet[meal])),
        ...(day.guestList ?? [])
          .filter((guest) => guest.skips.includes(meal))
          .map((guest) => row('skips', guest.name, 1, guest.room)),
      ]
    }),
  )
  const missing = diets.withheld.map((field): FileCell[] => [null, null, 'withheld', field, null, null])
  return { name, headings: ['date', 'meal', 'row', 'label', 'room', 'count'], rows: [...rows, ...missing] }
}

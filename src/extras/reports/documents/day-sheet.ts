/** The kitchen's sheet of a day: plates and diets, then guests of whom a cook must know more; as the console prints it. */
import type { Meal, MealPortionsAnswer, PortionsDay } from './console-parts.ts'
import type { Block, FileCell, ReportDocument, Row } from './document.ts'
import { finishDocument, type Making, startWriting, type Writing } from './writing.ts'

export const portionsQuery = (from: string, until: string): string =>
  `/meals/portions?startDate=${from}&endDate=${until}&includeGuests=true&includeReasons=true`

export async function daySheet(making: Making): Promise<ReportDocument> {
  const writing = await startWriting(making)
  const { t, parts, language, day: date } = writing
  const asked = await making.ask(portionsQuery(date, date), language)
  const answer = JSON.parse(asked.body) as MealPortionsAnswer
  const day = answer.days[0]
  if (day === undefined) throw new Error('an answer of portions has no day')
  const list = parts.dayList(day)
  const blocks: Block[] = [
    plates(writing, day),
    ...dietsNotices(writing, answer.diets),
    ...(list.guests.length === 0 ? [] : [peopleTable(writing, day)]),
    { kind: 'paragraph', style: 'small', text: othersText(writing, day, answer.diets) },
    ...(parts.hasAllergies([day])
      ? [{ kind: 'paragraph', style: 'small', text: `! ${t('allergy')}` } as const]
      : []),
  ]
  return finishDocument(writing, {
    heading: [parts.weekday(t, date), parts.writtenDay(date, language)],
    page: t('kitchen'),
    ages: ['bookings'],
    asked,
    blocks,
    file: portionsFile('day-sheet', parts.MEALS, answer),
  })
}

function plates({ t, parts }: Writing, day: PortionsDay): Block {
  const { MEALS } = parts
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
  const { t, parts } = writing
  const { others, byEaters, bySkippers, byAnswer } = parts.dayList(day)
  const isRead = areDietsRead(diets)
  const meals = parts.mealsText(writing, bySkippers) || t('noMeal')
  const said =
    byEaters.length === 0
      ? t(isRead ? 'othersEatAll' : 'othersEatAllDietUnknown', { n: others })
      : t(isRead ? 'othersEat' : 'othersEatDietUnknown', { n: others, meals })
  return isRead && byAnswer !== undefined ? `${said} ${t('othersByAnswer', byAnswer)}` : said
}

function peopleTable(writing: Writing, day: PortionsDay): Block {
  const { t, parts } = writing
  const list = parts.dayList(day)
  const names = (meals: readonly Meal[]) => parts.mealsText(writing, meals)
  const rows = list.guests.map((guest) => {
    const { here, hasReasons, skips, eats } = parts.dayRow(guest, list)
    const { additional = 0 } = guest
    const why = hasReasons ? parts.wordedReasons(writing, guest, list.served).join('; ') : undefined
    return {
      room: guest.room === null ? t('noRoom') : parts.shortRoom(guest.room),
      guest: [guest.name ?? '', additional > 0 ? t('andWithoutName', { n: additional }) : '']
        .join(' ')
        .trim(),
      diet: guest.diets.map((diet) => dietText(t, diet)).join(', '),
      here: why ?? (here === undefined ? '' : parts.wordedPresence(writing, here)),
      skips: names(skips),
      eats: names(eats),
      isStrong: guest.diets.some(({ allergy }) => allergy),
    }
  })
  const columns = (['room', 'guest', 'diet', 'here', 'skips', 'eats'] as const).filter(
    (column) => column === 'room' || column === 'guest' || rows.some((row) => row[column] !== ''),
  )
  return {
    kind: 'table',
    caption: t('listedGuests'),
    headings: columns.map((column) => t(column)),
    rows: rows.map((row) => ({ cells: columns.map((column) => row[column]), isStrong: row.isStrong })),
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

/** The timetable of a day: the same three columns on the page, on the wall and on paper. */
import { type ComponentChild, type ComponentChildren, h } from 'preact'
import { useState } from 'preact/hooks'
import {
  type DietRow,
  dietKey,
  MEALS,
  type Meal,
  type PortionsDay,
  sizedFor,
} from '../../../src/documents/portions.ts'
import { words } from '../base/signed-in.ts'
import { DietPeople } from './diet-people.ts'
import { type Diets, DietsMissing } from './diets-shown.ts'
import { dietMark, markOf, signed, type TakenSheet, withVanished } from './sheet-marks.ts'

export interface MealTableProps {
  /** undefined while it is read for the first time: dashes stand where numbers will */
  readonly day: PortionsDay | undefined
  readonly caption: string
  /** which diets the rows are of */
  readonly diets: Diets | undefined
  readonly sheet?: TakenSheet | undefined
  readonly kind: 'page' | 'wall' | 'paper'
  /** on the wall */
  readonly next?: Meal | undefined
}

export function MealTable(props: MealTableProps): ComponentChild {
  const t = words.value
  const { day, sheet, kind } = props
  const hasAdditional = day !== undefined && MEALS.some((meal) => additionalAt(day, meal) > 0)
  // On a wall and on paper they are laid out by themselves.
  const rows = kind === 'page' ? withVanished(sheet, day?.byDiet ?? []) : []
  const table = h('table', { class: 'meals', style: sizedFor(day === undefined ? [] : [day]) }, [
    h('caption', { class: 'vh' }, props.caption),
    h(MealColumns, null),
    h(
      'thead',
      null,
      h('tr', null, [
        h('th', { scope: 'col' }, h('span', { class: 'vh' }, t('portions'))),
        ...MEALS.map((meal) => h('th', { scope: 'col', class: whenOf(props, meal) }, t(meal))),
      ]),
    ),
    h('tbody', null, [
      h('tr', { class: 'cook' }, [
        h('th', { scope: 'row' }, t(kind === 'page' ? 'portionsToCook' : 'portions')),
        ...MEALS.map((meal) => h('td', { class: whenOf(props, meal) }, plates(day, meal))),
      ]),
      kind === 'paper' ? paperLine(day) : markLine(props),
      kind === 'paper' && hasAdditional && paperAdditional(day),
    ]),
    kind !== 'paper' &&
      h('tbody', null, [
        h(NumberRow, { ...props, label: t('guestsHere'), of: (meal) => day?.meals[meal].present }),
        h(NumberRow, { ...props, label: t('ofThemSkip'), of: (meal) => day?.meals[meal].skipping }),
        hasAdditional &&
          h(NumberRow, {
            ...props,
            label: t('additionalPeople'),
            of: (meal) => day?.meals[meal].additional ?? 0,
          }),
      ]),
    h('tbody', null, h(DietsMissing, { diets: props.diets, on: kind === 'paper' ? 'sheet' : kind })),
    rows.length > 0 &&
      h('tbody', null, [
        h('tr', { class: 'among' }, h('th', { colSpan: 4, scope: 'rowgroup' }, t('ofThesePortions'))),
        rows.map((row) =>
          day !== undefined
            ? h(OpenDietLine, { ...props, row, date: day.date, key: dietKey(row) })
            : h(DietLine, { ...props, row }),
        ),
      ]),
  ])
  // Its numbers are as large as its width allows.
  return h('div', { class: 'sized' }, table)
}

/** The name of a row, and the three meals. */
export const MealColumns = (): ComponentChild =>
  h('colgroup', null, [h('col', null), ...MEALS.map(() => h('col', null))])

function plates(day: PortionsDay | undefined, meal: Meal): ComponentChildren {
  if (day === undefined) return '–'
  const { served, portions } = day.meals[meal]
  return served ? portions : ['–', h('span', { class: 'vh' }, words.value('notServed'))]
}

/** Eaten, next, or neither. */
export function whenOf(
  { kind, next }: Pick<MealTableProps, 'kind' | 'next'>,
  meal: Meal,
): string | undefined {
  if (kind !== 'wall' || next === undefined) return undefined
  if (meal === next) return 'next'
  return MEALS.indexOf(meal) < MEALS.indexOf(next) ? 'past' : undefined
}

/** Reserved, so that nothing moves when something changes. */
function markLine(props: MealTableProps): ComponentChild {
  const t = words.value
  const { day, sheet } = props
  return h('tr', { class: 'mark' }, [
    h('td', null),
    ...MEALS.map((meal) => {
      const cell = (content: ComponentChildren) => h('td', { class: whenOf(props, meal) }, content)
      if (day === undefined) return cell(null)
      if (!day.meals[meal].served) return cell(h('span', { class: 'soft' }, t('notServed')))
      if (sheet === undefined) return cell(null)
      const { by, was, areDietsOther } = markOf(sheet, meal)
      if (by !== 0) return cell(h('span', { class: 'chg' }, `${signed(by)} · ${t('was', { n: was })}`))
      if (areDietsOther) return cell(h('span', { class: 'chg' }, t('otherDiets')))
      return cell(h('span', { class: 'soft' }, t('noChange')))
    }),
  ])
}

const additionalAt = (day: PortionsDay, meal: Meal): number => day.meals[meal].additional ?? 0

const paperAdditional = (day: PortionsDay | undefined) =>
  h('tr', { class: 'of' }, [
    h('td', null),
    ...MEALS.map((meal) => {
      const n = day === undefined ? 0 : additionalAt(day, meal)
      return h('td', null, n > 0 && words.value('ofAdditional', { n }))
    }),
  ])

const paperLine = (day: PortionsDay | undefined) =>
  h('tr', { class: 'of' }, [
    h('td', null),
    ...MEALS.map((meal) => {
      if (day === undefined) return h('td', null)
      const { served, present, skipping } = day.meals[meal]
      return h(
        'td',
        null,
        served ? words.value('ofSkip', { n: present, skip: skipping }) : words.value('notServed'),
      )
    }),
  ])

function NumberRow(
  props: MealTableProps & { readonly label: string; readonly of: (meal: Meal) => number | undefined },
): ComponentChild {
  return h('tr', { class: 'l' }, [
    h('th', { scope: 'row' }, props.label),
    ...MEALS.map((meal) => h('td', { class: whenOf(props, meal) }, props.of(meal) ?? '–')),
  ])
}

type NamedDiet = Pick<DietRow, 'field' | 'label' | 'allergy' | 'kind'>

/** The center's own words; those that it does not know are never shown as if it did. */
export const dietText = ({ label, kind }: Pick<DietRow, 'label' | 'kind'>): string =>
  kind === 'unknown' ? `${words.value('unknownDiet')}: ${label}` : label

export const DietName = ({ row }: { readonly row: NamedDiet }): ComponentChild => {
  if (row.field === null) return h('span', { class: 'soft' }, row.label)
  if (row.kind === 'unknown') {
    return h('span', { class: 'unknown', title: words.value('unknownDietWhy') }, dietText(row))
  }
  if (!row.allergy) return h('span', null, row.label)
  // The center's own words, in whichever language they are written.
  return h('span', { class: 'leave' }, [h('span', { class: 'vh' }, `${words.value('allergy')}: `), row.label])
}

interface DietLineProps extends Omit<MealTableProps, 'caption' | 'diets' | 'day'> {
  readonly row: DietRow
  /** by which it is found to be measured */
  readonly index?: number
  /** in place of the name alone */
  readonly head?: ComponentChild
}

/** On the page, the name of a diet opens the list of its guests. */
function OpenDietLine({ date, ...props }: DietLineProps & { readonly date: string }): ComponentChild {
  const [isOpen, setOpen] = useState(false)
  const head = h(
    'button',
    {
      type: 'button',
      class: 'open',
      'aria-expanded': isOpen,
      title: words.value('showPeople'),
      onClick: () => setOpen(!isOpen),
    },
    h(DietName, { row: props.row }),
  )
  return [h(DietLine, { ...props, head }), isOpen && h(DietPeople, { day: date, row: props.row })]
}

export function DietLine({ row, sheet, index, head, ...props }: DietLineProps): ComponentChild {
  return h('tr', { class: 'l', 'data-row': index }, [
    h('th', { scope: 'row' }, head ?? h(DietName, { row })),
    ...MEALS.map((meal) => {
      const by = sheet === undefined ? 0 : dietMark(sheet, row, meal)
      const when = whenOf(props, meal) ?? ''
      if (by === 0) return h('td', { class: `${when}${row[meal] === 0 ? ' zero' : ''}` }, row[meal])
      return h('td', { class: `${when} chg-cell` }, [
        h('span', { class: 'd' }, [
          signed(by),
          h('span', { class: 'vh' }, ` ${words.value('sinceSheetNow')} `),
        ]),
        row[meal],
      ])
    }),
  ])
}

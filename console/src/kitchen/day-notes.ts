/** What is next to the day: tomorrow, and by which rules the numbers are counted. */
import { type ComponentChild, h } from 'preact'
import type { MealPortionsAnswer } from '../../../client/src/index.ts'
import { weekday, writtenDay } from '../../../src/documents/days.ts'
import {
  MEALS,
  type Meal,
  notCookedFor,
  type PortionsDay,
  sizedFor,
} from '../../../src/documents/portions.ts'
import { inSentence } from '../../../src/documents/words.ts'
import { to } from '../base/routes.ts'
import { language, person, words } from '../base/signed-in.ts'
import { zone } from './kitchen-reading.ts'

export function Tomorrow({
  day,
  date,
}: {
  readonly day: PortionsDay | undefined
  readonly date: string
}): ComponentChild {
  const t = words.value
  return h('section', { class: 'block', 'aria-labelledby': 'next-day' }, [
    h('h2', { id: 'next-day' }, [
      weekday(t, date),
      ' ',
      h('span', { class: 'then' }, writtenDay(date, language.value)),
    ]),
    h(
      'dl',
      { class: 'three', style: sizedFor(day === undefined ? [] : [day]) },
      MEALS.map((meal) => {
        const numbers = day?.meals[meal]
        return h('div', null, [
          h('dt', null, t(meal)),
          h('dd', null, [
            h('b', null, numbers?.served ? numbers.portions : '–'),
            h(
              'span',
              { class: 'small soft' },
              numbers === undefined
                ? '\u00a0'
                : numbers.served
                  ? t('skip', { n: numbers.skipping })
                  : t('notServed'),
            ),
          ]),
        ])
      }),
    ),
    h(
      'p',
      { class: 'small soft' },
      day === undefined
        ? '\u00a0'
        : `${t('arriving', { n: day.arriving })} · ${t('departing', { n: day.departing })}`,
    ),
    h('p', null, h('a', { href: to('kitchen', { day: date }) }, t('openDay'))),
  ])
}

const listOf = (meals: readonly Meal[]): string =>
  meals.length === 0
    ? words.value('noMeal')
    : meals.map((meal) => inSentence(words.value(meal), language.value)).join(', ')

const endsOf = (ends: NonNullable<MealPortionsAnswer['rules']['mealEnds']>): string =>
  MEALS.flatMap((meal) => {
    const end = ends[meal]
    return end === null ? [] : [`${inSentence(words.value(meal), language.value)} ${end}`]
  }).join(', ')

/** So that a cook who wonders about a number finds why. */
export function RuleNotes({
  portions,
  day,
}: {
  readonly portions: MealPortionsAnswer
  readonly day: PortionsDay | undefined
}): ComponentChild {
  const t = words.value
  const { rules } = portions
  const { arrival = [], departure = [] } = rules.standardTimes ?? {}
  const standard = [...new Set([...arrival, ...departure])]
  const left = day === undefined ? [] : notCookedFor(day)
  return h('span', { class: 'notes' }, [
    h('span', null, t('arrivalRule', { meals: listOf(rules.arrivalMeals) })),
    h('span', null, t('departureRule', { meals: listOf(rules.departureMeals) })),
    rules.mealEnds !== undefined && h('span', null, t('endsRule', { meals: endsOf(rules.mealEnds) })),
    standard.length > 0 && h('span', null, t('standardRule', { hours: standard.join(', ') })),
    left.length > 0 &&
      h(
        'span',
        null,
        t('notCookedFor', {
          list: left.map(({ status, count }) => `${statusLabel(status)} ${count}`).join(', '),
        }),
      ),
    h('span', null, t('timesOf', { zone: zone() })),
  ])
}

const statusLabel = (status: string) =>
  person.value?.fields.find(({ name }) => name === 'status')?.values?.find(({ value }) => value === status)
    ?.label ?? status

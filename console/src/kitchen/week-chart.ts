/**
 * The portions of seven days as bars; the hatched part skips. A bar's height is a share of the fullest one: one division,
 * for which a chart library would be ten packages.
 */
import { type ComponentChild, h } from 'preact'
import { addDays, weekday } from '../../../src/documents/days.ts'
import { digitsOf, MEALS, type PortionsDay, sizedFor } from '../../../src/documents/portions.ts'
import { words } from '../base/signed-in.ts'

/** Bars below this share of the chart are lower than their number. */
const LOW = 0.22
/** Numbers with more digits have no room in one line on a phone. */
const LEVEL_DIGITS_MAX = 2

export interface WeekChartProps {
  readonly days: readonly PortionsDay[]
  readonly from: string
  readonly count: number
}

export function WeekChart({ days, from, count }: WeekChartProps): ComponentChild {
  const t = words.value
  const fullest = Math.max(1, ...days.flatMap(({ meals }) => MEALS.map((meal) => meals[meal].present)))
  const share = (number: number) => `${(number / fullest) * 100}%`
  const names = Array.from({ length: count }, (_, at) => addDays(from, at))
  return h('div', null, [
    h(
      'div',
      {
        class: digitsOf(days) > LEVEL_DIGITS_MAX ? 'chart upright' : 'chart',
        style: sizedFor(days),
        role: 'img',
        'aria-label': t('chartOfPortions'),
      },
      names.map((date, at) => {
        const day = days[at]
        return h('div', null, [
          h(
            'div',
            { class: 'd7' },
            MEALS.map((meal) => {
              const { portions = 0, present = 0, served = true } = day?.meals[meal] ?? {}
              const skipping = served ? present - portions : 0
              // A number that its bar has no room for is on top of it.
              const isLow = portions / fullest < LOW
              const number = h('span', { class: isLow ? 'v v0' : 'v' }, served ? portions : '–')
              return h('div', { class: 'b' }, [
                skipping > 0 && h('span', { class: 'sk', style: { height: share(skipping) } }),
                day !== undefined && isLow && number,
                h('span', { class: 'bar1', style: { height: share(portions) } }, !isLow && number),
              ])
            }),
          ),
          h('div', { class: 'ax' }, [
            h('span', null, t('breakfastShort')),
            h('span', null, t('lunchShort')),
            h('span', null, t('dinnerShort')),
          ]),
          h('div', { class: 'nm' }, `${weekday(t, date, 'short')} ${Number(date.slice(8))}`),
        ])
      }),
    ),
    h('p', { class: 'key' }, [
      h('span', null, [h('i', { class: 'sw' }), t('portionsToCook')]),
      h('span', null, [h('i', { class: 'sw o' }), t('ofThemSkip')]),
      h('span', null, t('mealOrder')),
    ]),
  ])
}

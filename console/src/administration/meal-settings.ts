/** When each meal begins, until when arriving guests are served, and until when the kitchen takes changes. */
import { type ComponentChild, h } from 'preact'
import { useState } from 'preact/hooks'
import { words } from '../base/signed-in.ts'
import { change, Saving, type SettingsProps } from './saving.ts'

const MEALS = ['breakfast', 'lunch', 'dinner'] as const
const DAYS_BEFORE_MAX = 31

type Column = 'begin' | 'end' | 'days' | 'time'

const COLUMNS = [
  ['begin', 'mealBegins'],
  ['end', 'mealServedUntil'],
  ['time', 'cutOffTime'],
  ['days', 'cutOffDays'],
] as const satisfies readonly (readonly [Column, string])[]

export function MealSettings({ of: { mealRules }, onSaved }: SettingsProps): ComponentChild {
  const t = words.value
  const stored = (meal: (typeof MEALS)[number]): Record<Column, string> => ({
    begin: mealRules.mealTimes[meal] ?? '',
    end: mealRules.mealEnds[meal] ?? '',
    time: mealRules.cutOffs[meal]?.time ?? '',
    days: String(mealRules.cutOffs[meal]?.daysBefore ?? 0),
  })
  const [texts, setTexts] = useState({
    breakfast: stored('breakfast'),
    lunch: stored('lunch'),
    dinner: stored('dinner'),
  })
  const each = <Value>(value: (of: Record<Column, string>) => Value) =>
    Object.fromEntries(MEALS.map((meal) => [meal, value(texts[meal])]))
  // null clears what the center said.
  const timeOf = (text: string) => (text === '' ? null : text)
  const save = () =>
    change({
      mealRules: {
        mealTimes: each(({ begin }) => timeOf(begin)),
        mealEnds: each(({ end }) => timeOf(end)),
        cutOffs: each(({ time, days }) => (time === '' ? null : { time, daysBefore: Number(days) })),
      },
    })
  const input = (meal: (typeof MEALS)[number], column: Column, label: string) =>
    h('input', {
      'aria-label': `${t(meal).replaceAll('\u00ad', '')}: ${label}`,
      value: texts[meal][column],
      ...(column === 'days' ? { type: 'number', min: 0, max: DAYS_BEFORE_MAX } : { type: 'time' }),
      onInput(event: Event) {
        if (!(event.currentTarget instanceof HTMLInputElement)) return
        setTexts({ ...texts, [meal]: { ...texts[meal], [column]: event.currentTarget.value } })
      },
    })
  return h(
    Saving,
    { id: 'set-meals', title: t('mealHours'), save, onSaved },
    h('table', { class: 'lines keyed', role: 'table' }, [
      h('caption', { class: 'vh' }, t('mealHours')),
      h(
        'thead',
        { role: 'rowgroup' },
        h('tr', { role: 'row' }, [
          h('td', { role: 'cell' }),
          ...COLUMNS.map(([, word]) => h('th', { scope: 'col', role: 'columnheader' }, t(word))),
        ]),
      ),
      h(
        'tbody',
        { role: 'rowgroup' },
        MEALS.map((meal) =>
          h('tr', { role: 'row', key: meal }, [
            h('th', { scope: 'row', role: 'rowheader' }, t(meal)),
            ...COLUMNS.map(([column, word]) =>
              h('td', { role: 'cell', 'data-l': t(word) }, input(meal, column, t(word))),
            ),
          ]),
        ),
      ),
    ]),
  )
}

/** The days on which a report is sent: as the service writes them, in words, and as a choice. */
import { type ComponentChild, h } from 'preact'
import type { Words } from '../../../src/documents/words.ts'
import { words } from '../base/signed-in.ts'
import { Field } from './fields.ts'

/** As the service writes them, in the order of the words. */
const WEEK: readonly string[] = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const MONTH: readonly string[] = [...Array.from({ length: 31 }, (_, day) => String(day + 1)), 'last']

const EVERY = { day: 'reportDaily', week: 'reportWeekdays', month: 'reportMonthDays' } as const
type Every = keyof typeof EVERY
const isEvery = (text: string): text is Every => Object.hasOwn(EVERY, text)

export interface ChosenDays {
  readonly every: Every
  readonly ofWeek: readonly string[]
  readonly ofMonth: readonly string[]
}

export const EVERY_DAY: ChosenDays = {
  every: 'day',
  ofWeek: ['mon', 'tue', 'wed', 'thu', 'fri'],
  ofMonth: ['1'],
}

/** `daily`, `mon,thu` or `1,15,last`; empty if none is chosen. */
export const daysOf = ({ every, ofWeek, ofMonth }: ChosenDays): string =>
  every === 'day' ? 'daily' : (every === 'week' ? ofWeek : ofMonth).join(',')

const nameOf = (t: Words, day: string): string => {
  const at = WEEK.indexOf(day)
  if (at >= 0) return t('weekdays').split(', ')[at] ?? day
  return day === 'last' ? t('reportLastDay') : day
}

/** `daily` and `mon-fri` in words; any other text as it is. */
export const daysText = (t: Words, days: string): string =>
  days === 'daily'
    ? t('reportDaily')
    : days
        .split(',')
        .map((part) =>
          part
            .split('-')
            .map((day) => nameOf(t, day.trim()))
            .join(' – '),
        )
        .join(', ')

interface DaysProps {
  readonly days: ChosenDays
  set(next: ChosenDays): void
}

export function DaysField({ days, set }: DaysProps): ComponentChild {
  const t = words.value
  const { every, ofWeek, ofMonth } = days
  const all = every === 'week' ? [...WEEK.slice(1), ...WEEK.slice(0, 1)] : MONTH
  const chosen = every === 'week' ? ofWeek : ofMonth
  const toggle = (day: string) => {
    const next = all.filter((one) => (one === day) !== chosen.includes(one))
    set({ ...days, ...(every === 'week' ? { ofWeek: next } : { ofMonth: next }) })
  }
  return h('div', null, [
    h(Field, {
      label: t('days'),
      value: every,
      set: (next) => isEvery(next) && set({ ...days, every: next }),
      options: Object.entries(EVERY).map(([one, word]) => [one, t(word)] as const),
    }),
    every !== 'day' &&
      h('fieldset', { class: 'days' }, [
        h('legend', null, t(EVERY[every])),
        all.map((day) =>
          h('label', { key: day, class: 'pick' }, [
            h('input', { type: 'checkbox', checked: chosen.includes(day), onChange: () => toggle(day) }),
            h('span', null, nameOf(t, day)),
          ]),
        ),
      ]),
  ])
}

/** The days around the one that a page shows, and a field for any other day. Today is the page without a day in its address. */
import { type ComponentChild, h } from 'preact'
import { addDays, weekday } from '../../../src/documents/days.ts'
import { DayField } from '../base/day-field.ts'
import { go } from '../base/location.ts'
import { to } from '../base/routes.ts'
import { words } from '../base/signed-in.ts'
import { today } from '../kitchen/kitchen-reading.ts'

/** A day in the query of a page. */
export const dayInQuery = (day: string) => ({ day: day === today() ? undefined : day })

/** @param path of the page */
export function DayLinks({ path, day }: { readonly path: string; readonly day: string }): ComponentChild {
  const t = words.value
  const link = (one: string) =>
    h('a', { href: to(path, dayInQuery(one)) }, one === today() ? t('today') : weekday(t, one))
  return h('nav', { class: 'days', 'aria-label': t('days') }, [
    link(addDays(day, -1)),
    link(addDays(day, 1)),
    day !== today() && link(today()),
    h(DayField, { day, onDay: (one) => go(path, one === today() ? {} : { day: one }, {}) }),
  ])
}

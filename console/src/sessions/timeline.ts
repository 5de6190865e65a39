/** The strip of a year. */
import { type ComponentChild, h } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { monthName, writtenDay } from '../../../src/documents/days.ts'
import { to } from '../base/routes.ts'
import { language, may, words } from '../base/signed-in.ts'
import { today } from '../kitchen/kitchen-reading.ts'
import { firstDay, placeOf, placeSessions, type YearSession } from './year.ts'

export interface TimelineProps {
  readonly year: number
  readonly sessions: readonly YearSession[]
}

/** In rem: the rule of months above, then a row for each session at the same time. */
const HEAD = 2
const LANE = 9
/** In percent of the year: a number does not fit, and the table has it. */
const NARROW = 2

export function Timeline({ year, sessions }: TimelineProps): ComponentChild {
  const t = words.value
  const scroller = useRef<HTMLDivElement>(null)
  const now = today()
  const isNow = now.startsWith(String(year))
  const placed = placeSessions(sessions, year)
  const lanes = Math.max(1, ...placed.map(({ lane }) => lane + 1))
  const most = Math.max(1, ...sessions.map(({ guests }) => guests ?? 0))
  // Opened at today, not at January.
  useEffect(() => {
    const { current } = scroller
    if (current !== null && isNow)
      current.scrollLeft = (placeOf(now, year) / 100) * current.scrollWidth - current.clientWidth / 2
  }, [])
  const heightOf = (guests: number | undefined) =>
    guests === undefined ? 0.5 : Math.max(0.18, guests / most)
  const months = Array.from({ length: 12 }, (_, at) => at + 1)
  return h(
    'div',
    { class: 'scroll', ref: scroller, tabIndex: 0, role: 'region', 'aria-label': t('timeline') },
    h('div', { class: 'year', style: { height: `${HEAD + lanes * LANE}rem` } }, [
      months.map((month) =>
        h(
          'span',
          {
            class: 'm',
            style: {
              left: `${placeOf(`${firstDay(year).slice(0, 5)}${String(month).padStart(2, '0')}-01`, year)}%`,
            },
          },
          monthName(t, month),
        ),
      ),
      isNow &&
        h('span', { class: 'now', style: { left: `${placeOf(now, year)}%` } }, h('span', null, t('today'))),
      placed.map(({ id, name, guests: count, from, to: end, left, width, lane }) => {
        const said = `${name}, ${writtenDay(from, language.value)} – ${writtenDay(end, language.value)}${count === undefined ? '' : `, ${t('guests')}: ${count}`}`
        const style = {
          left: `${left}%`,
          width: `${width}%`,
          bottom: `${(lanes - 1 - lane) * LANE}rem`,
          height: `${heightOf(count) * (LANE - 1.5)}rem`,
        }
        const inside = {
          class: end < now ? 'bar2 past' : 'bar2',
          style,
          title: said,
          'aria-label': said,
          key: id,
        }
        return may('guests')
          ? h('a', { ...inside, href: to('guests', { sessionId: id }) }, width < NARROW ? '' : count)
          : h('span', { ...inside, role: 'img' })
      }),
    ]),
  )
}

/** The sessions of a year as one strip, width is time and height is guests; below it a table that leads on. */
import { type ComponentChild, h } from 'preact'
import { localTime, writtenDay } from '../../../src/documents/days.ts'
import { numberText } from '../../../src/documents/numbers.ts'
import { notUnderstood } from '../base/address.ts'
import type { PageProps } from '../base/page.ts'
import { useResource } from '../base/resource.ts'
import { to } from '../base/routes.ts'
import { language, may, person, words } from '../base/signed-in.ts'
import { useTitle } from '../base/title.ts'
import { DataFoot } from '../frame/data-age.ts'
import { NotUnderstood } from '../frame/not-understood.ts'
import { State } from '../frame/states.ts'
import { today, zone } from '../kitchen/kitchen-reading.ts'
import { Timeline } from './timeline.ts'
import { firstDay, isYear, lastDay, type YearSession } from './year.ts'

/** A calendar subscribes to an address and sends no key, so an administrator makes a link. */
const Calendar = ({ appId }: { readonly appId: string }): ComponentChild =>
  h('details', { class: 'more' }, [
    h('summary', null, words.value('calendarFeed')),
    h('p', null, words.value('calendarWhy')),
    h('p', { class: 'code' }, `sojourn links create --key ${appId} --name Calendar /sessions.ics`),
  ])

export function SessionsPage({ query }: PageProps): ComponentChild {
  const t = words.value
  const { me } = person.value!
  const length = Math.min(100, me.center.maximumPageLength)
  const year = isYear(query.year ?? '') ? Number(query.year) : Number(today().slice(0, 4))
  const range = { startDate: firstDay(year), endDate: lastDay(year) }
  const reader = useResource(
    async (sojourn, signal) => {
      const found: YearSession[] = []
      // Asked for with the sessions, so that both are of one moment. Without the scope, no number is known.
      const asked = { ...range, length, includeGuestCounts: may('guests') }
      for await (const session of sojourn.sessions.all(asked, { signal })) {
        const day = (moment: string) => localTime(moment, zone()).day
        const { _id: id, name, number, startDate, endDate } = session
        const guests = session.guestCounts?.total
        found.push({ id, name, number, guests, from: day(startDate), to: day(endDate) })
      }
      return found
    },
    [year],
  )
  const reading = reader.state.value
  useTitle(`${t('sessions')} ${year}`)
  const sessions = reading.value ?? []
  const link = (other: number) => h('a', { href: to('sessions', { year: String(other) }) }, String(other))
  return h('div', null, [
    h('div', { class: 'head' }, [
      h('div', null, [
        h('h1', null, [t('sessions'), ' ', h('span', null, String(year))]),
        h('nav', { class: 'days', 'aria-label': t('years') }, [link(year - 1), link(year + 1)]),
      ]),
    ]),
    h(NotUnderstood, { parts: notUnderstood(query, { year: isYear }) }),
    h(State, { reading, reader }),
    !may('guests') && h('p', { class: 'say' }, t('guestsNotPermitted')),
    reading.value?.length === 0 && h('p', { class: 'say' }, h('b', null, t('noSessions'))),
    h(Timeline, { year, sessions, key: year }),
    sessions.length > 0 && h(SessionTable, { sessions }),
    h(Calendar, { appId: me.key.appId }),
    h(DataFoot, { reading, kind: 'sessions' }),
  ])
}

interface TableProps {
  readonly sessions: readonly YearSession[]
}

function SessionTable({ sessions }: TableProps): ComponentChild {
  const t = words.value
  const name = language.value
  const now = today()
  return h(
    'div',
    { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': t('sessions') },
    h('table', { class: 'lines ses' }, [
      h('caption', { class: 'vh' }, t('sessions')),
      h(
        'thead',
        null,
        h('tr', null, [
          h('th', { scope: 'col' }, t('session')),
          h('th', { scope: 'col' }, t('number')),
          h('th', { scope: 'col' }, t('from')),
          h('th', { scope: 'col' }, t('to')),
          h('th', { scope: 'col', class: 'num' }, t('guests')),
          h('th', { scope: 'col' }, h('span', { class: 'vh' }, t('pages'))),
        ]),
      ),
      h(
        'tbody',
        null,
        sessions.map((session) =>
          h(
            'tr',
            { key: session.id, class: session.from <= now && now <= session.to ? 'today' : undefined },
            [
              h('th', { scope: 'row' }, h('b', null, session.name)),
              h('td', null, session.number ?? '–'),
              h('td', null, writtenDay(session.from, name)),
              h('td', null, writtenDay(session.to, name)),
              h(
                'td',
                { class: 'num' },
                session.guests === undefined ? '–' : numberText(session.guests, name),
              ),
              h('td', null, [
                may('guests') &&
                  h(
                    'a',
                    {
                      href: to('guests', { sessionId: session.id }),
                      'aria-label': `${t('guests')}: ${session.name}`,
                    },
                    t('guests'),
                  ),
                ' ',
                may('meals') &&
                  h(
                    'a',
                    {
                      href: to('kitchen/week', { from: session.from }),
                      'aria-label': `${t('kitchen')}: ${session.name}`,
                    },
                    t('kitchen'),
                  ),
              ]),
            ],
          ),
        ),
      ),
    ]),
  )
}

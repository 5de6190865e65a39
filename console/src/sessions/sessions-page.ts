/** The sessions of a year as one strip, width is time and height is guests; below it a table that leads on. */
import { type ComponentChild, h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { localTime, numberText, writtenDay } from '../base/days.ts'
import { useResource } from '../base/resource.ts'
import { to } from '../base/routes.ts'
import { language, may, patientSojourn, person, words } from '../base/signed-in.ts'
import type { PageProps } from '../frame/pages.ts'
import { Foot, State } from '../frame/states.ts'
import { today, zone } from '../kitchen/kitchen-reading.ts'
import { Timeline } from './timeline.ts'
import { countGuest, firstDay, lastDay, type YearSession } from './year.ts'

/** A calendar subscribes to an address and sends no key, so an administrator makes a link. */
const Calendar = ({ appId }: { readonly appId: string }): ComponentChild =>
  h('details', { class: 'more' }, [
    h('summary', null, words.value('calendarFeed')),
    h('p', null, words.value('calendarWhy')),
    h('p', { class: 'code' }, `sojourn links create --key ${appId} --name Calendar /sessions.ics`),
  ])

export function SessionsPage({ query }: PageProps): ComponentChild {
  const t = words.value
  const year = /^\d{4}$/.test(query.year ?? '') ? Number(query.year) : Number(today().slice(0, 4))
  const range = { startDate: firstDay(year), endDate: lastDay(year) }
  const reader = useResource(
    async (sojourn, signal) => {
      const found: YearSession[] = []
      for await (const session of sojourn.sessions.all(range, { signal })) {
        const day = (moment: string) => localTime(moment, zone()).day
        const { _id: id, name, number, startDate, endDate } = session
        found.push({ id, name, number, from: day(startDate), to: day(endDate) })
      }
      return found
    },
    [year],
  )
  const reading = reader.state.value
  const sessions = reading.value ?? []
  const counts = useCounts(year)
  const link = (other: number) => h('a', { href: to('sessions', { year: String(other) }) }, String(other))
  return h('div', null, [
    h('div', { class: 'head' }, [
      h('div', null, [
        h('h1', null, [t('sessions'), ' ', h('span', null, String(year))]),
        h('nav', { class: 'days', 'aria-label': t('years') }, [link(year - 1), link(year + 1)]),
      ]),
    ]),
    h(State, { reading, reader }),
    reading.value?.length === 0 && h('p', { class: 'say' }, h('b', null, t('noSessions'))),
    h(Timeline, { year, sessions, counts, key: year }),
    sessions.length > 0 && h(SessionTable, { sessions, counts }),
    h(Calendar, { appId: person.value!.me.key.appId }),
    h(Foot, { reading }),
  ])
}

/** Guests of each session, counted from one walk over the year; undefined for a key that may not read guests. */
function useCounts(year: number): ReadonlyMap<string, number> | undefined {
  const [counts, setCounts] = useState<ReadonlyMap<string, number>>()
  useEffect(() => {
    setCounts(undefined)
    if (!may('guests')) return
    const ends = new AbortController()
    const count = async () => {
      const found = new Map<string, number>()
      let read = 0
      const guests = patientSojourn().guests.all(
        { startDate: firstDay(year), endDate: lastDay(year), project: ['id'] },
        { signal: ends.signal },
      )
      for await (const guest of guests) {
        countGuest(found, guest)
        read += 1
        if (read % 500 === 0) setCounts(new Map(found))
      }
      setCounts(found)
    }
    // Without the counts the page still shows when the sessions are.
    count().catch(() => {})
    return () => ends.abort()
  }, [year, person.value])
  return counts
}

interface TableProps {
  readonly sessions: readonly YearSession[]
  readonly counts: ReadonlyMap<string, number> | undefined
}

function SessionTable({ sessions, counts }: TableProps): ComponentChild {
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
          h('th', { scope: 'col', class: 'wide' }, t('number')),
          h('th', { scope: 'col' }, t('from')),
          h('th', { scope: 'col', class: 'wide' }, t('to')),
          counts && h('th', { scope: 'col', class: 'num' }, t('guests')),
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
              h('td', { class: 'wide' }, session.number ?? '–'),
              h('td', null, writtenDay(session.from, name)),
              h('td', { class: 'wide' }, writtenDay(session.to, name)),
              counts && h('td', { class: 'num' }, numberText(counts.get(session.id) ?? 0, name)),
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

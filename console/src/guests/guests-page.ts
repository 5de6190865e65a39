/** Guests by dates or by session: a table of thousands of rows in the service's own order, and ways to take it along. */
import { type ComponentChild, h } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Session, Sojourn } from '../../../client/src/index.ts'
import { writtenDay } from '../../../src/documents/days.ts'
import { numberText } from '../../../src/documents/numbers.ts'
import { go, settle } from '../base/location.ts'
import type { PageProps } from '../base/page.ts'
import { useResource } from '../base/resource.ts'
import { language, person, words } from '../base/signed-in.ts'
import { useTitle } from '../base/title.ts'
import { DataFoot } from '../frame/data-age.ts'
import { NotUnderstood } from '../frame/not-understood.ts'
import { State } from '../frame/states.ts'
import { today } from '../kitchen/kitchen-reading.ts'
import { SavedViews } from '../views/saved-views.ts'
import { ColumnChoice } from './column-choice.ts'
import { chosenColumns, namesOf, rememberColumns, rememberedColumns } from './columns.ts'
import { CopyAs } from './copy-as.ts'
import { CopyRows } from './copy-rows.ts'
import { Download } from './download-menu.ts'
import { Filters, useSessions } from './filters.ts'
import { GuestTable } from './guest-table.ts'
import { addressOf, filtersOf, leftOutOf, type Question, readQuestion } from './question.ts'
import { type Address, forgetAddress, rememberAddress, rememberedAddress } from './remembered.ts'
import { createRows, PAGE_ROWS, recordsOf } from './rows.ts'
import { wholeLists } from './whole-lists.ts'

export function GuestsPage({ query }: PageProps): ComponentChild {
  const t = words.value
  const { store, fields, me } = person.value!
  // Who comes back finds the guests that they looked at; an address that asks for some goes before.
  const isNew = Object.keys(query).length > 0
  const question = readQuestion(isNew ? query : rememberedAddress(sessionStorage), today())
  const asked = JSON.stringify(question)
  useEffect(() => {
    // The usual days move with today.
    if (asked === JSON.stringify(readQuestion({}, today()))) return
    rememberAddress(sessionStorage, addressOf(question, today()))
    settle('guests', ...placeOf(question))
  }, [asked, query])
  const ask = (part: Partial<Question>) => go('guests', ...placeOf({ ...question, ...part }))
  const clear = () => {
    forgetAddress(sessionStorage)
    go('guests', {}, {})
  }
  const [names, setNames] = useState(rememberedColumns(localStorage))
  const columns = useMemo(() => chosenColumns(fields, names), [fields, names])
  const sessions = useSessions()
  const rows = useMemo(() => {
    const length = Math.min(PAGE_ROWS, me.center.maximumPageLength)
    const filters = filtersOf(question)
    const project = [...new Set([...namesOf(columns), 'id' as const])]
    const others = { ...filters, active: question.which !== 'active', project: namesOf(fields).slice(0, 1) }
    const first = async (sojourn: Sojourn, signal: AbortSignal) => {
      const [page, left] = await Promise.all([
        sojourn.guests.list({ ...filters, project, length }, { signal }),
        question.which === 'all' ? undefined : sojourn.guests.list({ ...others, length: 1 }, { signal }),
      ])
      return { ...page, others: left?.total }
    }
    return createRows({
      clock: store.clock,
      recall: () => store.recall(first),
      first: (signal) => store.ask(first, signal),
      whole: async (signal) => {
        const file = await store.sojourn.guests.file({ ...filters, project, format: 'ndjson' }, { signal })
        return recordsOf(file.body)
      },
      memory: wholeLists(store, JSON.stringify([filters, project])),
    })
  }, [store, asked, columns])
  useEffect(() => () => rows.close(), [rows])
  useEffect(
    () => store.listen({ moved: rows.refresh, confirmed: rows.confirm, interrupted: rows.interrupt }),
    [store, rows],
  )
  const { total, problem, asOf, others } = rows.state.value
  const reading = { value: total, asOf, problem, isReading: false }
  const choose = (next: readonly string[]) => {
    rememberColumns(localStorage, next)
    setNames(next)
  }
  const which = titleOf(question, sessions)
  useTitle(`${t('guests')} ${which}`)
  return h('div', null, [
    h(
      'div',
      { class: 'head' },
      h('h1', null, [
        t('guests'),
        ' ',
        h('span', null, question.q === '' ? which : `${which} · ${question.q}`),
      ]),
    ),
    h(NotUnderstood, { parts: leftOutOf(query, today()) }),
    h(Filters, { question, sessions, onAsk: ask, onClear: clear }),
    h(SavedViews, { path: 'guests', query: placeOf(question)[0], columns: names, onColumns: choose }),
    h('div', { class: 'count' }, [
      h('span', { role: 'status' }, [
        h('b', null, total === undefined ? '–' : numberText(total, language.value)),
        ` ${t(COUNTED[question.which])}`,
      ]),
      h(Others, { question, others, onAsk: ask }),
      h('div', { class: 'acts' }, [
        h(ColumnChoice, { columns, onChoose: choose }),
        h(CopyRows, { of: rows.state.value, columns, chosen: names }),
        h(CopyAs, { question, columns }),
        h(Download, { question, columns, total }),
      ]),
    ]),
    h(State, { reading, reader: rows }),
    total === 0
      ? h(Nobody, { question, key: asked })
      : h(GuestTable, {
          of: rows.state.value,
          columns,
          sort: question.sort,
          onSort: (sort) => ask({ sort }),
        }),
    h(DataFoot, { reading, kind: 'bookings' }),
  ])
}

/** No booking of a center is before or after them. */
const ALL_DAYS = { by: 'dates', startDate: '1900-01-01', endDate: '2199-12-31' } as const

/** No guests on these days does not mean that the center has none. */
function Nobody({ question }: { readonly question: Question }): ComponentChild {
  const t = words.value
  const isOfDays = question.by !== 'session'
  const reader = useResource(
    async (sojourn, signal) => {
      if (!isOfDays) return 0
      const filters = { ...filtersOf({ ...question, ...ALL_DAYS }), project: ['id' as const], length: 1 }
      return (await sojourn.guests.list(filters, { signal })).total
    },
    [JSON.stringify(question)],
  )
  // Until they are counted, it is unknown whether there are others.
  const n = isOfDays ? reader.state.value.value : 0
  const others = n === undefined ? '–' : numberText(n, language.value)
  return h('p', { class: 'say' }, h('b', null, n === 0 ? t('noGuests') : t('noneOnTheseDays', { n: others })))
}

const COUNTED = { active: 'activeBookings', others: 'otherBookings', all: 'inAll' } as const

interface OthersProps {
  readonly question: Question
  readonly others: number | undefined
  readonly onAsk: (part: Partial<Question>) => void
}

/** How many bookings are left out because they are not active, and the way to them; or back. */
function Others({ question: { which }, others, onAsk }: OthersProps): ComponentChild {
  const t = words.value
  if (which === 'all') return null
  const n = others === undefined ? '–' : numberText(others, language.value)
  const isBack = which === 'others'
  return h('span', { class: 'others' }, [
    t(isBack ? 'activeAre' : 'leftOutAre', { n }),
    ' ',
    others !== 0 &&
      h(
        'button',
        { type: 'button', class: 'plain', onClick: () => onAsk({ which: isBack ? 'active' : 'others' }) },
        t(isBack ? 'showActive' : 'showLeftOut'),
      ),
  ])
}

/** Its address, and the name that somebody looks for, which is not in it. */
function placeOf(question: Question): [query: Address, unseen: Address] {
  const { q, ...query } = addressOf(question, today())
  return [query, q === undefined ? {} : { q }]
}

/** Which guests they are, behind the word for guests. */
function titleOf(question: Question, sessions: readonly Session[]): string {
  const { by, startDate, endDate, sessionId } = question
  const date = (day: string) => writtenDay(day, language.value)
  const n = date(question.day)
  const which = {
    dates: () => `${date(startDate)} – ${date(endDate)}`,
    session: () => sessions.find(({ _id }) => _id === sessionId)?.name ?? sessionId,
    arriving: () => words.value('arriving', { n }),
    inHouse: () => words.value('inHouse', { n }),
    departing: () => words.value('departing', { n }),
  }
  return which[by]()
}

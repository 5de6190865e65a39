/** Guests by dates or by session: a table of thousands of rows in the service's own order, and ways to take it along. */
import { type ComponentChild, h } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Session, Sojourn } from '../../../client/src/index.ts'
import { numberText, writtenDay } from '../base/days.ts'
import { go, settle } from '../base/place.ts'
import { language, person, words } from '../base/signed-in.ts'
import type { Known } from '../base/store.ts'
import type { PageProps } from '../frame/pages.ts'
import { Foot, State } from '../frame/states.ts'
import { today } from '../kitchen/kitchen-reading.ts'
import { ColumnChoice } from './column-choice.ts'
import { chosenColumns, namesOf, rememberColumns, rememberedColumns } from './columns.ts'
import { CopyAs } from './copy-as.ts'
import { Download } from './download-menu.ts'
import { Filters, useSessions } from './filters.ts'
import { GuestTable } from './guest-table.ts'
import { addressOf, filtersOf, type Question, readQuestion } from './question.ts'
import { type Address, forgetAddress, rememberAddress, rememberedAddress } from './remembered.ts'
import { createRows, PAGE_ROWS, type RowPage } from './rows.ts'

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
    rememberAddress(sessionStorage, addressOf(question))
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
    const list = (start: number) => (sojourn: Sojourn, signal: AbortSignal) =>
      sojourn.guests.list({ ...filtersOf(question), project: namesOf(columns), start, length }, { signal })
    return createRows(
      async (start, signal) => rowPageOf(await store.ask(list(start), signal)),
      length,
      store.clock,
      async (start) => {
        const known = await store.recall(list(start))
        return known && rowPageOf(known)
      },
    )
  }, [store, asked, columns])
  useEffect(() => () => rows.close(), [rows])
  useEffect(
    () => store.listen({ moved: rows.refresh, confirmed: rows.confirm, interrupted: rows.interrupt }),
    [store, rows],
  )
  const { total, problem, asOf } = rows.state.value
  const reading = { value: total, asOf, problem, isReading: false }
  const choose = (next: readonly string[]) => {
    rememberColumns(localStorage, next)
    setNames(next)
  }
  return h('div', null, [
    h(
      'div',
      { class: 'head' },
      h('h1', null, [t('guests'), ' ', h('span', null, titleOf(question, sessions))]),
    ),
    h(Filters, { question, sessions, onAsk: ask, onClear: clear }),
    h('div', { class: 'count' }, [
      h('span', { role: 'status' }, [
        h('b', null, total === undefined ? '–' : numberText(total, language.value)),
        ` ${t('inAll')}`,
      ]),
      h('div', { class: 'acts' }, [
        h(ColumnChoice, { columns, onChoose: choose }),
        h(CopyAs, { question, columns }),
        h(Download, { question, columns, total }),
      ]),
    ]),
    h(State, { reading, reader: rows }),
    total === 0
      ? h('p', { class: 'say' }, h('b', null, t('noGuests')))
      : h(GuestTable, { rows, columns, sort: question.sort, onSort: (sort) => ask({ sort }) }),
    h(Foot, { reading }),
  ])
}

const rowPageOf = ({ value: { data, total }, asOf }: Known<RowPage>): RowPage => ({
  data,
  total,
  asOf: asOf(),
})

/** Its address, and the name that somebody looks for, which is not in it. */
function placeOf(question: Question): [query: Address, unseen: Address] {
  const { q, ...query } = addressOf(question)
  return [query, q === undefined ? {} : { q }]
}

/** Which guests they are, behind the word for guests. */
function titleOf(question: Question, sessions: readonly Session[]): string {
  const { by, startDate, endDate, sessionId, q } = question
  const date = (day: string) => writtenDay(day, language.value)
  const n = date(question.day)
  const which = {
    dates: () => `${date(startDate)} – ${date(endDate)}`,
    session: () => sessions.find(({ _id }) => _id === sessionId)?.name ?? sessionId,
    arriving: () => words.value('arriving', { n }),
    inHouse: () => words.value('inHouse', { n }),
    departing: () => words.value('departing', { n }),
  }
  return q === '' ? which[by]() : `${which[by]()} · ${q}`
}

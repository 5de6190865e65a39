/** Guests by dates or by session: a table of thousands of rows in the service's own order, and ways to take it along. */
import { type ComponentChild, h } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Session } from '../../../client/src/index.ts'
import { numberText, writtenDay } from '../base/days.ts'
import { follow } from '../base/follow.ts'
import { language, person, words } from '../base/signed-in.ts'
import type { PageProps } from '../frame/pages.ts'
import { Foot, State } from '../frame/states.ts'
import { today } from '../kitchen/kitchen-reading.ts'
import { ColumnChoice } from './column-choice.ts'
import { chosenColumns, namesOf, rememberColumns, rememberedColumns } from './columns.ts'
import { CopyAs } from './copy-as.ts'
import { Download } from './download-menu.ts'
import { Filters, useSessions } from './filters.ts'
import { GuestTable } from './guest-table.ts'
import { filtersOf, type Question, readQuestion } from './question.ts'
import { createRows, PAGE_ROWS } from './rows.ts'

export function GuestsPage({ query }: PageProps): ComponentChild {
  const t = words.value
  const { sojourn, fields } = person.value!
  const question = readQuestion(query, today())
  const asked = JSON.stringify(question)
  const [names, setNames] = useState(rememberedColumns(localStorage))
  const columns = useMemo(() => chosenColumns(fields, names), [fields, names])
  const sessions = useSessions()
  const rows = useMemo(
    () =>
      createRows((start, signal) =>
        sojourn.guests.list(
          { ...filtersOf(question), project: namesOf(columns), start, length: PAGE_ROWS },
          { signal },
        ),
      ),
    [sojourn, asked, columns],
  )
  useEffect(() => {
    const end = follow({ sojourn, kinds: ['guests'], readers: [rows] })
    return () => {
      end()
      rows.close()
    }
  }, [rows])
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
    h(Filters, { question, sessions, key: asked }),
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
      : h(GuestTable, { rows, columns, key: `${asked} ${names.join()}` }),
    h(Foot, { reading }),
  ])
}

function titleOf({ by, startDate, endDate, sessionId }: Question, sessions: readonly Session[]): string {
  if (by === 'session') return sessions.find(({ _id }) => _id === sessionId)?.name ?? sessionId
  return `${writtenDay(startDate, language.value)} – ${writtenDay(endDate, language.value)}`
}

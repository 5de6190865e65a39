/** What the table is asked for: dates, a session or a day; a name, roles, statuses. */
import { type ComponentChild, h } from 'preact'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import type { Session } from '../../../client/src/index.ts'
import { addDays, localTime, writtenDay } from '../../../src/documents/days.ts'
import type { WordKey } from '../../../src/documents/words.ts'
import { language, may, person, words } from '../base/signed-in.ts'
import { today, zone } from '../kitchen/kitchen-reading.ts'
import { Choices } from './choices.ts'
import { type By, isByDay, isPaid, isRole, isStatus, type Question, readQuestion } from './question.ts'

/** The sessions around today, for the choice; none for a key that may not read them. */
export function useSessions(): readonly Session[] {
  const { sojourn } = person.value!
  const [sessions, setSessions] = useState<readonly Session[]>([])
  useEffect(() => {
    if (!may('sessions')) return
    const ends = new AbortController()
    const range = { startDate: addDays(today(), -370), endDate: addDays(today(), 370), length: 100 }
    sojourn.sessions.list(range, { signal: ends.signal }).then(
      ({ data }) => setSessions(data),
      // The choice is shorter then; the table says what is wrong.
      () => {},
    )
    return () => ends.abort()
  }, [sojourn])
  return sessions
}

const BY: Readonly<Record<By, WordKey>> = {
  dates: 'dates',
  session: 'session',
  arriving: 'arrive',
  inHouse: 'guestsHere',
  departing: 'leave',
}
const isBy = (text: string): text is By => Object.hasOwn(BY, text)

interface FiltersProps {
  readonly question: Question
  readonly sessions: readonly Session[]
  readonly onAsk: (question: Question) => void
  readonly onClear: () => void
}

export function Filters({ question, sessions, onAsk, onClear }: FiltersProps): ComponentChild {
  const t = words.value
  const [draft, setDraft] = useState(question)
  // Before anybody can choose something else, which an effect after the next picture would take back.
  useLayoutEffect(() => setDraft(question), [JSON.stringify(question)])
  const { by, q, role, status, paid, sort, which } = draft
  const change = (part: Partial<Question>) => setDraft({ ...draft, ...part })
  const chooseBy = (next: string) => {
    if (!isBy(next)) return
    const { startDate, endDate } = readQuestion({}, today())
    const range = next === 'dates' ? { startDate, endDate } : { startDate: '', endDate: '' }
    const sessionId = next === 'session' ? sessionAround(today(), sessions) : ''
    change({ by: next, ...range, sessionId, day: isByDay(next) ? draft.day || today() : '', relative: {} })
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    onAsk(draft)
  }
  const dayField = (name: 'startDate' | 'endDate' | 'day', label: string) =>
    h('label', null, [
      label,
      h('input', {
        type: 'date',
        name,
        required: true,
        value: draft[name],
        onInput: (event: Event) => change({ [name]: textIn(event) }),
      }),
    ])
  const isFiltered =
    q !== '' ||
    role.length > 0 ||
    status.length > 0 ||
    paid.length > 0 ||
    sort.length > 0 ||
    by !== 'dates' ||
    which === 'others'
  return h('form', { class: 'filters', onSubmit: submit }, [
    h('label', null, [
      t('by'),
      h(
        'select',
        { name: 'by', value: by, onChange: (event: Event) => chooseBy(textIn(event)) },
        Object.entries(BY).map(([value, word]) =>
          h('option', { key: value, value, selected: value === by }, t(word)),
        ),
      ),
    ]),
    by === 'dates' && dayField('startDate', t('from')),
    by === 'dates' && dayField('endDate', t('to')),
    isByDay(by) && dayField('day', t('day')),
    by === 'session' &&
      h('label', null, [
        t('session'),
        h(SessionField, {
          sessionId: draft.sessionId,
          sessions,
          onChoose: (sessionId) => change({ sessionId }),
        }),
      ]),
    h('label', null, [
      t('name'),
      h('input', {
        type: 'search',
        name: 'q',
        maxLength: 100,
        value: q,
        onInput: (event: Event) => change({ q: textIn(event) }),
      }),
    ]),
    h(Choices, { field: 'role', chosen: role, onChoose: (next) => change({ role: next.filter(isRole) }) }),
    h(Choices, {
      field: 'status',
      chosen: status,
      onChoose: (next) => {
        const chosen = next.filter(isStatus)
        change({ status: chosen, which: chosen.length > 0 ? 'all' : 'active' })
      },
    }),
    isPaidReadable() &&
      h(Choices, { field: 'paid', chosen: paid, onChoose: (next) => change({ paid: next.filter(isPaid) }) }),
    h('button', { type: 'submit' }, t('show')),
    isFiltered && h('button', { type: 'button', class: 'plain', onClick: onClear }, t('clearFilters')),
  ])
}

const isPaidReadable = () => person.value?.fields.some(({ name, readable }) => readable && name === 'paid')

const textIn = ({ currentTarget: field }: Event): string =>
  field instanceof HTMLInputElement || field instanceof HTMLSelectElement ? field.value : ''

/** The session of a day, else the next one, else the last. */
function sessionAround(day: string, sessions: readonly Session[]): string {
  const now = sessions.find(({ endDate }) => localTime(endDate, zone()).day >= day) ?? sessions.at(-1)
  return now?._id ?? ''
}

interface SessionFieldProps {
  readonly sessionId: string
  readonly sessions: readonly Session[]
  readonly onChoose: (sessionId: string) => void
}

/** A choice where the key may read sessions, else an identifier. */
function SessionField({ sessionId, sessions, onChoose }: SessionFieldProps): ComponentChild {
  const field = { name: 'sessionId', required: true, value: sessionId }
  const choose = (event: Event) => onChoose(textIn(event))
  if (sessions.length === 0) return h('input', { ...field, onInput: choose })
  const known = sessions.some(({ _id }) => _id === sessionId)
  const nameOf = ({ name, startDate }: Session) =>
    `${name} · ${writtenDay(localTime(startDate, zone()).day, language.value)}`
  return h('select', { ...field, onChange: choose }, [
    sessionId !== '' && !known && h('option', { value: sessionId, selected: true }, sessionId),
    ...sessions.map((session) =>
      h('option', { value: session._id, selected: session._id === sessionId }, nameOf(session)),
    ),
  ])
}

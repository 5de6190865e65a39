/** What the table is asked for: dates or a session, a role, a status. */
import { type ComponentChild, h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Session } from '../../../client/src/index.ts'
import { addDays, localTime, writtenDay } from '../base/days.ts'
import { to } from '../base/routes.ts'
import { language, may, person, words } from '../base/signed-in.ts'
import { today, zone } from '../kitchen/kitchen-reading.ts'
import { type Question, readQuestion } from './question.ts'

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

interface FiltersProps {
  readonly question: Question
  readonly sessions: readonly Session[]
}

export function Filters({ question, sessions }: FiltersProps): ComponentChild {
  const t = words.value
  const [by, setBy] = useState(question.by)
  const { startDate, endDate, role, status } = question
  const usual = readQuestion({}, today())
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!(event.currentTarget instanceof HTMLFormElement)) return
    const form = new FormData(event.currentTarget)
    const given = (name: string) => String(form.get(name) ?? '')
    const dates = { startDate: given('startDate'), endDate: given('endDate') }
    location.hash = to('guests', {
      ...(by === 'session' ? { sessionId: given('sessionId') } : dates),
      role: given('role'),
      status: given('status'),
    })
  }
  const dayField = (name: 'startDate' | 'endDate', label: string, value: string) =>
    h('label', null, [label, h('input', { type: 'date', name, required: true, defaultValue: value })])
  return h('form', { class: 'filters', onSubmit: submit }, [
    h('label', null, [
      t('by'),
      h(
        'select',
        {
          onChange: (event: Event) =>
            event.currentTarget instanceof HTMLSelectElement &&
            setBy(event.currentTarget.value === 'session' ? 'session' : 'dates'),
        },
        [
          h('option', { value: 'dates', selected: by === 'dates' }, t('dates')),
          h('option', { value: 'session', selected: by === 'session' }, t('session')),
        ],
      ),
    ]),
    by === 'dates' && dayField('startDate', t('from'), startDate || usual.startDate),
    by === 'dates' && dayField('endDate', t('to'), endDate || usual.endDate),
    by === 'session' && h('label', null, [t('session'), h(SessionField, { question, sessions })]),
    h(Choice, { name: 'role', label: t('role'), all: t('all'), chosen: role }),
    h(Choice, { name: 'status', label: t('status'), all: t('all'), chosen: status }),
    h('button', { type: 'submit' }, t('show')),
  ])
}

/** A choice where the key may read sessions, else an identifier. */
function SessionField({ question, sessions }: FiltersProps): ComponentChild {
  const { sessionId } = question
  if (sessions.length === 0) return h('input', { name: 'sessionId', required: true, defaultValue: sessionId })
  const known = sessions.some(({ _id }) => _id === sessionId)
  const nameOf = ({ name, startDate }: Session) =>
    `${name} · ${writtenDay(localTime(startDate, zone()).day, language.value)}`
  return h('select', { name: 'sessionId' }, [
    sessionId !== '' && !known && h('option', { value: sessionId, selected: true }, sessionId),
    ...sessions.map((session) =>
      h('option', { value: session._id, selected: session._id === sessionId }, nameOf(session)),
    ),
  ])
}

interface ChoiceProps {
  readonly name: 'role' | 'status'
  readonly label: string
  readonly all: string
  readonly chosen: string | undefined
}

/** The values of an enumeration with their labels, as the service lists them. */
function Choice({ name, label, all, chosen }: ChoiceProps): ComponentChild {
  const values = person.value?.fields.find((field) => field.name === name)?.values ?? []
  return h('label', null, [
    label,
    h('select', { name }, [
      h('option', { value: '' }, all),
      ...values.map((one) => h('option', { value: one.value, selected: one.value === chosen }, one.label)),
    ]),
  ])
}

/** The form for a new report: whose rights it has, what it contains, when it is sent and where. */
import { type ComponentChild, h } from 'preact'
import { useState } from 'preact/hooks'
import type { CenterKey, CenterReport } from '../../../client/src/index.ts'
import type { WordKey } from '../../../src/documents/words.ts'
import { zone } from '../base/now.ts'
import { useResource } from '../base/resource.ts'
import { person, words } from '../base/signed-in.ts'
import { useAutofocus } from './autofocus.ts'
import { Field, KeyField, ListField, readersOf } from './fields.ts'
import { Ask, useAttempt } from './key-forms.ts'
import { DaysField, daysOf, EVERY_DAY } from './report-days.ts'
import { FIRST_PLACE, type Place, PlacesField, placeText } from './report-places.ts'

export const REPORT_KINDS: Readonly<Record<CenterReport['kind'], WordKey>> = {
  day: 'reportDay',
  week: 'reportWeek',
  arrivals: 'reportArrivals',
  rooms: 'reportRooms',
  contradictions: 'contradictions',
  orders: 'orders',
  query: 'linkOwn',
}

const FORMATS = ['pdf', 'xlsx', 'csv', 'text'] as const satisfies readonly CenterReport['format'][]
const isFormat = (text: string): text is CenterReport['format'] => FORMATS.some((one) => one === text)
const isKind = (text: string): text is CenterReport['kind'] => Object.hasOwn(REPORT_KINDS, text)

/** As many as the service takes. */
const TIMES_MAX = 4

interface FormProps {
  readonly keys: readonly CenterKey[]
  onCancel(): void
  onDone(text: string): void
}

export function ReportForm({ keys, onCancel, onDone }: FormProps): ComponentChild {
  const t = words.value
  const attempt = useAttempt()
  const first = useAutofocus<HTMLInputElement>()
  const readers = readersOf(keys)
  const [name, setName] = useState('')
  const [key, setKey] = useState(readers[0]?.appId ?? '')
  const [kind, setKind] = useState<CenterReport['kind']>('day')
  const [format, setFormat] = useState<CenterReport['format']>('pdf')
  const [times, setTimes] = useState<readonly string[]>(['06:00'])
  const [days, setDays] = useState(EVERY_DAY)
  const [places, setPlaces] = useState<readonly Place[]>([FIRST_PLACE])
  const webhooks = useResource((sojourn, signal) => sojourn.administration.webhooks({ signal }), [keys])
  const [query, setQuery] = useState('')
  const submit = () =>
    attempt.run(
      () =>
        person.value!.sojourn.act('add-report', {
          key,
          name,
          kind,
          format,
          times: [...times],
          days: daysOf(days),
          destinations: places.map(placeText),
          language: null,
          query: kind === 'query' ? query : null,
        }),
      () => onDone(t('reportAdded', { name })),
    )
  return h(Ask, { onSubmit: submit, onCancel, action: t('addReport'), attempt }, [
    h(Field, { label: t('name'), value: name, set: setName, first, required: true, maxLength: 200 }),
    h(KeyField, { readers, value: key, set: setKey }),
    h(Field, {
      label: t('reportKind'),
      value: kind,
      set: (next) => isKind(next) && setKind(next),
      options: Object.entries(REPORT_KINDS).map(([one, word]) => [one, t(word)] as const),
    }),
    kind === 'query' &&
      h(Field, { label: t('linkQuery'), value: query, set: setQuery, required: true, maxLength: 2000 }),
    h(Field, {
      label: t('reportFormat'),
      value: format,
      set: (next) => isFormat(next) && setFormat(next),
      options: FORMATS.map((one) => [one, one] as const),
    }),
    h(ListField<string>, {
      label: t('reportTimes'),
      hint: t('timesOf', { zone: zone() }),
      items: times,
      max: TIMES_MAX,
      another: { item: '17:00', text: t('reportAddTime') },
      nameOf: (time) => time,
      fieldsOf: (value, set, label) => h(Field, { label, value, set, type: 'time', required: true }),
      set: setTimes,
    }),
    h(DaysField, { days, set: setDays }),
    h(PlacesField, { places, set: setPlaces, webhooks }),
  ])
}

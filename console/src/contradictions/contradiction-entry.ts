/** One contradiction: the records, their compared values, since when, and what was decided. */
import { type ComponentChild, h } from 'preact'
import type { Contradiction } from '../../../src/documents/contradiction-kinds.ts'
import type { Names } from '../../../src/documents/evidence-text.ts'
import { fieldText, momentText, valueText, type Writing } from '../../../src/documents/evidence-text.ts'
import { to } from '../base/routes.ts'
import { language, may, person, words } from '../base/signed-in.ts'
import { Decision, type DecisionProps } from './decision.ts'
import { linkedRecord, nameOfRecord } from './record-link.ts'

type Compared = Contradiction['evidence']['compared'][number]

const WORDS = { guest: 'guest', order: 'order', room: 'room' } as const
/** More columns than this are wider than a phone. */
const NARROW = 2

export interface EntryProps extends DecisionProps {
  readonly names: Names
}

export function Entry(props: EntryProps): ComponentChild {
  const t = words.value
  const { of, names } = props
  const { since, changedAt, dismissed } = of
  const { center } = person.value!.me
  const time = (moment: string) => momentText(moment, center.timezone, language.value)
  return h('li', { class: 'contra' }, [
    h('h3', null, headOf(of)),
    h(Values, { of, names }),
    h('p', { class: 'soft small' }, [
      t('contradictionFound', { time: time(since) }),
      changedAt !== since && ` · ${t('contradictionChanged', { time: time(changedAt) })}`,
    ]),
    dismissed !== null &&
      h(
        'p',
        null,
        t('dismissedBy', { name: dismissed.by, time: time(dismissed.at), reason: dismissed.reason }),
      ),
    h(Decision, { ...props, key: String(dismissed === null) }),
  ])
}

/** Two bookings of one person are one name. Who is in a room is under it. */
function headOf({ evidence: { records } }: Contradiction): ComponentChild {
  const [first] = records
  if (first === undefined) return ''
  const named = first.kind === 'room' ? [first] : records
  const once = [
    ...new Map(named.map((record) => [`${record.kind} ${nameOfRecord(record)}`, record])).values(),
  ]
  return [
    h('span', { class: 'soft' }, words.value(WORDS[first.kind])),
    ' ',
    ...once.flatMap((record, at) => [at > 0 && ' · ', linkedRecord(record)]),
  ]
}

/** An order leads to its page, which also has the whole identifier. */
function linkedValue(of: Contradiction, one: Compared, at: number, writing: Writing): ComponentChild {
  const text = valueText(of, one, at, writing)
  const value = one.values[at]
  return one.field === 'orderUuid' && typeof value === 'string' && may('orders')
    ? h('a', { href: to('orders/one', { uuid: value }) }, text)
    : text
}

function Values({ of, names }: Pick<EntryProps, 'of' | 'names'>): ComponentChild {
  const t = words.value
  const { records, compared } = of.evidence
  const writing: Writing = {
    t,
    language: language.value,
    zone: person.value!.me.center.timezone,
    fields: person.value!.fields,
    names,
  }
  // The values of a room are those of the room, and its guests have none.
  const isRoom = records[0]?.kind === 'room'
  const shown = isRoom ? records.slice(0, 1) : records
  const label = records.map(nameOfRecord).join(', ')
  return h('div', null, [
    isRoom &&
      h('p', null, [
        `${t('guests')}: `,
        ...records.slice(1).flatMap((record, at) => [at > 0 && ', ', linkedRecord(record)]),
      ]),
    h(
      'div',
      shown.length > NARROW
        ? { class: 'scroll many', tabIndex: 0, role: 'region', 'aria-label': label }
        : { class: 'few' },
      h('table', { class: 'lines' }, [
        h('caption', { class: 'vh' }, label),
        shown.length > 1 &&
          h(
            'thead',
            null,
            h('tr', null, [
              h('th', { scope: 'col' }, h('span', { class: 'vh' }, t('what'))),
              ...shown.map((record) => h('th', { scope: 'col' }, linkedRecord(record))),
            ]),
          ),
        h(
          'tbody',
          null,
          compared.map((one) =>
            h('tr', null, [
              h('th', { scope: 'row' }, fieldText(of, one.field, writing)),
              ...shown.map((_, at) => h('td', null, linkedValue(of, one, at, writing))),
            ]),
          ),
        ),
      ]),
    ),
  ])
}

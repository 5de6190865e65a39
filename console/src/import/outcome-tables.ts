/** What changes, and the guests that rows of the file become. */
import { type ComponentChild, h } from 'preact'
import type { WordKey } from '../../../src/documents/words.ts'
import { words } from '../base/signed-in.ts'
import type { Change, Outcome, Overview } from './file-state.ts'
import { fieldName, valueText } from './record-text.ts'

/** Fields of every record that say nothing to a person. */
const NOT_SHOWN = new Set(['kind', 'id', 'centerId', 'customerId', 'orderUuid', 'uuid', 'version'])
const SHOWN_MAX = 50

export function Changes({
  about,
  outcome,
}: {
  readonly about: Overview
  readonly outcome: Outcome
}): ComponentChild {
  const t = words.value
  const changed = outcome.changes.filter(({ effect }) => effect !== 'created')
  if (outcome.oldValuesWithheld)
    return h('p', { class: 'soft g5' }, t('importOldWithheld', { key: about.key.name }))
  if (changed.length === 0) return null
  return h('section', { class: 'g5' }, [
    h('h2', null, t('importWhatChanges')),
    h(
      'div',
      { class: 'scroll g2', tabIndex: 0, role: 'region', 'aria-label': t('importWhatChanges') },
      h('table', { class: 'lines' }, [
        h('caption', { class: 'vh' }, t('importWhatChanges')),
        h(
          'thead',
          null,
          h('tr', null, [
            h('th', { scope: 'col' }, t('importRecord')),
            h('th', { scope: 'col' }, t('importWhat')),
          ]),
        ),
        h(
          'tbody',
          null,
          changed
            .slice(0, SHOWN_MAX)
            .map((change) =>
              h('tr', { key: `${change.kind} ${change.id}` }, [
                h('th', { scope: 'row', class: 'as-written' }, recordName(about, change)),
                h(
                  'td',
                  null,
                  change.effect === 'removed' ? t('importRemoved') : changeOf(about, outcome, change),
                ),
              ]),
            ),
        ),
      ]),
    ),
    changed.length > SHOWN_MAX &&
      h('p', { class: 'g1' }, t('importMoreChanges', { n: changed.length - SHOWN_MAX })),
  ])
}

const KINDS: Readonly<Record<string, WordKey>> = { customer: 'guest', session: 'session', order: 'order' }

/** `Booking number 26-11-19`; kinds that a list of guests does not have by their own name. */
function recordName({ center }: Overview, { kind, id }: Change): string {
  const t = words.value
  if (kind === 'center') return center.name
  if (kind === 'booking') return t('bookingNumberIs', { number: id })
  const word = KINDS[kind]
  return `${word === undefined ? kind : t(word)} ${id}`
}

/** Of the center, an import adds diets and nothing else; what their words mean is asked above. */
const changeOf = (about: Overview, { diets }: Outcome, change: Change): ComponentChild =>
  change.kind === 'center'
    ? [`${words.value('dietsAndAllergies')}: `, h('b', { class: 'as-written' }, dietNames(about, diets))]
    : fieldsOf(about, change)

/** As their columns, or the center's fields, are called. */
export const dietNames = ({ fields }: Overview, diets: readonly string[]): string =>
  diets
    .map((key) => fields[`customer.meta.${key}`]?.label ?? fields[`booking.meta.${key}`]?.label ?? key)
    .join(', ')

const fieldsOf = (about: Overview, { kind, fields = [] }: Change): ComponentChild =>
  fields.map(({ field, before, after }) =>
    h('p', { key: field }, [
      h('span', { class: 'as-written' }, fieldName(about, kind, field)),
      ' ',
      before !== undefined && [
        h('span', { class: 'was as-written' }, valueText(about, kind, field, before)),
        ' → ',
      ],
      h(
        'b',
        { class: 'as-written' },
        after === undefined ? words.value('importCleared') : valueText(about, kind, field, after),
      ),
    ]),
  )

export function Preview({
  about,
  outcome,
  isNew,
}: {
  readonly about: Overview
  readonly outcome: Outcome
  readonly isNew: boolean
}): ComponentChild {
  const t = words.value
  if (outcome.preview.length === 0) return null
  const areOrders = outcome.preview.every(({ records }) => records.every(({ kind }) => kind === 'order'))
  const title = areOrders ? 'orders' : isNew ? 'importBecome' : 'importBecame'
  return h('section', { class: 'g5' }, [
    h('h2', null, t(title)),
    h(
      'div',
      { class: 'scroll g2', tabIndex: 0, role: 'region', 'aria-label': t(title) },
      h('table', { class: 'lines' }, [
        h('caption', { class: 'vh' }, t(title)),
        h(
          'thead',
          null,
          h('tr', null, [
            h('th', { scope: 'col' }, t('importRowHead')),
            h('th', { scope: 'col' }, t(areOrders ? 'order' : 'guest')),
            !areOrders && h('th', { scope: 'col' }, t('importStay')),
            h('th', { scope: 'col' }, t('importOther')),
          ]),
        ),
        h(
          'tbody',
          null,
          outcome.preview.map(({ sheet, row, records }) => {
            const all: Record<string, unknown> = Object.assign({}, ...records)
            const name = [all.firstName, all.lastName].filter((part) => typeof part === 'string').join(' ')
            const stay = (['startDate', 'endDate'] as const).flatMap((field) =>
              all[field] === undefined || all[field] === null
                ? []
                : [valueText(about, 'booking', field, all[field])],
            )
            return h('tr', { key: `${sheet}:${row}` }, [
              h('td', { class: 'num' }, sheet === undefined ? row : `${sheet}: ${row}`),
              h('th', { scope: 'row', class: 'as-written' }, [
                name === '' ? idOf(records) : name,
                name !== '' && h('p', { class: 'soft small' }, idOf(records)),
              ]),
              !areOrders && h('td', { class: 'as-written' }, stay.join(' – ')),
              h(
                'td',
                { class: 'as-written' },
                records.flatMap((record) => leavesOf(about, String(record.kind), record)).join(', '),
              ),
            ])
          }),
        ),
      ]),
    ),
  ])
}

/** The number of the booking, by which a person finds it again; without one, that of the record. */
const idOf = (records: readonly Readonly<Record<string, unknown>>[]): string =>
  String(records.find(({ kind }) => kind === 'booking')?.id ?? records[0]?.id ?? records[0]?.uuid ?? '')

const IN_COLUMNS = new Set(['firstName', 'lastName', 'startDate', 'endDate'])

/** `Status: Confirmed`, of every field that no column of its own shows. */
function leavesOf(
  about: Overview,
  kind: string,
  record: Readonly<Record<string, unknown>>,
  prefix = '',
): string[] {
  return Object.entries(record).flatMap(([name, value]) => {
    if (prefix === '' && (NOT_SHOWN.has(name) || IN_COLUMNS.has(name))) return []
    const field = `${prefix}${name}`
    if (value === null || value === undefined) return []
    if (typeof value !== 'object' || (Array.isArray(value) && !value.some((one) => typeof one === 'object')))
      return [`${fieldName(about, kind, field)}: ${valueText(about, kind, field, value)}`]
    const entries = Array.isArray(value)
      ? value.map((one: unknown, at) => [String(at + 1), one] as const)
      : Object.entries(value)
    return leavesOf(about, kind, Object.fromEntries(entries), `${field}.`)
  })
}

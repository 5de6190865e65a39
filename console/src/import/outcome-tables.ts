/** What changes, and the guests that rows of the file become. */
import { type ComponentChild, h } from 'preact'
import { words } from '../base/signed-in.ts'
import type { Change, Outcome, Overview } from './file-state.ts'

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
  if (changed.length === 0) return null
  return h('section', { class: 'g5' }, [
    h('h2', null, t('importWhatChanges')),
    outcome.oldValuesWithheld &&
      h('p', { class: 'soft g1' }, t('importOldWithheld', { key: about.key.name })),
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
                h('th', { scope: 'row', class: 'as-written' }, `${change.kind} ${change.id}`),
                h('td', null, change.effect === 'removed' ? t('importRemoved') : fieldsOf(change)),
              ]),
            ),
        ),
      ]),
    ),
    changed.length > SHOWN_MAX &&
      h('p', { class: 'g1' }, t('importMoreChanges', { n: changed.length - SHOWN_MAX })),
  ])
}

const fieldsOf = ({ fields = [] }: Change): ComponentChild =>
  fields.map(({ field, before, after }, at) => [
    at > 0 && '; ',
    h('span', { class: 'as-written' }, field),
    ' ',
    before !== undefined && [h('span', { class: 'was as-written' }, before), ' → '],
    h('b', { class: 'as-written' }, after ?? words.value('importCleared')),
  ])

export function Preview({
  outcome,
  isNew,
}: {
  readonly outcome: Outcome
  readonly isNew: boolean
}): ComponentChild {
  const t = words.value
  if (outcome.preview.length === 0) return null
  return h('section', { class: 'g5' }, [
    h('h2', null, t(isNew ? 'importBecome' : 'importBecame')),
    h(
      'div',
      { class: 'scroll g2', tabIndex: 0, role: 'region', 'aria-label': t('importBecome') },
      h('table', { class: 'lines' }, [
        h('caption', { class: 'vh' }, t('importBecome')),
        h(
          'thead',
          null,
          h('tr', null, [
            h('th', { scope: 'col' }, t('importRowHead')),
            h('th', { scope: 'col' }, t('guest')),
            h('th', { scope: 'col' }, t('importStay')),
            h('th', { scope: 'col' }, t('importOther')),
          ]),
        ),
        h(
          'tbody',
          null,
          outcome.preview.map(({ sheet, row, records }) => {
            const all: Record<string, unknown> = Object.assign({}, ...records)
            const name = [all.firstName, all.lastName].filter((part) => typeof part === 'string').join(' ')
            const stay = [all.startDate, all.endDate].map((moment) => shortened(moment))
            return h('tr', { key: `${sheet}:${row}` }, [
              h('td', { class: 'num' }, sheet === undefined ? row : `${sheet}: ${row}`),
              h('th', { scope: 'row', class: 'as-written' }, name === '' ? String(all.id ?? '') : name),
              h('td', { class: 'as-written' }, stay.some((part) => part !== '') ? stay.join(' – ') : ''),
              h('td', { class: 'as-written' }, leavesOf(all).join(', ')),
            ])
          }),
        ),
      ]),
    ),
  ])
}

/** 2026-11-16 15:00 */
const shortened = (moment: unknown) =>
  typeof moment === 'string' ? moment.slice(0, 16).replace('T', ' ') : ''

const IN_COLUMNS = new Set(['firstName', 'lastName', 'startDate', 'endDate'])

function leavesOf(record: Readonly<Record<string, unknown>>, prefix = ''): string[] {
  return Object.entries(record).flatMap(([name, value]) => {
    if (prefix === '' && (NOT_SHOWN.has(name) || IN_COLUMNS.has(name))) return []
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return leavesOf(Object.fromEntries(Object.entries(value)), `${prefix}${name}.`)
    return value === null || value === undefined ? [] : [`${prefix}${name} ${String(value)}`]
  })
}

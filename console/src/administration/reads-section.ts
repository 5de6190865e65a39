/** Who read what: from the audit trail, by guest, by key and by day. */
import { type ComponentChild, h } from 'preact'
import { useState } from 'preact/hooks'
import type { CenterKey, ReadPage, Sojourn } from '../../../client/src/index.ts'
import { addDays, localTime, writtenShort } from '../../../src/documents/days.ts'
import type { WordKey } from '../../../src/documents/words.ts'
import { useResource } from '../base/resource.ts'
import { language, words } from '../base/signed-in.ts'
import { State } from '../frame/states.ts'
import { today, zone } from './keys-to-review.ts'

type Entry = ReadPage['data'][number]

interface Asked {
  readonly guest: string
  readonly isCustomer: boolean
  readonly key: string
  readonly startDate: string
  readonly endDate: string
}

const WEEK_DAYS = 6
const LENGTH = 50

/** What an operation reads. The others are commands and actions, which say what they do. */
const READS: Readonly<Record<string, WordKey>> = {
  listGuests: 'guests',
  matchGuests: 'guests',
  guestArrivals: 'guests',
  search: 'guests',
  mealSkippingReport: 'kitchen',
  mealPortions: 'kitchen',
  mealSheet: 'kitchen',
  listOrders: 'orders',
  getOrder: 'orders',
  orderControl: 'orders',
  listSessions: 'sessions',
  sessionCalendar: 'sessions',
  listRooms: 'rooms',
  listContradictions: 'contradictions',
  listReads: 'whoReadWhat',
  listKeys: 'keys',
  listDevices: 'devices',
  listLinks: 'links',
  listWebhooks: 'webhooks',
  listReports: 'reports',
  listImports: 'importsAndSources',
  listSources: 'sources',
  listCenterSources: 'sources',
  getMe: 'thisKey',
  findPerson: 'rights',
  showPerson: 'rights',
  erasePerson: 'rights',
}

/** What an operation of the trail reads, or that it is an action. */
export const wordOfRead = (operation: string): WordKey => READS[operation] ?? 'actions'

export function ReadsSection({ keys }: { readonly keys: readonly CenterKey[] }): ComponentChild {
  const t = words.value
  const [guest, setGuest] = useState('')
  const [isCustomer, setCustomer] = useState(false)
  const [key, setKey] = useState('')
  const [startDate, setStart] = useState(addDays(today(), -WEEK_DAYS))
  const [endDate, setEnd] = useState(today())
  const [asked, ask] = useState<Asked>()
  const field = (label: string, input: ComponentChild) => h('label', null, [label, input])
  const value = (set: (next: string) => void) => (event: Event) => {
    const target = event.currentTarget
    if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) set(target.value)
  }
  return h('section', { class: 'block' }, [
    h('h2', { id: 'adm-reads', tabIndex: -1 }, t('whoReadWhat')),
    h(
      'form',
      {
        class: 'filters',
        'aria-label': t('whoReadWhat'),
        onSubmit(event: SubmitEvent) {
          event.preventDefault()
          ask({ guest: guest.trim(), isCustomer, key, startDate, endDate })
        },
      },
      [
        field(
          t(isCustomer ? 'customerIdentifier' : 'bookingIdentifier'),
          h('input', {
            type: 'search',
            value: guest,
            maxLength: 64,
            autocomplete: 'off',
            onInput: value(setGuest),
          }),
        ),
        field(
          t('identifierOf'),
          h(
            'select',
            {
              value: isCustomer ? 'customer' : 'booking',
              onChange: value((next) => setCustomer(next === 'customer')),
            },
            [
              h('option', { value: 'booking', selected: !isCustomer }, t('oneBooking')),
              h('option', { value: 'customer', selected: isCustomer }, t('allBookings')),
            ],
          ),
        ),
        field(
          t('keyOfReads'),
          h('select', { value: key, onChange: value(setKey) }, [
            h('option', { value: '', selected: key === '' }, t('everyKey')),
            [...new Map(keys.map((one) => [one.appId, one.name]))].map(([appId, name]) =>
              h('option', { value: appId, selected: key === appId }, name),
            ),
          ]),
        ),
        field(
          t('fromDay'),
          h('input', { type: 'date', required: true, value: startDate, onChange: value(setStart) }),
        ),
        field(
          t('toDay'),
          h('input', { type: 'date', required: true, value: endDate, onChange: value(setEnd) }),
        ),
        h('button', { type: 'submit' }, t('show')),
      ],
    ),
    h('p', { class: 'small soft' }, t('readsRules')),
    asked && h(Reads, { asked, key: JSON.stringify(asked) }),
  ])
}

interface Found {
  readonly data: readonly Entry[]
  readonly hasMore: boolean
}

async function readReads(
  { administration }: Pick<Sojourn, 'administration'>,
  { guest, isCustomer, key, startDate, endDate }: Asked,
  pages: number,
  signal: AbortSignal,
): Promise<Found> {
  const data: Entry[] = []
  let after: string | undefined
  for (let page = 0; page < pages; page += 1) {
    const query = {
      ...{ startDate, endDate, length: LENGTH },
      ...(guest === '' ? {} : isCustomer ? { customer: guest } : { guest }),
      ...(key === '' ? {} : { key }),
      ...(after === undefined ? {} : { after }),
    }
    const found = await administration.reads(query, { signal })
    data.push(...found.data)
    if (found.next === null) return { data, hasMore: false }
    after = found.next
  }
  return { data, hasMore: true }
}

function Reads({ asked }: { readonly asked: Asked }): ComponentChild {
  const t = words.value
  const [pages, setPages] = useState(1)
  const reader = useResource((sojourn, signal) => readReads(sojourn, asked, pages, signal), [pages])
  const reading = reader.state.value
  const found = reading.value
  return h('div', null, [
    h(State, { reading, reader }),
    found === undefined
      ? reading.problem === undefined && h('p', { class: 'soft', role: 'status' }, t('loading'))
      : [
          h('div', { class: 'count' }, h('p', { role: 'status' }, sentenceOf(asked, found))),
          found.data.length > 0 && h(ReadsTable, { entries: found.data }),
          found.hasMore &&
            h('div', { class: 'count no-print' }, [
              h('button', { type: 'button', onClick: () => setPages(pages + 1) }, t('moreReads')),
            ]),
        ],
  ])
}

/** None found is not the same as none: what the trail does not name, it cannot find. */
function sentenceOf({ guest }: Asked, { data, hasMore }: Found): string {
  const t = words.value
  if (data.length === 0) return t(guest === '' ? 'noReads' : 'noReadsOfGuest')
  return hasMore ? t('readsNewest', { n: data.length }) : t('readsAll', { n: data.length })
}

function ReadsTable({ entries }: { readonly entries: readonly Entry[] }): ComponentChild {
  const t = words.value
  const heads = [
    t('when'),
    t('keyOfReads'),
    t('whatWasDone'),
    t('scopesNeeded'),
    t('records'),
    t('parameters'),
  ]
  return h('table', { class: 'lines keyed', role: 'table' }, [
    h('caption', { class: 'vh' }, t('whoReadWhat')),
    h(
      'thead',
      { role: 'rowgroup' },
      h(
        'tr',
        { role: 'row' },
        heads.map((head) => h('th', { scope: 'col', role: 'columnheader' }, head)),
      ),
    ),
    h(
      'tbody',
      { role: 'rowgroup' },
      entries.map((entry) => {
        const { day, time } = localTime(entry.at, zone())
        const word = READS[entry.operation]
        const cell = (at: number, content: ComponentChild) =>
          h('td', { role: 'cell', 'data-l': heads[at] }, h('span', null, content))
        return h('tr', { role: 'row', key: String(entry.entry) }, [
          h(
            'th',
            { scope: 'row', role: 'rowheader' },
            h('time', { dateTime: entry.at }, `${writtenShort(day, language.value)} ${time}`),
          ),
          cell(1, whoOf(entry)),
          cell(2, [
            word !== undefined && [t(word), ' '],
            h('span', { class: 'code soft' }, entry.operation),
            entry.reads > 1 && ` · ${t('times', { n: entry.reads })}`,
          ]),
          cell(3, h('span', { class: 'code whole' }, entry.scopes.join(', ') || '–')),
          cell(4, entry.named ? String(entry.records) : t('notNamed', { n: entry.records })),
          cell(
            5,
            h(
              'span',
              { class: 'code soft' },
              entry.parameters.map(({ name, value }) => `${name}=${value}`).join(' ') || '–',
            ),
          ),
        ])
      }),
    ),
  ])
}

function whoOf({ key, command, channel }: Entry): ComponentChild {
  const t = words.value
  if (key === null) {
    return command === null ? t('aCommand') : t('commandOf', { user: command.user, machine: command.machine })
  }
  const how = channel === 'link' ? t('byLink') : channel === 'assistant' ? t('byAssistant') : ''
  return [key.name, how !== '' && ` · ${how}`]
}

/** `GET /administration/reads`: who read what, from the audit trail. */
import { parseAppId, parseLinkId, parsePublicKey } from '../../core/access/keys/token.ts'
import { ENTRY_COLUMNS, requestLines } from '../../core/audit/entry.ts'
import { readsOf } from '../../core/audit/list-reads.ts'
import { type ListedRow, selectListed, wantedOfGuest } from '../../core/audit/list-reads-sql.ts'
import { GROUP_MS_MAX } from '../../core/audit/write/read-queue.ts'
import { errors, type Problem } from '../../core/errors/api-error.ts'
import { isoMoment } from '../../core/locale/dates.ts'
import { endOfLocalDay, startOfLocalDay } from '../../core/locale/zones.ts'
import { defineOperation, type Rows } from '../../core/request/operation.ts'
import { DEFAULT_PAGE_LENGTH, readPage } from '../../core/request/paging.ts'
import { countParameter, dateParameter } from '../../core/request/parameter-kinds.ts'
import {
  missingDates,
  type Parameter,
  quote,
  readParameters,
  refusalOf,
  type SentParameters,
} from '../../core/request/parameters.ts'
import { textParameter } from '../../core/request/text-parameters.ts'
import { READS_SCHEMA } from './reads-schema.ts'

const DAYS_MAX = 92
const TEXT_MAX = 64
const DAY_MS = 86_400_000

/** Of a day in the trail of a large center; with a guest, the identifiers of each read are searched too. */
const COST = { all: 4, ofGuest: 24 }

interface Place {
  /** epoch microseconds */
  readonly at: number
  readonly seq: number
}

const PLACE = /^(\d{1,16})\.(\d{1,15})$/

const placeParameter: Parameter<Place> = {
  description: '`next` of the page before; without it, the first page.',
  list: false,
  schema: { type: 'string', pattern: PLACE.source },
  read([text = '']) {
    const [, at, seq] = PLACE.exec(text) ?? []
    return at === undefined
      ? { problem: `${quote(text)} is not the "next" of a page. Send it unchanged, or nothing to start.` }
      : { value: { at: Number(at), seq: Number(seq) } }
  },
}

const keyParameter: Parameter<string> = {
  description: 'Only reads with this key: an `appId`, a `publicKey`, or the `id` of a link.',
  list: false,
  schema: { type: 'string', pattern: '^sjn_(?:app|pk|link)_[0-9A-Za-z]+$' },
  read: ([text = '']) =>
    (parseAppId(text) ?? parsePublicKey(text) ?? parseLinkId(text)) === undefined
      ? // What was typed may be a secret.
        {
          problem:
            'This is not an appId (sjn_app_…), a publicKey (sjn_pk_…) or the id of a link (sjn_link_…).',
        }
      : { value: text },
}

const parameters = {
  startDate: dateParameter({ description: 'First local day of the center.' }),
  endDate: dateParameter({ description: `Last local day; at most ${DAYS_MAX} days.` }),
  guest: textParameter({
    description:
      'Only reads that returned this booking, or its order: its `id` or its booking number. It is not stored in the trail.',
    maximum: TEXT_MAX,
    personal: true,
  }),
  customer: textParameter({
    description:
      'Only reads that returned any booking of this customer, or its order. It is not stored in the trail.',
    maximum: TEXT_MAX,
    personal: true,
  }),
  key: keyParameter,
  after: placeParameter,
  length: countParameter({
    name: 'length',
    description: "Maximum number of entries per page, up to the center's maximum.",
    default: DEFAULT_PAGE_LENGTH,
  }),
} as const

export const listReads = defineOperation({
  name: 'listReads',
  summary: 'Who read what',
  description:
    'The entries of the audit trail of some days, newest first: with which key, which endpoint, which parameters, and how many records; also actions and commands. With `guest` or `customer`, only reads that returned the records of this guest. No identifier of a record and no value is shown. Up to 500 reads of the same data by the same key within a second are one entry. A read appears up to a second after it. This request is recorded too.',
  paths: ['/administration/reads'],
  scope: 'administration',
  quotas: { perMinute: 30, perHour: 300 },
  dependsOn: [],
  parameters,
  required: ['startDate', 'endDate'],
  response: READS_SCHEMA,

  parse({ center, query }) {
    const { values, sent, problems } = readParameters(parameters, query)
    const { startDate, endDate, guest, customer, key, after } = values
    const { page, problems: ofPage } = readPage(
      { start: 1, length: values.length },
      sent,
      center.maximumPageLength,
    )
    const ofDays = problemsOfDays(values, sent)
    const refusal = refusalOf([...problems, ...ofPage, ...ofDays, ...problemsOfGuest(values)])
    if (refusal !== undefined || startDate === undefined || endDate === undefined) {
      return { requiredScopes: [], refusal: refusal ?? errors.invalidParameters(ofDays) }
    }
    const since = startOfLocalDay(center.timezone, startDate)
    const until = endOfLocalDay(center.timezone, endDate)
    const wanted =
      guest !== undefined ? { booking: guest } : customer !== undefined ? { customer } : undefined
    return {
      requiredScopes: [],
      normalForm: JSON.stringify([startDate, endDate, guest, customer, key, after, page.length]),
      statement: selectListed(
        {
          within: {
            centers: [center.id],
            // The time of an entry is that of its first read.
            since: [isoMoment(since - GROUP_MS_MAX)],
            until: [isoMoment(until)],
          },
          key,
          operations: undefined,
          records: wanted === undefined ? undefined : wantedOfGuest(center, wanted),
        },
        after && { ...after, center_id: center.id },
        page.length + 1,
      ),
      cost: wanted === undefined ? COST.all : COST.ofGuest,
      dependencies: undefined,
      cacheMs: 0,

      present(rows) {
        const entries = rows.slice(0, page.length).map(entryOf)
        const last = rows.length > page.length ? entries.at(-1) : undefined
        const data = entries.flatMap((entry) => presentEntry(entry, { since, until }))
        return {
          body: JSON.stringify({ data, next: last === undefined ? null : `${last.at}.${last.seq}` }),
          revision: undefined,
          records: { count: 0, ids: [] },
        }
      },
    }
  },
})

function problemsOfDays(
  { startDate, endDate }: { readonly startDate: string | undefined; readonly endDate: string | undefined },
  sent: SentParameters,
): Problem[] {
  const missing = missingDates(sent)
  if (missing.length > 0) return missing
  if (startDate === undefined || endDate === undefined) return []
  const days = (Date.parse(endDate) - Date.parse(startDate)) / DAY_MS + 1
  if (days < 1)
    return [{ parameter: 'endDate', message: `endDate ${endDate} is before startDate ${startDate}.` }]
  if (days <= DAYS_MAX) return []
  return [
    {
      parameter: 'endDate',
      message: `${days} days were asked for; one request takes at most ${DAYS_MAX} days.`,
    },
  ]
}

const problemsOfGuest = ({
  guest,
  customer,
}: {
  readonly guest: string | undefined
  readonly customer: string | undefined
}): Problem[] =>
  guest !== undefined && customer !== undefined
    ? [{ parameter: 'customer', message: 'Give either guest or customer.' }]
    : []

const NAMES = [...Object.keys(ENTRY_COLUMNS), 'ids']

// The statement returns the columns of an entry in this order.
const entryOf = (row: Rows[number]): ListedRow =>
  Object.fromEntries(NAMES.map((name, at) => [name, row[at]])) as unknown as ListedRow

/** None if the reads of the entry are of the day before. */
function presentEntry(
  entry: ListedRow,
  { since, until }: { readonly since: number; readonly until: number },
): object[] {
  const begun = entry.at / 1000
  const within = requestLines(entry.requests).filter(
    ({ offsetMs }) => begun + offsetMs >= since && begun + offsetMs <= until,
  )
  const [first] = within
  const [read] = readsOf(entry, new Set())
  if (first === undefined || read === undefined) return []
  const { user, machine, ...filters } = read.filters
  return [
    {
      at: isoMoment(begun + first.offsetMs),
      reads: within.length,
      key:
        entry.public_key === '' && entry.app_id === ''
          ? null
          : { name: entry.key_name, appId: entry.app_id, publicKey: entry.public_key },
      // A command has no key, and says who ran it.
      command: user === undefined ? null : { user: String(user), machine: String(machine ?? '') },
      operation: entry.operation,
      channel: entry.channel,
      scopes: read.scopes,
      records: entry.records,
      named: entry.records === 0 || entry.record_list !== null,
      parameters: Object.entries(filters).flatMap(([name, value]) =>
        (typeof value === 'string' ? [value] : value).map((one) => ({ name, value: one })),
      ),
      requestId: first.requestId,
      entry: entry.seq,
    },
  ]
}

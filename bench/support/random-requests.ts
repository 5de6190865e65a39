/** Seeded requests over all operations, parameters, formats, languages and keys; some of them invalid. */

import { LANGUAGES } from '../../src/core/locale/languages.ts'
import { GUEST_FIELDS } from '../../src/core/records/fields/guest-fields.ts'
import type { Operation } from '../../src/core/request/operation.ts'
import { OPERATIONS } from '../../src/parts.ts'
import type { KeyName } from './demo-versions.ts'

export interface RandomRequest {
  readonly method: string
  /** path and query */
  readonly url: string
  readonly key: KeyName | 'unknown'
  readonly headers: Readonly<Record<string, string>>
  /** whether `If-None-Match` has the tag of the last answer to the same URL and headers */
  readonly again: boolean
}

/** Values that exist in the center. */
export interface Known {
  readonly sessions: readonly string[]
  readonly orders: readonly string[]
  readonly orderNumbers: readonly string[]
  readonly bookings: readonly string[]
  readonly bookingIds: readonly string[]
  readonly names: readonly string[]
  readonly emails: readonly string[]
  readonly phones: readonly string[]
  readonly customFields: readonly string[]
  readonly cursors: readonly string[]
  /** YYYY-MM-DD, within the demo */
  readonly days: readonly string[]
}

/** A random number from 0 to below 1 (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const WEIGHTS: Readonly<Record<string, number>> = {
  listGuests: 30,
  listOrders: 16,
  listSessions: 14,
  getOrder: 8,
}
const OTHER_WEIGHT = 4
const LISTED = ['csv', 'ndjson', 'xlsx', 'json']
const ODD = [
  '',
  'x',
  '0',
  '-1',
  '1,2',
  'é',
  '%00',
  '2025-02-30',
  'null',
  '  ',
  '9'.repeat(70),
  'a,b,c',
  'true',
]

/** @returns so many requests, the same for the same seed and values */
export function randomRequests(seed: number, count: number, known: Known): RandomRequest[] {
  const random = seeded(seed)
  const below = (bound: number) => Math.floor(random() * bound)
  const pick = <T>(values: readonly T[]): T => values[below(values.length)] as T
  const chance = (part: number) => random() < part
  const some = (values: readonly string[], most: number) =>
    Array.from({ length: 1 + below(most) }, () => pick(values)).join(',')

  const pools: Readonly<Record<string, () => string>> = {
    sessionId: () => pick(known.sessions),
    sessionIds: () => some(known.sessions, 3),
    sessionIdsExclude: () => some(known.sessions, 3),
    status: () => some(['confirmed', 'arrived', 'departed', 'completed', 'pending', 'cancelled', 'new'], 3),
    role: () => some(['guest', 'patient', 'companion', 'therapist'], 2),
    paymentStatus: () => some(['paid', 'unpaid', 'partial', 'pending'], 2),
    orderNumber: () => pick(known.orderNumbers),
    bookingId: () => pick(known.bookingIds),
    q: () => pick([...known.names, ...known.emails, ...known.bookingIds, ...known.bookings]),
    name: () => pick(known.names),
    email: () => pick(known.emails),
    phone: () => pick(known.phones),
    dob: () => `19${50 + below(50)}-0${1 + below(9)}-1${below(10)}`,
    pin: () => String(below(1_000_000)),
    internalId: () => `C-${below(2000)}`,
    sort: () =>
      some(['startDate', '-endDate', 'lastName', '-firstName', 'status', 'role', 'bookedAt', 'dob'], 2),
    start: () => String(1 + below(4)),
    length: () => String(pick([1, 3, 7, 20, 50, 100, 101])),
    project: () =>
      chance(0.1)
        ? some(['financial.deposit', 'meta', 'acc', 'ids', 'frstName', `meta.${pick(known.customFields)}`], 3)
        : some(
            [...GUEST_FIELDS.map(({ name }) => name), ...known.customFields.map((key) => `meta.${key}`)],
            12,
          ),
    format: () => pick(LISTED),
    values: () => pick(['shown', 'raw']),
    delimiter: () => pick(['comma', 'semicolon', 'tab']),
    decimal: () => pick(['point', 'comma']),
    changedAfter: () => pick(known.cursors),
    after: () => pick(known.cursors),
    snapshot: () => (chance(0.4) ? pick(known.cursors) : 'true'),
    kinds: () => some(['guests', 'sessions', 'orders', 'meals', 'terms', 'center'], 3),
    wait: () => '0',
  }
  const textFor = (name: string, schema: Readonly<Record<string, unknown>>): string => {
    if (chance(0.03)) return pick(ODD)
    const pool = pools[name]
    if (pool !== undefined) return pool()
    const text = JSON.stringify(schema)
    if (text.includes('"date"')) {
      return chance(0.85)
        ? pick(known.days)
        : `${pick(known.days)}T1${below(10)}:00${pick(['Z', '%2B03:00', ''])}`
    }
    const items = (schema.items ?? schema) as { enum?: readonly unknown[] }
    if (Array.isArray(items.enum)) return some(items.enum.map(String), 2)
    return pick(['true', 'false', 'true'])
  }

  const query = (operation: Operation): string => {
    const names = Object.keys(operation.parameters)
    const sent: [string, string][] = []
    const send = (name: string) => {
      const parameter = operation.parameters[name]
      if (parameter !== undefined) sent.push([name, textFor(name, parameter.schema)])
    }
    const isListed = names.includes('startDate') && names.includes('endDate')
    if (isListed && (operation.required?.includes('startDate') || chance(0.6)) && !chance(0.03)) {
      const days = [pick(known.days), pick(known.days)].sort()
      if (chance(0.03)) days.reverse()
      sent.push(['startDate', days[0] ?? ''], ['endDate', days[1] ?? ''])
    }
    if (!isListed || sent.length === 0) for (const name of ['sessionId', 'day', 'name']) send(name)
    const isFile = names.includes('format') && chance(0.25)
    const isRare = (name: string) =>
      ['values', 'delimiter', 'decimal', 'bom', 'start', 'length'].includes(name)
        ? isFile === (name !== 'start' && name !== 'length')
          ? 0.35
          : 0.02
        : name === 'project'
          ? 0.6
          : LOOKED_FOR.has(name)
            ? 0.04
            : name === 'changedAfter' || name === 'snapshot'
              ? 0.12
              : 0.15
    for (const name of names) {
      if (sent.some(([other]) => other === name) || name === 'format' || name === 'wait') continue
      if (chance(isRare(name))) send(name)
    }
    if (isFile) send('format')
    if (chance(0.03)) sent.push([pick(['stardDate', 'lenght', 'foo', 'Project']), '1'])
    if (chance(0.02) && sent[0] !== undefined) sent.push(sent[0])
    return sent.map(([name, value]) => `${name}=${value.replaceAll(' ', '+')}`).join('&')
  }

  const weights = OPERATIONS.map(({ name }) => WEIGHTS[name] ?? OTHER_WEIGHT)
  const sum = weights.reduce((all, one) => all + one, 0)
  const chosen = (): Operation => {
    const drawn = random() * sum
    let passed = 0
    const found = OPERATIONS.find((_, at) => {
      passed += weights[at] ?? 0
      return drawn < passed
    })
    return found ?? (OPERATIONS[0] as Operation)
  }
  const requests: RandomRequest[] = []
  while (requests.length < count) {
    if (requests.length > 20 && chance(0.15)) {
      requests.push({ ...pick(requests), again: chance(0.6) })
      continue
    }
    const operation = chosen()
    const values: Readonly<Record<string, () => string>> = {
      uuid: () => pick([...known.orders, pick(known.orders).toUpperCase(), 'none', unknownUuid(below)]),
      day: () => pick(known.days),
    }
    const path = pick(operation.paths).replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name]?.() ?? 'x')
    const sent = usageless(operation, query(operation))
    requests.push({
      method: chance(0.03) ? 'HEAD' : chance(0.01) ? 'POST' : 'GET',
      url: `${chance(0.85) ? '/v1' : ''}${path}${chance(0.02) ? '/' : ''}${sent === '' ? '' : `?${sent}`}`,
      key: chance(0.8) ? 'everything' : pick(['medical', 'kitchen', 'orders', 'guests', 'unknown'] as const),
      headers: {
        ...(chance(0.5) ? { 'x-locale': chance(0.95) ? pick(LANGUAGES) : 'xx' } : {}),
        ...(chance(0.1)
          ? { accept: pick(['text/csv', 'application/x-ndjson', '*/*', 'application/json', 'text/html']) }
          : {}),
        ...(chance(0.05) ? { 'accept-encoding': pick(['gzip', 'br', 'zstd']) } : {}),
      },
      again: false,
    })
  }
  return requests
}

const LOOKED_FOR = new Set(['q', 'bookingId', 'email', 'phone', 'dob', 'pin', 'internalId', 'orderNumber'])

/** A UUID that no order has. */
const unknownUuid = (below: (bound: number) => number) =>
  `00000000-0000-4000-8000-${String(below(1_000_000)).padStart(12, '0')}`

/** Usage of today depends on when it was written. */
const usageless = ({ name }: Operation, query: string): string =>
  name === 'getUsage' ? 'startDate=2025-01-01&endDate=2025-01-31' : query

/**
 * Five tasks with the Sojourn interface. Node 24 or newer, which runs TypeScript as it is, and no packages.
 *
 * export SOJOURN_KEY=sjn_key_…            # and SOJOURN_URL, unless it is the demo
 * node sojourn.ts todays-guests [DAY]
 * node sojourn.ts kitchen-week FILE [DAY]
 * node sojourn.ts orders-month MONTH      # 2025-01
 * node sojourn.ts session-guests SESSION
 * node sojourn.ts copy SESSION FILE
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

const BASE = process.env.SOJOURN_URL ?? 'http://127.0.0.1:8080'

// == Sending requests, and waiting as long as the answer says

interface ErrorBody {
  readonly code: string
  readonly message: string
  readonly details?: readonly { readonly message: string }[]
  readonly docs: string
  readonly requestId: string
}

/** An error of the interface. Decide by its code, show its message. */
class Refused extends Error {
  readonly code: string
  constructor({ code, message, details = [{ message }], docs, requestId }: ErrorBody) {
    super(`${code}: ${details.map((problem) => problem.message).join(' ')} (${docs}, request ${requestId})`)
    this.code = code
  }
}

type Query = Readonly<Record<string, string>>

interface Answer<Body> {
  /** undefined if it has not changed since the ETag that was sent */
  readonly body: Body | undefined
  readonly etag: string | null
}

async function askWith<Body>(etag: string | undefined, path: string, query: Query): Promise<Answer<Body>> {
  const headers = {
    Authorization: `Bearer ${process.env.SOJOURN_KEY}`,
    ...(etag === undefined ? {} : { 'If-None-Match': etag }),
  }
  for (let attempt = 0; attempt < 10; attempt++) {
    const response = await fetch(`${BASE}/v1${path}?${new URLSearchParams(query)}`, { headers })
    const text = await response.text()
    if (response.status === 304) return { body: undefined, etag: etag ?? null }
    if (response.ok) return { body: JSON.parse(text), etag: response.headers.get('ETag') }
    if (response.status !== 429 && response.status !== 503) throw new Refused(JSON.parse(text).error)
    await setTimeout(Number(response.headers.get('Retry-After')) * 1000)
  }
  throw new Error('The service is busy; try again later.')
}

async function ask<Body>(path: string, query: Query = {}): Promise<Body> {
  const { body } = await askWith<Body>(undefined, path, query)
  if (body === undefined) throw new Error('A 304 to a request without an ETag.')
  return body
}

interface Guest {
  readonly id: string
  readonly name: string
  readonly doctorName?: string | null
  readonly meta?: Readonly<Record<string, unknown>>
  readonly ids: {
    readonly status: string
    readonly dob?: string | null
    readonly meta?: Readonly<Record<string, unknown>>
  }
}

/** Every guest of all pages, once. If somebody came or left between two pages, it begins again. */
async function allGuests(query: Query): Promise<Guest[]> {
  while (true) {
    const guests = new Map<string, Guest>()
    const totals = new Set<number>()
    for (let page = 1; ; page++) {
      const { data, total } = await ask<{ data: Guest[]; total: number }>('/guests', {
        ...query,
        start: `${page}`,
      })
      totals.add(total)
      for (const guest of data) guests.set(guest.id, guest)
      if (data.length === 0 || guests.size >= total) break
    }
    if (totals.size === 1 && totals.has(guests.size)) return [...guests.values()]
  }
}

/** The center's day, which need not be this machine's. */
async function today(): Promise<string> {
  const { center } = await ask<{ center: { timezone: string } }>('/me')
  // Swedish writes dates as ISO 8601 does.
  return new Intl.DateTimeFormat('sv', { timeZone: center.timezone }).format()
}

// == Today's guests for a lab

const COMING = new Set(['registered', 'registeredOnline', 'confirmed', 'arrived', 'paid'])

async function todaysGuests(given?: string) {
  const day = given ?? (await today())
  for (const guest of await allGuests({ startDate: day, endDate: day, project: 'id,name,dob,doctorName' })) {
    // Raw values: the date at the top is text in some language.
    if (COMING.has(guest.ids.status))
      print([guest.id, guest.name, guest.ids.dob, guest.doctorName].join('\t'))
  }
}

// == The week's kitchen numbers

interface Kitchen {
  readonly first: string
  readonly etag?: string
  readonly byDate: Readonly<Record<string, Readonly<Record<string, { count: number }>>>>
}

async function kitchenWeek(file: string, given?: string) {
  const first = Date.parse(given ?? (await today()))
  const days = Array.from({ length: 7 }, (_, after) =>
    new Date(first + after * 86_400_000).toISOString().slice(0, 10),
  )
  const [from = '', to = ''] = [days.at(0), days.at(-1)]
  let stored = readSaved<Kitchen>(file)
  if (stored?.first !== from) stored = undefined
  // A kitchen asks often, and skips change rarely: an answer that is still right is not sent again.
  const query = { startDate: from, endDate: to }
  const { body, etag } = await askWith<Kitchen>(stored?.etag, '/guests/meal-skipping-report', query)
  if (body !== undefined) {
    stored = { first: from, byDate: body.byDate, ...(etag === null ? {} : { etag }) }
    replace(file, stored)
  }
  print('day\tbreakfast\tlunch\tdinner')
  for (const day of days) {
    const counts = ['breakfast', 'lunch', 'dinner'].map((meal) => stored?.byDate[day]?.[meal]?.count ?? 0)
    print([day, ...counts].join('\t'))
  }
}

// == The month's orders to a CSV

interface Order {
  readonly uuid: string
  readonly orderNumber: string | null
  readonly guestNames: string
  readonly ids: Readonly<
    Record<'orderDate' | 'currency' | 'totalAmount' | 'status' | 'paymentStatus', string | number | null>
  >
}

async function ordersMonth(month: string) {
  const [year, number] = month.split('-').map(Number)
  const last = new Date(Date.UTC(year ?? 0, number ?? 0, 0)).toISOString().slice(0, 10)
  const query = { startDate: `${month}-01`, endDate: last, includeGuestNames: 'true' }
  const orders = await ask<Order[]>('/orders', query)
  print('"uuid","orderNumber","orderDate","currency","totalAmount","status","paymentStatus","guestNames"')
  for (const { uuid, orderNumber, guestNames, ids } of orders) {
    const { orderDate, currency, totalAmount, status, paymentStatus } = ids
    const cells = [uuid, orderNumber, orderDate, currency, totalAmount, status, paymentStatus, guestNames]
    print(cells.map(cell).join(','))
  }
}

function cell(value: string | number | null): string {
  if (value === null) return ''
  return typeof value === 'string' ? `"${value.replaceAll('"', '""')}"` : String(value)
}

// == Everybody of a session, with custom fields

interface Field {
  readonly name: string
  readonly custom: boolean
  readonly readable: boolean
  readonly raw: object | null
}

async function sessionGuests(session: string) {
  const { data } = await ask<{ data: Field[] }>('/fields')
  const fields = data.filter(({ custom, readable }) => custom && readable)
  const project = ['id', 'name', ...fields.map(({ name }) => name)].join(',')
  for (const guest of await allGuests({ sessionId: session, project })) {
    const line: Record<string, unknown> = { id: guest.id, name: guest.name }
    for (const { name, raw } of fields) {
      const key = name.slice('meta.'.length)
      // A field with a raw value has it in ids, under the same path.
      line[key] = (raw === null ? guest : guest.ids).meta?.[key]
    }
    print(JSON.stringify(line))
  }
}

// == A copy that stays up to date

interface Copy {
  readonly cursor: string
  readonly guests: Readonly<Record<string, Guest>>
}

async function copy(session: string, file: string) {
  let stored = readSaved<Copy>(file)
  try {
    stored &&= await follow(session, stored)
  } catch (refusal) {
    if (!(refusal instanceof Refused && refusal.code === 'GONE')) throw refusal
    stored = undefined
  }
  stored ??= await readEverything(session)
  // The cursor and the guests in one file, replaced at once: they always belong together.
  replace(file, stored)
  print(`${Object.keys(stored.guests).length} guests`)
}

async function listOf(session: string, more: Query = {}): Promise<Record<string, Guest>> {
  const project = 'id,name,startDate,endDate,status'
  const guests = await allGuests({ sessionId: session, project, ...more })
  return Object.fromEntries(guests.map((guest) => [guest.id, guest]))
}

async function readEverything(session: string): Promise<Copy> {
  let { cursor } = await changes(session)
  while (true) {
    const guests = await listOf(session)
    const { moved, cursor: after } = await changes(session, cursor)
    if (moved.length === 0) return { cursor, guests }
    // Something changed while the pages were read, so somebody may be missing.
    cursor = after
  }
}

async function follow(session: string, stored: Copy): Promise<Copy | undefined> {
  const { moved, cursor } = await changes(session, stored.cursor)
  if (moved.some(({ operation }) => operation === 'readAgain')) return undefined
  const guests = { ...stored.guests }
  for (const { id, operation } of moved) {
    if (operation === 'deleted' && id !== null) delete guests[id]
  }
  const isChanged = moved.some(({ operation }) => operation !== 'deleted')
  return {
    cursor,
    guests: { ...guests, ...(isChanged ? await listOf(session, { changedAfter: stored.cursor }) : {}) },
  }
}

interface Change {
  readonly id: string | null
  readonly operation: 'created' | 'changed' | 'deleted' | 'readAgain'
}

/** Everything that has changed among the session's guests since a cursor, and the cursor after it. */
async function changes(session: string, since?: string): Promise<{ moved: Change[]; cursor: string }> {
  const moved: Change[] = []
  let after = since
  while (true) {
    const query = { kinds: 'guests', sessionId: session, ...(after === undefined ? {} : { after }) }
    const { data, cursor, more } = await ask<{ data: Change[]; cursor: string; more: boolean }>(
      '/changes',
      query,
    )
    moved.push(...data)
    if (!more) return { moved, cursor }
    after = cursor
  }
}

function readSaved<Saved>(file: string): Saved | undefined {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

function replace(file: string, value: unknown) {
  writeFileSync(`${file}.new`, JSON.stringify(value))
  renameSync(`${file}.new`, file)
}

// == Choosing a task

const print = (line: string) => process.stdout.write(`${line}\n`)

const TASKS: Readonly<Record<string, (...words: [string, string]) => Promise<void>>> = {
  'todays-guests': todaysGuests,
  'kitchen-week': kitchenWeek,
  'orders-month': ordersMonth,
  'session-guests': sessionGuests,
  copy,
}

const [name = '', ...words] = process.argv.slice(2)
const task = TASKS[name]
if (task === undefined) throw new Error(`Give one of ${Object.keys(TASKS).join(', ')}.`)
// Each task says how many words it takes.
await task(...(words as [string, string])).catch((problem: Error) => {
  process.stderr.write(`${problem.message}\n`)
  process.exitCode = 1
})

/**
 * `npx node bench/same-answers.ts [--against FOLDER] [--through FOLDER] [--database postgres] [--requests 3000] [--seed 36]
 * [--without HEADER,HEADER] [--shown 20] [--write FILE]`: sends the same seeded requests, over all operations, formats, languages and keys, to this version
 * and to another checkout, each with its own copy of one database. Status, headers and body must be equal, and so must
 * the export of all records. With `--write` the digests of this version's answers are written to a file. Exits with 1
 * where anything differs. `--through` is a version that migrates the copy of this one first, if the other is too old;
 * `--without` names headers that are not compared, because the other version does not have them.
 *
 * Not compared: `Date`, the request's identifier, rate limits; cursors, and what follows from them in the same answer; the time at which a kitchen sheet is stored, and its ETag;
 * and the ETag of answers that are sent in pieces, which is made from the start of the database server.
 */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { Agent, type IncomingHttpHeaders, request as send } from 'node:http'
import { parseArgs } from 'node:util'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { addDays } from '../src/core/locale/dates.ts'
import { type Bench, runAlone } from './support/bench.ts'
import { type DemoDatabase, makeDemo } from './support/demo-versions.ts'
import { type Known, type RandomRequest, randomRequests } from './support/random-requests.ts'
import { type Service, sojournSays, startService } from './support/service.ts'

const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    through: { type: 'string' },
    without: { type: 'string', default: '' },
    shown: { type: 'string', default: '20' },
    database: { type: 'string', default: 'folder' },
    requests: { type: 'string', default: '3000' },
    seed: { type: 'string', default: '36' },
    write: { type: 'string' },
  },
})

const agent = new Agent({ keepAlive: true })

interface Answer {
  readonly status: number
  readonly etag: string | undefined
  /** those that are compared */
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: Buffer
}

const UNCOMPARED = /^(date|x-request-id|request-id|.*ratelimit.*|retry-after|connection|keep-alive)$/i

function ask(
  service: Service,
  key: string,
  { method, url, headers }: Pick<RandomRequest, 'method' | 'url' | 'headers'>,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = send(
      `${service.url}${encodeURI(url).replaceAll('%25', '%')}`,
      { method, agent, headers: { ...headers, host: 'sojourn.test', authorization: `Bearer ${key}` } },
      (answer) => {
        const pieces: Buffer[] = []
        answer.on('data', (piece: Buffer) => pieces.push(piece))
        answer.on('error', reject)
        answer.on('end', () => {
          const sent = Buffer.concat(pieces)
          const decode = DECODERS[answer.headers['content-encoding'] ?? '']
          const body = decode === undefined || sent.length === 0 ? sent : decode(sent)
          resolve({
            status: answer.statusCode ?? 0,
            etag: answer.headers.etag,
            headers: compared(url, answer.headers, body),
            body: comparable(body, answer.headers),
          })
        })
      },
    )
    asked.on('error', reject)
    asked.end()
  })
}

const WITHOUT = new Set(values.without.toLowerCase().split(','))

/** A position in the feed: it counts the commits, and a service writes what it evaluates in its own time. */
const CURSOR = /\bAS[\w-]{50}\b/g
/** Of a body with a cursor, these follow from the cursor. */
const OF_CONTENT = /^(etag|content-digest|content-length)$/

const compared = (url: string, headers: IncomingHttpHeaders, body: Buffer) => {
  const hasCursor = [body.toString('latin1'), ...Object.values(headers)].some(
    (text) => String(text).search(CURSOR) >= 0,
  )
  return Object.fromEntries(
    Object.entries(headers)
      .filter(
        ([name]) =>
          !UNCOMPARED.test(name) &&
          !WITHOUT.has(name) &&
          !(hasCursor && OF_CONTENT.test(name)) &&
          !(name === 'etag' && (headers.etag?.startsWith('W/') || url.includes('/sheets/'))),
      )
      .map(([name, value]) => [name, String(value).replaceAll(CURSOR, 'cursor')]),
  )
}

const DECODERS: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  zstd: zstdDecompressSync,
}

/**
 * Without the request's identifier, which errors repeat, without cursors, and without the time at which a sheet was stored.
 * @param body decoded
 */
function comparable(body: Buffer, headers: IncomingHttpHeaders): Buffer {
  const id = headers['x-request-id'] ?? headers['request-id']
  if (!/json/.test(headers['content-type'] ?? '')) return body
  const text = body
    .toString()
    .replaceAll(/"takenAt":"[^"]*"/g, '"takenAt":""')
    .replaceAll(CURSOR, 'cursor')
  return Buffer.from(typeof id === 'string' ? text.replaceAll(id, '') : text)
}

const digestOf = ({ status, headers, body }: Answer) =>
  createHash('sha256')
    .update(`${status}\n${JSON.stringify(Object.entries(headers).sort())}\n`)
    .update(body)
    .digest('base64url')
    .slice(0, 22)

/** Values that the requests name, read from the service itself. */
async function knownOf(service: Service, key: string, today: string): Promise<Known> {
  const read = async <T>(url: string): Promise<T> => {
    const { status, body } = await ask(service, key, { method: 'GET', url, headers: {} })
    if (status !== 200) throw new Error(`${url} answered ${status}: ${body}`)
    return JSON.parse(body.toString()) as T
  }
  const range = `startDate=${addDays(today, -400)}&endDate=${addDays(today, 400)}`
  type Page = { data: Record<string, string | null>[] }
  const sessions = await read<Page>(`/v1/sessions?${range}&length=100`)
  const guests = await read<Page>(`/v1/guests?${range}&length=100&project=id,name,email,phone,bookingId`)
  const orders = await read<Record<string, string | null>[]>(`/v1/orders?${range}`)
  const fields = await read<{ data: { name: string; custom: boolean }[] }>('/v1/fields')
  const cursors: string[] = []
  for (let after = ''; cursors.length < 12; ) {
    const page = await read<{ cursor: string; data: unknown[] }>(`/v1/changes?length=60${after}`)
    cursors.push(page.cursor)
    after = `&after=${page.cursor}`
    if (page.data.length === 0) break
  }
  const all = (rows: readonly Record<string, string | null>[], name: string) =>
    rows.map((row) => row[name]).filter((value) => typeof value === 'string')
  return {
    sessions: [...all(sessions.data, '_id'), 'none'],
    orders: all(orders, 'uuid'),
    orderNumbers: all(orders, 'orderNumber'),
    bookings: all(guests.data, 'id'),
    bookingIds: all(guests.data, 'bookingId'),
    names: all(guests.data, 'name'),
    emails: all(guests.data, 'email'),
    phones: all(guests.data, 'phone'),
    customFields: fields.data.filter(({ custom }) => custom).map(({ name }) => name.replace('meta.', '')),
    cursors: [...new Set(cursors)],
    days: Array.from({ length: 40 }, (_, at) => addDays(today, (at - 20) * 5)),
  }
}

/** One address sends many invalid keys. */
const ENV = { PUBLIC_URL: 'http://sojourn.test', RATE_LIMIT_FAILED_CREDENTIALS_PER_MINUTE: '100000' }

async function start(bench: Bench, demo: DemoDatabase, checkout: string | undefined, through?: string) {
  const where = { ...(await demo.copy()), checkout, env: ENV }
  if (through !== undefined) await sojournSays(['migrate'], { ...where, checkout: through })
  await sojournSays(['migrate'], where)
  const exported = await sojournSays(['export'], where)
  return { exported, service: await startService(bench, where) }
}

async function main(bench: Bench): Promise<void> {
  const today = new Date().toISOString().slice(0, 10)
  const { against, through } = values
  const demo = await makeDemo(bench, values.database, against, today)
  const mine = await start(bench, demo, undefined, through)
  const other = against === undefined ? undefined : await start(bench, demo, against)
  const known = await knownOf((other ?? mine).service, demo.keys.everything, today)
  const requests = randomRequests(Number(values.seed), Number(values.requests), known)
  // Each version gets the tags that it has sent itself.
  const [tags, otherTags] = [new Map<string, string>(), new Map<string, string>()]
  const statuses = new Map<number, number>()
  const lines: string[] = []
  let differences = 0
  const report = (what: string) => {
    differences += 1
    if (differences <= Number(values.shown)) console.log(what)
  }
  if (other !== undefined && other.exported !== mine.exported) {
    const [before, now] = [other.exported.split('\n'), mine.exported.split('\n')]
    const at = now.findIndex((line, number) => line !== before[number])
    report(`the exports differ, first in line ${at + 1}:\n  before ${before[at]}\n  now    ${now[at]}`)
  }
  for (const { method, url, key, headers, again } of requests) {
    const secret = key === 'unknown' ? 'sj_unknown' : demo.keys[key]
    const name = JSON.stringify([url, key, headers])
    const requestOf = (known: ReadonlyMap<string, string>) => {
      const tag = again ? known.get(name) : undefined
      return { method, url, headers: { ...headers, ...(tag && { 'if-none-match': tag }) } }
    }
    const request = requestOf(tags)
    const [answer, otherAnswer] = await Promise.all([
      ask(mine.service, secret, request),
      other && ask(other.service, secret, requestOf(otherTags)),
    ])
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    if (answer.etag !== undefined) tags.set(name, answer.etag)
    if (otherAnswer?.etag !== undefined) otherTags.set(name, otherAnswer.etag)
    const digest = digestOf(answer)
    lines.push(JSON.stringify({ method, url, key, ...request.headers, status: answer.status, digest }))
    if (otherAnswer !== undefined && digest !== digestOf(otherAnswer)) {
      report(`${key} ${method} ${url} ${JSON.stringify(request.headers)}\n${difference(otherAnswer, answer)}`)
    }
  }
  if (values.write !== undefined) writeFileSync(values.write, `${lines.join('\n')}\n`)
  const counted = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`)
  const all = createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16)
  console.log(`${values.database}, seed ${values.seed}: ${requests.length} requests (${counted.join(', ')})`)
  console.log(other === undefined ? `digest ${all}` : `${differences} differ; digest ${all}`)
  if (differences > 0) process.exitCode = 1
}

function difference(before: Answer, now: Answer): string {
  if (before.status !== now.status)
    return `  before ${before.status} ${before.body}\n  now ${now.status} ${now.body}`
  const heads = [before, now].map(({ headers }) => JSON.stringify(Object.entries(headers).sort()))
  if (heads[0] !== heads[1]) return `  before ${heads[0]}\n  now    ${heads[1]}`
  const [one, two] = [before.body.toString(), now.body.toString()]
  let at = 0
  while (one[at] === two[at]) at += 1
  const part = (text: string) => text.slice(Math.max(0, at - 60), at + 100)
  return `  at ${at}\n  before ${part(one)}\n  now    ${part(two)}`
}

try {
  await runAlone(main)
} finally {
  agent.destroy()
}

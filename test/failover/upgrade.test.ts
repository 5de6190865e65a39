/**
 * An upgrade from the version before, and half-way back, while clients read and follow changes: no request is lost, and what
 * clients hold remains valid. The waits of all requests are printed.
 */
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Database } from '../../src/core/database/database.ts'
import { openPostgres } from '../../src/core/database/postgres/postgres.ts'
import { allMigrations } from '../../src/core/database/schema/migrate.ts'
import { rename } from '../answer/instances.ts'
import { readsInTrail } from '../audit/reads.ts'
import { type SojournProcess, startProcess } from '../commands/sojourn.ts'
import { makeLink } from '../parts/links/make-link.ts'
import { startTestApi } from '../support/api.ts'
import { SOJOURN } from '../support/command.ts'
import { newPostgresDatabase } from '../support/database.ts'
import { freePort } from '../support/free-port.ts'
import { hasHaproxy, startHaproxy } from '../support/haproxy.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { versionBefore } from '../support/version-before.ts'
import { guest } from '../support/world.ts'

vi.setConfig({ testTimeout: 600_000 })

const GUESTS = '/v1/guests?startDate=2025-01-01&endDate=2025-01-31'
const SESSIONS = '/v1/sessions?startDate=2025-01-01&endDate=2025-01-31'
const EVERY_MS = 20
const COMMIT_EVERY_MS = 200
/** One request in so many is of a link. */
const LINK_EVERY = 50
/** For how long changes are followed at least. */
const STREAM_MS = 60_000

interface Answer {
  readonly status: number
  readonly body: string
  readonly etag: string | undefined
  readonly ms: number
}

test.runIf(hasHaproxy)(
  'an upgrade under load, and half-way back, loses no request and no change',
  async () => {
    const url = await newPostgresDatabase('empty')
    const before = versionBefore()
    const env = { DATABASE_URL: url, DRAIN_SECONDS: '3', LOG_LEVEL: 'silent' }
    const run = (command: readonly string[], args: readonly string[], own = {}) =>
      startProcess([...command, ...args], { ...env, DATA_DIR: makeTemporaryFolder(), ...own })
    expect((await run(before.command, ['migrate']).ended).code).toBe(0)

    const database = openPostgres({ connection: { connectionString: url }, poolSize: 2, purpose: 'command' })
    onTestFinished(() => database.close())
    const { key, ...api } = await startTestApi({ database, records: guest('1') })
    const ports = [await freePort(), await freePort()]
    const start = async (command: readonly string[], at: number): Promise<SojournProcess> => {
      const started = run(command, ['serve'], { PORT: String(ports[at]) })
      await started.until(/listens on/)
      return started
    }
    const instances = [await start(before.command, 0), await start(before.command, 1)]
    const proxy = await startHaproxy(ports)
    for (const at of ports.keys()) await proxy.untilUp(at)
    const agent = new Agent({ keepAlive: true, maxSockets: 64 })
    onTestFinished(() => agent.destroy())
    const ask = (address: string, headers = {}) => read(address, agent, { ...key.headers, ...headers })
    const direct = (at: number, path: string, headers = {}) =>
      ask(`http://127.0.0.1:${ports[at]}${path}`, headers)

    const heldTag = (await direct(0, SESSIONS)).etag ?? ''
    const heldCursor: string = JSON.parse((await direct(0, '/v1/changes')).body).cursor
    const input = { key: key.appId, question: GUESTS, perMinute: 1000, perHour: 10_000 }
    const link = await makeLink(database, input, Date.now())
    const linked = (at: number) => read(`http://127.0.0.1:${ports[at]}${link.path}`, agent, {})
    await vi.waitFor(async () => expect(await headOf(database)).toBeDefined(), 60_000)
    const heldHead = await headOf(database)
    const stream = follow(`${proxy.url}/v1/changes/stream?after=${heldCursor}`, key.headers)
    onTestFinished(() => stream.close())

    let isOver = false
    const asked: Promise<Answer>[] = []
    const loading = (async () => {
      const begun = performance.now()
      while (!isOver) {
        await wait(EVERY_MS)
        const due = (performance.now() - begun) / EVERY_MS
        while (asked.length < due) {
          const isOfLink = asked.length % LINK_EVERY === 0
          asked.push(isOfLink ? read(`${proxy.url}${link.path}`, agent, {}) : ask(`${proxy.url}${GUESTS}`))
        }
      }
    })()
    let commits = 0
    const committing = (async () => {
      while (!isOver) {
        commits += 1
        await rename(api, `Name${commits}`)
        await wait(COMMIT_EVERY_MS)
      }
    })()

    const replace = async (at: number, command: readonly string[], signal: NodeJS.Signals = 'SIGTERM') => {
      const one = instances[at]
      one?.child.kill(signal)
      await one?.ended
      instances[at] = await start(command, at)
      await proxy.untilUp(at)
    }
    await wait(2000)
    expect((await run(SOJOURN, ['migrate']).ended).code).toBe(0)
    // The version before continues on the newer schema, and starts on it.
    await replace(0, before.command, 'SIGKILL')
    await replace(0, SOJOURN)
    const [older, newer] = [await direct(1, SESSIONS), await direct(0, SESSIONS)]
    expect([newer.etag, newer.body]).toEqual([older.etag, older.body])
    expect((await direct(0, SESSIONS, { 'if-none-match': heldTag })).status).toBe(304)
    expect([(await linked(0)).status, (await linked(1)).status]).toEqual([200, 200])
    expect((await direct(0, `/v1/changes?after=${heldCursor}`)).status).toBe(200)
    await replace(1, SOJOURN)
    await replace(0, before.command)
    const cursor = JSON.parse((await direct(1, '/v1/changes')).body).cursor
    expect((await direct(0, `/v1/changes?after=${cursor}`)).status).toBe(200)
    await replace(0, SOJOURN)
    while (stream.openMs() < STREAM_MS) await wait(100)

    isOver = true
    await Promise.all([loading, committing])
    const answers = await Promise.all(asked)
    const waits = answers.map(({ ms }) => ms).sort((a, b) => a - b)
    const refused = answers.filter(({ status }) => status === 503).length
    process.stdout.write(
      `from ${before.name}: ${answers.length} requests, ${refused} refused, changes followed for ${Math.round(stream.openMs() / 1000)} s; waits in ms: ${histogram(waits)}; longest ${Math.round(waits.at(-1) ?? 0)}\n`,
    )
    const lost = answers.filter(({ status, body }) => status !== 503 && !body.includes('"total":1'))
    const outcomes = lost.map(({ status, body }) => `${status} ${body}`)
    expect(lost, [...new Set(outcomes), ...proxy.troubles].join('\n')).toEqual([])
    expect(refused).toBeLessThan(answers.length / 2)
    // Each commit once, in order, over all instances.
    await vi.waitFor(() => expect(stream.entries).toHaveLength(commits), { timeout: 60_000, interval: 100 })
    const times = stream.entries.map((entry) => entry.at)
    expect(times).toEqual([...times].sort())

    // Nothing is written any more: both versions see the same, also a client that held it from the beginning.
    const [one, other] = [await linked(0), await direct(1, GUESTS)]
    expect([one.status, one.body]).toEqual([200, other.body])
    expect(one.body).toContain(`Name${commits}`)
    for (const instance of instances) {
      instance.child.kill('SIGTERM')
      await instance.ended
    }
    const verify = async (command: readonly string[]) => {
      const ran = await run(command, [
        'audit',
        'verify',
        '--center',
        'spa',
        '--head',
        heldHead ?? '',
        '--json',
      ]).ended
      expect([ran.code, ran.stderr]).toEqual([0, ''])
      return JSON.parse(ran.stdout)
    }
    const trail = await verify(SOJOURN)
    expect(trail).toEqual(await verify(before.command))
    const reads = await readsInTrail(database, { center: 'spa' })
    const byLink = reads.filter(({ channel }) => channel === 'link').length
    // An instance that was killed has lost reads of its last second.
    expect(byLink).toBeGreaterThan((answers.length - refused) / LINK_EVERY / 2)
    expect(reads.length).toBeGreaterThan((answers.length - refused) / 2)
  },
)

test('twenty instances that start at once on the schema of the version before', async () => {
  const url = await newPostgresDatabase('empty')
  const before = versionBefore()
  const run = (command: readonly string[], args: readonly string[]) =>
    startProcess([...command, ...args], {
      DATABASE_URL: url,
      DATABASE_POOL_SIZE: '2',
      DATA_DIR: makeTemporaryFolder(),
      PORT: '0',
      LOG_LEVEL: 'error',
    })
  expect((await run(before.command, ['migrate']).ended).code).toBe(0)
  const database = openPostgres({ connection: { connectionString: url }, poolSize: 2, purpose: 'command' })
  onTestFinished(() => database.close())
  const { key } = await startTestApi({ database, records: guest('1') })
  const agent = new Agent()
  onTestFinished(() => agent.destroy())
  const started = Array.from({ length: 20 }, () => run(SOJOURN, ['serve', '--migrate']))
  const answers = await Promise.all(
    started.map(async (one) => {
      const [, address = ''] = await vi.waitFor(() => listening(one), { timeout: 400_000, interval: 50 })
      // Where they share two cores, one may not get an answer of the database in time.
      const answer = () => read(`${address}${GUESTS}`, agent, key.headers)
      return vi.waitFor(async () => notRefused(await answer()), { timeout: 200_000, interval: 200 })
    }),
  )
  const [first] = answers
  expect(first?.body).toContain('"total":1')
  expect(answers.map(({ status, body, etag }) => [status, body, etag])).toEqual(
    answers.map(() => [200, first?.body, first?.etag]),
  )
  const names = await database.query<{ name: string }>(sql`select name from schema_migrations order by name`)
  expect(names.map(({ name }) => name)).toEqual(allMigrations().map(({ name }) => name))
})

/** Twenty processes share the cores, so the last of them takes long. */
function listening(one: SojournProcess): RegExpExecArray {
  const found = /listens on (http:\S+)/.exec(one.output())
  if (found === null) throw new Error(`it does not listen yet: ${one.output()}`)
  return found
}

function notRefused(answer: Answer): Answer {
  if (answer.status === 503) throw new Error(answer.body)
  return answer
}

/** The head of the center's trail, in the form that `audit verify --head` takes. */
async function headOf(database: Database): Promise<string | undefined> {
  const [head] = await database.query<{ head: string }>(
    sql`select seq || ':' || encode(hash, 'hex') as head from audit_heads where center_id = 'spa' and seq > 0`,
  )
  return head?.head
}

const BOUNDS_MS = [10, 20, 50, 100, 200, 500, 1000, 2000, 5000, Number.POSITIVE_INFINITY]

/** How many waits were at most so long. @param waits in ms */
function histogram(waits: readonly number[]): string {
  let from = 0
  const counts = BOUNDS_MS.flatMap((to) => {
    const count = waits.filter((ms) => ms > from && ms <= to).length
    from = to
    return count === 0 ? [] : [`${Number.isFinite(to) ? `up to ${to}` : 'longer'}: ${count}`]
  })
  return counts.join(', ')
}

function read(address: string, agent: Agent, headers: Readonly<Record<string, string>>): Promise<Answer> {
  const begun = performance.now()
  return new Promise((resolve) => {
    const answered = (status: number, body: string, etag?: string) =>
      resolve({ status, body, etag, ms: performance.now() - begun })
    get(address, { agent, headers }, async (answer) => {
      answered(answer.statusCode ?? 0, await text(answer).catch(String), answer.headers.etag)
    }).on('error', (error) => answered(0, String(error)))
  })
}

/** Follows changes as a browser does: opens the stream again with the last cursor. */
function follow(address: string, headers: Readonly<Record<string, string>>) {
  const entries: { readonly at: string }[] = []
  const end = new AbortController()
  const begun = performance.now()
  let last: string | undefined
  const open = async () => {
    const request = get(address, {
      headers: { ...headers, ...(last !== undefined && { 'last-event-id': last }) },
      signal: end.signal,
    })
    const [answer] = await once(request, 'response')
    request.on('error', () => {})
    let rest = ''
    for await (const bytes of answer) {
      const parts = `${rest}${bytes}`.split('\n\n')
      rest = parts.pop() ?? ''
      for (const part of parts) {
        last = /^id: ?(.*)$/m.exec(part)?.[1] ?? last
        const data = /^data: ?(.+)$/m.exec(part)?.[1]
        if (data !== undefined && !/^event: ?end$/m.test(part)) entries.push(JSON.parse(data))
      }
    }
  }
  void (async () => {
    while (!end.signal.aborted) {
      await open().catch(() => {})
      await wait(50)
    }
  })()
  return { entries, openMs: () => performance.now() - begun, close: () => end.abort() }
}

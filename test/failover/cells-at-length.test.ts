/**
 * Many cells behind one HAProxy while centers move, cells are lost and HAProxy is restarted; and a real center that moves under
 * load. By default a sample. At full size, by hand:
 *
 *     CELLS=1000 CENTERS_PER_CELL=10 KEYS_PER_CENTER=10 REQUESTS=100000 BOOKINGS=30000 SEED=1 \
 *       npx vitest run --mode whole --project postgres test/failover/cells-at-length.test.ts
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { renameSync, writeFileSync } from 'node:fs'
import { Agent, createServer, get, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { raw } from 'sql-template-tag'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createToken, publicHalf } from '../../src/core/access/keys/token.ts'
import { verifyTrail } from '../../src/core/audit/verify/verify-trail.ts'
import { openPostgres } from '../../src/core/database/postgres/postgres.ts'
import { keepMap } from '../../src/parts/cells/keep-map.ts'
import { MAPS } from '../../src/parts/cells/map.ts'
import { selectDigests, selectTables, type Table, type TableRow } from '../../src/parts/cells/move-sql.ts'
import { addWebhook, listWebhooks } from '../../src/parts/webhooks/manage-webhooks.ts'
import { withoutPassword } from '../parts/cells/two-databases.ts'
import { makeLink } from '../parts/links/make-link.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { newPostgresDatabase } from '../support/database.ts'
import { hasHaproxy, startCellsHaproxy } from '../support/haproxy.ts'
import { sojourn } from '../support/run-sojourn.ts'
import { SEED } from '../support/seed.ts'
import { listen } from '../support/socket.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { spa } from '../support/world.ts'

vi.setConfig({ testTimeout: 1_800_000, hookTimeout: 300_000 })

if (!hasHaproxy)
  process.stderr.write('\nWARNING: THE TESTS OF MANY CELLS DID NOT RUN: haproxy is not installed.\n\n')
const ifProxy = test.runIf(hasHaproxy)

const sizeOf = (name: string, sample: number) => Number(process.env[name] ?? sample)
const CELLS = sizeOf('CELLS', 30)
const CENTERS = sizeOf('CENTERS_PER_CELL', 4)
const KEYS = sizeOf('KEYS_PER_CENTER', 3)
const REQUESTS = sizeOf('REQUESTS', 1500)
const BOOKINGS = sizeOf('BOOKINGS', 2000)
/** of the centers, while the requests are sent */
const MOVED_SHARE = 0.01

const report = (line: string) => process.stderr.write(`${line}\n`)

interface Real {
  readonly name: string
  readonly url: string
  readonly api: TestApi
  readonly port: number
}

async function startReal(name: string, centers: readonly string[]): Promise<Real> {
  const url = await newPostgresDatabase()
  const database = openPostgres({ connection: { connectionString: url }, poolSize: 5, purpose: 'command' })
  onTestFinished(() => database.close())
  const api = await startTestApi({ database, records: centers.map((id) => spa({ id, name: id })) })
  return { name, url, api, port: await listen(api.app) }
}

/** Numbers from 0 to 1, the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const agentOf = () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  onTestFinished(() => agent.destroy())
  return agent
}

interface Asked {
  /** 0 if a new connection ended without an answer */
  readonly status: number
  readonly body: string
  readonly retryAfter: string | undefined
}

function ask(agent: Agent, url: string, headers: Record<string, string>): Promise<Asked> {
  return new Promise((resolve) => {
    const asked = get(url, { agent, headers }, async (answer) => {
      resolve({
        status: answer.statusCode ?? 0,
        body: await text(answer),
        retryAfter: answer.headers['retry-after'],
      })
    })
    asked.on('error', (error: NodeJS.ErrnoException) => {
      // A connection that the proxy has closed while it was idle: the client asks again, on another one.
      if (asked.reusedSocket) resolve(ask(agent, url, headers))
      else resolve({ status: 0, body: String(error.code), retryAfter: undefined })
    })
  })
}

/** A center without a database: its keys, and the cell that has it. */
interface StubCenter {
  readonly tag: string
  readonly ids: readonly string[]
  readonly bearers: readonly string[]
  cell: string
}

/** Cells that answer with the name of the center if they have it, with 503 if it has moved, and with 401 otherwise. */
async function startStubs(names: readonly string[], hash: (size: number) => string) {
  const centers: StubCenter[] = []
  const byHalf = new Map<string, StubCenter>()
  for (const name of names) {
    for (let at = 0; at < CENTERS; at += 1) {
      const tokens = Array.from({ length: KEYS }, () => createToken(randomBytes))
      const center: StubCenter = {
        tag: hash(8),
        ids: tokens.map(({ publicKey }) => publicKey),
        bearers: tokens.map(({ apiKey }) => `Bearer ${apiKey}`),
        cell: name,
      }
      centers.push(center)
      for (const id of center.ids) byHalf.set(publicHalf(id), center)
    }
  }
  const servers = new Map<string, Server>()
  const ports = new Map<string, number>()
  for (const name of names) {
    const server = createServer((request, response) => {
      if (request.url === '/health/ready') return response.end('ready')
      const center = byHalf.get(
        (request.headers.authorization ?? '').slice('Bearer sjn_key_'.length).slice(0, 22),
      )
      if (center === undefined) response.writeHead(401).end()
      else if (center.cell === name) response.end(center.tag)
      else response.writeHead(503, { 'retry-after': '1' }).end(`${name} has not ${center.tag}`)
      return undefined
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    servers.set(name, server)
    ports.set(name, (server.address() as AddressInfo).port)
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
  }
  return { centers, ports, servers }
}

ifProxy(
  'no request reaches a wrong cell while centers move, and a lost cell affects its centers alone',
  async () => {
    report(
      `SEED=${SEED} CELLS=${CELLS} CENTERS_PER_CELL=${CENTERS} KEYS_PER_CENTER=${KEYS} REQUESTS=${REQUESTS}`,
    )
    const random = randomOf(SEED)
    const reals: Real[] = []
    for (const name of ['north', 'middle', 'south'])
      reals.push(await startReal(name, [`${name}-1`, `${name}-2`]))
    const names = Array.from({ length: CELLS }, (_, at) => `stub-${at}`)
    const { centers, ports, servers } = await startStubs(names, (size) => randomBytes(size).toString('hex'))
    const maps = makeTemporaryFolder()
    const cells = [
      ...reals.map(({ name, url }) => ({ name, url })),
      ...names.map((name) => ({ name, url: '' })),
    ]
    const files = {
      pathOf: (map: string) => join(maps, `${map}.map`),
      async write(map: string, content: string) {
        writeFileSync(`${maps}/draft`, content)
        renameSync(`${maps}/draft`, join(maps, `${map}.map`))
      },
    }
    const sockets: string[] = []
    /** increases with each center that comes or goes */
    const versions = new Map(names.map((name) => [name, 1]))
    const stub = ({ name }: { name: string }) => {
      let known = 0
      return {
        name,
        async read() {
          const version = versions.get(name) ?? 1
          if (version === known) return { moving: false, claims: null }
          known = version
          const own = centers.filter(({ cell }) => cell === name)
          return {
            moving: false,
            claims: own.map(({ tag, ids }): [string, number, string[]] => [tag, 2, [...ids]]),
          }
        },
        async close() {},
      }
    }
    const map = keepMap(
      {
        cells,
        files,
        sockets,
        readerOf: (cell) => (cell.url === '' ? stub(cell) : undefined),
        databaseTlsCa: undefined,
        databasePooler: false,
        now: Date.now,
        tell: report,
      },
      { centers: '', keys: '' },
    )
    onTestFinished(() => map.close())
    await map.round()
    for (const name of MAPS) report(`${name}: ${map.map.values(name).size} entries`)
    const startedAt = performance.now()
    const proxy = await startCellsHaproxy(
      Object.fromEntries([
        ...reals.map(({ name, port }) => [name, { ports: [port] }] as const),
        ...names.map((name) => [name, { ports: [ports.get(name) ?? 0] }] as const),
      ]),
      maps,
    )
    report(`HAProxy started in ${Math.round(performance.now() - startedAt)} ms`)
    const up = async () => {
      const states = [...(await proxy.servers())].filter(
        ([name]) => name.startsWith('cell-') && name.endsWith('/instance0'),
      )
      expect(states.filter(([, state]) => state === 'UP').length).toBe(cells.length)
    }
    await vi.waitFor(up, { timeout: 60_000, interval: 500 })
    const watched = keepMap(
      {
        cells,
        files,
        sockets: [proxy.socket],
        readerOf: (cell) => (cell.url === '' ? stub(cell) : undefined),
        databaseTlsCa: undefined,
        databasePooler: false,
        now: Date.now,
        tell: report,
      },
      { centers: map.map.text('centers'), keys: map.map.text('keys') },
    )
    onTestFinished(() => watched.close())

    const agent = agentOf()
    const counts = { answered: 0, repeated: 0, cut: 0 }
    const wrong: string[] = []
    const stubAsked = () => {
      const center = centers[Math.floor(random() * centers.length)] as StubCenter
      const authorization = center.bearers[Math.floor(random() * center.bearers.length)] ?? ''
      return {
        path: '/v1/guests',
        headers: { authorization },
        isRight: (body: string) => body === center.tag,
      }
    }
    const realAsked = () => {
      const { name, api } = reals[Math.floor(random() * reals.length)] as Real
      const isRight = (body: string) => JSON.parse(body).center.name === `${name}-1`
      return { path: '/v1/me', headers: api.key.bearer, isRight }
    }
    const request = async () => {
      const isReal = random() < 0.05
      const { path, headers, isRight } = isReal ? realAsked() : stubAsked()
      for (let attempt = 1; attempt <= 100; attempt += 1) {
        const { status, body } = await ask(agent, `${proxy.url}${path}`, headers)
        if (status === 200 && isRight(body)) {
          counts.answered += 1
          return
        }
        // What has moved, until the map has changed; or a database that is busy. A process of HAProxy that ends closes new
        // connections too if nothing was sent yet, as any client that reads again knows.
        if (status !== 503 && status !== 0) {
          wrong.push(
            `${isReal ? 'real' : 'stub'}: ${status} ${status === 200 ? 'of another cell' : body.slice(0, 200)}`,
          )
          return
        }
        if (status === 503) counts.repeated += 1
        else counts.cut += 1
        await wait(50)
      }
      wrong.push('refused for too long')
    }
    let sent = 0
    const client = async () => {
      while (sent < REQUESTS) {
        sent += 1
        await request()
      }
    }
    const toMove = Math.max(1, Math.round(centers.length * MOVED_SHARE))
    let moved = 0
    let restarts = 0
    const mover = async () => {
      while (sent < REQUESTS) {
        const due = Math.floor((sent / REQUESTS) * toMove) + 1
        for (; moved < Math.min(due, toMove); moved += 1) {
          const center = centers[Math.floor(random() * centers.length)] as StubCenter
          const others = names.filter((name) => name !== center.cell)
          for (const cell of [center.cell, others[Math.floor(random() * others.length)] ?? center.cell]) {
            versions.set(cell, (versions.get(cell) ?? 1) + 1)
            center.cell = cell
          }
        }
        await watched.round()
        if (sent > (REQUESTS * (restarts + 1)) / 4 && restarts < 3) {
          restarts += 1
          await proxy.restart()
        }
        await wait(20)
      }
    }
    const began = performance.now()
    await Promise.all([...Array.from({ length: 16 }, client), mover()])
    const seconds = (performance.now() - began) / 1000
    report(
      `${counts.answered} answered in ${Math.round(seconds)} s, ${moved} of ${centers.length} centers moved, ${restarts} restarts: ${counts.repeated} repeated after a 503, ${counts.cut} after a connection that was closed, ${wrong.length} wrong`,
    )
    expect([counts.answered, wrong]).toEqual([REQUESTS, []])
    expect([restarts, moved]).toEqual([3, toMove])

    // A cell is lost.
    await watched.round()
    const [lost = ''] = names
    servers.get(lost)?.closeAllConnections()
    servers.get(lost)?.close()
    await reals[1]?.api.app.close()
    await vi.waitFor(
      async () => {
        const states = await proxy.servers()
        expect([states.get(`cell-${lost}/instance0`), states.get('cell-middle/instance0')]).toEqual([
          'DOWN',
          'DOWN',
        ])
      },
      { timeout: 60_000, interval: 200 },
    )
    const affected: string[] = []
    for (const { bearers, cell } of centers) {
      const { status, retryAfter } = await ask(agent, `${proxy.url}/v1/guests`, {
        authorization: bearers[0] ?? '',
      })
      if (status !== 200) affected.push(`${cell} ${status} ${retryAfter}`)
    }
    const ofLost = centers.filter(({ cell }) => cell === lost)
    expect(affected).toEqual(ofLost.map(() => `${lost} 503 2`))
    for (const { name, api } of reals) {
      const { status } = await ask(agent, `${proxy.url}/v1/me`, api.key.bearer)
      expect([name, status]).toEqual([name, name === 'middle' ? 503 : 200])
    }
  },
)

ifProxy('a center moves under load, and its requests are refused for less than two seconds', async () => {
  const [north, south] = [
    await startReal('north', ['resort', 'other']),
    await startReal('south', ['elsewhere']),
  ]
  const { database } = north.api
  await database.runScript(`
    insert into customers (center_id, id, first_name, last_name, email)
    select 'resort', 'c' || i, 'First' || i, 'Last' || i, 'c' || i || '@example.org' from generate_series(1, ${BOOKINGS}) i;
    insert into sessions (center_id, id, name, number, start_date, end_date)
    select 'resort', 's' || i, 'Session ' || i, i::text, '2025-01-01'::timestamptz + i * interval '7 days',
      '2025-01-08'::timestamptz + i * interval '7 days' from generate_series(1, 50) i;
    insert into bookings (center_id, id, customer_id, role, status, start_date, end_date, session_ids, form, medical)
    select 'resort', 'b' || i, 'c' || i, 'guest', 'confirmed', '2025-01-01'::timestamptz + (1 + i % 50) * interval '7 days',
      '2025-01-08'::timestamptz + (1 + i % 50) * interval '7 days', array['s' || (1 + i % 50)],
      jsonb_build_object('note', repeat('n', 200)), jsonb_build_object('letter', repeat('m', 200))
    from generate_series(1, ${BOOKINGS}) i;
    analyze`)
  await addWebhook(
    database,
    { centerId: 'resort', name: 'Lab', url: 'https://example.org/hook', scopes: ['guests'] },
    { random: randomBytes, key: Buffer.alloc(32, 1), allows: () => true, hasAllowed: true } as never,
  )
  const link = await makeLink(
    database,
    {
      key: north.api.key.appId,
      question: '/sessions?startDate=2025-02-01&endDate=2025-02-28',
      perMinute: 100_000,
      perHour: 100_000,
    },
    Date.now(),
  )
  const [maps, file] = [makeTemporaryFolder(), join(makeTemporaryFolder(), 'cells')]
  writeFileSync(file, [north, south].map(({ name, url }) => `${name} ${url}\n`).join(''))
  const map = ['cells', 'map', '--cells', file, '--write', maps]
  expect(await sojourn(map, {})).toMatchObject({ code: 0 })
  const proxy = await startCellsHaproxy(
    { north: { ports: [north.port] }, south: { ports: [south.port] } },
    maps,
  )
  const controller = new AbortController()
  const watching = sojourn([...map, '--watch', '--socket', proxy.socket], {}, { signal: controller.signal })
  onTestFinished(async () => {
    controller.abort()
    await watching
  })
  await vi.waitFor(async () => expect((await proxy.servers()).get('cell-south/instance0')).toBe('UP'), {
    timeout: 60_000,
  })

  const agent = agentOf()
  const guests = `${proxy.url}/v1/guests?sessionId=s7&length=20`
  const counts = { answered: 0, refused: 0, elsewhere: 0 }
  const others: string[] = []
  let [firstRefused, lastRefused] = [0, 0]
  let ends = false
  let commits = 0
  const reader = async (url: string, headers: Record<string, string>) => {
    while (!ends) {
      const at = performance.now()
      const { status, retryAfter } = await ask(agent, url, headers)
      if (status === 200) counts.answered += 1
      else if (status === 503 && retryAfter !== undefined) {
        counts.refused += 1
        firstRefused ||= at
        lastRefused = performance.now()
      } else others.push(`${status} of ${url.includes('/links/') ? 'a link' : 'a key'}`)
      await wait(20)
    }
  }
  const desk = async () => {
    while (!ends) {
      const id = `b${1 + Math.floor(Math.random() * BOOKINGS)}`
      // The desk writes to the old database until it is refused there.
      await database
        .runScript(
          `update bookings set doctor_name = 'x${commits}' where center_id = 'resort' and id = '${id}'`,
        )
        .then(
          () => {
            commits += 1
          },
          () => {},
        )
      await wait(50)
    }
  }
  const neighbor = await north.api.createKey({ center: 'other' })
  const unaffected = async () => {
    while (!ends) {
      const { status } = await ask(agent, `${proxy.url}/v1/me`, neighbor.bearer)
      if (status !== 200) counts.elsewhere += 1
      await wait(50)
    }
  }
  const load = [
    reader(guests, north.api.key.bearer),
    reader(`${proxy.url}${link.path}`, {}),
    desk(),
    unaffected(),
  ]
  await wait(1000)
  const began = performance.now()
  const move = ['centers', 'move', 'resort', '--to', withoutPassword(south.url)]
  const ran = await sojourn(move, { DATABASE_URL: north.url })
  const seconds = (performance.now() - began) / 1000
  expect(ran).toMatchObject({ code: 0 })
  await wait(2000)
  ends = true
  await Promise.all(load)
  const refusedMs = Math.round(lastRefused - firstRefused)
  report(
    `${BOOKINGS} bookings moved in ${seconds.toFixed(1)} s beside ${counts.answered} answers and ${commits} commits; refused for ${refusedMs} ms (${counts.refused} requests). ${ran.stdout.split('\n')[0]}`,
  )
  expect([others, counts.elsewhere]).toEqual([[], 0])
  // Time is measured and reported; it is a figure of a machine that may be busy.
  expect(counts.refused).toBeGreaterThan(0)

  const tables = await database.query<TableRow>(selectTables)
  // What the service itself counts and notes goes on in the new database.
  const GOES_ON = ['usage_days', 'audit_entries', 'audit_heads', 'audit_record_lists', 'api_keys', 'webhooks']
  const compared = tables
    .filter(({ name }) => !GOES_ON.includes(name))
    .map((row): Table => ({ ...row, number: row.columns.find((_, at) => row.types[at] === 'xid8') }))
  const digests = selectDigests(compared, 'resort', 'rows')
  const byTable = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort()
  expect(byTable(await south.api.database.query(digests))).toEqual(byTable(await database.query(digests)))
  // The trail goes on from the entry at which it has moved.
  const [moved] = await database.query<{ trail_seq: number }>(
    raw(`select trail_seq from center_moves where center_id = 'resort'`),
  )
  const lastMoved = raw(
    `select encode(hash, 'hex') as hash from audit_entries where center_id = 'resort' and seq = ${moved?.trail_seq}`,
  )
  expect(await south.api.database.query(lastMoved)).toEqual(await database.query(lastMoved))
  expect(await listWebhooks(south.api.database, 'resort')).toMatchObject([{ name: 'Lab' }])
  expect(await sojourn([...move, '--remove'], { DATABASE_URL: north.url })).toMatchObject({ code: 0 })
  expect((await verifyTrail(south.api.database, 'resort')).problems).toEqual([])
  expect((await ask(agent, guests, north.api.key.bearer)).status).toBe(200)
})

/** Cells: databases with their own instances behind HAProxy, with the settings of deploy/haproxy-cells.cfg. */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import sql from 'sql-template-tag'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createDeviceLink } from '../../src/core/access/keys/device-links.ts'
import { openPostgres } from '../../src/core/database/postgres/postgres.ts'
import { makeLink } from '../parts/links/make-link.ts'
import { startTestApi, type TestApi, type TestKey } from '../support/api.ts'
import { newPostgresDatabase } from '../support/database.ts'
import { hasHaproxy, startCellsHaproxy } from '../support/haproxy.ts'
import { sojourn } from '../support/run-sojourn.ts'
import { listen } from '../support/socket.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { spa } from '../support/world.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

if (!hasHaproxy)
  process.stderr.write('\nWARNING: THE TESTS OF CELLS DID NOT RUN: haproxy is not installed.\n\n')
const ifProxy = test.runIf(hasHaproxy)

interface Cell {
  readonly name: string
  readonly url: string
  readonly api: TestApi
  readonly port: number
}

/** A database with one instance. Its center has its name. */
async function startCell(name: string): Promise<Cell> {
  const url = await newPostgresDatabase()
  const database = openPostgres({ connection: { connectionString: url }, poolSize: 5, purpose: 'command' })
  onTestFinished(() => database.close())
  const api = await startTestApi({ database, records: [spa({ id: `center-${name}`, name })] })
  return { name, url, api, port: await listen(api.app) }
}

async function startCells(...names: string[]) {
  const cells: Cell[] = []
  for (const name of names) cells.push(await startCell(name))
  const [maps, file] = [makeTemporaryFolder(), join(makeTemporaryFolder(), 'cells')]
  writeFileSync(file, cells.map(({ name, url }) => `${name} ${url}\n`).join(''))
  const map = (...args: string[]) => sojourn(['cells', 'map', '--cells', file, ...args], {})
  expect(await map('--write', maps)).toMatchObject({ code: 0 })
  const proxy = await startCellsHaproxy(
    Object.fromEntries(cells.map(({ name, port }) => [name, { ports: [port] }])),
    maps,
  )
  await vi.waitFor(
    async () => {
      const servers = await proxy.servers()
      for (const { name } of cells) expect(servers.get(`cell-${name}/instance0`)).toBe('UP')
    },
    { timeout: 60_000 },
  )
  /** Watches until the test ends, and returns what it has printed. */
  const watch = () => {
    const controller = new AbortController()
    const printed: string[] = []
    const ran = sojourn(
      ['cells', 'map', '--cells', file, '--write', maps, '--watch', '--socket', proxy.socket],
      {},
      { signal: controller.signal },
    ).then((result) => printed.push(result.stderr))
    onTestFinished(async () => {
      controller.abort()
      await ran
    })
  }
  return { cells, proxy, map, maps, watch }
}

const basic = (pair: string) => ({ authorization: `Basic ${Buffer.from(pair).toString('base64')}` })

/** The name of the center that answers. */
async function centerOf(url: string, headers: Record<string, string>): Promise<string> {
  const answer = await fetch(`${url}/v1/me`, { headers })
  return answer.ok
    ? ((await answer.json()) as { center: { name: string } }).center.name
    : String(answer.status)
}

const formsOf = ({ headers, bearer, apiKey, publicKey, secretKey }: TestKey) => [
  headers,
  bearer,
  { authorization: bearer.authorization?.replace('Bearer ', 'bearer   ') ?? '' },
  basic(`${apiKey}:`),
  basic(`${publicKey}:${secretKey}`),
]

/** The tokens of a link and of a one-time link of a key. */
async function linksOf({ database }: TestApi, { publicKey, appId }: TestKey, centerId: string) {
  const question = '/sessions?startDate=2025-01-01&endDate=2025-01-31'
  const link = await makeLink(database, { key: appId, question }, Date.now())
  const device = await database.transaction((tx) =>
    createDeviceLink(tx, { centerId, publicKey, intake: false }, { random: randomBytes, now: Date.now() }),
  )
  return { path: link.path, device: device.token }
}

ifProxy('every form of a key, a link and a one-time link lead to the cell of the center', async () => {
  const { cells, proxy, map, maps } = await startCells('north', 'middle', 'south')
  for (const { name, api } of cells) {
    for (const headers of formsOf(api.key)) expect(await centerOf(proxy.url, headers)).toBe(name)
    const { path, device } = await linksOf(api, api.key, `center-${name}`)
    await map('--write', maps)
    await proxy.restart()
    expect((await fetch(`${proxy.url}${path}`)).status).toBe(200)
    const seen = await fetch(`${proxy.url}/v1/device-link`, {
      headers: { authorization: `Bearer ${device}` },
    })
    expect(await seen.json()).toMatchObject({ center: { name } })
  }
})

ifProxy(
  'a key that no cell knows gets the same 401 as one that was revoked, and so does a wrong secret',
  async () => {
    const { cells, proxy, map, maps } = await startCells('north', 'south')
    const [north, south] = cells as [Cell, Cell]
    const revoked = await south.api.createKey({ center: 'center-south', revokedAt: '2025-01-01T00:00:00Z' })
    const other = await north.api.createKey({ center: 'center-north' })
    await map('--write', maps)
    const unknown = revoked.apiKey.replace(/^sjn_key_.{54}/, other.apiKey.slice(0, 62))
    const bodies: unknown[] = []
    for (const apiKey of [revoked.apiKey, unknown, `sjn_key_${'x'.repeat(60)}`]) {
      const answer = await fetch(`${proxy.url}/v1/me`, { headers: { authorization: `Bearer ${apiKey}` } })
      const { error } = (await answer.json()) as { error: { requestId?: string } }
      delete error.requestId
      bodies.push([answer.status, answer.headers.get('www-authenticate'), error])
    }
    expect(bodies).toEqual([bodies[0], bodies[0], bodies[0]])
    expect(bodies[0]).toMatchObject([401, expect.any(String), { code: 'UNAUTHORIZED' }])
  },
)

ifProxy('a new key works within seconds without a reload, and a revoked one leaves the map', async () => {
  const { cells, proxy, maps, watch, map } = await startCells('north', 'south')
  const [, south] = cells as [Cell, Cell]
  const before = proxy.pid
  watch()
  const key = await south.api.createKey({ center: 'center-south' })
  const intake = await south.api.createKey({ center: 'center-south', intake: true })
  expect(await centerOf(proxy.url, key.bearer)).toBe('401')
  await vi.waitFor(async () => expect(await centerOf(proxy.url, key.bearer)).toBe('south'), 60_000)
  expect((await map()).stdout).toContain(`${intake.apiKey.slice(8, 30)} south\n`)
  await south.api.database.query(
    sql`update api_keys set revoked_at = now() where public_key = ${key.publicKey}`,
  )
  expect(await centerOf(proxy.url, key.bearer)).toBe('401')
  await vi.waitFor(async () => {
    const shown = await runtime(proxy.socket, `show map ${join(maps, 'keys.map')}`)
    expect(shown).toContain(intake.apiKey.slice(8, 30))
    expect(shown).not.toContain(key.apiKey.slice(8, 30))
  }, 60_000)
  expect(proxy.pid).toBe(before)
  // A new process reads the files, and gets what it lacks.
  await proxy.restart()
  const another = await south.api.createKey({ center: 'center-south' })
  await vi.waitFor(async () => expect(await centerOf(proxy.url, another.bearer)).toBe('south'), 60_000)
})

ifProxy('what is not HTTP, and a cell without an instance, get errors in the usual format', async () => {
  const { cells, proxy } = await startCells('north', 'south')
  const [north, south] = cells as [Cell, Cell]
  for (const bytes of [
    'garbage\r\n\r\n',
    'GET / \u0001\r\nhost: a\r\n\r\n',
    'GET / HTTP/1.1\r\nbad header\r\n\r\n',
  ]) {
    const [head = '', body = ''] = (await raw(proxy.url, bytes)).split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 400 .*\r\ncontent-type: application\/json; charset=utf-8\r\n/)
    expect(JSON.parse(body).error).toMatchObject({
      code: 'INVALID_PARAMETER',
      requestId: /x-request-id: (\S+)/.exec(head)?.[1],
    })
  }
  await south.api.app.close()
  await vi.waitFor(async () => expect(await centerOf(proxy.url, south.api.key.bearer)).toBe('503'), 60_000)
  const lost = await fetch(`${proxy.url}/v1/me`, { headers: south.api.key.bearer })
  expect([lost.headers.get('retry-after'), ((await lost.json()) as { error: unknown }).error]).toEqual([
    '2',
    expect.objectContaining({ code: 'UNAVAILABLE' }),
  ])
  expect(await centerOf(proxy.url, north.api.key.bearer)).toBe('north')
})

/** The answer of HAProxy's runtime socket. */
function runtime(path: string, command: string): Promise<string> {
  const socket = connect(path, () => socket.write(`${command}\n`))
  return text(socket)
}

/** The answer to bytes. */
function raw(url: string, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes))
  return text(socket)
}

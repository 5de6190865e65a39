/** A file or a long list that is being sent when its key or link may not read it any more. */
import { get as httpGet, type IncomingMessage } from 'node:http'
import sql, { type Sql } from 'sql-template-tag'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { buildApp } from '../../../src/app.ts'
import { whileAdmitted } from '../../../src/core/answer/while-admitted.ts'
import type { Database } from '../../../src/core/database/database.ts'
import { makeLink } from '../../parts/links/make-link.ts'
import { startTestApi, type TestApi, type TestKey } from '../../support/api.ts'
import { listen } from '../../support/socket.ts'
import { guest, type TestRecord } from '../../support/world.ts'

/** Several chunks of rows for each format. */
const GUESTS = 450
const ORDERS = 1001
const GUESTS_URL = '/v1/guests?startDate=2025-01-01&endDate=2025-01-31&project=id,lastName'
const FILE = `${GUESTS_URL}&format=csv&values=raw&bom=false`
const LIST = '/v1/orders?startDate=2025-01-01&endDate=2025-01-31'

let api: TestApi
beforeAll(async () => {
  const records: TestRecord[] = Array.from({ length: GUESTS }, (_, n) => guest(`g${1000 + n}`)).flat()
  api = await startTestApi({ records })
  await api.database.query(sql`
    insert into orders (center_id, uuid, order_date, total_amount, status)
    select 'spa', 'order_' || n, '2025-01-02T10:00Z', n, 'confirmed' from generate_series(1, ${ORDERS}::int) n`)
})

interface Service {
  ask(url: string, headers: Readonly<Record<string, string>>): Promise<IncomingMessage>
  /** lets the chunks after the first one be read */
  go(): void
  /** queries that read keys */
  readonly keyReads: number
}

async function serve(readmitEveryMs?: number): Promise<Service> {
  const first = Promise.withResolvers<void>()
  let keyReads = 0
  const database: Database = {
    ...api.database,
    async *stream(...given) {
      let isFirst = true
      for await (const rows of api.database.stream(...given)) {
        if (!isFirst) await first.promise
        isFirst = false
        yield rows
      }
    },
    queryReserved(statement) {
      keyReads += 1
      return api.database.queryReserved(statement)
    },
  }
  const app = await buildApp({
    database,
    logLevel: 'silent',
    usageFlushMs: 3_600_000,
    ...(readmitEveryMs === undefined ? {} : { readmitEveryMs }),
  })
  onTestFinished(() => app.close())
  const port = await listen(app)
  return {
    ask: (path, headers) =>
      new Promise((resolve, reject) => httpGet({ port, path, headers }, resolve).once('error', reject)),
    go: () => first.resolve(),
    get keyReads() {
      return keyReads
    },
  }
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of answer) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

const keyIs = (change: Sql) => (key: TestKey) =>
  api.database.query(sql`update api_keys set ${change} where public_key = ${key.publicKey}`)
const WAYS: readonly [string, (key: TestKey) => Promise<unknown>][] = [
  ['is revoked', keyIs(sql`revoked_at = now()`)],
  ['expires', keyIs(sql`expires_at = now()`)],
  ['loses a scope of the answer', keyIs(sql`scopes = '{meals}'`)],
  ['may be used from other addresses only', keyIs(sql`allowed_addresses = '{203.0.113.7}'`)],
]

describe.each([
  ['a CSV file', FILE],
  ['an NDJSON file', `${GUESTS_URL}&format=ndjson`],
  ['an XLSX file', `${GUESTS_URL}&format=xlsx`],
  ['a long list', LIST],
])('%s that is being sent', (_, url) => {
  it.each(WAYS)('breaks off when its key %s', async (__, end) => {
    const key = await api.createKey({ scopes: ['guests', 'orders'] })
    const service = await serve(0)
    const answer = await service.ask(url, key.bearer)
    expect(answer.statusCode).toBe(200)
    await end(key)
    service.go()
    await expect(textOf(answer)).rejects.toThrow('aborted')
  })

  it('is sent to its end while its key is active', async () => {
    const service = await serve(0)
    const answer = await service.ask(url, api.key.bearer)
    service.go()
    expect((await textOf(answer)).length).toBeGreaterThan(1000)
  })
})

it.each([
  ['is revoked', sql`revoked_at = now()`],
  ['may be used from other addresses only', sql`allowed_addresses = '{203.0.113.7}'`],
])('a file of a link breaks off when the link %s', async (_, change) => {
  const { link, path } = await makeLink(api.database, { key: api.key.publicKey, question: FILE }, Date.now())
  const service = await serve(0)
  const answer = await service.ask(path, {})
  expect(answer.statusCode).toBe(200)
  await api.database.query(sql`update links set ${change} where id = ${link.id}`)
  service.go()
  await expect(textOf(answer)).rejects.toThrow('aborted')
})

describe('the check of a long answer', () => {
  it('adds no query to an answer that is sent within a second', async () => {
    const service = await serve(3_600_000)
    const answer = await service.ask(FILE, api.key.bearer)
    const before = service.keyReads
    service.go()
    await textOf(answer)
    expect(service.keyReads).toBe(before)
  })

  it('is made once a second, however many pieces are sent in it', async () => {
    let nowMs = 0
    const pieces = async function* () {
      // 100 pieces a second for ten seconds.
      for (let n = 0; n < 1000; n += 1) {
        nowMs += 10
        yield n
      }
    }
    const admitAgain = vi.fn(async () => {})
    const sent: number[] = []
    for await (const piece of whileAdmitted(pieces(), admitAgain, undefined, () => nowMs)) sent.push(piece)
    expect(sent).toHaveLength(1000)
    expect(admitAgain).toHaveBeenCalledTimes(10)
  })

  it('sends no piece after a refusal', async () => {
    let nowMs = 0
    const pieces = async function* () {
      for (let n = 0; ; n += 1) {
        nowMs += 400
        yield n
      }
    }
    const sent: number[] = []
    const admitAgain = () => Promise.reject(new Error('the key was revoked'))
    const sending = async () => {
      for await (const piece of whileAdmitted(pieces(), admitAgain, 1000, () => nowMs)) sent.push(piece)
    }
    await expect(sending()).rejects.toThrow('the key was revoked')
    expect(sent).toEqual([0, 1])
  })
})

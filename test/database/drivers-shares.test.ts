/** Each kind of work on PostgreSQL has connections of its own, which no other kind can take. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import sql from 'sql-template-tag'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { openPostgres } from '../../src/core/database/postgres/postgres.ts'
import type { TestKey } from '../support/api.ts'
import { newPostgresDatabase } from '../support/database.ts'
import { servedPostgres } from '../support/served-postgres.ts'
import { listen } from '../support/socket.ts'
import { guest, LODGE, lodge, spa } from '../support/world.ts'

const one = sql`select 1 as one`
const numbers = sql`select n from generate_series(1, 100) as n`

async function openServing(poolSize: number) {
  const opened = openPostgres({
    connection: { connectionString: await newPostgresDatabase('empty') },
    poolSize,
    purpose: 'serve',
  })
  onTestFinished(() => opened.close())
  return opened
}

describe('a reader finds a connection, the trail is written, and keys are read', () => {
  test.each([1, 2, 5])('while all streams of a pool of %i are held', async (poolSize) => {
    const opened = await openServing(poolSize)
    const held = Array.from({ length: opened.streamsMax }, () =>
      opened.stream(numbers, 10)[Symbol.asyncIterator](),
    )
    onTestFinished(async () => {
      for (const stream of held) await stream.return?.()
    })
    for (const stream of held) expect((await stream.next()).value).toHaveLength(10)
    expect(await opened.query(one)).toEqual([{ one: 1 }])
    expect(await opened.transaction((tx) => tx.query(one))).toEqual([{ one: 1 }])
    expect(await opened.queryReserved(one)).toEqual([{ one: 1 }])
  })

  test('while all connections for reading are held, by transactions too', async () => {
    const opened = await openServing(5)
    const { promise: finished, resolve: finish } = Promise.withResolvers<void>()
    const slow = Array.from({ length: 3 }, () => opened.query(sql`select pg_sleep(1)`))
    const transaction = opened.transaction(async (tx) => {
      await tx.query(one)
      await finished
    })
    expect(await opened.transaction((tx) => tx.query(one))).toEqual([{ one: 1 }])
    expect(await opened.queryReserved(one)).toEqual([{ one: 1 }])
    finish()
    await Promise.all([...slow, transaction])
  })
})

/** 12 MB: more than the sockets of both sides hold together. */
const ORDERS = 40_000
const CENTURY = '/v1/orders?startDate=1950-01-01&endDate=2049-12-31'

test('lists of a hundred years that nobody reads end, and concern no other center meanwhile', async () => {
  const { api, serve } = await servedPostgres({
    records: [spa(), lodge(), ...guest('b1', { centerId: LODGE })],
  })
  await api.database.query(sql`
    insert into orders (center_id, uuid, order_date, total_amount, status, notes)
    select 'spa', 'order_' || n, '2025-01-02T10:00Z', n, 'confirmed', repeat('note', 10)
    from generate_series(1, ${ORDERS}::int) n`)
  const { database } = await serve({ poolSize: 5 })
  const app = await buildApp({
    database,
    logLevel: 'silent',
    answerCacheMb: 0,
    connectionBounds: { checkMs: 20, progress: { withinMs: 4000, bytesMin: 16_384, waitingBytesMax: 1e9 } },
  })
  onTestFinished(() => app.close())
  const port = await listen(app)
  const keys = await Promise.all(Array.from({ length: 5 }, () => api.createKey()))
  const unread = await Promise.all(keys.flatMap((key) => [askUnread(port, key), askUnread(port, key)]))
  const streaming = sql`
    select count(*) as n from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction' and query like 'fetch %'`
  await vi.waitFor(async () => expect(await api.database.query(streaming)).toEqual([{ n: 1 }]), 60_000)

  const neighbor = await api.createKey({ center: LODGE })
  const before = await written(api)
  for (let n = 0; n < 20; n += 1) {
    const url = `/v1/guests?startDate=2025-01-01&endDate=2025-02-${String(n + 1).padStart(2, '0')}`
    expect((await app.inject({ url, headers: neighbor.headers })).statusCode).toBe(200)
  }
  await vi.waitFor(async () => expect(await written(api)).toBe(before + 20), 60_000)

  for (const socket of unread) socket.resume()
  await Promise.all(unread.map((socket) => socket.destroyed || once(socket, 'close')))
  await vi.waitFor(async () => expect(await api.database.query(streaming)).toEqual([{ n: 0 }]), 60_000)
}, 300_000)

async function written(api: Awaited<ReturnType<typeof servedPostgres>>['api']): Promise<number> {
  const [entries] = await api.database.query<{ reads: number }>(
    sql`select coalesce(sum(reads), 0)::integer as reads from audit_entries where center_id = ${LODGE}`,
  )
  return entries?.reads ?? 0
}

/** Sends a request and reads nothing of its answer. */
async function askUnread(port: number, key: TestKey): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.pause().on('error', () => {})
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  const headers = Object.entries(key.headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`GET ${CENTURY} HTTP/1.1\r\nHost: test\r\n${headers.join('')}\r\n`)
  return socket
}

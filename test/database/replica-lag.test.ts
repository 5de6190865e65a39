import sql, { type Sql } from 'sql-template-tag'
import { expect, it } from 'vitest'
import type { Database } from '../../src/core/database/database.ts'
import { createReplicaLag } from '../../src/core/database/replica-lag.ts'
import { selectWrittenPosition } from '../../src/core/database/replicas-sql.ts'
import { openTestDatabase } from '../support/database.ts'

/** A server whose log is at `position`; undefined: it does not answer. */
function server(position: number | undefined) {
  const state = { position }
  const query = async (_: Sql) => {
    if (state.position === undefined) throw new Error('gone')
    return [{ position: state.position }]
  }
  return { state, database: { query: query as Database['query'] } }
}

/** Lets the comparison that a reading has started end. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

function start() {
  const clock = { now: 1000 }
  const primary = server(10)
  const replicas = [server(10), server(10)] as const
  const lag = createReplicaLag(
    primary.database,
    replicas.map(({ database }) => database),
    () => clock.now,
  )
  const after = async (ms: number) => {
    clock.now += ms
    lag.seconds()
    await settled()
    const seconds = lag.seconds()
    await settled()
    return seconds
  }
  return { primary: primary.state, replicas: replicas.map(({ state }) => state), after }
}

it('a replica that has replayed everything is not behind, however long nothing is written', async () => {
  const { after } = start()
  expect([await after(0), await after(60_000)]).toEqual([0, 0])
})

it('the lag is the age of the oldest position that the last replica has not replayed', async () => {
  const { primary, replicas, after } = start()
  const [first, second] = replicas
  await after(0)
  primary.position = 20
  first!.position = 20
  await after(1000)
  primary.position = 30
  first!.position = 30
  expect(await after(4000)).toBe(4)
  second!.position = 20
  expect(await after(1000)).toBe(1)
  second!.position = 30
  expect(await after(1000)).toBe(0)
})

it('a replica that does not answer is behind since its last answer', async () => {
  const { replicas, after } = start()
  await after(0)
  replicas[1]!.position = undefined
  await after(1000)
  expect(await after(30_000)).toBe(30)
  replicas[1]!.position = 10
  expect(await after(1000)).toBe(0)
})

it('positions of a primary that has lost its newest commits are compared anew', async () => {
  const { primary, replicas, after } = start()
  primary.position = 50
  await after(0)
  primary.position = 10
  expect(await after(5000)).toBe(0)
  expect(replicas.map(({ position }) => position)).toEqual([10, 10])
})

it('the position of the log grows with what is written', async () => {
  const database = await openTestDatabase()
  const position = async () =>
    (await database.query<{ position: number }>(selectWrittenPosition))[0]!.position
  const before = await position()
  await database.transaction(async (tx) => tx.query(sql`create table written (value text)`))
  // A server whose commits do not wait for the disk writes its log a moment later.
  await expect.poll(position).toBeGreaterThan(before)
})

/** A center moves to another database: everything that it has, once, whatever happens meanwhile. */
import { randomBytes } from 'node:crypto'

/** A center moves to another database: everything that it has, once, whatever happens meanwhile. */
import sql, { raw } from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { recordAct } from '../../../src/core/audit/record-act.ts'
import { verifyTrail } from '../../../src/core/audit/verify/verify-trail.ts'
import { sqlState } from '../../../src/core/database/database.ts'
import { openPostgres } from '../../../src/core/database/postgres/postgres.ts'
import {
  type MoveOptions,
  moveCenter,
  removeMoved,
  STEPS,
  type Step,
} from '../../../src/parts/cells/move-center.ts'
import { selectTrailEnd, type TrailEndRow } from '../../../src/parts/cells/move-sql.ts'
import { cursorOf } from '../../routes/changes/follower.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { afterwards } from '../../support/database.ts'
import { adminQuery } from '../../support/postgres-databases.ts'
import { sojourn } from '../../support/run-sojourn.ts'
import { guest, spa } from '../../support/world.ts'
import { fillTables, type OpenDatabase, openOwn, rowsOf, tablesOf, withoutPassword } from './two-databases.ts'

const GUESTS = '/v1/guests?startDate=2025-01-01&endDate=2025-12-31'
const CHANGES = '/v1/changes'

interface World {
  readonly from: OpenDatabase
  readonly to: OpenDatabase
  readonly api: TestApi
  /** an instance on the new database */
  readonly there: TestApi
  readonly options: MoveOptions
}

async function startWorld(): Promise<World> {
  const [from, to] = [await openOwn(), await openOwn()]
  const api = await startTestApi({
    database: from.database,
    records: [spa(), ...guest('b1'), ...guest('b2')],
  })
  await api.newCenter(guest('n1'))
  const there = await startTestApi({ database: to.database, records: [spa({ id: 'other' })] })
  return {
    from,
    to,
    api,
    there,
    options: { source: from.database, target: to.database, center: 'spa', tell() {} },
  }
}

const endOf = async ({ database }: OpenDatabase) =>
  (await database.query<TrailEndRow>(selectTrailEnd('spa')))[0]

/** The reads are in the trail. */
const written = async (world: OpenDatabase, atLeast: number) =>
  expect.poll(async () => (await endOf(world))?.seq ?? 0).toBeGreaterThanOrEqual(atLeast)

const contents = async ({ database }: OpenDatabase) => {
  const found: Record<string, string[]> = {}
  for (const table of await tablesOf(database)) found[table.name] = await rowsOf(database, table, 'spa')
  return found
}

const change = ({ database }: OpenDatabase) =>
  database.query(
    sql`update bookings set doctor_name = coalesce(doctor_name, '') || 'x' where center_id = 'spa' and id = 'b1'`,
  )

/** Another connection to a database. */
function openAgain(connectionString: string) {
  const database = openPostgres({ connection: { connectionString }, poolSize: 1, purpose: 'command' })
  afterwards(() => database.close())
  return database
}

class Killed extends Error {}

describe('a center that moves', () => {
  it('has every row of every table with a center in the new database, also of a table that was added later', async () => {
    const { from, to, api, options } = await startWorld()
    for (const { database } of [from, to]) {
      await database.runScript(
        'create table added_later (center_id text, at int, value json, primary key (center_id, at))',
      )
    }
    await api.get(GUESTS)
    await written(from, 1)
    expect(await fillTables(from.database, 'spa'), 'a table needs a row in the test').toEqual([])
    const before = await contents(from)
    await moveCenter(options)
    expect(Object.keys(before)).toEqual(
      expect.arrayContaining(['added_later', 'bookings', 'audit_entries', 'webhooks']),
    )
    expect(await contents(to)).toEqual(before)
  })

  it('is answered by the new database as before, and its cursors continue', async () => {
    const { from, to, api, there, options } = await startWorld()
    const as = there.as(api.key)
    expect((await as.get(GUESTS)).status).toBe(401)
    const guests = await api.get(GUESTS)
    const first = await api.get(CHANGES)
    const cursor = cursorOf(first)
    await moveCenter(options)
    expect((await as.get(GUESTS)).body).toEqual(guests.body)
    expect((await api.get(GUESTS)).status).toBe(503)
    await change(to)
    const after = await as.get(`${CHANGES}?after=${encodeURIComponent(cursor)}`)
    expect([after.status, after.text]).toEqual([200, expect.stringContaining('b1')])
    await written(to, 1)
    expect((await verifyTrail(to.database, 'spa')).problems).toEqual([])
    // The numbers of its transactions are this server's own.
    const ahead = await to.database.query<{ n: number }>(
      sql`select count(*) as n from change_commits where transaction_id >= pg_snapshot_xmax(pg_current_snapshot())`,
    )
    expect(ahead).toEqual([{ n: 0 }])
    // Others of the old database notice nothing.
    expect((await from.database.query(sql`select 1 from center_moves where center_id <> 'spa'`)).length).toBe(
      0,
    )
  })

  it('is refused while it is closed and after it has moved: reads, commits, new keys and changes of keys', async () => {
    const { from, api, options } = await startWorld()
    const seen: unknown[] = []
    await moveCenter({
      ...options,
      async before(step) {
        if (step !== 'lock') return
        const answer = await api.get(GUESTS)
        seen.push(answer.status, answer.headers['retry-after'], answer.body.error.code)
      },
    })
    expect(seen).toEqual([503, '1', 'UNAVAILABLE'])
    const moved = /moved to another database/
    const causeOf = (work: Promise<unknown>) =>
      work.then(
        () => 'done',
        (error: Error) => String((error.cause as Error | undefined)?.message ?? error.message),
      )
    expect(await causeOf(change(from))).toMatch(moved)
    expect(
      await causeOf(from.database.query(sql`update api_keys set revoked_at = now() where center_id = 'spa'`)),
    ).toMatch(moved)
    expect(await causeOf(api.createKey())).toMatch(moved)
    expect(await causeOf(from.database.query(sql`delete from api_keys where center_id = 'spa'`))).toMatch(
      moved,
    )
  })

  it('takes along what is committed until the last moment, and what waits for the end is rolled back', async () => {
    const { from, to, options } = await startWorld()
    const { promise: rolledBack, resolve } = Promise.withResolvers<unknown>()
    await moveCenter({
      ...options,
      async before(step) {
        if (step === 'close') await change(from)
        if (step === 'lock') await change(from)
        if (step === 'write') void change(from).then(resolve, resolve)
      },
    })
    expect(await rolledBack).toBeInstanceOf(Error)
    expect(
      await to.database.query(sql`select doctor_name from bookings where center_id = 'spa' and id = 'b1'`),
    ).toEqual([{ doctor_name: expect.stringMatching(/xx$/) }])
    expect(
      await from.database.query(sql`select doctor_name from bookings where center_id = 'spa' and id = 'b1'`),
    ).toEqual(
      await to.database.query(sql`select doctor_name from bookings where center_id = 'spa' and id = 'b1'`),
    )
  })

  it.each(STEPS)(
    'is whole on exactly one side if the command is killed before the step "%s", and can be repeated',
    async (at) => {
      const { from, to, api, there, options } = await startWorld()
      const before = await contents(from)
      const kill = (step: Step) => {
        if (step === at) throw new Killed()
      }
      await expect(moveCenter({ ...options, before: kill })).rejects.toBeInstanceOf(Killed)
      const answers = [(await api.get(GUESTS)).status, (await there.as(api.key).get(GUESTS)).status]
      // Between the commit that decides and the opening, nobody answers; nothing can change.
      expect(answers).toEqual(at === 'open' ? [503, 503] : [200, expect.toBeOneOf([401, 503])])
      await change(from).catch(() => {})
      await moveCenter(options)
      expect((await there.as(api.key).get(GUESTS)).status).toBe(200)
      const after = await contents(to)
      expect(after.customers).toEqual(before.customers)
      expect(after.bookings?.length).toBe(before.bookings?.length)
      // Once more, it has nothing to do.
      expect(await moveCenter(options)).toEqual({ rows: 0, closedMs: undefined })
    },
  )

  it('gets no first entry of its trail while its end is compared', async () => {
    const { from, to, options } = await startWorld()
    expect(await endOf(from)).toBeUndefined()
    const other = openAgain(from.url)
    const errors: unknown[] = []
    await moveCenter({
      ...options,
      async before(step) {
        if (step !== 'write') return
        const begun = other.transaction(async (tx) => {
          await tx.query(sql`set local lock_timeout to '100ms'`)
          await tx.query(sql`insert into audit_heads (center_id) values ('spa') on conflict do nothing`)
          await tx.query(sql`select seq from audit_heads where center_id = 'spa' for update`)
        })
        await begun.catch((error: unknown) => errors.push(sqlState(error)))
      },
    })
    expect(errors).toEqual(['55P03'])
    expect((await endOf(to))?.seq).toBe(0)
  })

  it('is removed from the old database only when it has moved, with what was noted late', async () => {
    const { from, to, options } = await startWorld()
    await expect(removeMoved(options)).rejects.toThrow(/has not moved/)
    await moveCenter(options)
    const end = await endOf(to)
    const act = {
      center: 'spa',
      name: 'late',
      facts: {},
      scopes: [],
      by: { publicKey: '', appId: 'a', name: 'b' },
    }
    await from.database.transaction((tx) => recordAct(tx, act as never))
    expect(await removeMoved(options)).toBe(1)
    expect((await endOf(to))?.seq).toBe((end?.seq ?? 0) + 1)
    expect((await verifyTrail(to.database, 'spa')).problems).toEqual([])
    expect(Object.values(await contents(from)).flat()).toEqual([])
    await expect(removeMoved(options)).rejects.toThrow(/has not moved/)
    // It may come back.
    await moveCenter({ ...options, source: to.database, target: from.database })
    expect((await endOf(from))?.seq).toBe((end?.seq ?? 0) + 1)
  })

  it('refuses what is no move, and prints nothing about it but its name', async () => {
    const { from, to } = await startWorld()
    const run = (...args: string[]) => sojourn(['centers', 'move', ...args], { DATABASE_URL: from.url })
    const there = withoutPassword(to.url)
    for (const url of [to.url, `${there}?password=secret-word`]) {
      const ran = await run('spa', '--to', url)
      expect(ran, url).toMatchObject({ code: 2, stderr: expect.stringContaining('PGPASSFILE') })
      expect(ran.stderr).not.toMatch(/secret-word|postgres:\/\//)
    }
    expect(await run('spa', '--to', withoutPassword(from.url))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the same database'),
    })
    expect(await run('nowhere', '--to', there)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no center nowhere'),
    })
    expect(await run('spa', '--to', 'mysql://x')).toMatchObject({ code: 2 })
    const moved = await run('spa', '--to', there)
    expect(moved).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^The center spa is in PostgreSQL at .*: \d+ rows; it was closed for [\d,]+ ms\.\n/,
      ),
    })
    expect(`${moved.stdout}${moved.stderr}`).not.toMatch(/b1|Ana|postgres:\/\//)
    expect(await run('spa', '--to', there, '--remove')).toMatchObject({ code: 0 })
  })
})

it('a role moves a center if it may leave out triggers on both servers, and is refused with the reason otherwise', async () => {
  const { from, to, api, there } = await startWorld()
  const role = `mover_${randomBytes(4).toString('hex')}`
  afterwards(() => adminQuery(from.url, `drop owned by ${role}; drop role ${role}`).then(() => {}))
  await adminQuery(from.url, `create role ${role} login password 'p'`)
  for (const { url } of [from, to]) {
    await adminQuery(url, `grant all on all tables in schema public to ${role}`)
    await adminQuery(url, `grant all on all sequences in schema public to ${role}`)
  }
  afterwards(() => adminQuery(to.url, `drop owned by ${role}`).then(() => {}))
  const as = ({ url }: OpenDatabase) => url.replace(/\/\/[^@]+@/, `//${role}:p@`)
  const run = () =>
    sojourn(['centers', 'move', 'spa', '--to', withoutPassword(as(to))], { DATABASE_URL: as(from) })
  expect(await run()).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('may not leave out triggers'),
  })
  expect((await api.get(GUESTS)).status).toBe(200)
  await adminQuery(from.url, `grant set on parameter session_replication_role to ${role}`)
  expect(await run()).toMatchObject({ code: 0 })
  expect((await there.as(api.key).get(GUESTS)).status).toBe(200)
})

it('a closed center is open again when its time is over', async () => {
  const { api, from } = await startWorld()
  const close = (seconds: number) =>
    from.database.query(
      raw(`insert into center_moves (center_id, move_id, state, closed_until)
      values ('spa', gen_random_uuid(), 'closing', clock_timestamp() + interval '${seconds} s')
      on conflict (center_id) do update set closed_until = excluded.closed_until`),
    )
  await close(60)
  expect((await api.get(GUESTS)).status).toBe(503)
  await close(-1)
  expect((await api.get(GUESTS)).status).toBe(200)
})

/**
 * How PostgreSQL answers the hot queries: the kinds of its steps and the indexes they use, without costs, so that
 * an index that is lost is seen in review. They are planned as the service has them planned: once, for any values. After a change that is meant, `npm test -- test/sql/plans -u` writes
 * them anew. Other versions of PostgreSQL plan a little otherwise, so no plan of
 * theirs is compared; that no table is read from one end to the other holds for all.
 */
import pg from 'pg'
import sql, { raw, type Sql } from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { createKeyStates } from '../../src/core/access/key-states.ts'
import type { Database } from '../../src/core/database/database.ts'
import { openPostgres } from '../../src/core/database/postgres/postgres.ts'
import { PLANNED_ONCE } from '../../src/core/database/postgres/postgres-connections.ts'
import { afterwards, newPostgresDatabase } from '../support/database.ts'
import { watchDatabase } from '../support/watched-database.ts'
import { CENTER, HOT_QUERIES } from './hot-queries.ts'

interface Step {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'CTE Name'?: string
  readonly 'Function Name'?: string
  readonly 'Join Type'?: string
  readonly 'Subplan Name'?: string
  readonly Filter?: string
  readonly 'Sort Key'?: readonly string[]
  readonly Plans?: readonly Step[]
  /** where it was run */
  readonly 'Actual Rows'?: number
  readonly 'Rows Removed by Filter'?: number
}

// `pg` declares none of what it sends of a value.
const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils

const VERSION = 18
const CENTERS = 8
const BOOKINGS = 3000

describe('on a database of 24,000 bookings in 8 of 3,008 centers', () => {
  /** connected as a service that reads */
  let service: Database
  /** connected as a command, which may wait for its answers as long as they take */
  let command: Database
  let statements: Readonly<Record<string, Sql>>
  let isCompared: boolean

  beforeAll(async () => {
    // One that no other file has filled: what is known of its tables decides the plans, of the filling too.
    const url = await newPostgresDatabase()
    const database = openPostgres({ connection: { connectionString: url }, poolSize: 5, purpose: 'command' })
    afterwards(() => database.close())
    await fill(database)
    await stopAutovacuum(database)
    command = database
    service = openPostgres({ connection: { connectionString: url }, poolSize: 5, purpose: 'serve' })
    afterwards(() => service.close())
    statements = { ...HOT_QUERIES, 'a key state': await gateStatement(database) }
    const [server] = await service.query<{ version: number }>(sql`
      select current_setting('server_version_num')::int / 10000 as version`)
    isCompared = server?.version === VERSION
  })

  const explained = (name: string) => service.transaction((tx) => explain(tx, statements[name]!))

  it.each([...Object.keys(HOT_QUERIES), 'a key state'])(
    `%s reads no table from one end to the other, and PostgreSQL ${VERSION} plans it as in plans/`,
    async (name) => {
      const plan = await explained(name)
      expect(tablesRead(plan)).toEqual([])
      if (isCompared) await expect(plan).toMatchFileSnapshot(`plans/${name.replaceAll(' ', '-')}.txt`)
    },
  )

  it('a part of a report of ten years reads no guests beyond those that it is of', async () => {
    const plan = await service.transaction((tx) =>
      planOf(tx, HOT_QUERIES['a part of a report of ten years']!, 'analyze'),
    )
    expect(Math.max(...rowsOf(plan))).toBe(200)
  })

  it.each(Object.keys(HOT_QUERIES).filter((name) => /^ten years of an? (?!unpaid|order)/.test(name)))(
    '%s finds the person before it looks at dates',
    async (name) => {
      expect(await explained(name)).not.toMatch(/bookings_by_start|bookings_long_stays/)
    },
  )

  it.each([
    ['a page with history', 'SubPlan'],
    ['a date range page', 'Append\n          Index Scan on booking_sessions'],
  ])('%s is planned the same by what was known of nearly empty tables', async (name, part) => {
    const before = await explained(name)
    expect(before).toContain(part)
    await undone(command, async (tx) => {
      await tx.query(sql`delete from pg_statistic where starelid >= 16384`)
      await tx.query(sql`
        update pg_class set relpages = 1, reltuples = 4
        where relname in ('bookings', 'booking_sessions', 'customers')`)
      const looked = (plan: string) => plan.slice(plan.indexOf(part))
      expect(looked(await explain(tx, HOT_QUERIES[name]!))).toBe(looked(before))
    })
  })

  it.each(['a page with medical fields', 'a page with order and session', 'a page with names of terms'])(
    '%s reads bookings, customers, sessions and orders by their keys alone, whatever is known of the tables',
    async (name) => {
      const tables = sql`relname in ('bookings', 'booking_sessions', 'customers', 'sessions', 'orders')`
      const states = [
        // nearly empty, and never looked at
        [sql`delete from pg_statistic where starelid >= 16384`],
        [sql`update pg_class set relpages = 1, reltuples = 4 where ${tables}`],
        [sql`update pg_class set relpages = 0, reltuples = -1 where ${tables}`],
        // as many centers as rows
        [
          sql`analyze bookings, booking_sessions, customers, sessions, orders`,
          sql`
            update pg_statistic set stadistinct = -1, stakind1 = 0, stakind2 = 0,
              stanumbers1 = null, stanumbers2 = null, stavalues1 = null, stavalues2 = null
            where staattnum = 1 and starelid in (select oid from pg_class where ${tables})`,
        ],
      ]
      await undone(command, async (tx) => {
        for (const state of states) {
          for (const act of state) await tx.query(act)
          const steps = (await explain(tx, HOT_QUERIES[name]!)).split('\n')
          const found = steps.filter((step) => / by (bookings|customers|sessions|orders)_/.test(step))
          expect(found.length).toBeGreaterThan(0)
          expect(found.filter((step) => !step.endsWith('_pkey'))).toEqual([])
        }
      })
    },
  )

  it.each([
    'ten years of a name',
    'which customers somebody in ten years may be',
    'the guests of ten years of these customers',
    'whom somebody in a session may be',
    'whom somebody may be',
  ])('%s folds no name of a guest, whatever is known of the tables', async (name) => {
    // What an index finds is not made again, unless it has more than its memory holds.
    const folded = (step: Step): unknown[] => [
      ...[step.Filter, step['Sort Key']].flat().filter((text) => text?.includes('name_index') === true),
      ...(step.Plans ?? []).flatMap(folded),
    ]
    await undone(command, async (tx) => {
      expect(folded(await planOf(tx, HOT_QUERIES[name]!))).toEqual([])
      await tx.query(sql`delete from pg_statistic where starelid >= 16384`)
      await tx.query(sql`
          update pg_class set relpages = 1, reltuples = 4
          where relname in ('bookings', 'booking_sessions', 'customers')`)
      expect(folded(await planOf(tx, HOT_QUERIES[name]!))).toEqual([])
    })
  })

  it('a search reads only the stays of the rooms that it finds', async () => {
    await undone(command, async (tx) => {
      await tx.query(sql`
        update bookings set accommodation = jsonb_build_object('roomId', 'room ' || substr(id, 2)::int % 200)
        where center_id = ${CENTER}`)
      const plan = await planOf(tx, HOT_QUERIES['a search']!, 'analyze')
      expect(Math.max(...rowsOf(plan), ...rowsLeftOut(plan))).toBe(BOOKINGS / 200)
    })
  })

  it('shows where an index is lost', async () => {
    const name = 'a date range page'
    const before = await explained(name)
    await undone(command, async (tx) => {
      await tx.query(sql`drop index bookings_by_start`)
      expect(await explain(tx, HOT_QUERIES[name]!)).not.toBe(before)
    })
  })
})

/** The tests write to the server's statistics of tables, which autovacuum would write meanwhile. */
async function stopAutovacuum(database: Database): Promise<void> {
  const tables = await database.query<{ name: string }>(sql`
    select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`)
  for (const { name } of tables)
    await database.query(raw(`alter table ${name} set (autovacuum_enabled = off)`))
}

/** Does something in a transaction that leaves nothing, and in which statements are planned as for the service. */
async function undone(
  database: Database,
  act: (tx: Pick<Database, 'query'>) => Promise<void>,
): Promise<void> {
  const done = new Error('done')
  await database
    .transaction(async (tx) => {
      for (const setting of PLANNED_ONCE) await tx.query(raw(setting.replace('set ', 'set local ')))
      await act(tx)
      throw done
    })
    .catch((error: Error) => {
      if (error !== done) throw error
    })
}

const tablesRead = (plan: string) => [...plan.matchAll(/Seq Scan on (\w+)/g)].map(([, table = '']) => table)

/** of each step */
const rowsOf = (step: Step): number[] => [step['Actual Rows'] ?? 0, ...(step.Plans ?? []).flatMap(rowsOf)]

/** by the filter of each step */
const rowsLeftOut = (step: Step): number[] => [
  step['Rows Removed by Filter'] ?? 0,
  ...(step.Plans ?? []).flatMap(rowsLeftOut),
]

async function explain(database: Pick<Database, 'query'>, statement: Sql): Promise<string> {
  return `${describeStep(await planOf(database, statement), 0).join('\n')}\n`
}

/** A statement's plan for any values, which is the one that the service has PostgreSQL make. */
async function planOf(
  database: Pick<Database, 'query'>,
  { text, values }: Pick<Sql, 'text' | 'values'>,
  how: 'analyze' | 'costs off' = 'costs off',
): Promise<Step> {
  await database.query(plain(`prepare asked as ${text}`))
  const given = values.map((value) => {
    const sent = prepareValue(value)
    return sent === null ? 'null' : pg.escapeLiteral(`${sent}`)
  })
  const execute = given.length === 0 ? 'execute asked' : `execute asked(${given.join(', ')})`
  const [row] = await database.query<{ 'QUERY PLAN': readonly { Plan: Step }[] }>(
    plain(`explain (${how}, format json) ${execute}`),
  )
  await database.query(plain('deallocate asked'))
  const plan = row?.['QUERY PLAN'][0]?.Plan
  if (plan === undefined) throw new Error('nothing was explained')
  return plan
}

// Only what the drivers read of a statement.
const plain = (text: string) => ({ text, values: [] }) as unknown as Sql

function describeStep(step: Step, depth: number): string[] {
  const of = step['Relation Name'] ?? step['CTE Name'] ?? step['Function Name']
  const line = [
    step['Subplan Name'] === undefined ? '' : `${step['Subplan Name'].replace(/ \d+$/, '')}: `,
    step['Join Type'] === undefined || step['Join Type'] === 'Inner' ? '' : `${step['Join Type']} `,
    step['Node Type'],
    of === undefined ? '' : ` on ${of}`,
    step['Index Name'] === undefined ? '' : ` by ${step['Index Name']}`,
  ].join('')
  return [
    `${'  '.repeat(depth)}${line}`,
    ...(step.Plans ?? []).flatMap((inner) => describeStep(inner, depth + 1)),
  ]
}

/** The statement that the gate sends, taken from it. */
async function gateStatement(database: Database): Promise<Sql> {
  const watched = watchDatabase(database)
  await createKeyStates(watched.database, { note() {}, now: () => 0 }).read('key-c07-3')
  const [sent] = watched.sent
  // Only what the drivers read of a statement.
  return { text: sent?.text, values: sent?.values } as unknown as Sql
}

/** Two years of sessions of ten days, each with fifty guests; every row's values follow from its number. */
async function fill(database: Database): Promise<void> {
  // Centers that are only there, so that an index is worth its cost.
  await database.query(sql`
    insert into centers (center_id, name, timezone, currency)
    select md5(n::text), 'Center', 'UTC', 'EUR' from generate_series(1, 3000) n`)
  const center = sql`'c' || lpad(c::text, 2, '0')`
  const centers = sql`generate_series(1, ${CENTERS}::int) c`
  const start = sql`'2024-01-01T12:00Z'::timestamptz + (n % 60) * interval '12 days'`
  await database.query(sql`
    insert into centers (center_id, name, timezone, currency) select ${center}, 'Center', 'UTC', 'EUR' from ${centers}`)
  await database.query(sql`
    insert into terms (center_id, term_set, id, name)
    select ${center}, s, n::text, 'Term' from ${centers}, unnest(array['program', 'discount', 'unit']) s, generate_series(1, 20) n
    union all
    select md5(c::text), 'program', n::text, 'Term' from generate_series(1, 500) c, generate_series(1, 10) n`)
  await database.query(sql`
    insert into sessions (center_id, id, name, start_date, end_date)
    select ${center}, 's' || n, 'Session', ${start}, ${start} + interval '10 days' from ${centers}, generate_series(0, 59) n`)
  await database.query(sql`
    insert into orders (center_id, uuid, order_date, total_amount, status)
    select ${center}, 'o-' || ${center} || '-' || n, ${start}, n, 'paid' from ${centers}, generate_series(1, ${BOOKINGS / 2}::int) n`)
  await database.query(sql`
    insert into customers (center_id, id, first_name, last_name)
    select ${center}, 'p' || n, 'Ana', 'Pop' from ${centers}, generate_series(1, ${BOOKINGS}::int) n`)
  await database.query(sql`
    insert into bookings (center_id, id, customer_id, role, status, start_date, end_date, session_ids, order_uuid)
    select ${center}, 'b' || n, 'p' || (n * 7 % ${BOOKINGS}::int + 1), 'patient',
      (array['confirmed', 'departed', 'cancelled'])[n / 60 % 3 + 1], ${start},
      ${start} + case when n % 100 = 0 then interval '60 days' else interval '10 days' end,
      array['s' || n % 60], 'o-' || ${center} || '-' || ((n - 1) / 2 + 1)
    from ${centers}, generate_series(1, ${BOOKINGS}::int) n`)
  await database.query(sql`
    insert into api_keys (public_key, center_id, app_id, name, secret_hash, scopes)
    select 'key-' || ${center} || '-' || n, ${center}, 'app', 'Key', '\\x00', array['guests'] from ${centers}, generate_series(1, 50) n`)
  // A thousand commits that changed two guests each, as a desk makes them.
  await database.query(sql`
    insert into change_commits (center_id, revision, transaction_id, committed_at)
    select ${center}, 100 + n, (1000000 + n)::text::xid8, '2025-01-01Z'::timestamptz + n * interval '2 seconds'
    from ${centers}, generate_series(1, 1000) n`)
  await database.query(sql`
    insert into changes (center_id, transaction_id, kind, id, operation, columns, session_ids, during)
    select b.center_id, (1000000 + n)::text::xid8, 'guest', b.id, 'changed', '{bookings.status}', b.session_ids, '{}'
    from generate_series(1, 1000) n join bookings b on b.id in ('b' || n, 'b' || 1000 + n)`)
  await vacuum(database)
}

/**
 * Whether an index alone will do is a matter of what vacuum could mark as seen by all, and it marks nothing while
 * anybody, such as the server's own autovacuum, still looks at what was before: then it is done again.
 */
async function vacuum(database: Database): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    await database.query(sql`vacuum (analyze)`)
    const hidden = await database.query(sql`
      select relname from pg_class
      where relname in ('bookings', 'booking_sessions', 'sessions', 'orders', 'customers', 'changes', 'change_commits')
        and relallvisible < relpages`)
    if (hidden.length === 0) return
  }
  throw new Error('vacuum could not mark the rows as seen by all')
}

import sql, { raw } from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Database, DatabaseUnavailable, sqlState } from '../../src/core/database/database.ts'
import { outageOf } from '../../src/core/database/postgres/postgres-errors.ts'
import { openTestDatabase } from '../support/database.ts'
import { insertRow } from '../support/rows.ts'

let database: Database
beforeAll(async () => {
  database = await openTestDatabase()
})

const utc = (text: string) => Date.parse(text)

describe('a value is read the same on both databases', () => {
  test.each<[string, unknown]>([
    [`timestamptz '2025-01-15 08:00:00+00'`, utc('2025-01-15T08:00:00Z')],
    [`timestamptz '2025-01-15 08:00:00.1+02'`, utc('2025-01-15T06:00:00.100Z')],
    [`timestamptz '2025-01-15 08:00:00.123456+00'`, utc('2025-01-15T08:00:00.123Z')],
    [`timestamptz '2025-01-15 08:00:00.999999+00'`, utc('2025-01-15T08:00:00.999Z')],
    [`timestamptz '1969-12-31 23:59:59.5+00'`, -500],
    [`timestamptz '0001-01-01 00:00:00+00'`, utc('0001-01-01T00:00:00Z')],
    [`timestamptz '0099-12-31 23:59:59.999+00'`, utc('0099-12-31T23:59:59.999Z')],
    [`timestamptz '9999-12-31 23:59:59.999+00'`, utc('9999-12-31T23:59:59.999Z')],
    [`timestamptz '10000-01-01 00:00:00+00'`, utc('+010000-01-01T00:00:00Z')],
    [`timestamp '2025-01-15 08:00:00.5'`, '2025-01-15 08:00:00.5'],
    [`date '2025-01-15'`, '2025-01-15'],
    [`date '0001-01-01'`, '0001-01-01'],
    [`'-7'::smallint`, -7],
    [
      `array['a', 'b,c', 'say "hi"', 'back\\slash', '{}', '', 'NULL', null, 'ăîș']`,
      ['a', 'b,c', 'say "hi"', 'back\\slash', '{}', '', 'NULL', null, 'ăîș'],
    ],
    [`'{}'::text[]`, []],
    [`array['a']::varchar[]`, ['a']],
    [`array[1, null, 3]`, [1, null, 3]],
    [`array[1.5, 2]::numeric[]`, [1.5, 2]],
    [`array[true, false]`, [true, false]],
    [`array[timestamptz '2025-01-15 08:00:00+00']`, [utc('2025-01-15T08:00:00Z')]],
    [`array[date '2025-01-15']`, ['2025-01-15']],
    [`array['{"a": "b,\\"c\\""}']::jsonb[]`, [{ a: 'b,"c"' }]],
    [`'{"a": [1, "x", null, true], "b": {"c": 1.5}}'::jsonb`, { a: [1, 'x', null, true], b: { c: 1.5 } }],
    [`'"text"'::jsonb`, 'text'],
    [`'null'::jsonb`, null],
    [`null::jsonb`, null],
    [`'[1]'::json`, [1]],
    [`'\\x00ff7f'::bytea`, Buffer.from([0, 255, 127])],
    [`''::bytea`, Buffer.alloc(0)],
    [`12345.6789::numeric`, 12345.6789],
    [`-0.10::numeric`, -0.1],
    [`9007199254740991::bigint`, Number.MAX_SAFE_INTEGER],
    [`2147483647`, 2147483647],
    [`1.5::float8`, 1.5],
    [`true`, true],
    [`'plain'::text`, 'plain'],
    [`null::text`, null],
    [`'c1'::name`, 'c1'],
    [`'00000000-0000-0000-0000-000000000001'::uuid`, '00000000-0000-0000-0000-000000000001'],
    [`interval '1 day 02:00'`, '1 day 02:00:00'],
  ])('%s', async (expression, value) => {
    const statement = sql`select ${raw(expression)} as value`
    expect(await database.query(statement)).toEqual([{ value }])
    expect(await database.queryArrays(statement)).toEqual([[value]])
    expect(await database.queryReserved(statement)).toEqual([{ value }])
    expect(await database.transaction((tx) => tx.query(statement))).toEqual([{ value }])
    for await (const rows of database.stream(statement, 10)) expect(rows).toEqual([[value]])
  })
})

describe('a parameter is written the same on both databases', () => {
  test.each<[string, unknown, string]>([
    ['text', 'it\'s "quoted" \\ ăîș 😀', 'it\'s "quoted" \\ ăîș 😀'],
    ['text', null, 'null'],
    [
      'text[]',
      ['a', 'b,c', 'say "hi"', 'back\\slash', '', 'NULL', null],
      '{a,"b,c","say \\"hi\\"","back\\\\slash","","NULL",NULL}',
    ],
    ['text[]', [], '{}'],
    ['integer', 5, '5'],
    ['bigint', 9007199254740991, '9007199254740991'],
    ['numeric', 12.5, '12.5'],
    ['boolean', false, 'false'],
    ['date', '2025-01-15', '2025-01-15'],
    ['timestamptz', '2025-01-15T08:00:00.123Z', '2025-01-15 08:00:00.123+00'],
    ['timestamptz', new Date('2025-01-15T08:00:00.123Z'), '2025-01-15 08:00:00.123+00'],
    ['jsonb', '{"a": [1]}', '{"a": [1]}'],
    ['jsonb', { a: [1, "it's"] }, '{"a": [1, "it\'s"]}'],
    ['bytea', Buffer.from([0, 255]), '\\x00ff'],
  ])('%s %j', async (type, parameter, text) => {
    const rows = await database.query(sql`select coalesce(${parameter}::${raw(type)}::text, 'null') as text`)
    expect(rows).toEqual([{ text }])
  })
})

test('the session is in UTC whatever the process and the server are in', async () => {
  expect(await database.query(sql`select current_setting('TimeZone') as zone`)).toEqual([{ zone: 'UTC' }])
})

test('an error of the database keeps its SQLSTATE', async () => {
  const error = await database.query(sql`select 'x'::integer`).catch((thrown: unknown) => thrown)
  expect(error).not.toBeInstanceOf(DatabaseUnavailable)
  expect(sqlState(error)).toBe('22P02')
})

test.each([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
  'ENOENT',
  'EHOSTUNREACH',
  'ENETUNREACH',
])('a connection that fails with %s is an outage of the database', (code) => {
  expect(outageOf(Object.assign(new Error('no'), { code }))).toBe('lost')
})

test('what is thrown and is no error of the database has no SQLSTATE', () => {
  const others = [undefined, null, 'gone', 5, new Error('gone'), { code: 'ECONNREFUSED' }, { code: 22012 }]
  for (const thrown of others) {
    expect(sqlState(thrown)).toBeUndefined()
    expect(sqlState(new DatabaseUnavailable('gone', { cause: thrown }))).toBeUndefined()
  }
})

describe('a transaction', () => {
  const centers = async () => {
    const rows = await database.query<{ center_id: string }>(sql`select center_id from centers order by 1`)
    return rows.map((row) => row.center_id)
  }

  test('is committed when its work is done, and gives its result', async () => {
    const result = await database.transaction(async (tx) => {
      await insertRow(tx, 'centers', { center_id: 'committed' })
      return 42
    })
    expect(result).toBe(42)
    expect(await centers()).toContain('committed')
  })

  test('is rolled back when its work fails, and passes the error on', async () => {
    const failing = database.transaction(async (tx) => {
      await insertRow(tx, 'centers', { center_id: 'rolled-back' })
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect(await centers()).not.toContain('rolled-back')
  })

  test('is no success when a statement failed in it and the work went on regardless', async () => {
    const failing = database.transaction(async (tx) => {
      await insertRow(tx, 'centers', { center_id: 'regardless' })
      await tx.query(sql`select 1 / 0`).catch(() => {})
    })
    await expect(failing).rejects.toThrow('rolled back')
    expect(await centers()).not.toContain('regardless')
  })

  test('fails at its commit when a rule checked there is broken, and leaves nothing', async () => {
    const failing = database.transaction((tx) =>
      insertRow(tx, 'sessions', { center_id: 'nowhere', id: 's1' }),
    )
    const error = await failing.catch((thrown: unknown) => thrown)
    expect(sqlState(error)).toBe('23503')
    expect(await database.query(sql`select 1 from sessions`)).toEqual([])
    expect(await database.query(sql`select 1 as alive`)).toEqual([{ alive: 1 }])
  })
})

describe('a stream', () => {
  const numbers = (count: number) => sql`select n from generate_series(1, ${count}::integer) as n`

  test('comes in chunks of the size asked for, the last one shorter', async () => {
    const sizes: number[] = []
    for await (const rows of database.stream(numbers(25), 10)) sizes.push(rows.length)
    expect(sizes).toEqual([10, 10, 5])
  })

  test('that fits its chunks exactly has no empty one at the end', async () => {
    const sizes: number[] = []
    for await (const rows of database.stream(numbers(20), 10)) sizes.push(rows.length)
    expect(sizes).toEqual([10, 10])
  })

  test('of nothing has no chunk', async () => {
    for await (const rows of database.stream(numbers(0), 10)) expect(rows).toBe('never reached')
  })

  test('gives 100,000 rows, each once and in order', async () => {
    let next = 1
    for await (const rows of database.stream(numbers(100_000), 1000)) {
      for (const [n] of rows) {
        if (n !== next) expect(n).toBe(next)
        next += 1
      }
    }
    expect(next).toBe(100_001)
  })

  test('is one snapshot, whatever others write meanwhile', async () => {
    const own = await openTestDatabase()
    for (const id of ['a', 'b', 'c', 'd']) await insertRow(own, 'centers', { center_id: id })
    const seen: unknown[] = []
    for await (const rows of own.stream(sql`select center_id from centers order by center_id`, 1)) {
      seen.push(rows[0]?.[0])
      await own.query(sql`delete from centers where center_id = 'c'`)
      await own.query(sql`
        insert into centers (center_id, name, timezone, currency) values ('e', 'E', 'UTC', 'EUR')
        on conflict do nothing`)
    }
    expect(seen).toEqual(['a', 'b', 'c', 'd'])
  })

  test('may run at the same time as others', async () => {
    const own = await openTestDatabase()
    const total = async () => {
      let sum = 0
      for await (const rows of own.stream(numbers(1000), 7)) for (const [n] of rows) sum += Number(n)
      return sum
    }
    expect(await Promise.all([total(), total(), total()])).toEqual([500_500, 500_500, 500_500])
  })

  test('that is left early, or whose reader fails, keeps nothing behind', async () => {
    const own = await openTestDatabase()
    // More often than there are connections in the pool.
    for (let round = 0; round < 12; round += 1) {
      for await (const rows of own.stream(numbers(1000), 10)) {
        expect(rows).toHaveLength(10)
        break
      }
      const reading = async () => {
        for await (const rows of own.stream(numbers(1000), 10)) throw new Error(`read ${rows.length}`)
      }
      await expect(reading()).rejects.toThrow('read 10')
    }
    const open = sql`select count(*) as n from pg_cursors where name like 'chunks%'`
    expect(await own.query(open)).toEqual([{ n: 0 }])
    await own.transaction((tx) => insertRow(tx, 'centers', {}))
  })

  test('of a statement that is wrong gives its error and keeps nothing behind', async () => {
    const own = await openTestDatabase()
    for (let round = 0; round < 7; round += 1) {
      const reading = async () => {
        for await (const rows of own.stream(sql`select n / (n - 15) from generate_series(1, 20) as n`, 10))
          void rows
      }
      expect(sqlState(await reading().catch((error: unknown) => error))).toBe('22012')
    }
    expect(await own.query(sql`select 1 as alive`)).toEqual([{ alive: 1 }])
  })
})

describe('a PostgreSQL server', () => {
  test.each([
    ...['08006', '28000', '28P01', '3D000', '40001', '40P01', '53100', '53200', '53300', '55000', '55P03'],
    ...['57000', '57014', '57P01', '57P03', '57P05', '58030', '25006', '25P03', '25P04', '26000', '0A000'],
  ])('that answers SQLSTATE %s is unavailable', async (state) => {
    const raise = raw(`do $$ begin raise exception 'no' using errcode = '${state}'; end $$`)
    const error = await database.query(raise).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(DatabaseUnavailable)
    expect(sqlState(error)).toBe(state)
  })

  test.each(['23505', '22P02', '42P01', '42501', '42P05', '54000', 'P0001', '22003', 'XX000'])(
    'that answers SQLSTATE %s is there',
    async (state) => {
      const raise = raw(`do $$ begin raise exception 'no' using errcode = '${state}'; end $$`)
      const error = await database.query(raise).catch((thrown: unknown) => thrown)
      expect(error).not.toBeInstanceOf(DatabaseUnavailable)
      expect(sqlState(error)).toBe(state)
    },
  )
})

import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { createConnection, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import sql from 'sql-template-tag'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type Bridge, SOCKET_FILE, startBridge } from '../../src/database/bridge.ts'
import { type Database, DatabaseUnavailable } from '../../src/database/database.ts'
import type { EmbeddedDatabase } from '../../src/database/embedded.ts'
import { openPostgres } from '../../src/database/postgres.ts'
import { openTestDatabase } from '../support/database.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const isEmbedded = (database: Database): database is EmbeddedDatabase => 'pglite' in database

let database: EmbeddedDatabase
let folder: string
let bridge: Bridge

async function start(options: { silenceMs?: number } = {}): Promise<void> {
  const opened = await openTestDatabase()
  if (!isEmbedded(opened)) throw new Error('the socket is of the embedded database')
  database = opened
  folder = makeTemporaryFolder()
  const started = await startBridge(database, folder, options)
  if (started === undefined) throw new Error('there is no socket')
  bridge = started
  onTestFinished(() => started.close())
  await database.runScript('create table notes (id integer, text text)')
}

async function connect(options: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = new pg.Client({ host: folder, database: 'sojourn', user: 'anybody', ...options })
  client.on('error', () => {})
  await client.connect()
  onTestFinished(() => client.end().catch(() => {}))
  return client
}

const notes = async (): Promise<number[]> => {
  const rows = await database.query<{ id: number }>(sql`select id from notes order by id`)
  return rows.map((row) => row.id)
}

/** Whether a promise has settled; asked again until it has, for at most ten seconds. */
async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 10_000
  while (!(await condition())) {
    if (performance.now() > end) throw new Error('it did not come about in ten seconds')
    await wait(10)
  }
}

function isPending(promise: Promise<unknown>): Promise<boolean> {
  return Promise.race([promise.then(() => false), wait(150, true)])
}

describe('the socket of an embedded folder', () => {
  beforeEach(() => start())

  test('belongs to its owner only and goes with the service', async () => {
    const path = join(folder, SOCKET_FILE)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    await bridge.close()
    expect(() => statSync(path)).toThrow('ENOENT')
  })

  test('a path that is too long for a socket is told, and the service runs without one', async () => {
    const warnings: string[] = []
    const long = join(folder, 'x'.repeat(100))
    const none = await startBridge(database, long, { onWarning: (sentence) => warnings.push(sentence) })
    expect(none).toBeUndefined()
    expect(warnings).toEqual([expect.stringContaining('a shorter DATA_DIR helps')])
  })

  describe('speaks as PostgreSQL does', () => {
    test('simple and parametrized queries, nulls, errors and what comes after them', async () => {
      const client = await connect()
      expect((await client.query('select $1::text as a, $2::int + 1 as b', [null, 4])).rows).toEqual([
        { a: null, b: 5 },
      ])
      await expect(client.query('select nope')).rejects.toMatchObject({ code: '42703' })
      await expect(client.query('select $1::int', ['x'])).rejects.toMatchObject({ code: '22P02' })
      expect((await client.query('select 3 as c')).rows).toEqual([{ c: 3 }])
    })

    test('many rows, and large values both ways', async () => {
      const client = await connect()
      const large = 'ș'.repeat(2_000_000)
      expect((await client.query('select $1::text as t', [large])).rows[0].t).toBe(large)
      const { rows } = await client.query('select i from generate_series(1, 50000) as i')
      expect(rows.at(-1)).toEqual({ i: 50_000 })
    })

    test('settings of the connection hold in every transaction and for nobody else', async () => {
      const oslo = await connect({ options: '-c TimeZone=Europe/Oslo' })
      const other = await connect()
      const zone = async (client: pg.Client) => (await client.query('show timezone')).rows[0].TimeZone
      expect(await zone(oslo)).toBe('Europe/Oslo')
      await other.query("set timezone to 'Asia/Tokyo'")
      await other.query("select set_config('search_path', 'pg_catalog', false)")
      expect([await zone(oslo), await zone(other)]).toEqual(['Europe/Oslo', 'Asia/Tokyo'])
      expect((await other.query('show search_path')).rows).toEqual([{ search_path: 'pg_catalog' }])
      await other.query('reset timezone')
      expect(await zone(other)).not.toBe('Asia/Tokyo')
      const [own] = await database.query<{ zone: string; path: string }>(
        sql`select current_setting('timezone') as zone, current_setting('search_path') as path`,
      )
      expect(own).toEqual({ zone: 'UTC', path: 'public' })
    })

    test('prepared statements of two clients with the same names stay apart', async () => {
      const [one, two] = [await connect(), await connect()]
      const ask = (client: pg.Client, text: string) =>
        client.query({ name: 's0', text }).then(({ rows }) => rows)
      for (let turn = 0; turn < 3; turn++) {
        expect(await ask(one, 'select 1 as n')).toEqual([{ n: 1 }])
        expect(await ask(two, 'select 2 as n')).toEqual([{ n: 2 }])
        expect(await database.query(sql`select 3 as n`)).toEqual([{ n: 3 }])
      }
      await one.query('begin')
      expect(await ask(one, 'select 1 as n')).toEqual([{ n: 1 }])
      await one.query('commit')
    })

    test("the service's own cursors and statements outlive a client's turn", async () => {
      const client = await connect()
      const seen: unknown[][] = []
      for await (const chunk of database.stream(sql`select i from generate_series(1, 30) as i`, 10)) {
        seen.push(...chunk)
        await client.query('begin; declare mine cursor with hold for select 1; commit')
      }
      expect(seen).toHaveLength(30)
      expect(await database.query(sql`select name from pg_cursors where name <> ''`)).toEqual([])
    })

    test('temporary tables are gone after the turn, and hide nothing of the service', async () => {
      const client = await connect()
      await client.query('create temporary table notes (id integer); insert into notes values (7)')
      expect(await notes()).toEqual([])
    })

    test('encryption is declined and a cancel request is taken without an answer', async () => {
      const answers = await talk([int32(8, 80877103), startup()], isReady)
      expect(answers.toString('latin1', 0, 2)).toBe('NR')
      expect(await talk([int32(16, 80877102, 1, 2)])).toHaveLength(0)
    })

    test('a drivers own pool, with transactions and streams', async () => {
      const pool = openPostgres({ connection: { connectionString: url() }, poolSize: 2, purpose: 'command' })
      onTestFinished(() => pool.close())
      await pool.transaction(async (tx) => {
        for (let id = 1; id <= 3; id++) await tx.query(sql`insert into notes values (${id}, 'x')`)
      })
      const chunks: unknown[][][] = []
      for await (const chunk of pool.stream(sql`select id from notes order by id`, 2)) chunks.push(chunk)
      expect(chunks).toEqual([[[1], [2]], [[3]]])
      expect(await notes()).toEqual([1, 2, 3])
    })
  })

  describe('one session, never shared', () => {
    test('a read of the service waits for a transaction, and sees all of it or nothing', async () => {
      const client = await connect()
      await client.query('begin')
      await client.query("insert into notes values (1, 'half')")
      const read = notes()
      expect(await isPending(read)).toBe(true)
      await client.query("insert into notes values (2, 'whole')")
      await client.query('commit')
      expect(await read).toEqual([1, 2])
    })

    test('another client waits as well', async () => {
      const [one, two] = [await connect(), await connect()]
      await one.query('begin')
      await one.query("insert into notes values (1, 'x')")
      const second = two.query("insert into notes values (2, 'y')")
      expect(await isPending(second)).toBe(true)
      await one.query('rollback')
      await second
      expect(await notes()).toEqual([2])
    })

    test('many clients at once, each with its own transactions', async () => {
      const clients = await Promise.all(Array.from({ length: 8 }, () => connect()))
      await database.query(sql`insert into notes values (0, '0')`)
      await Promise.all(
        clients.map(async (client) => {
          for (let turn = 0; turn < 10; turn++) {
            await client.query('begin')
            const { rows } = await client.query({
              name: 'read',
              text: 'select text::int as n from notes where id = 0',
            })
            await client.query('update notes set text = $1 where id = 0', [String(rows[0].n + 1)])
            await client.query('commit')
          }
        }),
      )
      expect(await database.query(sql`select text from notes`)).toEqual([{ text: '80' }])
    })

    test('a failed transaction keeps its failure until it is rolled back', async () => {
      const client = await connect()
      await client.query('begin')
      await client.query("insert into notes values (1, 'x')")
      await expect(client.query('select nope')).rejects.toMatchObject({ code: '42703' })
      await expect(client.query('select 1')).rejects.toMatchObject({ code: '25P02' })
      await client.query('commit')
      expect(await notes()).toEqual([])
    })
  })

  describe('a client that goes away', () => {
    test('in the middle of a transaction leaves nothing', async () => {
      const client = await connect()
      await client.query('begin')
      await client.query("insert into notes values (1, 'x')")
      socketOf(client).destroy()
      expect(await notes()).toEqual([])
      await expect(database.query(sql`select 1 as n`)).resolves.toEqual([{ n: 1 }])
    })

    test('after a statement that it did not sync leaves nothing', async () => {
      const insert = [
        message('P', text(''), text("insert into notes values (1, 'x')"), int16(0)),
        message('B', text(''), text(''), int16(0), int16(0), int16(0)),
        message('E', text(''), int32(0)),
        message('H'),
      ]
      const answers = await talk([startup(), ...insert], (bytes) => bytes.includes('INSERT 0 1'))
      expect(answers.toString('latin1')).toContain('INSERT 0 1')
      expect(await notes()).toEqual([])
    })

    test('after an error that it did not sync leaves the session usable', async () => {
      const wrong = [message('P', text(''), text('select nope'), int16(0)), message('H')]
      await talk([startup(), ...wrong], (bytes) => bytes.includes('42703'))
      expect(await notes()).toEqual([])
    })

    test('while it waits for its turn holds nobody up', async () => {
      const [one, two] = [await connect(), await connect()]
      await one.query('begin')
      two.query("insert into notes values (2, 'y')").catch(() => {})
      socketOf(two).destroy()
      await one.query("insert into notes values (1, 'x')")
      await one.query('commit')
      await until(async () => (await notes()).includes(1))
    })
  })

  test('bytes that are no protocol are refused, and nobody else notices', async () => {
    const client = await connect()
    for (const bytes of [
      Buffer.from('GET / HTTP/1.1\r\n\r\n'),
      Buffer.concat([startup(), Buffer.from('?\0\0\0\x04')]),
      Buffer.concat([startup(), Buffer.from('Q\0\0\0\x02')]),
      Buffer.concat([startup(), Buffer.from('Q\x7f\xff\xff\xff', 'latin1')]),
      Buffer.concat([startup(), message('Q', Buffer.from('select 1'))]),
    ]) {
      const answer = await talk([bytes])
      expect(answer.toString('latin1')).toContain('08P01')
    }
    expect((await client.query('select 1 as n')).rows).toEqual([{ n: 1 }])
  })

  test('when the service is stopped, clients are told and what they had not committed is undone', async () => {
    const client = await connect()
    await client.query('begin')
    await client.query("insert into notes values (1, 'x')")
    const told = new Promise<unknown>((resolve) => client.on('error', resolve))
    await bridge.close()
    expect(await told).toMatchObject({ code: '57P01' })
    expect(await notes()).toEqual([])
    await expect(connect()).rejects.toMatchObject({ code: 'ENOENT' })
  })

  describe('COPY', () => {
    test('FROM STDIN by psql, from the data of a table of its own TO STDOUT', async () => {
      const script = [
        'copy notes from stdin;',
        '1\tone',
        '2\ttwo',
        '\\.',
        "-- a comment\nCOPY notes (id, text) FROM STDIN WITH (delimiter ',');",
        '3,three',
        '\\.',
        "copy (select 'copy me from stdin' as t) to stdout;",
        'copy notes to stdout;',
      ]
      const answer = await psql(script.join('\n'))
      if (answer === undefined) return
      expect(answer.stdout).toContain('COPY 2\n')
      expect(answer.stdout).toContain('1\tone\n2\ttwo\n3\tthree\n')
      expect(await notes()).toEqual([1, 2, 3])
    })

    test('of bad rows, of no table, and given up, leave the session as it was', async () => {
      const client = await connect()
      const row = Buffer.from('x\ty\n')
      expect(await copy('copy notes from stdin', message('d', row), message('c'))).toContain('22P02')
      expect(await copy('copy nowhere from stdin', message('d', row), message('c'))).toContain('42P01')
      expect(await copy('copy notes from stdin', message('f', text('never mind')))).toContain('57014')
      expect(await notes()).toEqual([])
      expect((await client.query('select 1 as n')).rows).toEqual([{ n: 1 }])
    })

    test('within a transaction goes with it', async () => {
      const row = message('d', Buffer.from('1\tx\n'))
      const begin = message('Q', text('begin'))
      const answer = await talk(
        [startup(), begin, message('Q', text('copy notes from stdin')), row, message('c')],
        (bytes) => bytes.includes('COPY 1'),
      )
      expect(answer.toString('latin1')).toContain('COPY 1')
      expect(await notes()).toEqual([])
    })

    test.each([
      ['among other statements', 'select 1; copy notes from stdin; select 2'],
      ['twice', 'copy notes from stdin; copy notes from stdin'],
      ['behind nested comments', '/* a /* b */ c */ copy notes from stdin'],
      ['behind a comment that ends otherwise', '-- x\rcopy notes from stdin'],
      ['with a comment within', 'copy notes from/**/stdin'],
      ['after a comment that hides it', '/* x */ select 1; -- \n copy notes from stdin'],
    ])('FROM STDIN %s is refused before it can end the database', async (_, statement) => {
      const client = await connect()
      await expect(client.query(statement)).rejects.toMatchObject({ code: '0A000' })
      expect((await client.query('select 1 as n')).rows).toEqual([{ n: 1 }])
    })

    test('in a text that only speaks of it is a text', async () => {
      const client = await connect()
      const { rows } = await client.query("select 'copy notes from stdin' as t")
      expect(rows).toEqual([{ t: 'copy notes from stdin' }])
    })

    test('FROM STDIN as a prepared statement is refused, and fails a transaction like any error', async () => {
      const client = await connect()
      const prepared = { name: 'c', text: 'copy notes from stdin', values: [] }
      await expect(client.query(prepared)).rejects.toMatchObject({ code: '0A000' })
      await client.query('begin')
      await expect(
        client.query({ text: 'copy notes from stdin', queryMode: 'extended' } as never),
      ).rejects.toMatchObject({ code: '0A000' })
      await expect(client.query('select 1')).rejects.toMatchObject({ code: '25P02' })
      await client.query('rollback')
      expect((await client.query('select 1 as n')).rows).toEqual([{ n: 1 }])
    })
  })
})

describe('a client that falls silent', () => {
  beforeEach(() => start({ silenceMs: 300 }))

  test('in a transaction is told, and undone, so that others go on', async () => {
    const client = await connect()
    await client.query('begin')
    await client.query("insert into notes values (1, 'x')")
    const told = new Promise<unknown>((resolve) => client.on('error', resolve))
    expect(await notes()).toEqual([])
    expect(await told).toMatchObject({ code: '25P03' })
  })

  test('outside of one may stay as long as it likes', async () => {
    const client = await connect()
    await client.query('select 1')
    await wait(600)
    expect((await client.query('select 2 as n')).rows).toEqual([{ n: 2 }])
  })

  test('is a database that is away to a command', async () => {
    const pool = openPostgres({ connection: { connectionString: url() }, poolSize: 1, purpose: 'command' })
    onTestFinished(() => pool.close())
    const failure = pool.transaction(async (tx) => {
      await tx.query(sql`insert into notes values (1, 'x')`)
      await wait(800)
      await tx.query(sql`insert into notes values (2, 'y')`)
    })
    await expect(failure).rejects.toThrow(DatabaseUnavailable)
    expect(await notes()).toEqual([])
  })
})

function url(): string {
  return `postgres://anybody@localhost:5432/sojourn?host=${encodeURIComponent(folder)}`
}

/** pg keeps its socket to itself; a client that is killed is a socket that is gone. */
function socketOf(client: pg.Client): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream
}

/** Sends bytes and gives what came back until the other side ended, or until it is enough. */
function talk(parts: readonly Buffer[], enough: (answer: Buffer) => boolean = () => false): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(join(folder, SOCKET_FILE))
    let answer = Buffer.alloc(0)
    socket.setTimeout(5000, () => reject(new Error(`nothing more came after ${answer.toString('latin1')}`)))
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
    socket.on('data', (bytes: Buffer) => {
      answer = Buffer.concat([answer, bytes])
      if (enough(answer)) socket.destroy()
    })
    socket.write(Buffer.concat(parts))
  })
}

async function copy(statement: string, ...data: Buffer[]): Promise<string> {
  const answer = await talk(
    [startup(), message('Q', text(statement)), ...data],
    (bytes) => bytes.includes('VERROR') && isReady(bytes),
  )
  return answer.toString('latin1')
}

const READY = Buffer.from('Z\0\0\0\x05I')
const isReady = (bytes: Buffer) => bytes.subarray(-READY.length).equals(READY)

const text = (value: string) => Buffer.from(`${value}\0`)

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}

function int32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) bytes.writeInt32BE(value, 4 * index)
  return bytes
}

function message(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body])
}

function startup(): Buffer {
  const body = Buffer.concat([
    int32(3 << 16),
    text('user'),
    text('x'),
    text('database'),
    text('y'),
    Buffer.alloc(1),
  ])
  return Buffer.concat([int32(body.length + 4), body])
}

/** Where the machine has psql: what a person would use. */
async function psql(script: string): Promise<{ stdout: string; stderr: string } | undefined> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      'psql',
      ['-X', '-h', folder, '-d', 'postgres', '-U', 'anybody'],
      { timeout: 20_000 },
      (error, stdout, stderr) => {
        if (error !== null && 'code' in error && error.code === 'ENOENT') return resolve(undefined)
        if (error !== null) return reject(error)
        resolve({ stdout, stderr })
      },
    )
    child.stdin?.on('error', () => {})
    child.stdin?.end(script)
  })
}

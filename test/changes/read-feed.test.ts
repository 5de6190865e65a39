/** Following a center's changes with nothing but a cursor: every note once, in commit order, and when to start again. */
import sql from 'sql-template-tag'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readCursor, writeCursor } from '../../src/core/changes/cursor.ts'
import { readChanges } from '../../src/core/changes/read-feed.ts'
import type { Database } from '../../src/core/database/database.ts'
import { centerId } from '../../src/core/records/centers/center.ts'
import { emptyDatabase, openTestDatabase } from '../support/database.ts'
import { insertRow } from '../support/rows.ts'

const C1 = centerId('c1')
let database: Database

beforeAll(async () => {
  database = await openTestDatabase()
})

beforeEach(async () => {
  await emptyDatabase(database)
  await insertRow(database, 'centers', { center_id: 'c1' })
  await insertRow(database, 'customers', { id: 'ana' })
})

const book = (...ids: string[]) =>
  database.transaction(async (tx) => {
    for (const id of ids) await insertRow(tx, 'bookings', { id, customer_id: 'ana' })
  })

async function read(cursor: string | undefined, limit = 100) {
  const feed = await readChanges(database, C1, cursor, limit)
  if (feed.outcome !== 'read') throw new Error(`${feed.outcome} ${'why' in feed ? feed.why : ''}`)
  const things = feed.notes.map(({ revision, change }) => `${revision} ${change.operation} ${change.id}`)
  return { ...feed, things }
}

it('without a cursor gives the one of this moment, which goes on with what comes', async () => {
  const start = await read(undefined)
  expect(start).toMatchObject({ things: [], more: false, revision: 2 })
  expect(await read(start.cursor)).toMatchObject({ things: [], more: false, cursor: start.cursor })
  await book('b1')
  await book('b2')
  const { things, cursor, more } = await read(start.cursor)
  expect(things).toEqual(['3 created b1', '4 changed b1', '4 created b2'])
  expect(more).toBe(false)
  expect(await read(cursor)).toMatchObject({ things: [], cursor })
})

it.each([1, 2, 3, 5, 7])('in pages of %i every note comes once, within commits too', async (limit) => {
  const start = await read(undefined)
  await book('a', 'b', 'c', 'd')
  await database.query(sql`update customers set pin = pin where id = 'ana'`)
  await book('e')
  await database.query(sql`update bookings set therapist_name = 'T'`)
  const all = (await read(start.cursor)).things
  expect(all).toHaveLength(4 + 5 + 5)
  const found: string[] = []
  for (let at: string | undefined = start.cursor, more = true; more; ) {
    const page = await read(at, limit)
    expect(page.things.length).toBeLessThanOrEqual(limit)
    found.push(...page.things)
    ;({ cursor: at, more } = page)
  }
  expect(found).toEqual(all)
})

it('the order of revisions is that in which commits are seen, however many are made at once', async () => {
  const start = await read(undefined)
  let writing = 6
  const writers = Array.from({ length: writing }, async (_, writer) => {
    for (let n = 0; n < 5; n += 1) await book(`w${writer}-${n}`)
    writing -= 1
  })
  // Who reads while they write would miss a commit that is seen only after one of a later revision.
  const found: string[] = []
  for (let at = start.cursor, last = false; !last; ) {
    last = writing === 0
    const { things, cursor } = await read(at, 1000)
    found.push(...things)
    at = cursor
  }
  await Promise.all(writers)
  const { things } = await read(start.cursor, 1000)
  expect(found).toEqual(things)
  const revisions = [...new Set(things.map((thing) => Number(thing.split(' ')[0])))]
  expect(revisions).toEqual(Array.from({ length: 30 }, (_, n) => start.revision + 1 + n))
})

it('goes on after any note', async () => {
  const start = await read(undefined)
  await book('a', 'b')
  await book('c')
  const { notes, things } = await read(start.cursor)
  for (const [at, note] of notes.entries()) {
    expect((await read(note.cursor())).things).toEqual(things.slice(at + 1))
  }
})

it('says so where more commits came than are looked through at a time', async () => {
  const { cursor } = await read(undefined)
  await database.query(sql`
    insert into change_commits (center_id, revision, transaction_id)
    select 'c1', n, '1' from generate_series(3, 1502) n`)
  await database.query(sql`update center_revisions set revision = 1502`)
  const first = await read(cursor)
  expect(first).toMatchObject({ things: [], more: true })
  await book('b1')
  expect(await read(first.cursor)).toMatchObject({ things: ['1503 created b1'], more: false })
})

describe('start again', () => {
  const outcome = (cursor: string) => readChanges(database, C1, cursor, 10)

  it('where commits after the cursor were pruned, and only then', async () => {
    const { cursor } = await read(undefined)
    await book('a')
    const later = (await read(undefined)).cursor
    await book('b')
    await database.query(sql`delete from change_commits where revision <= 2`)
    expect(await outcome(cursor)).toMatchObject({ outcome: 'read' })
    await database.query(sql`delete from change_commits where revision <= 3`)
    expect(await outcome(cursor)).toEqual({ outcome: 'gone', why: 'pruned' })
    expect(await outcome(later)).toMatchObject({ outcome: 'read' })
  })

  it('in a database that was restored from an older copy, whatever it has come to since', async () => {
    await database.query(sql`create temporary table copy as select * from change_commits`)
    await book('a', 'b')
    const whole = (await read(undefined)).cursor
    await book('c')
    const newest = (await read(undefined)).cursor
    const { notes } = await read(whole, 10)
    const within = notes[0]!.cursor()
    // The revision goes back with everything else; the history has the same name.
    await database.query(sql`delete from change_commits where revision > 2`)
    await database.query(sql`update center_revisions set revision = 2`)
    for (const cursor of [whole, newest, within]) {
      expect(await outcome(cursor)).toEqual({ outcome: 'gone', why: 'history' })
    }
    await database.query(sql`update bookings set therapist_name = 'T'`)
    await database.query(sql`update bookings set therapist_name = 'U'`)
    await database.query(sql`update bookings set therapist_name = 'V'`)
    for (const cursor of [whole, newest, within]) {
      expect(await outcome(cursor)).toEqual({ outcome: 'gone', why: 'history' })
    }
  })

  it('in another database that has a center of the same name', async () => {
    const { cursor } = await read(undefined)
    await database.query(sql`update center_revisions set history_id = gen_random_uuid()`)
    expect(await outcome(cursor)).toEqual({ outcome: 'gone', why: 'history' })
  })

  it('in a center of which nothing is known', async () => {
    const { cursor } = await read(undefined)
    await emptyDatabase(database)
    expect(await outcome(cursor)).toEqual({ outcome: 'gone', why: 'history' })
  })
})

describe('a cursor that is none', () => {
  const position = { revision: 2, offset: 0, at: 0 }

  it('is refused when any of its characters is another one', async () => {
    const { cursor } = await read(undefined)
    for (let at = 0; at < cursor.length; at += 1) {
      const other = cursor[at] === 'A' ? 'B' : 'A'
      const altered = `${cursor.slice(0, at)}${other}${cursor.slice(at + 1)}`
      const feed = await readChanges(database, C1, altered, 10)
      expect(feed.outcome === 'forged' || feed.outcome === 'gone', altered).toBe(true)
    }
  })

  it('is refused when it is another center’s', async () => {
    await insertRow(database, 'centers', { center_id: 'c2' })
    const feed = await readChanges(database, centerId('c2'), undefined, 10)
    const cursor = feed.outcome === 'read' ? feed.cursor : ''
    expect(await readChanges(database, C1, cursor, 10)).toEqual({ outcome: 'forged' })
    expect(await readChanges(database, centerId('c2'), cursor, 10)).toMatchObject({ outcome: 'read' })
  })

  it('is refused when it was signed by somebody else', async () => {
    const [row] = await database.query<{ history: string }>(
      sql`select history_id as history from center_revisions`,
    )
    const genuine = Buffer.from(writeCursor(C1, row!.history, position), 'base64url')
    const other = Buffer.from(writeCursor(C1, 'a guess', position), 'base64url')
    const forged = Buffer.concat([genuine.subarray(0, -10), other.subarray(-10)]).toString('base64url')
    expect(await readChanges(database, C1, forged, 10)).toEqual({ outcome: 'forged' })
  })

  it('is refused when its text is anything else', () => {
    const text = writeCursor(C1, 'h', position)
    expect(readCursor(C1, text)).toMatchObject(position)
    for (const wrong of [
      '',
      '*',
      text.slice(1),
      `${text}A`,
      `${text}=`,
      text.replace(/^./, ' '),
      '\0'.repeat(text.length),
    ]) {
      expect(readCursor(C1, wrong), JSON.stringify(wrong)).toBeUndefined()
    }
  })

  it('keeps what it says, up to the largest numbers', () => {
    const large = { revision: 2 ** 47 + 3, offset: 2 ** 33, at: Date.UTC(2200, 0) * 1000 + 7 }
    expect(readCursor(C1, writeCursor(C1, 'h', large))).toMatchObject(large)
  })
})

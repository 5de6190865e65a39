/**
 * Ways to tamper with the trail, each by somebody who may write the database and knows how hashes are made. What
 * can be found at all is found; what needs a head that was noted elsewhere is marked as such.
 */
import sql, { raw, type Sql } from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Entry, entryHash } from '../../src/core/audit/entry.ts'
import { pruneTrail } from '../../src/core/audit/prune-trail.ts'
import { isPruning, pruningContent } from '../../src/core/audit/pruning.ts'
import type { TrailProblem } from '../../src/core/audit/verify/trail-problem.ts'
import { type NotedHead, trails, verifyTrail } from '../../src/core/audit/verify/verify-trail.ts'
import { selectEntries } from '../../src/core/audit/verify/verify-trail-sql.ts'
import { insertBatch } from '../../src/core/audit/write/write-batch-sql.ts'
import type { Database, Queryable } from '../../src/core/database/database.ts'
import { openTestDatabase } from '../support/database.ts'
import { read, startAudit } from './reads.ts'

const DAY_MS = 86_400_000
const DAYS = 30

/** Entries 11 to 42 of the spa: one a day of the last month, 41 says that 1 to 10 were pruned. Some of the lodge. */
async function startTrail() {
  const database = await openTestDatabase()
  for (const center of ['spa', 'lodge']) {
    await database.query(sql`
      insert into centers (center_id, name, timezone, currency) values (${center}, 'Spa', 'UTC', 'EUR')`)
    await database.query(sql`
      insert into api_keys (public_key, center_id, app_id, name, secret_hash, scopes)
      values (${`key-${center}`}, ${center}, 'app', 'Lab', '\\x00', '{guests}')`)
  }
  const { audit, time } = startAudit(database)
  const now = Date.now()
  const note = (center: string, entry: number) =>
    audit.record(
      read({ key: { center, publicKey: `key-${center}` }, query: `start=${entry}`, ids: [`b${entry}`] }),
    )
  for (let entry = 1; entry <= 40; entry++) {
    time.now = now - (41 - entry) * DAY_MS + 3_600_000
    note('spa', entry)
    if (entry > 35) note('lodge', entry)
  }
  await audit.flush()
  await pruneTrail(database, { days: DAYS })
  time.now = now
  note('spa', 42)
  await audit.flush()
  const { head } = await verifyTrail(database, 'spa')
  return { database, head }
}

type Hand = (tx: Queryable) => Promise<void>

const run =
  (...statements: readonly (Sql | string)[]): Hand =>
  async (tx) => {
    for (const statement of statements)
      await tx.query(typeof statement === 'string' ? raw(statement) : statement)
  }

const entriesFrom = (tx: Queryable, seq: number) =>
  tx.query<Entry>(selectEntries('spa', { seq: seq - 1, limit: 100 }))

/** Writes every hash anew from an entry on, and the head: all that a person can do who reads this file. */
const rehash =
  (from: number, change: (entry: Entry) => Partial<Entry> = () => ({})): Hand =>
  async (tx) => {
    const entries = await entriesFrom(tx, from)
    let previous_hash = entries[0]!.previous_hash
    let seq = entries[0]!.seq - 1
    const forged = entries.map((entry) => {
      seq += 1
      const content = { ...entry, ...change(entry), seq }
      const hash = entryHash(content, previous_hash)
      const whole = { ...content, previous_hash, hash }
      previous_hash = hash
      return whole
    })
    await tx.query(sql`delete from audit_entries where center_id = 'spa' and seq >= ${from}`)
    await tx.query(
      insertBatch({
        entries: forged,
        recordLists: [],
        heads: [{ center_id: 'spa', seq, hash: previous_hash }],
        keys: [],
      }),
    )
  }

/** Deletes up to an entry and appends a pruning that says it was right, as the service would. */
const fakePruning =
  (through: number, said: { days?: number; beforeDays?: number; atDays?: number } = {}): Hand =>
  async (tx) => {
    const entries = await entriesFrom(tx, 1)
    const last = entries.find((entry) => entry.seq === through)!
    const end = entries.at(-1)!
    const { days = DAYS, atDays = 0, beforeDays = days } = said
    const before = Date.now() - beforeDays * DAY_MS
    const content = pruningContent(
      { center_id: 'spa', seq: end.seq + 1, at: (Date.now() + atDays * DAY_MS) * 1000, batch: 'forged' },
      { through, hash: last.hash, entries: 9, reads: 9, days, before, newest: before - 1 },
    )
    const hash = entryHash(content, end.hash)
    await tx.query(
      insertBatch({
        entries: [{ ...content, previous_hash: end.hash, hash }],
        recordLists: [],
        heads: [{ center_id: 'spa', seq: content.seq, hash }],
        keys: [],
      }),
    )
    await tx.query(sql`
      update audit_heads set pruned_seq = ${through}, pruned_hash = decode(${last.hash}, 'hex')
      where center_id = 'spa'`)
    await tx.query(sql`delete from audit_entries where center_id = 'spa' and seq <= ${through}`)
    await run(DROP_UNUSED_LISTS)(tx)
  }

const both =
  (...hands: readonly Hand[]): Hand =>
  async (tx) => {
    for (const hand of hands) await hand(tx)
  }

const DROP_UNUSED_LISTS = `
  delete from audit_record_lists l where not exists (
    select 1 from audit_entries e where e.center_id = l.center_id and e.record_list = l.hash)`
const FORGET_USE = `update api_keys set last_used_at = null where center_id = 'spa'`
const SPA = `center_id = 'spa'`
const change = (what: string, seq = 20) =>
  run(`update audit_entries set ${what} where ${SPA} and seq = ${seq}`)
const remove = (which: string) =>
  run(`delete from audit_entries where ${SPA} and ${which}`, DROP_UNUSED_LISTS)
const ones = `decode(repeat('11', 32), 'hex')`

/** Each column of an entry: one that is added has to be tampered with here too. */
const COLUMNS: Readonly<Record<keyof Entry, Hand>> = {
  center_id: change(`center_id = 'camp'`),
  seq: change('seq = 420'),
  at: change(`at = at + interval '1 microsecond'`),
  batch: change(`batch = 'x'`),
  public_key: change(`public_key = 'other'`),
  app_id: change(`app_id = 'other'`),
  key_name: change(`key_name = 'other'`),
  operation: change(`operation = 'listSessions'`),
  query: change(`query = ''`),
  scopes: change(`scopes = ''`),
  records: change('records = 0'),
  record_list: change('record_list = null'),
  revision: change('revision = 2'),
  reads: change('reads = 0'),
  requests: change(`requests = '0 200 x'`),
  channel: change(`channel = 'assistant'`),
  previous_hash: change(`previous_hash = ${ones}`),
  hash: change(`hash = ${ones}`),
}

interface Way {
  readonly hand: Hand
  /** what is said; of the spa unless another center is named */
  readonly found: string | RegExp
  readonly center?: string
  /** only with a head that was noted before, which is given here what it says */
  readonly noted?: true
}

const DELETED = /^The head says that everything up to entry \d+ was pruned, and no entry of the trail says so/
const WRITTEN_ANEW = 'Entry 42 is not the one that the noted head names: the trail was rewritten or cut off.'
const AFTER_THE_END =
  /^A key of the center was used at .*Z, after the newest read \(.*the end of the trail is missing/

const WAYS: Readonly<Record<string, Way>> = {
  'deletes the first entry': { hand: remove('seq = 11'), found: 'Entry 11 is missing.' },
  'deletes one in the middle': { hand: remove('seq = 20'), found: 'Entry 20 is missing.' },
  'deletes several': { hand: remove('seq between 20 and 25'), found: 'Entries 20 to 25 are missing.' },
  'deletes the last': { hand: remove('seq = 42'), found: 'Entry 42 is missing.' },
  'deletes all entries': { hand: remove('true'), found: 'Entries 11 to 42 are missing.' },
  'deletes entries and leaves their lists of records': {
    hand: run(`delete from audit_entries where ${SPA} and seq between 20 and 21`),
    found: '2 lists of records belong to no entry: the entries were removed, or the lists were inserted.',
  },
  'does so where another center has read the same records': {
    hand: run(`delete from audit_entries where ${SPA} and seq = 36`),
    found: '1 list of records belongs to no entry: the entries were removed, or the lists were inserted.',
  },
  'lets two entries change places': {
    hand: run(
      `update audit_entries set seq = -20 where ${SPA} and seq = 20`,
      `update audit_entries set seq = 20 where ${SPA} and seq = 30`,
      `update audit_entries set seq = 30 where ${SPA} and seq = -20`,
    ),
    found: 'Entry 20 was moved: it was entry 30.',
  },
  'lets two entries change places and changes one of them': {
    hand: run(
      `update audit_entries set seq = -20 where ${SPA} and seq = 20`,
      `update audit_entries set seq = 20, key_name = 'other' where ${SPA} and seq = 30`,
      `update audit_entries set seq = 30 where ${SPA} and seq = -20`,
    ),
    found: 'Entry 20 was changed after it was written.',
  },
  'reverses a stretch': {
    hand: run(
      `update audit_entries set seq = -seq where ${SPA} and seq between 20 and 24`,
      `update audit_entries set seq = 44 + seq where ${SPA} and seq < 0`,
    ),
    found: 'Entry 20 was moved: it was entry 24.',
  },
  'copies an entry to the end': {
    hand: run(`
      insert into audit_entries
      select (json_populate_record(e, '{"seq": 43}')).* from audit_entries e where ${SPA} and seq = 20`),
    found: 'Entries from 43 are after the end of the trail: they were inserted, or the head was set back.',
  },
  'copies an entry over another': {
    hand: run(
      `delete from audit_entries where ${SPA} and seq = 21`,
      `insert into audit_entries
       select (json_populate_record(e, '{"seq": 21}')).* from audit_entries e where ${SPA} and seq = 20`,
    ),
    found: /^Entry 21 was (moved: it was entry 20|changed after it was written)\.$/,
  },
  'puts an entry before the beginning': {
    hand: change('seq = 3'),
    found: 'Entry 3 is before the beginning of the trail: it was inserted.',
  },
  'puts an entry before the first of all': {
    hand: change('seq = -3'),
    found: 'Entry -3 is before the beginning of the trail: it was inserted.',
  },
  'puts an entry of its own, with a hash that fits, in place of another': {
    hand: async (tx) => {
      const [entry] = await entriesFrom(tx, 20)
      const forged = entryHash({ ...entry!, key_name: 'Somebody else' }, entry!.previous_hash)
      await tx.query(sql`
        update audit_entries set key_name = 'Somebody else', hash = decode(${forged}, 'hex')
        where center_id = 'spa' and seq = 20`)
    },
    found: 'Entry 21 does not follow entry 20, which replaced another.',
  },
  'does the same to the last entry': {
    hand: async (tx) => {
      const [entry] = await entriesFrom(tx, 42)
      const forged = entryHash({ ...entry!, key_name: 'Somebody else' }, entry!.previous_hash)
      await tx.query(sql`
        update audit_entries set key_name = 'Somebody else', hash = decode(${forged}, 'hex')
        where center_id = 'spa' and seq = 42`)
    },
    found: 'Entry 42 does not match the head of the trail.',
  },
  'lets entries of two centers change places': {
    hand: run(
      `update audit_entries set center_id = 'camp' where ${SPA} and seq = 20`,
      `update audit_entries set center_id = 'spa', seq = 20 where center_id = 'lodge' and seq = 2`,
      `update audit_entries set center_id = 'lodge', seq = 2 where center_id = 'camp'`,
    ),
    found: 'Entry 20 was changed after it was written.',
  },
  'does so, seen from the other center': {
    hand: run(
      `update audit_entries set center_id = 'camp' where ${SPA} and seq = 20`,
      `update audit_entries set center_id = 'spa', seq = 20 where center_id = 'lodge' and seq = 2`,
      `update audit_entries set center_id = 'lodge', seq = 2 where center_id = 'camp'`,
    ),
    center: 'lodge',
    found: 'Entry 2 was changed after it was written.',
  },
  'gives the whole trail of one center to another': {
    hand: run(
      `delete from audit_entries where center_id = 'lodge'`,
      `update audit_entries set center_id = 'lodge' where ${SPA}`,
    ),
    center: 'lodge',
    found: 'Entries 1 to 5 are missing.',
  },

  'writes everything anew from an entry on': {
    hand: rehash(20, ({ seq }) => (seq === 20 ? { key_name: 'Somebody else' } : {})),
    noted: true,
    found: WRITTEN_ANEW,
  },
  'takes an entry out and writes everything after it anew': {
    hand: both(
      remove('seq = 20'),
      rehash(21, ({ seq }) => ({ seq })),
    ),
    found: /^Entry (20 is missing|21 does not follow entry 20)/,
  },
  'takes an entry out, closes the gap and writes everything after it anew': {
    hand: async (tx) => {
      const [gone] = await entriesFrom(tx, 20)
      await remove('seq = 20')(tx)
      await tx.query(sql`
        update audit_entries set seq = 20, previous_hash = decode(${gone!.previous_hash}, 'hex')
        where center_id = 'spa' and seq = 21`)
      await rehash(20)(tx)
    },
    noted: true,
    found: WRITTEN_ANEW,
  },
  'cuts the end off and sets the head back': {
    hand: both(remove('seq > 41'), rehash(41)),
    found: AFTER_THE_END,
  },
  'does that and makes the keys forget their use': {
    hand: both(remove('seq > 41'), rehash(41), run(FORGET_USE)),
    noted: true,
    found: WRITTEN_ANEW,
  },

  'changes the hash in the head': {
    hand: run(`update audit_heads set hash = ${ones} where ${SPA}`),
    found: 'Entry 42 does not match the head of the trail.',
  },
  'sets the number in the head back': {
    hand: run(`update audit_heads set seq = 40 where ${SPA}`),
    found: 'Entries from 41 are after the end of the trail: they were inserted, or the head was set back.',
  },
  'sets the number in the head forward': {
    hand: run(`update audit_heads set seq = 50 where ${SPA}`),
    found: 'Entries 43 to 50 are missing.',
  },
  'deletes the head': {
    hand: run(`delete from audit_heads where ${SPA}`),
    found: 'The head of the trail is missing.',
  },
  'deletes the whole trail of a center': {
    hand: run(
      `delete from audit_entries where ${SPA}`,
      `delete from audit_record_lists where ${SPA}`,
      `delete from audit_heads where ${SPA}`,
    ),
    found: /^A key of the center was used at .*Z, but the trail has no reads: it was deleted\.$/,
  },
  'does that and makes the keys forget their use as well': {
    hand: run(
      `delete from audit_entries where ${SPA}`,
      `delete from audit_record_lists where ${SPA}`,
      `delete from audit_heads where ${SPA}`,
      FORGET_USE,
    ),
    noted: true,
    found: WRITTEN_ANEW,
  },
  'puts a trail of its own in its place': {
    hand: both(remove('seq < 41'), async (tx) => {
      await tx.query(sql`update audit_entries set seq = seq - 40 where center_id = 'spa'`)
      await tx.query(sql`
        update audit_heads set pruned_seq = 0, pruned_hash = decode(repeat('00', 32), 'hex')
        where center_id = 'spa'`)
      await rehash(1, () => ({ operation: 'listGuests' }))(tx)
    }),
    noted: true,
    found: WRITTEN_ANEW,
  },

  'fakes a pruning in the head': {
    hand: run(
      `update audit_heads h set pruned_seq = 30, pruned_hash = e.hash from audit_entries e
       where h.center_id = 'spa' and e.center_id = 'spa' and e.seq = 30`,
      `delete from audit_entries where ${SPA} and seq <= 30`,
      DROP_UNUSED_LISTS,
    ),
    found: DELETED,
  },
  'fakes a pruning of everything but the last entry': {
    hand: run(
      `update audit_heads h set pruned_seq = 41, pruned_hash = e.hash from audit_entries e
       where h.center_id = 'spa' and e.center_id = 'spa' and e.seq = 41`,
      `delete from audit_entries where ${SPA} and seq <= 41`,
      DROP_UNUSED_LISTS,
    ),
    found: DELETED,
  },
  'fakes a pruning with an entry that owns to younger ones': {
    hand: fakePruning(30, { beforeDays: 10 }),
    found: 'Entry 43 says that everything up to entry 30 was pruned, and they were younger than its 30 days.',
  },
  'fakes a pruning with an entry that claims a shorter retention': {
    hand: fakePruning(30, { days: 10 }),
    found: /^Entry 43 says .* older than 10 days .*; entries are to be stored for 30\.$/,
  },
  'fakes a pruning with an entry from the future': {
    hand: fakePruning(30, { atDays: 800, beforeDays: -770 }),
    found: /^Entry 43 says .* at .*Z in the future: the clock was wrong\.$/,
  },
  'fakes a pruning with an entry that says nothing': {
    hand: both(
      fakePruning(30),
      rehash(43, () => ({ query: 'through=30' })),
    ),
    found: 'Entry 43 records a pruning that cannot have happened: it was inserted.',
  },
  'fakes a pruning of entries that come after it': {
    hand: rehash(41, (entry) =>
      isPruning(entry) ? { query: entry.query.replace('through=10', 'through=50') } : {},
    ),
    found: 'Entry 41 records a pruning that cannot have happened: it was inserted.',
  },
  'fakes a pruning with the entry of an earlier one': {
    hand: async (tx) => {
      const [pruning] = await entriesFrom(tx, 41)
      await rehash(42, () => ({ operation: pruning!.operation, query: pruning!.query }))(tx)
    },
    found: 'Entry 42 records a pruning that cannot have happened: it was inserted.',
  },
  'fakes a pruning without a flaw': {
    hand: fakePruning(30),
    noted: true,
    found:
      /^(Entry 20, which the noted head names, is missing although it is from .*Z: only entries older than)/,
  },
  'changes what a pruning says': {
    hand: change(`query = replace(query, 'days=30', 'days=31')`, 41),
    found: 'Entry 41 was changed after it was written.',
  },
  'deletes the entry of a pruning': { hand: remove('seq = 41'), found: DELETED },
  'makes a pruning look like a read': {
    hand: rehash(41, (entry) => (isPruning(entry) ? { operation: 'listGuests' } : {})),
    found: DELETED,
  },
  'sets back in the head where the trail begins': {
    hand: run(`
      update audit_heads set pruned_seq = 0, pruned_hash = decode(repeat('00', 32), 'hex') where ${SPA}`),
    found: 'Entries 1 to 10 are missing.',
  },
  'changes in the head what the trail begins with': {
    hand: run(`update audit_heads set pruned_hash = ${ones} where ${SPA}`),
    found: DELETED,
  },

  'changes a list of records': {
    hand: run(`update audit_record_lists set ids = E'\\nnobody\\n' where ${SPA} and ids like '%b20%'`),
    found: 'The list of records of entry 20 was changed after it was written.',
  },
  'cuts a list of records short': {
    hand: run(`update audit_record_lists set ids = E'\\n' where ${SPA} and ids like '%b20%'`),
    found: 'The list of records of entry 20 was changed after it was written.',
  },
  'deletes a list of records': {
    hand: run(`delete from audit_record_lists where ${SPA} and ids like '%b20%'`),
    found: 'The list of records of entry 20 is missing.',
  },
  'lets two lists of records change places': {
    hand: run(
      `update audit_record_lists set ids = 'x' where ${SPA} and ids like '%b20%'`,
      `update audit_record_lists set ids = E'\\nb20\\n' where ${SPA} and ids like '%b21%'`,
      `update audit_record_lists set ids = E'\\nb21\\n' where ${SPA} and ids = 'x'`,
    ),
    found: 'The list of records of entry 20 was changed after it was written.',
  },
  'writes a list of records anew under its own hash': {
    hand: run(`
      update audit_record_lists set ids = E'\\nnobody\\n', hash = sha256(E'\\\\x0a6e6f626f64790a'::bytea)
      where ${SPA} and ids like '%b20%'`),
    found: 'The list of records of entry 20 is missing.',
  },
  'puts in a list of records': {
    hand: run(`
      insert into audit_record_lists (center_id, hash, ids)
      values ('spa', sha256(E'\\\\x0a6e6f626f64790a'::bytea), E'\\nnobody\\n')`),
    found: '1 list of records belongs to no entry: the entries were removed, or the lists were inserted.',
  },
}

/** What programs go by, for the sentence that people read. */
const KINDS: readonly (readonly [RegExp, TrailProblem['kind']])[] = [
  [/list of records|lists of records/, 'records'],
  [/A key of the center was used|^Entr(?:y \S+ is|ies \d+ to \d+ are) missing\.$/, 'missing'],
  [/was moved/, 'moved'],
  [/was changed/, 'changed'],
  [/says that everything|records a pruning/, 'pruning'],
  [/noted head|head of the trail/, 'head'],
  [/inserted|which replaced another/, 'inserted'],
]
const kindOf = (message: string) => KINDS.find(([pattern]) => pattern.test(message))?.[1]

describe('a tampered trail is found', () => {
  let database: Database
  let head: NotedHead

  beforeAll(async () => {
    ;({ database, head } = await startTrail())
  })

  /** What verifying says after a hand was at it, for the centers it goes through by itself; undone afterwards. */
  async function verifiedAfter(hand: Hand | undefined, center: string, known?: NotedHead) {
    const undo = new Error('undo')
    let messages: string[] = []
    await database
      .transaction(async (tx) => {
        await hand?.(tx)
        const touched: Database = { ...database, query: tx.query }
        const centers = known === undefined ? await trails(touched) : [center]
        expect(centers).toContain(center)
        const report = await verifyTrail(touched, center, { known, days: DAYS })
        messages = report.problems.map(({ message }) => message)
        expect(report.problems.map(({ kind }) => kind)).toEqual(messages.map(kindOf))
        throw undo
      })
      .catch((error: unknown) => {
        if (error !== undo) throw error
      })
    return messages
  }

  /** An entry of the middle, as it was noted when it was the head. */
  async function notedHeadOf(seq: number): Promise<NotedHead> {
    const [entry] = await database.query<Entry>(selectEntries('spa', { seq: seq - 1, limit: 1 }))
    return { seq, hash: entry!.hash, at: entry!.at / 1000 }
  }

  it('nobody is, where nobody did', async () => {
    expect(await verifiedAfter(undefined, 'spa')).toEqual([])
    expect(await verifiedAfter(undefined, 'lodge')).toEqual([])
    expect(await verifiedAfter(undefined, 'spa', head)).toEqual([])
    expect(await verifiedAfter(undefined, 'spa', await notedHeadOf(20))).toEqual([])
    expect(head).toMatchObject({ seq: 42, at: expect.any(Number) })
  })

  it('nobody is, where the noted head is the last entry that was pruned', async () => {
    const [pruned] = await database.query<{ hash: string }>(sql`
      select encode(pruned_hash, 'hex') as hash from audit_heads where center_id = 'spa'`)
    const at = Date.now() - 40 * DAY_MS
    expect(await verifiedAfter(undefined, 'spa', { seq: 10, hash: pruned!.hash, at })).toEqual([])
    // Another hash was noted: what was pruned was not what had been written.
    expect(await verifiedAfter(undefined, 'spa', { seq: 10, hash: 'a'.repeat(64), at })).toEqual([
      'Entry 10 is not the one that the noted head names: the trail was rewritten or cut off.',
    ])
  })

  it('writes a pruning that says nothing, whatever head was noted', async () => {
    const nothing = both(
      fakePruning(30),
      rehash(43, () => ({ query: 'through=30' })),
      rehash(41, (entry) => (entry.seq === 41 ? { query: 'through=10' } : {})),
    )
    expect(await verifiedAfter(nothing, 'spa', await notedHeadOf(20))).toEqual(
      expect.arrayContaining([
        'Entry 20, which the noted head names, was pruned, so it can no longer be checked.',
        'Entry 41 records a pruning that cannot have happened: it was inserted.',
        'Entry 43 records a pruning that cannot have happened: it was inserted.',
      ]),
    )
  })

  it.each(Object.keys(COLUMNS) as (keyof Entry)[])('changes the column %s of an entry', async (column) => {
    const messages = await verifiedAfter(COLUMNS[column], 'spa')
    const moved = column === 'seq' || column === 'center_id'
    expect(messages).toContain(moved ? 'Entry 20 is missing.' : 'Entry 20 was changed after it was written.')
  })

  it.each(Object.keys(WAYS))('%s', async (name) => {
    const { hand, found, center = 'spa', noted } = WAYS[name]!
    // A head of the middle, for what takes the beginning away.
    const known = noted && (name.includes('flaw') ? await notedHeadOf(20) : head)
    const messages = await verifiedAfter(hand, center, known)
    const expected = typeof found === 'string' ? found : expect.stringMatching(found)
    expect(messages).toContainEqual(expected)
    // The mark is honest: without the noted head nothing is found.
    if (noted) {
      const without = await verifiedWithoutHead(hand)
      expect(without).toEqual([])
    }
  })

  async function verifiedWithoutHead(hand: Hand): Promise<string[]> {
    const undo = new Error('undo')
    let messages: string[] = []
    await database
      .transaction(async (tx) => {
        await hand(tx)
        const report = await verifyTrail({ ...database, query: tx.query }, 'spa', { days: DAYS })
        messages = report.problems.map(({ message }) => message)
        throw undo
      })
      .catch((error: unknown) => {
        if (error !== undo) throw error
      })
    return messages
  }

  it('in more than 31 ways', () => {
    expect(Object.keys(COLUMNS).length + Object.keys(WAYS).length).toBeGreaterThan(31)
  })
})

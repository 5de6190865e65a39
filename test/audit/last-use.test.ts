/** What the keys' last use and a noted head tell of a trail, each at the edge of what is allowed. */
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import { pruneTrail } from '../../src/core/audit/prune-trail.ts'
import { type NotedHead, verifyTrail } from '../../src/core/audit/verify/verify-trail.ts'
import { selectFollowers } from '../../src/core/audit/verify/verify-trail-sql.ts'
import { GROUP_MS_MAX } from '../../src/core/audit/write/read-queue.ts'
import type { Database } from '../../src/core/database/database.ts'
import { clockedDatabase } from '../support/clocked-database.ts'
import { openTestDatabase } from '../support/database.ts'
import { insertRow } from '../support/rows.ts'
import { read, START, startAudit } from './reads.ts'

const DAY_MS = 86_400_000
const DAYS = 5
/** Half a day after the newest read, and when the spa was pruned. */
const NOW = START + 9.5 * DAY_MS
const NEWEST = START + 9 * DAY_MS
const PRUNED = 5
/** what is younger must be there */
const EDGE = NOW - DAYS * DAY_MS

let plain: Database
let database: Database

/** Ten entries of the spa, one a day, of which the oldest five were pruned; one of the lodge, at the end. */
beforeAll(async () => {
  plain = await openTestDatabase()
  database = clockedDatabase(plain, () => NOW)
  const { audit, time } = startAudit(plain)
  for (const center_id of ['spa', 'lodge', 'inn']) {
    await insertRow(plain, 'centers', { center_id })
    await plain.query(sql`
      insert into api_keys (public_key, center_id, app_id, name, secret_hash, scopes)
      values (${`key of ${center_id}`}, ${center_id}, 'app', 'Lab', '\\x00', '{guests}')`)
  }
  for (let entry = 0; entry < 10; entry += 1) {
    time.now = START + entry * DAY_MS
    audit.record(read({ query: `start=${entry}` }))
  }
  await audit.flush()
  expect(await pruneTrail(database, { days: DAYS })).toMatchObject({ entries: PRUNED })
  audit.record(read({ key: { center: 'lodge' } }))
  await audit.flush()
})

const messagesOf = async (center: string, known?: NotedHead) =>
  (await verifyTrail(database, center, { known })).problems

describe('a key that was used', () => {
  test.each<[string, string, number | null, RegExp | undefined, number?]>([
    ['never', 'spa', null, undefined],
    ['with the newest read', 'spa', NEWEST, undefined],
    ['as much later as a read may be written', 'spa', NEWEST + GROUP_MS_MAX, undefined],
    ['later than that', 'spa', NEWEST + GROUP_MS_MAX + 1, /the end of the trail is missing/, 12],
    ['in the future', 'spa', NOW + 800 * DAY_MS, undefined],
    ['in a center without a trail, now', 'inn', NOW, /the trail has no reads: it was deleted/, 1],
    ['in a center without a trail, at the beginning of time', 'inn', 0, /the trail has no reads/, 1],
    ['in a center without a trail, in the future', 'inn', NOW + 1, undefined],
  ])('%s', async (_, center, at, message, seq) => {
    const moment = at === null ? null : new Date(at).toISOString()
    await plain.query(sql`update api_keys set last_used_at = ${moment} where center_id = ${center}`)
    const problems = await messagesOf(center)
    expect(problems).toEqual(
      message === undefined ? [] : [{ kind: 'missing', seq, message: expect.stringMatching(message) }],
    )
  })
})

describe('a head that was noted', () => {
  const hash = 'a'.repeat(64)

  test.each<[string, NotedHead, RegExp | undefined]>([
    ['and is older than what was pruned is fine', { seq: 2, hash, at: EDGE - 1 }, undefined],
    [
      'at the very edge must be there',
      { seq: 2, hash, at: EDGE },
      /is missing although it is from .* only entries/,
    ],
    ['without its moment cannot be checked', { seq: 2, hash }, /was pruned, so it can no longer be checked/],
    ['as the last that was pruned must have its hash', { seq: PRUNED, hash, at: EDGE - 1 }, /is not the one/],
    ['behind the end is missing', { seq: 99, hash, at: NOW }, /is not the one/],
  ])('%s', async (_, known, message) => {
    expect(await messagesOf('spa', known)).toEqual(
      message === undefined
        ? []
        : [{ kind: 'head', seq: known.seq, message: expect.stringMatching(message) }],
    )
  })
})

test('the followers of hashes are those of the center, between what was pruned and the head', async () => {
  const hashes = await plain.query<{ hash: string; seq: number }>(sql`
    select encode(previous_hash, 'hex') as hash, seq from audit_entries where center_id = 'spa' order by seq`)
  const all = hashes.map(({ hash }) => hash)
  const found = async (center: string, prunedSeq: number, seq: number) =>
    (await plain.query<{ seq: number }>(selectFollowers(center, all, { prunedSeq, seq })))
      .map((row) => row.seq)
      .sort((a, b) => a - b)
  expect(await found('spa', PRUNED, 11)).toEqual([6, 7, 8, 9, 10, 11])
  expect(await found('spa', 6, 10)).toEqual([7, 8, 9, 10])
  expect(await found('lodge', 0, 11)).toEqual([])
})

test('a list that was changed is named with its first ten entries, of its center alone', async () => {
  const many = await openTestDatabase()
  const { audit } = startAudit(many)
  for (const center of ['spa', 'lodge'])
    for (let n = 0; n < 12; n += 1) audit.record(read({ key: { center }, query: `${center}=${n}` }))
  await audit.flush()
  await many.runScript(`update audit_record_lists set ids = 'x' where center_id = 'spa'`)
  const problems = async (center: string) => (await verifyTrail(many, center)).problems
  const ten = 'entries 1, 2, 3, 4, 5, 6, 7, 8, 9, 10'
  expect(await problems('lodge')).toEqual([])
  expect(await problems('spa')).toEqual([
    { kind: 'records', seq: 1, message: `The list of records of ${ten} was changed after it was written.` },
  ])
  await many.runScript(`delete from audit_record_lists where center_id = 'spa'`)
  expect(await problems('lodge')).toEqual([])
  expect(await problems('spa')).toEqual([
    { kind: 'records', seq: 1, message: `The list of records of ${ten} is missing.` },
  ])
})

test('the last use of a key is the newest of the reads that are written together, whatever their order', async () => {
  const { audit, time } = startAudit(plain)
  const publicKey = 'key of hall'
  await insertRow(plain, 'centers', { center_id: 'hall' })
  await plain.query(sql`
    insert into api_keys (public_key, center_id, app_id, name, secret_hash, scopes)
    values (${publicKey}, 'hall', 'app', 'Lab', '\\x00', '{guests}')`)
  for (const second of [1, 9, 5]) {
    time.now = START + second * 1000
    audit.record(read({ key: { center: 'hall', publicKey }, query: `start=${second}` }))
  }
  await audit.flush()
  expect(await plain.query(sql`select last_used_at from api_keys where public_key = ${publicKey}`)).toEqual([
    { last_used_at: START + 9000 },
  ])
})

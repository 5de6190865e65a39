/**
 * Every statement that the service can send is held to a center: those that the operations send are recorded,
 * with their values, and those of the commands are read from their builders.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import sql, { type Sql } from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { PROJECTABLE_NAMES } from '../../src/core/api/guests/projection.ts'
import { centerId, readCenter } from '../../src/core/records/centers/center.ts'
import type { Operation } from '../../src/core/request/operation.ts'
import { OPERATIONS } from '../../src/parts.ts'
import { makeLink } from '../parts/links/make-link.ts'
import { startTestApi } from '../support/api.ts'
import { fullQuery, lookedFor, type Query, urlOf } from '../support/operation-requests.ts'
import { twinCenters } from '../support/twin-centers.ts'
import { type SentStatement, watchDatabase } from '../support/watched-database.ts'
import { centerParameters, centerTables, unboundTables } from './center-binding.ts'
import { OWN_TABLES, STATEMENTS } from './statements.ts'

const TABLES = centerTables()
const SOURCE = new URL('../../src/', import.meta.url).pathname

/** @returns whether the alias is of a table that has centers, and not of a part of the statement */
const isOfTable = (alias: string, text: string): boolean =>
  [...TABLES].some((table) => alias === table || new RegExp(`\\b${table}(?: as)? ${alias}\\b`).test(text))

/** Statements that are held to no one center, each with the reason. */
const EVERY_CENTER: Readonly<Record<string, string>> = {
  'core/records/centers/centers-sql.ts selectCenters': 'the operator of the service sees all centers',
  'commands/backup/backup-sql.ts selectHeads': 'nothing but digests come of it',
  'core/api/actions/action-answers-sql.ts selectCentersWithAnswers':
    'pruning: each center has its own answers',
  'core/access/keys/keys-sql.ts keysOfCenter':
    'keys list: the operator of the service sees all centers unless one is named',
  'core/access/keys/keys-sql.ts keysNamed':
    'key administration: a public key and an application are of one center',
  'core/access/keys/keys-sql.ts lockKeysNamed':
    'key administration: a public key and an application are of one center',
  'core/access/keys/keys-sql.ts revokeKeys': 'key administration, by the public keys that keysNamed found',
  'core/access/keys/keys-sql.ts setDescription':
    'key administration, by the public keys that keysNamed found',
  'core/access/keys/keys-sql.ts endKeys': 'key administration, by the public keys that keysNamed found',
  'parts/data-rights/subjects-sql.ts customersOfBooking':
    'guest commands: the operator of the service is asked which center is meant',
  'parts/data-rights/subjects-sql.ts selectErasedEarlier':
    'the operator may name no center, and learns which ones erased the person',
  'core/intake/erased/erased-sql.ts selectDigestsSql':
    'an import of several centers withholds lines that cannot be read, of people erased from any',
  'parts/data-rights/erasure-log-sql.ts selectErasures': 'the log of erasures is of the whole database',
  'parts/data-rights/erasure-log-sql.ts selectLifted': 'the log of erasures is of the whole database',
  'parts/data-rights/subjects-sql.ts centersOfCustomer':
    'guest commands: the operator of the service is asked which center is meant',
  'core/access/keys/device-links-sql.ts deviceLinkNamed':
    'an identifier that nobody can guess is of one center',
  'core/access/keys/device-links-sql.ts lockDeviceLink':
    'an identifier that nobody can guess is of one center',
  'core/access/keys/device-links-sql.ts deviceLinksOfCenter':
    'keys device: the operator of the service sees all centers unless one is named',
  'parts/links/links-sql.ts linksOfCenter':
    'links list: the operator of the service sees all centers unless one is named',
  'parts/links/links-sql.ts linksNamed': 'link administration: a link and an application are of one center',
  'parts/links/links-sql.ts revokeLinks': 'link administration, by the identifiers that linksNamed found',
  'core/records/centers/centers-sql.ts centerIds': 'suggests a center to the operator of the service',
  'parts/demo/commands/demo-sql.ts anyOtherCenter': 'the demo looks whether the database has other centers',
  'core/intake/numbering/number-bookings-sql.ts centersOfSession':
    'finds the center of a session for the operator of the service',
  'parts/cells/map-sql.ts selectClaims': 'the map says of each key of all centers where it is',
  'core/database/origin-sql.ts selectIsAhead': 'the numbers of transactions are the server’s, of all centers',
  'core/database/origin-sql.ts truncateNumbers': 'a restore into another server concerns every center',
  'core/database/origin-sql.ts updateHistories': 'a restore into another server concerns every center',
  'core/changes/prune-changes-sql.ts selectCentersWithCommits': 'pruning goes through each center',
  'parts/kitchen/sheets-sql.ts selectCentersWithSheets': 'pruning goes through each center',
  'parts/kitchen/cut-offs-sql.ts selectCentersWithCutOffs': 'states are stored of each center',
  'parts/contradictions/progress-sql.ts selectDue': 'evaluates all centers; each is then read by itself',
  'parts/reports/reports-sql.ts selectReports':
    'reports list: the operator of the service sees all centers unless one is named',
  'parts/reports/reports-sql.ts selectReport': 'report administration: an identifier is of one center',
  'parts/reports/reports-sql.ts selectDueReports': 'sends for all centers; each is then read by itself',
  'parts/reports/reports-sql.ts selectDueRuns': 'sends for all centers; each is then read by itself',
  'parts/reports/reports-sql.ts claimPrepared':
    'copies are made for all centers; each is then read by itself',
  'parts/console/first-steps-sql.ts selectHasKeys': 'nothing but whether any key exists comes of it',
  'parts/reports/reports-sql.ts selectReportNumbers': 'nothing but numbers comes of it',
  'parts/reports/reports-sql.ts selectCentersWithRuns': 'pruning goes through each center',
  'parts/webhooks/webhooks-sql.ts selectWebhooks':
    'webhooks list: the operator of the service sees all centers unless one is named',
  'parts/webhooks/webhooks-sql.ts selectWebhook': 'webhook administration: an identifier is of one center',
  'parts/webhooks/webhooks-sql.ts selectNextWebhooks': 'looks at all webhooks, one after the other',
  'parts/webhooks/webhooks-sql.ts selectDue': 'sends for all centers; each is then read by itself',
  'parts/webhooks/webhooks-sql.ts selectSummary': 'nothing but numbers comes of it',
  'core/intake/port/answers-sql.ts selectAnsweredCentersSql': 'pruning goes through each center',
  'core/intake/stored-mappings-sql.ts selectMappingsSql':
    'mappings list: the operator of the service sees all centers unless one is named',
  'core/intake/import-log-sql.ts selectImportsSql':
    'imports list: the operator of the service sees all centers unless one is named',
  'parts/notices/notices-sql.ts selectJudgedCenters': 'judges all centers; each is then read by itself',
  'parts/notices/notices-sql.ts selectCentersWithNotices': 'pruning goes through each center',
  'parts/notices/notices-sql.ts takeMail':
    'sends for all centers, to addresses that are stored with the message',
  'parts/notices/notices-sql.ts selectNoticeNumbers': 'nothing but numbers comes of it',
  'parts/notices/notices-sql.ts selectWaitingMails':
    'nothing but numbers and a code of the mail server come of it',
  'core/records/sources/sources-sql.ts selectScheduledCenters':
    'status and the notices go through each center; each is then read by itself',
  'core/intake/import-log-sql.ts selectImportedCentersSql': 'pruning goes through each center',
  'parts/usage/usage-sql.ts selectUsedCenters': 'pruning goes through each center',
  'core/audit/refusals/refusals-sql.ts selectRefusedCenters': 'pruning goes through each center',
  'core/audit/heads-sql.ts selectAuditedCenters': 'pruning and the audit commands go through each center',
  'core/audit/verify/verify-trail-sql.ts selectTrails': 'the audit commands go through each center',
}

/** The gate's own: a key, or a link, is what says whose center it is. */
const KEY_LOOKUP =
  /\bfrom (?:api_keys k\b[^;]*\bwhere k\.public_key|links l\b[^;]*\bwhere l\.id) = any\(\$\d\)\s*$/

describe('every statement of the operations', () => {
  let sent: readonly SentStatement[]
  let asked: number

  beforeAll(async () => {
    ;({ sent, asked } = await recordReads())
  })

  it('binds the center of the key that asked, in each of its tables', () => {
    expect(sent.filter(({ text }) => text.includes('from links l') && KEY_LOOKUP.test(text))).toHaveLength(1)
    expect(asked).toBeGreaterThan(300)
    const statements = new Map(sent.map((statement) => [statement.text, statement]))
    // A guard of the recording: all ways in were used.
    expect(new Set(sent.map(({ by }) => by))).toEqual(
      new Set(['query', 'queryArrays', 'queryReserved', 'transaction', 'stream']),
    )
    const wrong: string[] = []
    for (const { text, values } of statements.values()) {
      if (KEY_LOOKUP.test(text)) continue
      for (const table of unboundTables(text, TABLES)) wrong.push(`${table} in ${text}`)
      for (const parameter of centerParameters(text)) {
        const value = values[parameter - 1]
        if (value !== 'spa' && JSON.stringify(value) !== '["spa"]') {
          wrong.push(`$${parameter} is ${JSON.stringify(value)} in ${text}`)
        }
      }
    }
    expect(wrong).toEqual([])
    expect(statements.size).toBeGreaterThan(50)
  })

  it('is caught when any of its centers is taken out', () => {
    const texts = new Set(
      sent.filter(({ by, text }) => by !== 'transaction' && !KEY_LOOKUP.test(text)).map(({ text }) => text),
    )
    let sabotaged = 0
    const missed: string[] = []
    for (const text of texts) {
      for (const match of text.matchAll(
        /(?:\b(\w+)\.)?\bcenter_id (?:= (?:\$\d+|\w+\.center_id)|[<>]= any\(\$\d+\))/g,
      )) {
        const [binding, alias] = match
        // A part of the statement with a name of its own is held to the center where it reads the tables.
        if (alias !== undefined && !isOfTable(alias, text)) continue
        const rest = text.slice(match.index + binding.length)
        // What is bound to the center and to a list of it is held to it by either.
        const without = `${text.slice(0, match.index)}true${alias === undefined ? rest : rest.replace(new RegExp(`\\b${alias}\\.center_id = any\\(\\$\\d+\\)`), 'true')}`
        sabotaged += 1
        if (unboundTables(without, TABLES).length === 0)
          missed.push(`${match[0]} at ${match.index} of ${text}`)
      }
    }
    expect(missed).toEqual([])
    expect(sabotaged).toBeGreaterThan(300)
  })
})

describe('every statement that is built', () => {
  it.each(
    Object.entries(STATEMENTS).filter(
      (entry): entry is [string, readonly Sql[]] => typeof entry[1] !== 'string',
    ),
  )('binds the center: %s', (name, statements) => {
    const unbound = statements.flatMap(({ text }) => unboundTables(text, TABLES))
    if (name in EVERY_CENTER) expect(unbound, 'no longer on the list of exceptions').not.toEqual([])
    else expect(unbound).toEqual([])
  })

  it('is read here, whichever file it is built in', async () => {
    const known = new Set(Object.keys(STATEMENTS))
    const missing: string[] = []
    for (const file of filesOf(SOURCE, /-sql\.ts$/)) {
      const path = file.slice(SOURCE.length)
      if (path in OWN_TABLES) continue
      const exports = (await import(file)) as Record<string, unknown>
      for (const name of Object.keys(exports))
        if (!known.delete(`${path} ${name}`)) missing.push(`${path} ${name}`)
    }
    expect(missing).toEqual([])
    expect([...known], 'gone from the source').toEqual([])
  })

  it('names none of the centers’ tables where it is said to be the import’s own', () => {
    for (const path of Object.keys(OWN_TABLES)) {
      const text = readFileSync(join(SOURCE, path), 'utf8')
      const named = [...text.matchAll(/\b(?:from|join|into|update) (\w+)/g)].map(([, table = '']) => table)
      expect(
        named.filter((table) => TABLES.has(table)),
        path,
      ).toEqual([])
    }
  })

  it('uses no time zone of the database, whose rules may be other ones than those of the service', () => {
    const named = filesOf(SOURCE, /\.(ts|sql)$/).flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/at time zone (?!'UTC').*|current_date|localtimestamp/g)].map(
        ([found]) => `${file.slice(SOURCE.length)}: ${found}`,
      ),
    )
    const ofOldSessions = "to_char(session.start_date at time zone center.timezone, 'YY')"
    // The year of a session that was imported before the service wrote it.
    expect(
      named.filter((one) => !one.includes(ofOldSessions.slice(ofOldSessions.indexOf('at time')))),
    ).toEqual([])
  })

  it('is in a -sql.ts file, except for the few that are one with their only use', () => {
    const elsewhere = filesOf(SOURCE, /\.ts$/)
      .filter((file) => !/-sql\.ts$/.test(file))
      .filter((file) =>
        /\bsql`\s*(with|select|insert|update|delete|truncate)\b/i.test(readFileSync(file, 'utf8')),
      )
      .map((file) => file.slice(SOURCE.length))
    expect(elsewhere.toSorted()).toEqual([
      // recorded with the operations above
      'core/access/credential-cache.ts',
      'core/records/centers/center.ts',
    ])
  })
})

describe('the reading of a statement', () => {
  const read = (text: string) => unboundTables(text, new Set(['bookings', 'customers', 'terms']))

  it.each([
    'select id from bookings where center_id = $1',
    'select b.id from bookings b where b.center_id = any($1)',
    'select 1 from bookings b join customers c on c.center_id = b.center_id and c.id = b.id where b.center_id = $1',
    'select 1 from bookings b join customers c on b.center_id = c.center_id where b.center_id = $1',
    'with m as (select id from bookings where center_id = $1) select (select name from terms where center_id = $1) from m',
    'select (select t.name from terms t where t.center_id = b.center_id) from bookings b where b.center_id = $1',
    'select 1 from unnest($1) as k (center_id) join bookings b on b.center_id = k.center_id',
    'select 1 from p join lateral (select * from bookings where center_id = $1 limit 1) b on true join lateral (select * from customers where center_id = b.center_id) c on true',
    'insert into bookings (center_id, id) values ($1, $2)',
    'update bookings b set id = $2 where b.center_id = $1 and (id = $3 or id = $4)',
    'select id from bookings where center_id = $1 for update of bookings',
    "select 'from bookings' from (select 1) one -- from customers",
  ])('finds nothing in %s', (text) => {
    expect(read(text)).toEqual([])
  })

  it.each([
    ['select id from bookings', 'bookings bookings'],
    ['select id from bookings where id = $1', 'bookings bookings'],
    ['select id from bookings where center_id = $1 or true', 'bookings bookings'],
    ['select id from bookings where (center_id = $1 or $2)', 'bookings bookings'],
    ["select id from bookings where center_id = 'spa'", 'bookings bookings'],
    ['select id from bookings where center_id <> $1', 'bookings bookings'],
    ['select 1 from bookings b, customers c where b.center_id = $1', 'customers c'],
    ['select 1 from bookings b join customers c on c.id = b.id where b.center_id = $1', 'customers c'],
    ['select 1 from bookings b join customers c on c.center_id = b.center_id', 'bookings b'],
    ['select 1 from bookings b where b.center_id = $1 union all select 1 from bookings b', 'bookings b'],
    ['select (select name from terms t where t.id = b.id) from bookings b where b.center_id = $1', 'terms t'],
    ['select 1 where exists (select from bookings)', 'bookings bookings'],
    ['insert into bookings (id) values ($1)', 'bookings bookings'],
    ['delete from bookings where id = $1', 'bookings bookings'],
    ['update bookings set id = $1', 'bookings bookings'],
    ['select coalesce((select name from terms t where t.id = $1), $2)', 'terms t'],
  ])('finds what is not held in %s', (text, found) => {
    expect(read(text)).toContain(found)
  })

  it('watches every table of the schema that has a center', () => {
    expect([...TABLES]).toEqual(
      expect.arrayContaining([
        'centers',
        'bookings',
        'customers',
        'orders',
        'sessions',
        'terms',
        'api_keys',
        'audit_entries',
      ]),
    )
  })
})

/** Drives every operation with every set of its parameters and every field, with a key of the first center. */
async function recordReads(): Promise<{ sent: readonly SentStatement[]; asked: number }> {
  const api = await startTestApi({ records: twinCenters() })
  const watched = watchDatabase(api.database)
  // Enough of them for an answer that is streamed.
  await api.database.query(sql`
    insert into orders (center_id, uuid, order_date, total_amount, status)
    select 'spa', 'many-' || n, '2023-01-02T10:00Z', n, 'confirmed' from generate_series(1, 1001) n`)
  const app = await buildApp({ database: watched.database, logLevel: 'silent', answerCacheMb: 0 })
  let asked = 0
  for (const url of OPERATIONS.flatMap(requestsOf)) {
    const answer = await app.inject({ url, headers: api.key.headers })
    if (answer.statusCode === 200) asked += 1
    else if (answer.statusCode >= 500) throw new Error(`${url} answered ${answer.statusCode}`)
  }
  const { path } = await makeLink(
    api.database,
    { key: api.key.appId, question: '/guests?startDate=today&endDate=today' },
    Date.now(),
  )
  if ((await app.inject(path)).statusCode === 200) asked += 1
  // The trail is written at the end, which is the way the service reads and writes in transactions.
  await app.close()
  await readCenter(watched.database, centerId('spa'))
  return { sent: watched.sent, asked }
}

function requestsOf(operation: Operation): string[] {
  const { project, ...query } = fullQuery(operation)
  const found = lookedFor(operation)
  const sets = [
    ...setsOf(query),
    ...Object.entries(found).map(([name, value]) => ({ ...query, [name]: value })),
  ]
  const asked = [...sets, { ...query, ...found }].map((chosen) => urlOf(operation, chosen))
  const manyOrders = urlOf(operation, { startDate: '2023-01-01', endDate: '2023-01-31' })
  if (project === undefined) return [...asked, manyOrders]
  const names = [...PROJECTABLE_NAMES, 'meta.shared', 'meta.stayNote']
  const projected = [...names, names.join(',')].map((name) =>
    urlOf(operation, `${new URLSearchParams({ sessionId: 's-1', length: '100' })}&project=${name}`),
  )
  return [...asked, ...projected]
}

/** Every set of the parameters that say where to look, without and with all others; and each other by itself. */
function setsOf(query: Query): Query[] {
  const others = Object.entries(query).filter(([name]) => !PLACES.includes(name))
  const places = Object.fromEntries(Object.entries(query).filter(([name]) => PLACES.includes(name)))
  const sets = subsets(places)
  return [
    ...sets,
    ...sets.map((set) => ({ ...set, ...Object.fromEntries(others) })),
    ...sets.flatMap((set) => others.slice(0, 4).map(([name, value]) => ({ ...set, [name]: value }))),
    ...others.map(([name, value]) => ({ ...places, [name]: value })),
  ]
}

const PLACES = ['startDate', 'endDate', 'sessionId', 'sessionIds', 'sessionIdsExclude']

function subsets(query: Query): Query[] {
  const sets: Query[] = [{}]
  for (const [name, value] of Object.entries(query)) {
    sets.push(...sets.map((set) => ({ ...set, [name]: value })))
  }
  return sets
}

function filesOf(folder: string, pattern: RegExp): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/**
 * What every list does, whatever it lists: pages, `Link`, snapshots, `changedAfter`, files, `ETag`, isolation and scopes. The
 * lists are found among the operations, so a new one is covered when it is added to `OPERATIONS`, with records here and
 * example values in test/support/operation-requests.ts.
 */
import { createHash } from 'node:crypto'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { SCOPES } from '../../src/core/access/keys/scopes.ts'
import type { Operation } from '../../src/core/request/operation.ts'
import { OPERATIONS } from '../../src/parts.ts'
import { cursorOf } from '../routes/changes/follower.ts'
import { linkOf } from '../routes/changes/reader.ts'
import { evaluatorOf, NOW } from '../routes/contradictions/center.ts'
import { type Asker, type Fields, namedParameters, startTestApi, type TestApi } from '../support/api.ts'
import { readCsv } from '../support/csv.ts'
import { urlOf } from '../support/operation-requests.ts'
import { LODGE_MARK, SPA_MARK } from '../support/twin-centers.ts'
import { guest, LODGE, lodge, order, SPA, session, spa, type TestRecord, term } from '../support/world.ts'

/** All lists are made by lists/list-operation.ts, and only they have snapshots. */
const LISTS = OPERATIONS.filter(({ parameters }) => 'snapshot' in parameters)
const PAGED = LISTS.filter(({ parameters }) => 'start' in parameters)
const FOLLOWED = LISTS.filter(({ parameters }) => 'changedAfter' in parameters)
const named = (lists: readonly Operation[]) => lists.map((list) => [list.name, list] as const)

/** The parameters without which a list shows nothing, or not what it is made of. */
const QUERY: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  listGuests: { startDate: '2025-01-01', endDate: '2025-12-31', project: 'id,lastName' },
  listOrders: { startDate: '2025-01-01', endDate: '2025-12-31' },
  listSessions: { startDate: '2025-01-01', endDate: '2025-12-31' },
  listRooms: { date: '2025-01-11' },
  listContradictions: {},
}

/** Statements that change every record of a list. The zone decides which records are in a range, and how dates are shown. */
const TOUCHING = [
  sql`update centers set timezone = 'Europe/Athens' where center_id = ${SPA}`,
  sql`update centers set timezone = 'Europe/Bucharest' where center_id = ${SPA}`,
  sql`update contradictions set digest = reverse(digest) where center_id = ${SPA}`,
]

const NUMBERS = ['1', '2', '3', '4', '5']

/** Five of each in a center, of which two stays of one person overlap. The identifiers are those of the other center, too. */
const recordsOf = (centerId: string, mark: string): TestRecord[] => [
  ...NUMBERS.flatMap((n) => [
    term('room', `r${n}`, `${mark} room ${n}`, { centerId }),
    session(`s${n}`, `2025-0${n}-06T14:00`, `2025-0${n}-12T10:00`, { centerId, name: `${mark} ${n}` }),
    order(`o${n}`, { centerId, number: `${mark} ${n}` }),
    ...guest(
      `b${n}`,
      { centerId, sessionIds: ['s1'], acc: { roomId: `r${n}` } },
      { lastName: `${mark} ${n}`, email: `${mark.toLowerCase()}${n}@example.org` },
    ),
    {
      ...{ kind: 'booking', centerId, id: `again${n}`, customerId: `c-b${n}`, role: 'patient' },
      ...{ status: 'confirmed', startDate: '2025-01-12T14:00', endDate: '2025-01-20T10:00' },
    },
  ]),
]
/** In every record of the center, or in the records that it is about. */
const [MARK, OTHER_MARK] = [SPA_MARK, LODGE_MARK]

let api: TestApi
let other: Asker
beforeAll(async () => {
  api = await startTestApi({
    records: [
      spa({ maximumPageLength: 4 }),
      lodge(),
      ...recordsOf(SPA, MARK),
      ...recordsOf(LODGE, OTHER_MARK).slice(0, -2),
    ],
    now: NOW,
  })
  other = api.as(await api.createKey({ center: LODGE }))
  await evaluatorOf(api).look()
})

const read = async (asker: Asker, url: string, headers: Readonly<Record<string, string>> = {}) => {
  const answer = await asker.get(url, headers)
  expect(answer.status, `${url}: ${answer.text.slice(0, 300)}`).toBe(200)
  return answer
}

/** @param more parameters that are added to those of the list */
const of = (list: Operation, more: Readonly<Record<string, string>> = {}): string => {
  const query = QUERY[list.name]
  if (query === undefined)
    throw new Error(`give ${list.name} its parameters in QUERY, and records in recordsOf`)
  return urlOf(list, { ...query, ...more })
}

/** A list without pages is an array. */
const recordsIn = (body: unknown): readonly Fields[] =>
  Array.isArray(body) ? body : (body as { data: readonly Fields[] }).data

const idOf = ({ uuid, _id, id }: Fields) => String(uuid ?? _id ?? id)

const digestOf = (ids: readonly string[]) =>
  createHash('sha256')
    .update(ids.map((id) => `${id}\n`).join(''))
    .digest('hex')

/** All records of a list, by the `next` of `Link`, and its last page. */
async function allOf(asker: Asker, first: string) {
  const records: Fields[] = []
  for (let url = first; ; ) {
    const answer = await read(asker, url)
    records.push(...recordsIn(answer.body))
    const next = linkOf(answer, 'next')
    if (next === undefined) return { records, last: answer }
    url = next
  }
}

it('the lists are those that the documentation names', () => {
  expect(LISTS.map(({ name }) => name).toSorted()).toEqual(Object.keys(QUERY).toSorted())
})

describe.each(named(PAGED))('the pages of %s', (_, list) => {
  it('ruling 18: pages of any length have every record once, in the same order, and the true total', async () => {
    const { records } = await allOf(api, of(list, { length: '4' }))
    expect(records.length).toBeGreaterThanOrEqual(5)
    expect(new Set(records.map(idOf)).size).toBe(records.length)
    for (const length of ['1', '2', '3']) {
      const found = await allOf(api, of(list, { length }))
      expect(found.records).toEqual(records)
      expect(found.last.body.total).toBe(records.length)
    }
  })

  it('ruling 18: a page after the last one is empty, with the true total', async () => {
    const { total } = (await read(api, of(list))).body
    const beyond = (await read(api, of(list, { start: '99' }))).body
    expect([beyond.data, beyond.total]).toEqual([[], total])
  })

  it('ruling 19a: Link has the first, the previous, the next and the last page as absolute URLs', async () => {
    const { total } = (await read(api, of(list))).body
    const second = await read(api, of(list, { length: '2', start: '2' }))
    const startOf = (relation: string) => {
      const link = new URL(linkOf(second, relation) ?? '')
      expect([link.pathname, link.searchParams.get('length')]).toEqual([`/v1${list.paths[0]}`, '2'])
      return link.searchParams.get('start')
    }
    expect(['first', 'prev', 'next', 'last'].map(startOf)).toEqual(['1', '1', '3', `${Math.ceil(total / 2)}`])
  })

  it('ruling 19: the center’s maximum is the default, and more is a 400 with everything that is wrong', async () => {
    expect((await read(api, of(list))).body.data).toHaveLength(4)
    const wrong = await api.get(of(list, { length: '5', start: '0' }))
    expect(wrong.status).toBe(400)
    expect(namedParameters(wrong).toSorted()).toEqual(['length', 'start'])
  })
})

describe.each(named(LISTS))('a snapshot of %s', (_, list) => {
  it('shows every record, and its last page proves that', async () => {
    const { records } = await allOf(api, of(list))
    const { records: shown, last } = await allOf(api, of(list, { snapshot: 'true' }))
    expect(shown).toEqual(records)
    expect(last.headers).toMatchObject({
      'snapshot-count': String(records.length),
      'snapshot-digest': digestOf(records.map(idOf)),
      'snapshot-cursor': expect.any(String),
    })
  })

  it('begins at a cursor of the changes, too', async () => {
    const cursor = cursorOf(await api.get('/v1/changes'))
    const { last } = await allOf(api, of(list, { snapshot: cursor }))
    expect(last.headers).toMatchObject({ 'snapshot-cursor': cursor, 'snapshot-digest': expect.any(String) })
  })

  it('is a 400 for a cursor of another center, and for what is no cursor', async () => {
    const theirs = cursorOf(await other.get('/v1/changes'))
    for (const wrong of ['yes', '2', theirs]) {
      const answer = await api.get(of(list, { snapshot: wrong }))
      expect([answer.status, namedParameters(answer)], wrong).toEqual([400, ['snapshot']])
    }
  })
})

describe.each(named(FOLLOWED))('changedAfter of %s', (_, list) => {
  const shownSince = async (cursor: string) =>
    recordsIn((await read(api, of(list, { changedAfter: cursor }))).body)

  it('shows nothing where nothing was committed, and everything where all records may have changed', async () => {
    const cursor = cursorOf(await api.get('/v1/changes'))
    expect(await shownSince(cursor)).toEqual([])
    for (const statement of TOUCHING) await api.database.query(statement)
    await evaluatorOf(api).look()
    expect(await shownSince(cursor)).toEqual(recordsIn((await read(api, of(list))).body))
  })

  it('is a 400 for a cursor of another center, and for what is no cursor', async () => {
    const theirs = cursorOf(await other.get('/v1/changes'))
    for (const wrong of ['nonsense', theirs]) {
      const answer = await api.get(of(list, { changedAfter: wrong }))
      expect([answer.status, namedParameters(answer)], wrong).toEqual([400, ['changedAfter']])
    }
  })
})

describe.each(named(LISTS))('a file of %s', (_, list) => {
  it('has all records in the order of the list, and says how many and which', async () => {
    const { records } = await allOf(api, of(list))
    const answer = await read(api, of(list, { format: 'ndjson' }))
    const lines = answer.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const { manifest } = lines.pop()
    expect(lines).toEqual(records)
    const digest = digestOf(records.map(idOf))
    expect(manifest).toMatchObject({ rows: records.length, digest })
    expect(answer.headers).toMatchObject({ 'snapshot-digest': digest })
    const csv = readCsv((await read(api, of(list, { format: 'csv', bom: 'false' }))).text)
    expect(csv).toHaveLength(records.length)
  })

  it('is chosen by Accept as well, and refused with the parameters of files alone', async () => {
    const accepted = await read(api, of(list), { accept: 'text/csv' })
    expect(accepted.headers['content-type']).toContain('text/csv')
    expect(accepted.headers.vary).toContain('Accept')
    const refused = await api.get(of(list, { values: 'raw' }))
    expect([refused.status, namedParameters(refused)]).toEqual([400, ['values']])
  })
})

describe.each(named(LISTS))('the answer of %s', (_, list) => {
  it('is a 304 to a client that has it, and HEAD has the same headers', async () => {
    const { headers } = await read(api, of(list))
    const again = await api.get(of(list), { 'if-none-match': String(headers.etag) })
    expect([again.status, again.text]).toEqual([304, ''])
    const head = await api.app.inject({ method: 'HEAD', url: of(list), headers: api.key.bearer })
    expect([head.statusCode, head.headers.etag, head.body]).toEqual([200, headers.etag, ''])
  })

  it('ruling 7: has no record of another center that uses the same identifiers', async () => {
    const [ours, theirs] = [await allOf(api, of(list)), await allOf(other, of(list))]
    expect(theirs.records.length).toBeGreaterThan(0)
    expect(JSON.stringify(ours.records)).not.toContain(OTHER_MARK)
    expect(JSON.stringify(theirs.records)).not.toContain(MARK)
    expect(ours.records).not.toEqual(theirs.records)
  })

  it('is a 403 that names the scope, to a key that has all others, also as a file and as a snapshot', async () => {
    const { scope } = list
    const key = api.as(await api.createKey({ scopes: SCOPES.filter((one) => one !== scope) }))
    for (const more of [{}, { format: 'csv' }, { snapshot: 'true' }]) {
      const answer = await key.get(of(list, more))
      expect([answer.status, answer.body.error.code]).toEqual([403, 'FORBIDDEN'])
      expect(answer.body.error.message).toContain(scope)
    }
  })
})

/** Somebody who is looked for by a name that very many nearly have. */
import sql from 'sql-template-tag'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { TestApi } from '../support/api.ts'
import { startWatchedApi, type WatchedApi } from '../support/watched-api.ts'
import type { SentStatement, WatchedDatabase } from '../support/watched-database.ts'
import { guest, LODGE, lodge, spa, type TestRecord } from '../support/world.ts'

/** More than are read at once, whose stays are outside of the range. */
const OUTSIDE = 1100
/** More than are compared. */
const WITHIN = 230
const RANGE = 'startDate=2025-01-01&endDate=2025-12-31'
const MATCH = `/v1/guests/match?${RANGE}&length=50`

let world: WatchedApi
let api: TestApi
let watched: WatchedDatabase

const named = (n: number) => ({ firstName: 'Ana', lastName: `Popescu ${n}` })
const idOf = (n: number) => `b${String(n).padStart(5, '0')}`

/** The last ones by their identifiers are within the range; the last of all is the one who is meant. */
const records = (): TestRecord[] => [
  spa(),
  lodge(),
  ...Array.from({ length: OUTSIDE }, (_, n) =>
    guest(idOf(n), { startDate: '2020-01-10T14:00', endDate: '2020-01-15T10:00' }, named(n)),
  ).flat(),
  ...Array.from({ length: WITHIN }, (_, n) => guest(idOf(OUTSIDE + n), {}, named(OUTSIDE + n))).flat(),
  ...guest('z', {}, { firstName: 'Ana', lastName: 'Popescu Ciorba' }),
  ...guest('other', { centerId: LODGE }),
]

beforeAll(async () => {
  world = await startWatchedApi(records())
  ;({ api, watched } = world)
})

beforeEach(() => {
  watched.sent.splice(0)
  watched.before = () => {}
})

const searches = () => watched.sent.filter(isSearch)
const isSearch = ({ by, text }: SentStatement) => by === 'queryArrays' && text.includes('name_near')
/** The statement that reads the guests of the customers that a search has found. */
const isOfFound = ({ by, text }: SentStatement) =>
  by === 'queryArrays' && text.includes('json_array_elements_text')
const idsOf = ({ body }: Awaited<ReturnType<TestApi['get']>>) => body.data.map(({ id }) => String(id))

test('is found among those who are read in the first part', async () => {
  const { body } = await api.get(`${MATCH}&name=Ciorba Ana Popescu`)
  expect(body.data[0]).toMatchObject({ id: 'z', score: 1 })
  // The rest have two of the three words.
  expect(body.complete).toBe(false)
})

test('is found in a later part, where no guest of the first one is within the range', async () => {
  const { body } = await api.get(`${MATCH}&name=Ana Popescu`)
  expect(searches()).toHaveLength(2)
  expect(body.complete).toBe(false)
  expect(body.data).toHaveLength(50)
})

test('is compared with the same guests where all are read at once', async () => {
  const inParts = await api.get(`${MATCH}&name=Ana Popescu`)
  watched.sent.splice(0)
  let commits = 0
  // The center never stays the same for as long as reading the parts takes.
  watched.before = async (statement) => {
    if (!isSearch(statement)) return
    commits += 1
    await api.database.query(sql`
      update customers set phone = ${`+40 ${commits}`} where center_id = 'spa' and id = 'c-b00000'`)
  }
  const atOnce = await api.get(`${MATCH}&name=Ana Popescu`)
  // Three times two parts, then all at once.
  expect(searches()).toHaveLength(3 * 2 + 1)
  expect(atOnce.body).toEqual(inParts.body)
})

test('lets another center’s page be read between two parts', async () => {
  const neighbor = api.as(await api.createKey({ center: LODGE }))
  const page = () => neighbor.get('/v1/guests?startDate=2025-01-01&endDate=2025-01-31')
  await page()
  watched.sent.splice(0)
  const pages: Promise<number>[] = []
  watched.before = async (statement) => {
    if (!isSearch(statement) || pages.length > 0) return
    await world.sendDuring(() => pages.push(page().then(({ status }) => status)))
  }
  expect((await api.get(`${MATCH}&name=Ana Popescu`)).status).toBe(200)
  expect(await Promise.all(pages)).toEqual([200])
  const order = watched.sent
    .filter(({ by }) => by === 'queryArrays')
    .map((statement) => (isSearch(statement) ? 'search' : isOfFound(statement) ? 'guests' : 'page'))
  expect(order).toEqual(['search', 'page', 'guests', 'search', 'guests'])
})

test('is found by statements that read no bookings, and compared by statements that look for no name', async () => {
  await api.get(`${MATCH}&name=Ana Popescu`)
  expect(searches().filter(({ text }) => text.includes('bookings'))).toEqual([])
  const compared = watched.sent.filter(isOfFound)
  expect(compared).toHaveLength(2)
  expect(compared.filter(({ text }) => text.includes('name_index'))).toEqual([])
})

test('is looked for among the guests of a month in one statement', async () => {
  const month = await api.get(
    '/v1/guests/match?startDate=2025-01-01&endDate=2025-01-31&length=50&name=Ana Popescu',
  )
  expect(searches()).toHaveLength(1)
  expect(idsOf(month)).toEqual(idsOf(await api.get(`${MATCH}&name=Ana Popescu`)))
})

/** A report of more guests than are read at once. */
import sql from 'sql-template-tag'
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import type { TestApi } from '../support/api.ts'
import { startWatchedApi, type WatchedApi } from '../support/watched-api.ts'
import type { SentStatement, WatchedDatabase } from '../support/watched-database.ts'
import { guest, LODGE, lodge, session, spa, type TestRecord } from '../support/world.ts'

const GUESTS = 450
/** a slice of 200 guests each, and the one in which no guest is left is the third */
const STATEMENTS = 3
const REPORT = '/v1/guests/meal-skipping-report?startDate=2015-01-01&endDate=2025-12-31'

let world: WatchedApi
let api: TestApi
let watched: WatchedDatabase

/** Guests of which many begin in the same moment; every third skips nothing. */
const records = (): TestRecord[] => [
  spa(),
  lodge(),
  session('s1', '2025-01-01T12:00', '2025-01-31T12:00'),
  ...Array.from({ length: GUESTS }, (_, n) =>
    guest(
      `b${n}`,
      {
        startDate: `2025-01-0${1 + (n % 5)}T14:00`,
        endDate: '2025-01-20T10:00',
        sessionIds: ['s1'],
        skippingMeals: {
          breakfast: n % 3 === 0 ? [] : ['2025-01-10'],
          lunch: n % 3 === 2 ? [`2025-01-${11 + (n % 5)}`] : [],
          dinner: [],
        },
      },
      { lastName: `Pop ${(n * 7919) % GUESTS}` },
    ),
  ).flat(),
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

const reads = () => watched.sent.filter(({ by }) => by === 'queryArrays')
const isReport = ({ text }: SentStatement) => text.includes('json_agg(json_build_array(b.id, c.first_name')

test('is read in slices, and has every guest once', async () => {
  const { body, text } = await api.get(REPORT)
  expect(reads()).toHaveLength(STATEMENTS)
  expect(body.summary).toMatchObject({
    totalGuests: GUESTS,
    guestsWithSkipping: GUESTS - Math.ceil(GUESTS / 3),
    mealsAffected: ['breakfast', 'lunch'],
  })
  const skipping = Array.from({ length: GUESTS }, (_, n) => n).filter((n) => n % 3 !== 0)
  expect(Object.keys(body.byGuest).sort()).toEqual(skipping.map((n) => `b${n}`).sort())
  expect(body.byDate['2025-01-10']?.breakfast.count).toBe(skipping.length)
  const names = body.byDate['2025-01-10']?.breakfast.guests.map(({ name }) => name) ?? []
  expect(names).toEqual([...names].sort(new Intl.Collator('und').compare))
  // The session has the same guests and days, along another index.
  expect((await api.get('/v1/guests/meal-skipping-report?sessionId=s1')).text).toBe(text)
  expect(reads()).toHaveLength(STATEMENTS * 2)
})

test('lets another center’s page be read between two slices', async () => {
  const neighbor = api.as(await api.createKey({ center: LODGE }))
  const page = () => neighbor.get('/v1/guests?startDate=2025-01-01&endDate=2025-01-31')
  // Its center's profile is known from now on, so that the key is all that is read of it.
  await page()
  watched.sent.splice(0)
  const pages: Promise<number>[] = []
  watched.before = async (statement) => {
    if (!isReport(statement) || pages.length > 0) return
    // Before the report's first slice is read.
    await world.sendDuring(() => pages.push(page().then(({ status }) => status)))
  }
  expect((await api.get(REPORT)).status).toBe(200)
  expect(await Promise.all(pages)).toEqual([200])
  const order = reads().map((statement) => (isReport(statement) ? 'report' : 'page'))
  expect(order).toHaveLength(STATEMENTS + 1)
  expect(order.indexOf('page')).toBe(1)
})

test('may take seven seconds, which is too long for a page', async () => {
  const app = await buildApp({ database: watched.database, logLevel: 'silent', answerCacheMb: 0 })
  onTestFinished(() => app.close())
  const before = world.admitted()
  // Seven seconds seem to have passed once the key of the report was read.
  app.addHook('onRequest', async (_, reply) => {
    Object.defineProperty(reply, 'elapsedTime', { get: () => (world.admitted() === before ? 0 : 7000) })
  })
  const { headers } = api.key
  const reading = Promise.withResolvers<void>()
  const givenUp = Promise.withResolvers<void>()
  watched.before = async (statement) => {
    if (statement.by !== 'queryArrays') return
    reading.resolve()
    await givenUp.promise
  }
  const report = app.inject({ url: REPORT, headers })
  await reading.promise
  const page = await app.inject({ url: '/v1/guests?startDate=2025-01-01&endDate=2025-01-31', headers })
  givenUp.resolve()
  expect([page.statusCode, (await report).statusCode]).toEqual([503, 200])
})

test('shows one moment: where the center changes meanwhile it is read anew', async () => {
  let changed = false
  watched.before = async (statement) => {
    if (!isReport(statement) || changed || reads().length < 2) return
    changed = true
    // A guest who was read already comes to stand behind those that were not.
    await api.database.query(sql`
      update bookings set start_date = '2025-01-06T14:00Z' where center_id = 'spa' and id = 'b20'`)
  }
  const { body } = await api.get(REPORT)
  expect(changed).toBe(true)
  expect(reads()).toHaveLength(2 + STATEMENTS)
  expect(body.summary.totalGuests).toBe(GUESTS)
  expect(body.byDate['2025-01-10']?.breakfast.guests.filter(({ id }) => id === 'b20')).toHaveLength(1)
})

test('is read at once where the center never stays the same for long enough', async () => {
  const before = await api.get(REPORT)
  watched.sent.splice(0)
  let commits = 0
  watched.before = async (statement) => {
    if (!isReport(statement)) return
    commits += 1
    await api.database.query(sql`
      update customers set phone = ${`+40 ${commits}`} where center_id = 'spa' and id = 'c-b0'`)
  }
  const { text, status } = await api.get(REPORT)
  expect(status).toBe(200)
  // Three times a slice and one more that shows another revision, then all of it.
  expect(reads()).toHaveLength(3 * 2 + 1)
  expect(text).toBe(before.text)
})

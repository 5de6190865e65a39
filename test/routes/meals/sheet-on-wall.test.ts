/** Which kitchen sheet is on the wall: a person confirms it, and all screens compare with that one. */
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { confirmSheet } from '../../../src/parts/kitchen/confirm-sheet.ts'
import { pruneSheets } from '../../../src/parts/kitchen/prune-sheets.ts'
import { SHEETS_OF_DAY_MAX } from '../../../src/parts/kitchen/sheets-sql.ts'
import { storeSheet } from '../../../src/parts/kitchen/store-sheet.ts'
import { readsInTrail } from '../../audit/reads.ts'
import { sendAction } from '../../support/action-requests.ts'
import {
  type Asker,
  namedParameters,
  startTestApi,
  type TestApi,
  type TestCenter,
} from '../../support/api.ts'
import { guest } from '../../support/world.ts'

const TODAY = '2025-01-08'
const PATH = `/v1/meals/sheets/${TODAY}`
const stay = { startDate: '2025-01-06T14:00', endDate: '2025-01-12T10:00' }

let service: TestApi
beforeAll(async () => {
  service = await startTestApi({ now: `${TODAY}T06:00:00Z` })
})

const center = () => service.newCenter([...guest('ana', stay), ...guest('dan', stay)])

/** Each call changes the day's numbers. */
const skip = (of: TestCenter, id: string, meals: object) =>
  service.database.query(sql`
    update bookings set skipping_meals = ${JSON.stringify({ breakfast: [], lunch: [], dinner: [], ...meals })}::jsonb
    where center_id = ${of.id} and id = ${id}`)

async function sheet(asker: Asker, query: string) {
  const { status, text } = await asker.get(`${PATH}${query}`)
  expect(status, text).toBe(200)
  const answer: {
    sheet: number | null
    takenAt: string | null
    onWall: { sheet: number | null; confirmedAt: string | null }
    sheets: { sheet: number; takenAt: string }[]
    changes: { meals: { lunch: { was: number; now: number } } }
  } = JSON.parse(text)
  return { ...answer, lunch: answer.changes.meals.lunch }
}

const store = async (asker: Asker, day = TODAY) =>
  (await sendAction(asker, storeSheet, { body: JSON.stringify({ day }) })).body as unknown as {
    sheet: number
  }
const confirm = (asker: Asker, number: number | null, day = TODAY) =>
  sendAction(asker, confirmSheet, { body: JSON.stringify({ day, sheet: number }) })

describe('the sheet on the wall', () => {
  it('ruling 48: a sheet that is stored to be printed changes no mark, and one that is confirmed resets them', async () => {
    const spa = await center()
    expect(await store(spa)).toMatchObject({ sheet: 1 })
    await confirm(spa, 1)
    await skip(spa, 'ana', { lunch: [TODAY] })
    expect(await sheet(spa, '?sheet=wall')).toMatchObject({ sheet: 1, lunch: { was: 2, now: 1 } })
    // The print dialog opens, and is cancelled.
    expect(await store(spa)).toMatchObject({ sheet: 2 })
    const cancelled = await sheet(spa, '?sheet=wall')
    expect(cancelled).toMatchObject({ sheet: 1, onWall: { sheet: 1 }, lunch: { was: 2, now: 1 } })
    expect(cancelled.sheets.map((one) => one.sheet)).toEqual([2, 1])
    const answer = await confirm(spa, 2)
    expect(answer.body).toEqual({ day: TODAY, sheet: 2, confirmedAt: expect.any(String) })
    // Another key, in another language.
    const other = service.as(await service.createKey({ center: spa.id, scopes: ['meals'] }))
    const printed = await sheet(other, '?sheet=wall')
    expect(printed).toMatchObject({ sheet: 2, lunch: { was: 1, now: 1 } })
    expect(printed.onWall).toEqual({ sheet: 2, confirmedAt: answer.body.confirmedAt })
  })

  it('ruling 48: an older sheet, or none, can be chosen, for everybody', async () => {
    const spa = await center()
    await store(spa)
    await skip(spa, 'ana', { lunch: [TODAY] })
    await store(spa)
    await confirm(spa, 2)
    await confirm(spa, 1)
    expect(await sheet(spa, '?sheet=wall')).toMatchObject({
      sheet: 1,
      onWall: { sheet: 1 },
      lunch: { was: 2 },
    })
    await confirm(spa, null)
    const none = await sheet(spa, '?sheet=wall')
    expect(none).toMatchObject({ sheet: null, takenAt: null, onWall: { sheet: null } })
    // Nobody has chosen, and somebody has chosen none, are two things.
    expect(none.onWall.confirmedAt).not.toBeNull()
    expect((await sheet(await center(), '?sheet=wall')).onWall).toEqual({ sheet: null, confirmedAt: null })
  })

  it('without a choice it is the newest sheet that a program stored, and none that was only printed', async () => {
    const spa = await center()
    await store(spa)
    expect(await sheet(spa, '?sheet=wall')).toMatchObject({
      sheet: null,
      onWall: { sheet: null, confirmedAt: null },
    })
    // The same numbers, now stored by a program.
    expect(await sheet(spa, '')).toMatchObject({ sheet: 1, onWall: { sheet: 1, confirmedAt: null } })
    expect(await sheet(spa, '?sheet=wall')).toMatchObject({ sheet: 1 })
    await skip(spa, 'ana', { lunch: [TODAY] })
    expect(await sheet(spa, '')).toMatchObject({ sheet: 2, onWall: { sheet: 2 } })
    await skip(spa, 'dan', { lunch: [TODAY] })
    await store(spa)
    expect(await sheet(spa, '?sheet=wall')).toMatchObject({ sheet: 2, lunch: { was: 1, now: 0 } })
    expect(await sheet(spa, '?sheet=newest')).toMatchObject({ sheet: 3, onWall: { sheet: 2 } })
  })

  it('a program that stores sheets does not change what a person has confirmed', async () => {
    const spa = await center()
    await store(spa)
    await confirm(spa, 1)
    await skip(spa, 'ana', { lunch: [TODAY] })
    expect(await sheet(spa, '')).toMatchObject({ sheet: 2, onWall: { sheet: 1 }, lunch: { was: 1, now: 1 } })
    expect(await sheet(spa, '?sheet=wall')).toMatchObject({ sheet: 1, lunch: { was: 2, now: 1 } })
  })

  it('keeps the sheet on the wall, however many come after it', async () => {
    const spa = await center()
    await store(spa)
    await confirm(spa, 1)
    for (let n = 0; n < SHEETS_OF_DAY_MAX + 2; n += 1) {
      await skip(spa, 'ana', { lunch: n % 2 ? [TODAY] : [], dinner: n % 2 ? [] : [TODAY] })
      await sheet(spa, '')
    }
    const { sheets, sheet: number } = await sheet(spa, '?sheet=wall')
    expect(number).toBe(1)
    expect(sheets.map((one) => one.sheet)).toEqual([
      ...Array.from({ length: SHEETS_OF_DAY_MAX }, (_, n) => 23 - n),
      1,
    ])
  })

  it('ruling 48: everybody who follows meals learns of a choice, with its day', async () => {
    const spa = await center()
    await store(spa)
    const scopes = ['guests', 'meals', 'sessions'] as const
    const askers = [spa, service.as(await service.createKey({ center: spa.id, scopes: ['meals'] }))]
    const everything = service.as(await service.createKey({ center: spa.id, scopes }))
    const cursor = String((await spa.get('/v1/changes')).body.cursor)
    const waiting = askers.map((asker) => asker.get(`/v1/changes?kinds=meals&wait=30&after=${cursor}`))
    await confirm(spa, 1)
    const entry = {
      kind: 'meals',
      id: null,
      operation: 'changed',
      groups: ['meals'],
      sessionIds: [],
      days: [{ from: TODAY, to: TODAY }],
      at: expect.any(String),
    }
    for (const answer of await Promise.all(waiting)) expect(answer.body.data).toEqual([entry])
    expect((await everything.get(`/v1/changes?after=${cursor}`)).body.data).toEqual([entry])
    expect((await spa.get(`/v1/changes?kinds=guests,orders&after=${cursor}`)).body.data).toEqual([])
    // Storing one to print it is not a change.
    const { cursor: next } = (await spa.get('/v1/changes')).body
    await skip(spa, 'ana', { lunch: [TODAY] })
    const after = String((await spa.get('/v1/changes')).body.cursor)
    expect(after).not.toBe(next)
    await store(spa)
    expect((await spa.get(`/v1/changes?after=${after}`)).body.data).toEqual([])
  })

  it('discards no cached answer', async () => {
    const spa = await center()
    const url = `/v1/guests?startDate=${TODAY}&endDate=${TODAY}`
    const { headers } = await spa.get(url)
    await store(spa)
    await confirm(spa, 1)
    expect((await spa.get(url, { 'if-none-match': String(headers.etag) })).status).toBe(304)
  })

  it('is a choice of each day and center', async () => {
    const [spa, lodge] = [await center(), await center()]
    await store(spa)
    await store(lodge)
    await confirm(spa, 1)
    expect((await sheet(lodge, '?sheet=wall')).onWall).toEqual({ sheet: null, confirmedAt: null })
    const tomorrow = await spa.get('/v1/meals/sheets/2025-01-09?sheet=wall')
    expect(tomorrow.body.onWall).toEqual({ sheet: null, confirmedAt: null })
  })

  it('is forgotten two weeks after its day, which is no change', async () => {
    const spa = await center()
    await service.database.query(sql`
      insert into sheets_on_wall (center_id, day, number, confirmed_at) values (${spa.id}, '2000-01-01', null, now())`)
    const before = (await spa.get('/v1/changes')).body.cursor
    await pruneSheets(service.database)
    const left = await service.database.query(sql`select from sheets_on_wall where day = '2000-01-01'`)
    expect(left).toEqual([])
    expect((await spa.get('/v1/changes')).body.cursor).toBe(before)
  })

  it('two who store one at the same moment get one number', async () => {
    const spa = await center()
    const keys = await Promise.all(Array.from({ length: 4 }, () => service.createKey({ center: spa.id })))
    const numbers = await Promise.all(keys.map(async (key) => (await store(service.as(key))).sheet))
    expect(numbers).toEqual([1, 1, 1, 1])
  })
})

describe('refused', () => {
  it('ruling 7: 404 for a sheet that does not exist, also if another center has it', async () => {
    const [spa, lodge] = [await center(), await center()]
    await store(lodge)
    const answer = await confirm(spa, 1)
    expect(answer.status).toBe(404)
    expect(answer.body.error.message).toMatch(
      /^There is no sheet 1 of 2025-01-08\. Store one with store-sheet/,
    )
    expect((await sheet(spa, '?sheet=wall')).onWall).toEqual({ sheet: null, confirmedAt: null })
  })

  it.each(['2025-01-06', '2025-02-09', '0001-01-01', '9999-12-31'])('400 for the day %s', async (day) => {
    const spa = await center()
    for (const answer of [
      await sendAction(spa, storeSheet, { body: JSON.stringify({ day }) }),
      await confirm(spa, null, day),
    ]) {
      expect(answer.status).toBe(400)
      expect(namedParameters(answer)).toEqual(['day'])
      expect(answer.body.error.message).toMatch(/^Sheets are stored for days from yesterday to 31 days ahead/)
    }
  })
})

describe('the trail', () => {
  it('says who stored and confirmed which sheet', async () => {
    const spa = await center()
    await store(spa)
    await confirm(spa, 1)
    await confirm(spa, null)
    const reads = await readsInTrail(service.database, { center: spa.id })
    expect(reads.map(({ operation, filters, scopes }) => [operation, filters, scopes]).reverse()).toEqual([
      ['storeSheet', { day: TODAY, sheet: '1' }, ['meals.confirm']],
      ['confirmSheet', { day: TODAY, sheet: '1' }, ['meals.confirm']],
      ['confirmSheet', { day: TODAY, sheet: 'none' }, ['meals.confirm']],
    ])
  })
})

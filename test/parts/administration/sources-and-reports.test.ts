/** Sources, notices and reports through the administration (rulings 48 and 49). */
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { ADMINISTRATION } from '../../../src/core/access/keys/scopes.ts'
import { entriesOf } from '../../audit/reads.ts'
import { ACTION_NOW, actionHeaders } from '../../support/action-requests.ts'
import { type Asker, startTestApi, type TestAnswer, type TestApi, type TestKey } from '../../support/api.ts'
import { twinCenters } from '../../support/twin-centers.ts'
import { LODGE } from '../../support/world.ts'

let api: TestApi
let by: Asker
let them: Asker
let kitchen: TestKey
beforeAll(async () => {
  api = await startTestApi({
    records: twinCenters(),
    now: ACTION_NOW,
    app: {
      reportsPrinters: [
        { center: 'spa', name: 'kitchen', uri: 'ipp://192.0.2.7/ipp/print' },
        { center: LODGE, name: 'office', uri: 'ipp://192.0.2.8/ipp/print' },
      ],
    },
  })
  by = api.as(await api.createKey({ scopes: [ADMINISTRATION] }))
  them = api.as(await api.createKey({ center: LODGE, scopes: [ADMINISTRATION] }))
  kitchen = await api.createKey({ scopes: ['meals', 'sessions'] })
})

const act = (name: string, body: object, asker = by): Promise<TestAnswer> =>
  asker.request('POST', `/v1/actions/${name}`, actionHeaders(), JSON.stringify(body))
const named = ({ body }: TestAnswer) => body.error.details?.map(({ parameter }) => parameter)
const trailOf = async (operation: string) =>
  (await entriesOf(api.database))
    .filter((entry) => entry.operation === operation)
    .map(({ query }) => Object.fromEntries(new URLSearchParams(query)))

describe('sources of the administration', () => {
  const found = async (asker = by) =>
    (await asker.get('/v1/administration/sources')).body as unknown as {
      data: Record<string, unknown>[]
      addresses: string[]
      imports: Record<string, unknown>[]
    }
  const set = (input: object = {}, asker = by) =>
    act(
      'set-source',
      { source: 'watch', kinds: ['bookings'], schedule: 'every night by 04:00', application: null, ...input },
      asker,
    )

  it('are set, changed and removed as by the command', async () => {
    const intake = await api.createKey({ intake: true })
    expect((await set({ application: intake.appId })).body).toEqual({
      source: 'watch',
      kinds: ['bookings'],
      schedule: 'every night by 04:00',
    })
    expect((await found()).data).toMatchObject([
      { name: 'watch', schedule: 'every night by 04:00', appId: intake.appId, late: false },
    ])
    // Kinds that are not given stay.
    expect((await set({ kinds: null, schedule: null })).body).toEqual({
      source: 'watch',
      kinds: ['bookings'],
      schedule: null,
    })
    expect(await trailOf('setSource')).toMatchObject([
      { source: 'watch', schedule: 'every night by 04:00', kinds: 'bookings' },
      { source: 'watch', schedule: 'none', kinds: 'bookings' },
    ])
    expect((await act('remove-source', { source: 'watch' })).body).toEqual({ source: 'watch', removed: true })
    expect((await act('remove-source', { source: 'watch' })).body).toEqual({
      source: 'watch',
      removed: false,
    })
    expect((await found()).data).toEqual([])
  })

  it('are refused with the field that is wrong', async () => {
    expect(named(await set({ schedule: 'now and then' }))).toEqual(['schedule'])
    expect(named(await set({ kinds: ['guests'] }))).toEqual(['kinds'])
    expect(named(await set({ application: kitchen.appId }))).toEqual(['application'])
    expect(named(await set({ source: 'a name' }))).toEqual(['source'])
    expect((await found()).data).toEqual([])
  })

  it('of another center stay', async () => {
    await set({}, them)
    expect((await act('remove-source', { source: 'watch' })).body.removed).toBe(false)
    expect((await found(them)).data).toHaveLength(1)
    expect((await found()).data).toEqual([])
  })

  it('have addresses that are notified; the trail has how many', async () => {
    const answer = await act('set-notice-addresses', { addresses: ['it@example.org', 'it@example.org'] })
    expect(answer.body).toEqual({ addresses: 1 })
    expect((await found()).addresses).toEqual(['it@example.org'])
    expect((await found(them)).addresses).toEqual([])
    expect(await trailOf('setNoticeAddresses')).toEqual([{ addresses: '1' }])
    expect(JSON.stringify(await entriesOf(api.database))).not.toContain('it@example.org')
    expect(named(await act('set-notice-addresses', { addresses: ['Anna <a@example.org>'] }))).toEqual([
      'addresses',
    ])
    await act('set-notice-addresses', { addresses: [] })
    expect((await found()).addresses).toEqual([])
  })
})

describe('reports of the administration', () => {
  const INPUT = {
    name: 'Kitchen',
    kind: 'day',
    format: 'pdf',
    times: ['17:00', '06:00'],
    days: 'mon-fri',
    destinations: ['mail:kitchen@example.org', 'printer:kitchen'],
    language: null,
    query: null,
  }
  const add = (input: object = {}, asker = by) =>
    act('add-report', { key: kitchen.appId, ...INPUT, ...input }, asker)
  const list = async (asker = by) =>
    (await asker.get('/v1/administration/reports')).body.data as unknown as Record<string, unknown>[]

  it('are added, sent and removed as by the command', async () => {
    const added = await add()
    expect(added.status, added.text).toBe(200)
    const { report } = added.body
    expect(await list()).toMatchObject([
      {
        id: report,
        appId: kitchen.appId,
        kind: 'day',
        times: ['06:00', '17:00'],
        days: 'mon-fri',
        destinations: INPUT.destinations,
        hasKey: true,
        runs: [],
      },
    ])
    expect((await act('run-report', { report })).body).toEqual({ report })
    expect(await list()).toMatchObject([
      { runs: [{ state: 'due', destinations: [{ state: 'waiting' }, { state: 'waiting' }] }] },
    ])
    // An address is a person's.
    expect(await trailOf('addReport')).toMatchObject([{ report, destinations: 'mail, printer:kitchen' }])
    expect((await act('remove-report', { report })).body).toEqual({ report, removed: true })
    expect((await act('remove-report', { report })).body).toEqual({ report, removed: false })
    expect((await act('run-report', { report })).status).toBe(404)
    expect(await list()).toEqual([])
  })

  it.each([
    [{ times: [] }, 'times'],
    [{ times: ['25:00'] }, 'times'],
    [{ days: 'someday' }, 'days'],
    [{ kind: 'everything' }, 'kind'],
    [{ format: 'docx' }, 'format'],
    [{ destinations: [] }, 'destinations'],
    [{ destinations: ['printer:office'] }, 'destinations'],
    [{ destinations: ['folder:../etc'] }, 'destinations'],
    [{ destinations: ['ftp:x'] }, 'destinations'],
    [{ language: 'tlh' }, 'language'],
    [{ query: '/guests' }, 'query'],
    [{ kind: 'query', query: '/administration/keys' }, 'kind'],
    [{ kind: 'orders' }, 'kind'],
  ])('are refused with the field that is wrong: %j', async (input, field) => {
    const answer = await add(input)
    expect(answer.status).toBe(400)
    expect(named(answer)).toEqual([field])
    expect(await list()).toEqual([])
  })

  it('ruling 49: contain nothing that the key may not grant', async () => {
    const doctor = await api.createKey({ scopes: ['guests', 'guests.medical', 'meals'] })
    expect((await add({ key: doctor.appId })).status).toBe(403)
    const another = await api.createKey({ scopes: [ADMINISTRATION] })
    expect((await add({ key: another.appId })).status).toBe(403)
    expect(await list()).toEqual([])
  })

  it('of another center are unknown, and stay', async () => {
    const theirs = await api.createKey({ center: LODGE, scopes: ['meals'] })
    expect((await add({ key: theirs.appId })).status).toBe(404)
    const destinations = ['folder:kitchen']
    const { report } = (await add({ key: theirs.appId, destinations }, them)).body
    expect((await act('run-report', { report })).status).toBe(404)
    expect((await act('remove-report', { report })).body.removed).toBe(false)
    expect(await list()).toEqual([])
    expect(await list(them)).toHaveLength(1)
  })

  it('name no printer of another center', async () => {
    const theirs = await api.createKey({ center: LODGE, scopes: ['meals'] })
    const answer = await add({ key: theirs.appId, destinations: ['printer:kitchen'] }, them)
    expect(answer.body.error.details).toEqual([
      {
        parameter: 'destinations',
        message: 'kitchen is not a printer of the center in REPORTS_PRINTERS, which has office for it.',
      },
    ])
  })

  it('are sent sixty times an hour at most, with those of the schedule, and each center has its own sixty', async () => {
    const theirs = await api.createKey({ center: LODGE, scopes: ['meals'] })
    const destinations = ['folder:kitchen']
    const { report } = (await add({ destinations })).body
    const other = (await add({ key: theirs.appId, destinations }, them)).body.report
    // 59 within the hour, and many before.
    await api.database.query(sql`
      insert into report_runs (center_id, report_id, scheduled_at, next_attempt_at, state)
      select 'spa', ${report}, t.now - minutes * interval '1 minute', t.now, 'sent'
      from (select ${new Date(ACTION_NOW).toISOString()}::timestamptz as now) t, generate_series(1, 200) as minutes
      where minutes <> 60`)
    const answers = await Promise.all(Array.from({ length: 5 }, () => act('run-report', { report })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 429, 429, 429, 429])
    const refused = await act('run-report', { report })
    expect(refused.status).toBe(429)
    const seconds = Number(refused.headers['retry-after'])
    expect(seconds).toBeGreaterThan(0)
    expect(refused.body.error.message).toBe(
      `Your center had 60 runs of reports within an hour, and may have 60. Retry in ${seconds} s.`,
    )
    expect((await act('run-report', { report: other }, them)).status).toBe(200)
    await act('remove-report', { report })
    await act('remove-report', { report: other }, them)
  })

  it('show no name of a query', async () => {
    const desk = await api.createKey({ scopes: ['guests'] })
    const query = '/guests?startDate=today&endDate=today&q=Popescu'
    expect((await add({ key: desk.appId, kind: 'query', query })).status).toBe(200)
    expect((await list())[0]?.query).toContain('q=(hidden)')
  })
})

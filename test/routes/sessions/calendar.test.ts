import ICAL from 'ical.js'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { CALENDAR_SESSIONS_MAX } from '../../../src/core/api/sessions/session-calendar.ts'
import { startTestApi, type TestApi, type TestCenter } from '../../support/api.ts'
import { session, stay, type TestRecord, term } from '../../support/world.ts'

/** Its line breaks, its controls, and whatever the format gives a meaning. */
const HOSTILE = 'a\rb\r\nEND:VEVENT\r\nX;Y,Z\\n\u0001\u0085"😀'.repeat(9)

const RECORDS: readonly TestRecord[] = [
  term('program', 'detox', 'Detox', { names: { ro: 'Detoxifiere' } }),
  term('unit', 'house', 'House, upper'),
  session('s1', '2025-01-06T15:00', '2025-01-12T11:00', {
    name: 'White Winter',
    text: 'Ten days.',
    programIds: ['detox'],
    unitIds: ['house'],
  }),
  session('s2', '2025-06-06T15:00', '2025-06-12T11:00', { name: HOSTILE, text: HOSTILE }),
  session('s3', '2027-06-06T15:00', '2027-06-12T11:00'),
]

let api: TestApi
let center: TestCenter
beforeAll(async () => {
  api = await startTestApi({ now: '2025-01-11T12:00:00Z' })
  center = await api.newCenter(RECORDS, { name: 'Izvor\nX-EVIL:1; Alb,' })
})

/** Read by a parser that is not the writer's. */
const eventsOf = (text: string) =>
  new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((event) => new ICAL.Event(event))

const read = async (url: string, headers = {}) => {
  const answer = await center.get(url, headers)
  expect(answer.status, answer.text).toBe(200)
  return answer
}

describe('GET /sessions.ics', () => {
  const year = '/v1/sessions.ics?startDate=2025-01-01&endDate=2025-12-31'

  it('has an event for each session, in moments', async () => {
    const answer = await read(year)
    expect(answer.headers['content-type']).toBe('text/calendar; charset=utf-8')
    const [first, ...others] = eventsOf(answer.text)
    expect(others).toHaveLength(1)
    expect(first).toMatchObject({
      uid: `session.s1@${center.id}.sojourn`,
      summary: 'White Winter',
      description: 'Ten days.\nDetox',
      location: 'House, upper',
    })
    expect(first!.startDate.toJSDate().toISOString()).toBe('2025-01-06T13:00:00.000Z')
    expect(first!.endDate.toJSDate().toISOString()).toBe('2025-01-12T09:00:00.000Z')
  })

  it('says names in the language asked for', async () => {
    const [first] = eventsOf((await read(year, { 'x-locale': 'ro' })).text)
    expect(first!.description).toBe('Ten days.\nDetoxifiere')
  })

  it('keeps whatever text a session has as text', async () => {
    const { text } = await read(year)
    const [, hostile] = eventsOf(text)
    const shown = HOSTILE.replaceAll(/\r\n?/g, '\n').replaceAll(/[^\P{Cc}\n]/gu, ' ')
    expect(hostile).toMatchObject({ summary: shown, description: shown })
    expect(new ICAL.Component(ICAL.parse(text)).getFirstPropertyValue('x-wr-calname')).toContain('X-EVIL')
    expect(text).not.toMatch(/^X-EVIL/m)
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    expect(text).not.toMatch(/[^\r]\n/)
  })

  it('without dates has the days around today, and moves on with them', async () => {
    const uids = eventsOf((await read('/v1/sessions.ics')).text).map(({ uid }) => uid.split('@')[0])
    expect(uids).toEqual(['session.s1', 'session.s2'])
  })

  it('is the same bytes and a 304 as long as nothing in it changes, and a postponed session has the same UID', async () => {
    const own = await api.newCenter([session('a', '2025-01-06T15:00', '2025-01-12T11:00')])
    const first = await own.get(year)
    await api.load([{ ...stay('g', '2025-01-06', '2025-01-12')[0]!, centerId: own.id }])
    const second = await own.get(year)
    expect(second.text).toBe(first.text)
    const etag = String(first.headers.etag)
    expect((await own.get(year, { 'if-none-match': etag })).status).toBe(304)
    await api.load([{ ...session('a', '2025-01-07T15:00', '2025-01-12T11:00'), centerId: own.id }])
    const third = await own.get(year, { 'if-none-match': etag })
    expect(third.status).toBe(200)
    expect(eventsOf(third.text)[0]!.uid).toBe(eventsOf(first.text)[0]!.uid)
  })

  it('says of a changed event, and of no other, that it is newer: a higher SEQUENCE and a later DTSTAMP', async () => {
    const own = await api.newCenter([
      term('program', 'rest', 'Rest'),
      session('a', '2025-03-10T15:00', '2025-03-20T11:00', { name: 'Spring', programIds: ['rest'] }),
      session('b', '2025-05-10T15:00', '2025-05-20T11:00'),
    ])
    const revisions = async (url = year) =>
      new ICAL.Component(ICAL.parse((await own.get(url)).text))
        .getAllSubcomponents('vevent')
        .map((event) => [
          Number(event.getFirstPropertyValue('sequence')),
          (event.getFirstPropertyValue('dtstamp') as ICAL.Time).toJSDate().getTime(),
        ])
    const changes: TestRecord[] = [
      // To an earlier day, which was older for a program that compared the start.
      session('a', '2025-02-10T15:00', '2025-02-20T11:00', { name: 'Spring', programIds: ['rest'] }),
      session('a', '2025-02-10T15:00', '2025-02-20T11:00', { name: 'Winter', programIds: ['rest'] }),
    ]
    let before = await revisions()
    for (const change of changes) {
      await api.load([{ ...change, centerId: own.id }])
      const after = await revisions()
      expect(after[0]![0]).toBeGreaterThan(before[0]![0]!)
      expect(after[0]![1]).toBeGreaterThanOrEqual(before[0]![1]!)
      expect(after[1]).toEqual(before[1])
      before = after
    }
    // The program's name is part of the description.
    await api.load([{ ...term('program', 'rest', 'Rest and tea'), centerId: own.id }])
    expect((await revisions())[0]![0]).toBeGreaterThan(before[0]![0]!)
    // Of an event that changed before the changes that are known, every change to come is newer.
    await api.database.query(sql`delete from changes where center_id = ${own.id}`)
    expect(await revisions(year.replace('2025-01-01', '2025-01-02'))).toEqual([
      [0, 0],
      [0, 0],
    ])
  })

  it('has an event without an end for a session that ends when it begins', async () => {
    const own = await api.newCenter([session('a', '2025-03-10T15:00', '2025-03-10T15:00')])
    const { text } = await own.get(year)
    expect(text).toContain('DTSTART:20250310T130000Z')
    expect(text).not.toContain('DTEND')
    expect(eventsOf(text)[0]!.duration.toSeconds()).toBe(0)
  })

  it('refuses one date alone, a day that is none, and more sessions than a calendar has', async () => {
    const alone = await center.get('/v1/sessions.ics?startDate=2025-01-01')
    expect(alone).toMatchObject({ status: 400 })
    expect(alone.body.error.details).toEqual([
      { parameter: 'endDate', message: expect.stringContaining('Only one of the two dates was given') },
    ])
    expect((await center.get('/v1/sessions.ics?startDate=2025-02-30&endDate=2025-03-01')).status).toBe(400)
    expect((await center.get('/v1/sessions.ics?startDate=2025-03-02&endDate=2025-03-01')).status).toBe(400)
    const many = await api.newCenter(
      Array.from({ length: CALENDAR_SESSIONS_MAX + 1 }, (_, n) =>
        session(`s${n}`, '2025-01-06T15:00', '2025-01-12T11:00'),
      ),
    )
    const answer = await many.get(year)
    expect(answer.status).toBe(400)
    expect(answer.body.error.details![0]!.message).toContain(`at most ${CALENDAR_SESSIONS_MAX}`)
  })
})

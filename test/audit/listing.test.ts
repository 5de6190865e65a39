import { describe, expect, it } from 'vitest'
import { getOrder } from '../../src/core/api/orders/get-order.ts'
import { listOrders } from '../../src/core/api/orders/list-orders.ts'
import { listSessions } from '../../src/core/api/sessions/list-sessions.ts'
import type { ReadsQuestion, TrailRead } from '../../src/core/audit/list-reads.ts'
import { csvLine, tableRows } from '../../src/core/audit/print-reads.ts'
import { tableLines } from '../../src/core/command-line/table.ts'
import type { Database } from '../../src/core/database/database.ts'
import { startTestApi } from '../support/api.ts'
import { booking, customer, LODGE, lodge, order, spa } from '../support/world.ts'
import { read, readsInTrail, START, startAudit } from './reads.ts'

const requests = async (database: Database, question: Partial<ReadsQuestion> = {}) =>
  (await readsInTrail(database, question)).map((one) => one.requestId)

/** Ana has two bookings, one of them with an order; Ion has one. */
async function startWorld() {
  const { database } = await startTestApi({
    records: [
      spa(),
      lodge(),
      customer('ana'),
      customer('ion'),
      // In the other center's time zone it is still the day before.
      order('o1', { orderDate: '2025-01-05T01:00' }),
      order('o1', { centerId: LODGE, orderDate: '2025-03-05T12:00' }),
      order('o2', { orderDate: '2025-02-05T12:00' }),
      booking('b1', { customerId: 'ana', orderUuid: 'o1', bookingId: '25-01-07' }),
      booking('b2', { customerId: 'ana' }),
      booking('b3', { customerId: 'ion' }),
    ],
  })
  return { database, ...startAudit(database) }
}

describe('listing the trail', () => {
  it('gives every read with everything that is known of it, newest first', async () => {
    const { database, audit, time } = await startWorld()
    const first = read({
      requestId: 'r1',
      query: 'sessionIds=s1,s2&project=dob&sessionIds=s3',
      ids: ['b1', 'b3'],
    })
    audit.record(first)
    time.now += 30
    audit.record(read({ requestId: 'r2', query: 'x=1' }))
    time.now += 30
    audit.record({ ...first, requestId: 'r3', status: 304 })
    time.now += 30
    audit.record(read({ requestId: 'r4', key: { center: LODGE } }))
    await audit.flush()
    const reads = await readsInTrail(database)
    expect(reads.map(({ requestId }) => requestId)).toEqual(['r4', 'r3', 'r2', 'r1'])
    expect(reads[1]).toEqual({
      at: new Date(START + 60).toISOString(),
      center: 'spa',
      key: { name: 'Lab', appId: 'app', publicKey: 'key' },
      operation: 'listGuests',
      channel: null,
      filters: { sessionIds: ['s1,s2', 's3'], project: 'dob' },
      scopes: ['guests'],
      records: 2,
      recordIds: ['b1', 'b3'],
      status: 304,
      requestId: 'r3',
      revision: 1,
      entry: 1,
    })
  })

  it('finds the reads of a key, of an application, of an endpoint, of a center', async () => {
    const { database, audit } = await startWorld()
    audit.record(read({ requestId: 'r1', key: { publicKey: 'old', appId: 'lab' } }))
    audit.record(read({ requestId: 'r2', key: { publicKey: 'new', appId: 'lab' } }))
    audit.record(read({ requestId: 'r3', key: { publicKey: 'else', appId: 'erp', center: LODGE } }))
    audit.record(read({ requestId: 'r4', operation: listSessions, key: { publicKey: 'new', appId: 'lab' } }))
    await audit.flush()
    expect(await requests(database, { key: 'lab' })).toEqual(['r4', 'r2', 'r1'])
    expect(await requests(database, { key: 'new' })).toEqual(['r4', 'r2'])
    expect(await requests(database, { operations: ['listSessions'] })).toEqual(['r4'])
    expect(await requests(database, { center: LODGE })).toEqual(['r3'])
    await expect(readsInTrail(database, { center: 'nowhere' })).rejects.toThrow(
      'There is no center "nowhere"; there are ',
    )
  })

  it('has none of a center of which nothing was read', async () => {
    const { database } = await startWorld()
    expect(await readsInTrail(database, { center: LODGE })).toEqual([])
  })

  it('finds the reads of a time, to the millisecond, in the time zone of each center', async () => {
    const { database, audit, time } = await startWorld()
    const same = read()
    for (const requestId of ['r1', 'r2', 'r3']) {
      audit.record({ ...same, requestId })
      audit.record(read({ requestId: `${requestId}-lodge`, key: { center: LODGE } }))
      time.now += 400
    }
    await audit.flush()
    const at = (ms: number) => () => START + ms
    expect(await requests(database, { center: 'spa', since: at(400) })).toEqual(['r3', 'r2'])
    expect(await requests(database, { center: 'spa', since: at(401), until: at(800) })).toEqual(['r3'])
    expect(await requests(database, { center: 'spa', until: at(399) })).toEqual(['r1'])
    const zones: string[] = []
    await readsInTrail(database, {
      since: (zone) => {
        zones.push(zone)
        return START
      },
    })
    expect(zones.sort()).toEqual(['America/St_Johns', 'Europe/Bucharest'])
  })

  it('answers who has seen a guest: lists, reports and orders that showed the booking, and no other guest', async () => {
    const { database, audit, time } = await startWorld()
    audit.record(read({ requestId: 'page', ids: ['b3', 'b1'] }))
    audit.record(read({ requestId: 'other-page', ids: ['b2', 'b3', 'b11'], query: 'start=2' }))
    audit.record(read({ requestId: 'order', operation: getOrder, ids: ['o1'] }))
    audit.record(read({ requestId: 'other-order', operation: getOrder, ids: ['o2'] }))
    // Identifiers of other things may be the same.
    audit.record(read({ requestId: 'session', operation: listSessions, ids: ['b1'] }))
    audit.record(read({ requestId: 'order-b1', operation: getOrder, ids: ['b1'] }))
    time.now += 1
    audit.record(read({ requestId: 'elsewhere', key: { center: LODGE }, ids: ['b2'] }))
    const long = { operation: listOrders, records: { count: 1001, list: undefined } }
    audit.record(read({ ...long, requestId: 'long-list', query: 'startDate=2025-01-05&endDate=2025-01-05' }))
    audit.record(read({ ...long, requestId: 'later-list', query: 'startDate=2025-01-06&endDate=2025-12-31' }))
    for (const day of ['2025-01-04', '2025-03-05'])
      audit.record(read({ ...long, requestId: day, query: `startDate=${day}&endDate=${day}` }))
    await audit.flush()

    const ofB1 = await readsInTrail(database, { guest: { booking: 'b1' } })
    expect(ofB1.map(({ requestId }) => requestId)).toEqual(['long-list', 'order', 'page'])
    expect(ofB1.map(({ recordIds }) => recordIds)).toEqual([null, ['o1'], ['b1']])
    expect(await requests(database, { guest: { booking: '25-01-07' } })).toEqual([
      'long-list',
      'order',
      'page',
    ])
    expect(await requests(database, { guest: { customer: 'ana' } })).toEqual([
      'long-list',
      'order',
      'other-page',
      'page',
    ])
    expect(await requests(database, { guest: { booking: 'b11' } })).toEqual(['other-page'])
    expect(await requests(database, { guest: { booking: 'b2' } })).toEqual(['elsewhere', 'other-page'])
    expect(await requests(database, { guest: { booking: 'b' } })).toEqual([])
    expect(await requests(database, { guest: { booking: 'b2' }, center: 'spa' })).toEqual(['other-page'])
    await expect(readsInTrail(database, { guest: { customer: 'nobody' } })).rejects.toThrow(
      'There is no booking of the customer',
    )
  })

  it('leaves nothing out of a long trail, and keeps its order', async () => {
    const { database, audit, time } = await startWorld()
    // More than it looks at once are of one moment.
    for (let index = 0; index < 1700; index++) {
      const center = index % 2 === 0 ? 'spa' : LODGE
      audit.record(read({ requestId: `r${index}`, query: `start=${index}`, key: { center } }))
      time.now += index < 1200 || index % 3 === 0 ? 0 : 7
    }
    await audit.flush()
    const reads = await readsInTrail(database)
    expect(new Set(reads.map(({ requestId }) => requestId)).size).toBe(1700)
    const places = reads.map(({ at, entry }) => `${at} ${String(entry).padStart(4, '0')}`)
    expect(places).toEqual(places.toSorted().reverse())
  })
})

describe('a read in print', () => {
  const printed: TrailRead = {
    at: '2025-01-01T00:00:00.000Z',
    center: 'spa',
    key: { name: '=HYPERLINK("x"),\u001b[2J', appId: 'app', publicKey: 'pk' },
    operation: 'listOrders',
    channel: 'assistant',
    filters: { startDate: '2025-01-01', sessionIds: ['a,b', 'c'] },
    scopes: ['orders'],
    records: 1001,
    recordIds: null,
    status: 200,
    requestId: 'r1',
    revision: 3,
    entry: 9,
  }

  it('is one line of a table that leaves the terminal alone', () => {
    expect(tableLines(tableRows([printed], { header: true }))).toEqual([
      'at                        center  key                        appId  endpoint    scopes  records  status  filters                                           requestId  channel',
      '2025-01-01T00:00:00.000Z  spa     =HYPERLINK("x"),\\u{1b}[2J  app    listOrders  orders  1001+    200     startDate=2025-01-01 sessionIds=a,b sessionIds=c  r1         assistant',
    ])
  })

  it('is one row of CSV that no spreadsheet takes for a formula', () => {
    const wide = csvLine({ ...printed, key: { ...printed.key, name: '＝1;2' } })
    expect(wide).toContain(`,"'＝1;2",app`)
    expect(csvLine({ ...printed, recordIds: ['o1', 'o2'], records: 2 })).toBe(
      '2025-01-01T00:00:00.000Z,spa,"\'=HYPERLINK(""x""),\u001b[2J",app,pk,listOrders,orders,2,200,"startDate=2025-01-01 sessionIds=a,b sessionIds=c",r1,9,o1 o2,assistant\r\n',
    )
  })
})

/** What orders of a range are found by. */
import { beforeAll, describe, expect, it } from 'vitest'
import { type Asker, startTestApi } from '../../support/api.ts'
import { order } from '../../support/world.ts'

let api: Asker
beforeAll(async () => {
  const service = await startTestApi()
  api = await service.newCenter([
    order('a', { number: '1', paymentStatus: 'paid' }),
    order('b', { number: '2', status: 'completed', paymentStatus: 'partially_paid' }),
    order('c', { number: '1', status: 'completed', orderDate: '2025-02-05T12:00' }),
  ])
})

const JANUARY = 'startDate=2025-01-01&endDate=2025-01-31'
const YEAR = 'startDate=2025-01-01&endDate=2025-12-31'

describe('200', () => {
  it.each([
    [YEAR, 'status=completed', ['b', 'c']],
    [YEAR, 'status=completed,confirmed', ['a', 'b', 'c']],
    [YEAR, 'status=completed&status=confirmed', ['a', 'b', 'c']],
    [YEAR, 'status=Completed', []],
    [YEAR, 'paymentStatus=paid,partially_paid', ['a', 'b']],
    [YEAR, 'orderNumber=1', ['a', 'c']],
    [JANUARY, 'orderNumber=1', ['a']],
    [YEAR, 'orderNumber=1&status=completed', ['c']],
    [YEAR, 'orderNumber=1&paymentStatus=partially_paid', []],
  ])('ruling 16: orders of %s with %s', async (range, filter, uuids) => {
    const answer = await api.get(`/v1/orders?${range}&${filter}&snapshot=true`)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.list.map(({ uuid }) => uuid)).toEqual(uuids)
    expect(answer.headers['snapshot-count']).toBe(String(uuids.length))
  })
})

describe('400', () => {
  it.each([
    ['orderNumber=1&orderNumber=2', 'orderNumber was given 2 times'],
    [`orderNumber=${'1'.repeat(201)}`, '201 characters'],
    ['status=', 'status is empty'],
    [`status=${Array.from({ length: 51 }, (_, at) => at)}`, 'at most 50'],
    ['paymentStatus=a,%00', 'NUL'],
  ])('%s', async (filter, said) => {
    const answer = await api.get(`/v1/orders?${JANUARY}&${filter}`)
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(said)
  })
})

/** A cached list of guests is in its order, though it does not show what it is sorted by. */
import { beforeAll, expect, it } from 'vitest'
import type { SortName } from '../../src/core/api/guests/sort-sql.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { guest, spa } from '../support/world.ts'

/** Three values in ascending order: the middle one is Ben's, and Ana's goes from the first to the last. */
const VALUES: Readonly<Record<SortName, readonly [string, string, string]>> = {
  startDate: ['2025-01-08T14:00', '2025-01-09T14:00', '2025-01-10T14:00'],
  endDate: ['2025-01-18T10:00', '2025-01-19T10:00', '2025-01-20T10:00'],
  bookedAt: ['2024-06-01T09:00', '2024-06-02T09:00', '2024-06-03T09:00'],
  bookingId: ['A-1', 'A-2', 'A-3'],
  lastName: ['Avram', 'Ionescu', 'Zamfir'],
  firstName: ['Ana', 'Ben', 'Zoe'],
  status: ['arrived', 'confirmed', 'paid'],
  role: ['companion', 'guest', 'patient'],
  programId: ['Detox', 'Fasting', 'Yoga'],
  'acc.roomId': ['2', '10', 'Cabin'],
  dob: ['1960-01-01', '1970-01-01', '1980-01-01'],
}
const fieldsOf = (by: SortName, value: string) =>
  by === 'acc.roomId' ? { acc: { roomId: value } } : { [by]: value }
const OF_CUSTOMER = ['lastName', 'firstName', 'dob']

let api: TestApi

beforeAll(async () => {
  api = await startTestApi({ records: [spa()] })
})

it.each(Object.keys(VALUES) as SortName[])('by %s, when that changes', async (by) => {
  const [first, middle, last] = VALUES[by]
  const load = (id: string, value: string) =>
    api.load(OF_CUSTOMER.includes(by) ? guest(id, {}, { [by]: value }) : guest(id, fieldsOf(by, value)))
  const order = async () => {
    const url = `/v1/guests?startDate=2025-01-01&endDate=2025-01-31&project=id&sort=${by}`
    return (await api.get(url)).body.data.map(({ id }) => id)
  }
  await load('ana', first)
  await load('ben', middle)
  expect(await order()).toEqual(['ana', 'ben'])
  expect(await order()).toEqual(['ana', 'ben'])
  await load('ana', last)
  expect(await order()).toEqual(['ben', 'ana'])
})

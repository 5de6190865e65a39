/** Counters of several processes: one counts for all. */
import { expect, test } from 'vitest'
import {
  createCounters,
  createSharedCredentialLimits,
  createSharedLimits,
  type SharedCounters,
} from '../../../src/access/shared-counters.ts'

const QUOTAS = { perMinute: 5, perHour: 8 }

/** Two processes that share the counters, and how many messages they sent. */
function twoProcesses(perMinute = 3) {
  let now = 0
  const counters = createCounters({ perMinute, clock: () => now })
  let messages = 0
  const shared: SharedCounters = {
    async count(requests) {
      messages += 1
      return counters.count(requests)
    },
    failed: async (address) => counters.failed(address),
  }
  const clock = () => now
  return {
    limits: [createSharedLimits(shared, clock), createSharedLimits(shared, clock)] as const,
    credentials: [createSharedCredentialLimits(shared), createSharedCredentialLimits(shared)] as const,
    messages: () => messages,
    pass: (ms: number) => {
      now += ms
    },
  }
}

test('a quota is that of all processes together, in both windows', async () => {
  const { limits, pass } = twoProcesses()
  const take = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, at) => limits[at % 2]!.take('lab', QUOTAS)))
  expect((await take(7)).filter(({ allowed }) => allowed)).toHaveLength(5)
  pass(60_000)
  expect((await take(7)).filter(({ allowed }) => allowed)).toHaveLength(3)
  expect(await limits[0].take('other', QUOTAS)).toMatchObject({ allowed: true, minuteUsed: 1, hourUsed: 1 })
})

test('requests that arrive together are one message of their process', async () => {
  const { limits, messages } = twoProcesses()
  await Promise.all(Array.from({ length: 50 }, () => limits[0].take('lab', { perMinute: 0, perHour: 0 })))
  expect(messages()).toBe(1)
})

test('wrong credentials of a network are counted over all processes', async () => {
  const { credentials } = twoProcesses(3)
  const waits = []
  for (let at = 0; at < 5; at += 1) waits.push(await credentials[at % 2]!.failed('192.0.2.1'))
  expect(waits).toEqual([0, 0, 0, 60, 60])
  expect(credentials.map(({ refused }) => refused)).toEqual([1, 1])
})

test('a process whose counterpart has ended counts for itself', async () => {
  const gone = async () => {
    throw new Error('the channel is closed')
  }
  const limits = createSharedLimits({ count: gone, failed: gone }, () => 0)
  const uses = await Promise.all(Array.from({ length: 7 }, () => limits.take('lab', QUOTAS)))
  expect(uses.filter(({ allowed }) => allowed)).toHaveLength(5)
  expect(await createSharedCredentialLimits({ count: gone, failed: gone }).failed('192.0.2.1')).toBe(0)
})

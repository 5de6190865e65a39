/**
 * A center that says nothing of hours, of the meals of terms, of the meals of bookings and of the values of its diets gets
 * the answers that it got before there was any of this (ruling 43), byte for byte. The digests were made before.
 */
import { createHash } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { BOOKING_STATUSES, ROLES } from '../../../src/core/records/fields/statuses.ts'
import { startTestApi, type TestApi, type TestCenter } from '../../support/api.ts'
import { createRandom } from '../../support/random.ts'
import { guest, metaField, session, type TestRecord, term } from '../../support/world.ts'

let service: TestApi
beforeAll(async () => {
  service = await startTestApi({ now: '2025-01-05T10:00:00Z' })
})

const DAYS = Array.from({ length: 31 }, (_, at) => `2025-01-${String(at + 1).padStart(2, '0')}`)

function records(seed: number): { records: TestRecord[]; mealRules: Record<string, unknown> } {
  const random = createRandom(seed, 'unconfigured')
  const some = (share: number) => DAYS.filter(() => random.chance(share))
  const guests = Array.from({ length: 60 }, (_, at) => {
    const first = random.whole(0, 29)
    const last = Math.min(30, first + random.whole(0, 9))
    return guest(
      `g${at}`,
      {
        role: random.pick(ROLES),
        status: random.pick(BOOKING_STATUSES),
        startDate: `${DAYS[first]}T${random.pick(['00:00', '07:00', '15:00', '22:30'])}`,
        endDate: `${DAYS[last]}T${random.pick(['22:30', '23:00', '23:59'])}`,
        sessionIds: random.pick([[], ['s0'], ['s1'], ['s0', 's1']]),
        skippingMeals: { breakfast: some(0.1), lunch: some(0.2), dinner: some(0.1) },
        ...(random.chance(0.6) ? { acc: { roomId: random.pick(['r1', 'r2', 'attic']) } } : {}),
        ...(random.chance(0.6) ? { programId: random.pick(['detox', 'plain text']) } : {}),
        ...(random.chance(0.6) ? { packageId: random.pick(['full', 'half']) } : {}),
        ...(random.chance(0.5) ? { meta: { vegan: random.chance(0.5) } } : {}),
      },
      random.chance(0.6) ? { meta: { diet: random.pick(['no nuts', 'halal, egg-free', ' ', 'none']) } } : {},
    )
  }).flat()
  return {
    records: [
      metaField('diet'),
      metaField('vegan', { type: 'boolean', of: 'booking' }),
      session('s0', '2025-01-01T12:00', '2025-01-09T12:00'),
      session('s1', '2025-01-09T12:00', '2025-01-20T12:00'),
      term('room', 'r1', 'Room 1'),
      term('room', 'r2', 'Room 2'),
      term('program', 'detox', 'Detox'),
      term('package', 'full', 'Full board'),
      ...guests,
    ],
    mealRules: {
      mealTimes: { breakfast: '07:30', lunch: '12:30', dinner: '18:30' },
      arrivalMeals: random.pick([['dinner'], ['lunch', 'dinner']]),
      departureMeals: random.pick([['breakfast'], []]),
      daysNotServed: { lunch: ['sunday', '2025-01-08'] },
      dietFields: [{ field: 'diet', allergies: ['no nuts'] }, { field: 'vegan' }],
      alsoCookFor: random.pick([[], ['offer'], ['voided', 'offer']]),
    },
  }
}

const PORTIONS = '/v1/meals/portions'
const QUESTIONS = [
  `${PORTIONS}?startDate=2025-01-01&endDate=2025-01-31`,
  `${PORTIONS}?startDate=2025-01-01&endDate=2025-01-31&includeGuests=true`,
  `${PORTIONS}?startDate=2025-01-03&endDate=2025-01-12&includeGuests=true&format=csv`,
  `${PORTIONS}?sessionId=s1&includeGuests=true`,
  '/v1/guests/meal-skipping-report?startDate=2025-01-01&endDate=2025-01-31',
]

async function digestOf(api: TestCenter): Promise<string> {
  const hash = createHash('sha256')
  for (const url of QUESTIONS) {
    const answer = await api.get(url)
    expect(answer.status, answer.text).toBe(200)
    hash.update(`${answer.text}\n`)
  }
  for (const date of DAYS.slice(3, 10)) {
    const { body } = await api.get(`/v1/meals/sheets/${date}`)
    hash.update(JSON.stringify([body.diets, body.day, body.changes]))
  }
  return hash.digest('hex')
}

it.each([
  [1, '30d11b3d81097a1e31d2ce70a59a83a3e162d0ef53cfd10df214a3bd381101a5'],
  [2, '0b8475563508a45628869c20b6dec31f6a175c1e9b767bac4c3d677fa1659420'],
  [3, '08b077212cabdbad5ad9e842aa900b30913730127a530b539c0aa63e13ee2c50'],
])('ruling 43: today’s numbers, byte for byte, of seed %i', async (seed, digest) => {
  const { records: given, mealRules } = records(seed)
  const api = await service.newCenter(given, { mealRules })
  expect(await digestOf(api)).toBe(digest)
})

/** A small seeded version of `bench/contradictions.ts`: everything that is planted is found, and no near miss is reported. */
import { expect, it } from 'vitest'
import { startTestApi } from '../../support/api.ts'
import {
  PLANTED_CENTER,
  PLANTED_KINDS,
  type Planted,
  plantContradictions,
} from '../../support/planted-contradictions.ts'
import { booking, customer, metaField, spa } from '../../support/world.ts'
import { evaluatorOf, type Listed, listed, NOW } from './center.ts'

const FIRST = ['Ana', 'Ion', 'Marta', 'Per', 'Łukasz', 'Ελένη']
const LAST = ['Popescu', 'Østergård', 'Nowak', 'Παπαδόπουλος', 'Müller']

it('finds 120 planted contradictions of 12 kinds, and none of 120 near misses', async () => {
  const bases = Array.from({ length: 30 }, (_, n) => ({
    customer: customer(`base-${n}`, {
      firstName: FIRST[n % FIRST.length],
      lastName: LAST[n % LAST.length],
      dob: `19${50 + n}-0${1 + (n % 9)}-11`,
    }),
    booking: booking(`base-${n}`, {
      startDate: `2024-0${1 + (n % 9)}-03T14:00`,
      endDate: `2024-0${1 + (n % 9)}-09T10:00`,
    }),
  }))
  const plants = plantContradictions(bases, 120, NOW.slice(0, 10), 38)
  expect(new Set(plants.contradictions.map(({ kind }) => kind)).size).toBe(12)
  const api = await startTestApi({
    records: [spa(PLANTED_CENTER), metaField('plantedDiet', { of: 'booking' }), ...plants.records],
    now: NOW,
  })
  await evaluatorOf(api).look()
  const all: Listed[] = []
  for (let start = 1, more = true; more; start += 1) {
    const page = listed(await api.get(`/v1/contradictions?length=100&start=${start}`))
    all.push(...page)
    more = page.length > 0
  }
  const isListed = ({ kind, ids }: Planted) =>
    all.some(
      (one) =>
        one.kind === kind && ids.every((id) => one.evidence.records.some((record) => record.id === id)),
    )
  expect(plants.contradictions.filter((one) => !isListed(one))).toEqual([])
  expect(plants.nearMisses.filter(isListed)).toEqual([])
  expect(PLANTED_KINDS.length).toBe(12)
})

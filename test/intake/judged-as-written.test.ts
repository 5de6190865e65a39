/** What judging says of records is what writing them says, whatever they are. */
import { expect, test } from 'vitest'
import { openTestDatabase } from '../support/database.ts'
import { type Random, seededRandom } from '../support/random-center.ts'
import { SEED } from '../support/seed.ts'
import { center, customer, everything, importTexts, order, removed, session } from './import-lines.ts'

const IMPORTS = Number(process.env.IMPORTS ?? 25)

const VALUES = [
  null,
  '',
  'Ana',
  7,
  -1.5,
  1e300,
  true,
  [],
  {},
  '2025-02-30',
  '2025-03-30T02:30',
  'x'.repeat(3000),
]
const FIELDS = {
  customer: ['firstName', 'lastName', 'email', 'dob', 'pin', 'address', 'meta', 'height', 'version'],
  session: ['name', 'startDate', 'endDate', 'number', 'programIds', 'version'],
  order: ['orderDate', 'totalAmount', 'currency', 'status', 'items', 'guestNames', 'version'],
  term: ['name', 'names', 'set', 'version'],
}

function randomLine({ below, pick }: Random): string {
  const kind = pick(['customer', 'customer', 'session', 'order', 'term'] as const)
  const id = `i-${below(6)}`
  const whole = {
    customer: () => customer(id, { lastName: `Pop ${below(3)}` }),
    session: () => session(id, { name: `Session ${below(3)}` }),
    order: () =>
      order(id, { totalAmount: pick([100, 100.5, 100.555]), currency: pick(['EUR', 'JPY', 'XXX', null]) }),
    term: () => ({ kind, centerId: 'c', set: 'program', id, name: `Detox ${below(3)}` }),
  }[kind]()
  const made: Record<string, unknown> = { ...whole }
  if (below(3) === 0) made.version = below(5)
  if (below(4) === 0) for (const field of FIELDS[kind]) if (below(2) === 0) delete made[field]
  if (below(5) === 0) made[pick(FIELDS[kind])] = pick(VALUES)
  if (below(60) === 0)
    made[pick(['kind', 'id', 'centerId', 'uuid'])] = pick([...VALUES, 'booking', 'nowhere'])
  return below(80) === 0 ? pick(['{', '[]', 'null', '7']) : JSON.stringify(made)
}

test(`problems, counts and what is stored are the same (SEED=${SEED})`, async () => {
  const random = seededRandom(SEED)
  const database = await openTestDatabase()
  await importTexts(database, [JSON.stringify(center())])
  // Removals are never judged; this one changes nothing.
  const unjudged = JSON.stringify(removed('customer', { id: 'never' }))
  const outcomes = { applied: 0, refused: 0 }
  for (let n = 0; n < IMPORTS; n += 1) {
    const lines = Array.from({ length: 1 + random.below(12) }, () => randomLine(random))
    const before = await everything(database)
    const judged = await importTexts(database, lines, { dryRun: true })
    const written = await importTexts(database, [...lines, unjudged], { dryRun: true })
    const what = lines.join('\n')
    expect(judged.problems, what).toEqual(written.problems)
    expect(judged.summary.rejected, what).toBe(written.summary.rejected)
    const { customer: customers, ...others } = judged.summary.kinds
    const withIt = { ...others, customer: { ...customers, unchanged: customers.unchanged + 1 } }
    expect(withIt, what).toEqual(written.summary.kinds)
    expect(judged.summary.records, what).toEqual(written.summary.records)
    expect(await everything(database)).toEqual(before)
    const { summary } = await importTexts(database, lines)
    expect(summary.applied, what).toBe(judged.summary.rejected === 0)
    expect(summary.kinds).toEqual(judged.summary.kinds)
    outcomes[summary.applied ? 'applied' : 'refused'] += 1
    if (!summary.applied) expect(await everything(database)).toEqual(before)
  }
  // Else nothing was compared.
  expect(Math.min(outcomes.applied, outcomes.refused)).toBeGreaterThan(0)
})

/** Requests as integrations make them: mostly the same pages again, from many centers, in three languages. */
import { type BenchDatabase, makeKey } from './database.ts'
import { sessionsOf } from './make-data-sql.ts'
import { pick, randomBelow, shuffled } from './random.ts'
import type { Request } from './wrk.ts'

const CENTERS = 300
const LOCALES = ['en', 'ro', 'no']
/** pages that a center's integrations ask for again and again */
const REPEATED_PAGES = 5

export const SHARES = { repeated: 0.7, first: 0.15, report: 0.1 } as const

/** The big center and some ordinary ones, each with a key. */
export async function makeKeys({ database, size }: BenchDatabase): Promise<ReadonlyMap<number, string>> {
  const centers = [
    1,
    ...shuffled(size.centers - 1)
      .slice(0, CENTERS)
      .map((n) => n + 2),
  ]
  const keys = new Map<number, string>()
  for (const center of centers) keys.set(center, await makeKey(database, String(center)))
  return keys
}

export function usualRequests(
  { size }: BenchDatabase,
  keys: ReadonlyMap<number, string>,
  count: number,
): Request[] {
  const centers = [...keys]
  const repeated = new Map(
    centers.map(([center]) => [
      center,
      Array.from({ length: REPEATED_PAGES }, () => randomBelow(sessionsOf(size, center))),
    ]),
  )
  return Array.from({ length: count }, (_, index) => {
    const [center, apiKey] = pick(centers)
    const session = randomBelow(sessionsOf(size, center))
    const share = Math.random()
    const request = { apiKey, locale: pick(LOCALES) }
    if (share < SHARES.repeated) {
      return { ...request, path: `/v1/guests?sessionId=${pick(repeated.get(center) ?? [0])}` }
    }
    if (share < SHARES.repeated + SHARES.first) {
      // Nobody has asked for it before: a page that begins elsewhere is another answer.
      return { ...request, path: `/v1/guests?sessionId=${session}&length=${30 + (index % 60)}` }
    }
    if (share < SHARES.repeated + SHARES.first + SHARES.report) {
      return { ...request, path: `/v1/guests/meal-skipping-report?sessionId=${session}` }
    }
    return { ...request, path: `/v1/orders?${threeDays()}` }
  })
}

function threeDays(): string {
  const first = Temporal.PlainDate.from('2024-01-01').add({ days: randomBelow(900) })
  return `startDate=${first}&endDate=${first.add({ days: 2 })}`
}

/** Requests as integrations send them: mostly the same pages repeatedly, from many centers, in three languages. */
import { type BenchDatabase, makeKey } from './database.ts'
import { sessionsOf } from './make-data-sql.ts'
import { pick, randomBelow, shuffled } from './random.ts'
import type { Request } from './wrk.ts'

const CENTERS = 300
const LOCALES = ['en', 'ro', 'no']
/** pages that an integration requests repeatedly */
const PAGES = 5

const SHARES = { repeated: 0.7, first: 0.15, report: 0.1 } as const

/** An integration: a key of its center, its language and its pages. */
export interface Integration {
  readonly center: number
  readonly sessions: number
  readonly apiKey: string
  readonly locale: string
  readonly pages: readonly string[]
}

/** Integrations of the large center and of some ordinary ones. */
export async function makeIntegrations({ database, size }: BenchDatabase): Promise<readonly Integration[]> {
  const ordinary = shuffled(size.centers - 1)
    .slice(0, CENTERS)
    .map((n) => n + 2)
  const integrations: Integration[] = []
  for (const center of [1, ...ordinary]) {
    const sessions = sessionsOf(size, center)
    integrations.push({
      center,
      sessions,
      apiKey: await makeKey(database, String(center)),
      locale: pick(LOCALES),
      pages: Array.from({ length: PAGES }, () => `/v1/guests?sessionId=${randomBelow(sessions)}`),
    })
  }
  return integrations
}

/** Each repeated page once. */
export const firstRound = (integrations: readonly Integration[]): Request[] =>
  integrations.flatMap(({ apiKey, locale, pages }) => pages.map((path) => ({ apiKey, locale, path })))

/** A random mix of requests. */
export const usualRequests = (integrations: readonly Integration[], count: number): Request[] =>
  Array.from({ length: count }, () => {
    const { apiKey, locale, pages, sessions } = pick(integrations)
    const share = Math.random()
    return { apiKey, locale, path: share < SHARES.repeated ? pick(pages) : other(share, sessions) }
  })

function other(share: number, sessions: number): string {
  const session = randomBelow(sessions)
  // A new length is a new answer, so it is not cached.
  if (share < SHARES.repeated + SHARES.first)
    return `/v1/guests?sessionId=${session}&length=${41 + randomBelow(60)}`
  if (share < SHARES.repeated + SHARES.first + SHARES.report) {
    return `/v1/guests/meal-skipping-report?sessionId=${session}`
  }
  const first = Temporal.PlainDate.from('2024-01-01').add({ days: randomBelow(900) })
  return `/v1/orders?startDate=${first}&endDate=${first.add({ days: 2 })}`
}

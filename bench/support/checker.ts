/**
 * Reads pages while a load runs, and compares them with the result of SQL for the same guests. The statement is the
 * bench's own, so that it does not repeat a mistake of the service.
 */
import { isDeepStrictEqual } from 'node:util'
import { BenchFailed } from './bench.ts'
import { ask, type BenchDatabase } from './database.ts'
import { sessionsOf } from './make-data-sql.ts'
import type { Request } from './wrk.ts'

interface Guest {
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly status: string
  readonly role: string
}

export interface Expected {
  readonly request: Request
  readonly total: number
  readonly guests: readonly Guest[]
}

const PAGE_LENGTH = 50

/** The expected pages of some sessions of a center, in order. */
export async function expectSessions(
  { url, size }: Pick<BenchDatabase, 'url' | 'size'>,
  center: number,
  apiKey: string,
  count: number,
): Promise<Expected[]> {
  const sessions = Array.from({ length: count }, () => Math.floor(Math.random() * sessionsOf(size, center)))
  const rows = await ask<Guest & { session: string }>(
    url,
    `select b.session_ids[1] as session, c.first_name as "firstName", c.last_name as "lastName", c.email,
       b.status, b.role
     from bookings b join customers c on c.center_id = b.center_id and c.id = b.customer_id
     where b.center_id = $1
       and b.id in (select booking_id from booking_sessions where center_id = $1 and session_id = any($2))
     order by b.start_date, b.id`,
    [String(center), sessions.map(String)],
  )
  return sessions.map((session) => {
    const guests = rows
      .filter((row) => row.session === String(session))
      .map(({ session: _, ...guest }) => guest)
    return {
      request: { path: `/v1/guests?sessionId=${session}&length=${PAGE_LENGTH}`, apiKey },
      total: guests.length,
      guests: guests.slice(0, PAGE_LENGTH),
    }
  })
}

export interface Checker {
  /**
   * @returns the number of correct answers
   * @throws {BenchFailed} if any answer was wrong
   */
  stop(): Promise<number>
}

/**
 * In ms. A client that asks and compares takes a fifth of a core all the same, so a floor is measured with one next to it
 * too: without one, it was a seventh faster.
 */
const PAUSE_MS = 20

/** Starts checking. @param checkOne asks once, and fails if the answer is wrong */
export function startChecker(checkOne: () => Promise<void>): Checker {
  let running = true
  let count = 0
  const work = (async () => {
    while (running) {
      await checkOne()
      count += 1
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  })()
  // `stop` reports the failure.
  work.catch(() => {})
  return {
    async stop() {
      running = false
      await work
      return count
    },
  }
}

/** @returns a check of a random one of these pages, for `startChecker` */
export const checksOneOf =
  (expected: readonly Expected[], checkPage: (page: Expected) => Promise<void>) => async () => {
    const page = expected[Math.floor(Math.random() * expected.length)]
    if (page === undefined) throw new BenchFailed('there is nothing to check')
    await checkPage(page)
  }

interface GuestsAnswer {
  readonly total: number
  readonly data: readonly {
    readonly firstName: string
    readonly lastName: string
    readonly email: string
    readonly ids: { readonly status: string; readonly role: string }
  }[]
}

/** Checks one page. @throws {BenchFailed} if it is wrong */
export async function check(serviceUrl: string, { request, total, guests }: Expected): Promise<void> {
  const response = await fetch(serviceUrl + request.path, {
    headers: { authorization: `Bearer ${request.apiKey}` },
  })
  if (response.status !== 200) throw new BenchFailed(`${request.path} was answered ${response.status}`)
  const answer = (await response.json()) as GuestsAnswer
  const got = answer.data.map(({ firstName, lastName, email, ids: { status, role } }) => ({
    firstName,
    lastName,
    email,
    status,
    role,
  }))
  if (answer.total !== total || !isDeepStrictEqual(got, guests)) {
    throw new BenchFailed(`${request.path} was answered wrongly`)
  }
}

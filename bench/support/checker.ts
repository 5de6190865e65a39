/**
 * Reads random pages while a load runs and holds them to what SQL says of the same guests. The statement is the
 * bench's own, so that a mistake of the service's is not made twice.
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

/** What the pages of some sessions of a center must hold, in order. */
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
  /** @throws {BenchFailed} if any answer was wrong; @returns how many were right */
  stop(): Promise<number>
}

/** Few, so that checking takes little of the machine from what is measured. */
const PAUSE_MS = 20

export function startChecker(serviceUrl: string, expected: readonly Expected[]): Checker {
  let running = true
  let count = 0
  const work = (async () => {
    while (running) {
      const page = expected[Math.floor(Math.random() * expected.length)]
      if (page === undefined) throw new BenchFailed('there is nothing to check')
      await check(serviceUrl, page)
      count += 1
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  })()
  // Whoever stops it is told.
  work.catch(() => {})
  return {
    async stop() {
      running = false
      await work
      return count
    },
  }
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

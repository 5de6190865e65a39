/** Every request another page and no cache, against `pgbench` sending the same statement to the same database. */
import { listGuests } from '../../src/core/api/guests/list-guests.ts'
import type { Bench, Figure, Measurement } from '../support/bench.ts'
import { expectSessions } from '../support/checker.ts'
import { makeKey, openBookings } from '../support/database.ts'
import { sessionsOf } from '../support/make-data-sql.ts'
import { loadService } from '../support/measure-service.ts'
import { pgbenchScript, runPgbench } from '../support/pgbench.ts'
import { shuffled } from '../support/random.ts'
import { alternately, cpuOf, rateOf, ratioOf } from '../support/rounds.ts'
import { startService } from '../support/service.ts'
import { statementOf } from '../support/statements.ts'
import { runLoad } from '../support/wrk.ts'

const CONNECTIONS = 32
const CENTER = 1
const PAGES_MAX = 25_000
const pathOf = (session: number | string) => `/v1/guests?sessionId=${session}`

export const firstRead: Measurement = {
  name: 'first-read',
  title: 'every request another page, no cache, against pgbench sending the same statement',

  async run(bench: Bench): Promise<Figure[]> {
    const data = await openBookings(bench, bench.bookings)
    const apiKey = await makeKey(data.database, String(CENTER))
    const sessions = sessionsOf(data.size, CENTER)
    const expected = await expectSessions(data, CENTER, apiKey, 30)
    const service = await startService(bench, { databaseUrl: data.url, answerCacheMb: 0 })

    const drawn = { value: 'drawn', from: 0, to: sessions - 1 }
    const statement = await statementOf(listGuests, data.database, String(CENTER), pathOf(drawn.value))
    const script = pgbenchScript(statement, drawn)
    const load = {
      requests: shuffled(sessions)
        .slice(0, PAGES_MAX)
        .map((session) => ({ path: pathOf(session), apiKey })),
      connections: CONNECTIONS,
      seconds: bench.roundSeconds,
    }
    await runLoad({ ...load, url: service.url, seconds: 4 })
    const connections = await bestConnections(bench, data.url, script)
    const compared = await alternately(
      bench.rounds,
      () => loadService(service, load, expected),
      async () => ({
        perSecond: await runPgbench({ url: data.url, script, connections, seconds: bench.roundSeconds }),
      }),
    )
    bench.log(
      `${bench.bookings.toLocaleString('en')} bookings, ${sessions.toLocaleString('en')} pages of 40 guests`,
    )
    return [
      ratioOf('first reads : pgbench', compared, { atLeast: 0.65 }),
      rateOf('first reads', compared.ours),
      rateOf(`pgbench, ${connections} connections`, compared.floor),
      cpuOf('CPU of the service a request', compared.ours),
    ]
  },
}

/** The floor is the best that pgbench does here. */
async function bestConnections(bench: Bench, url: string, script: string): Promise<number> {
  const rates = new Map<number, number>()
  for (const connections of [2, 4, 8, 16]) {
    rates.set(connections, await runPgbench({ url, script, connections, seconds: 2 }))
  }
  const tried = [...rates].map(([connections, rate]) => `${connections}: ${Math.round(rate)}/s`).join(', ')
  bench.log(`pgbench by connections: ${tried}`)
  return [...rates].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 8
}

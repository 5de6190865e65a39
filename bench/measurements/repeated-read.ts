/** A page that nobody changes, read again and again, against a bare server that sends the same bytes. */
import { loadBareServer, startBareServer } from '../support/bare.ts'
import type { Bench, Figure, Measurement } from '../support/bench.ts'
import { expectSessions } from '../support/checker.ts'
import { makeKey, openBookings } from '../support/database.ts'
import { loadService } from '../support/measure-service.ts'
import { alternately, cpuOf, rateOf, ratioOf } from '../support/rounds.ts'
import { startService } from '../support/service.ts'
import { runLoad } from '../support/wrk.ts'

const CONNECTIONS = 64

/** A week of the big center: a full page of fifty guests. */
export const WEEK_PAGE = '/v1/guests?startDate=2025-03-03&endDate=2025-03-09&length=50'

export const repeatedRead: Measurement = {
  name: 'repeated-read',
  title: 'a page of 50 guests, unchanged, against a bare node:http server sending the same bytes',

  async run(bench: Bench): Promise<Figure[]> {
    const data = await openBookings(bench, 100_000)
    const apiKey = await makeKey(data.database, '1')
    const service = await startService(bench, { databaseUrl: data.url })
    const body = await fetch(service.url + WEEK_PAGE, { headers: { authorization: `Bearer ${apiKey}` } })
    const bytes = Buffer.from(await body.arrayBuffer())
    const bare = await startBareServer(bench, bytes)
    const expected = await expectSessions(data, 1, apiKey, 30)

    const load = {
      requests: [{ path: WEEK_PAGE, apiKey }],
      connections: CONNECTIONS,
      seconds: bench.roundSeconds,
    }
    // Compiled by now, as a service that runs for days is.
    await runLoad({ ...load, url: service.url, seconds: 3 })
    await runLoad({ ...load, url: bare.url, seconds: 1 })
    const compared = await alternately(
      bench.rounds,
      () => loadService(service, load, expected),
      () => loadBareServer(bare, load),
    )
    bench.log(`${bytes.length} bytes an answer, ${CONNECTIONS} connections`)
    return [
      ratioOf('repeated reads : bare node:http', compared, { atLeast: 0.45 }),
      rateOf('repeated reads', compared.ours),
      rateOf('bare node:http', compared.floor),
      cpuOf('CPU of the service a request', compared.ours),
      cpuOf('CPU of bare node:http a request', compared.floor),
    ]
  },
}

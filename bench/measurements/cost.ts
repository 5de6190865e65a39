/** What scopes, limits and the audit trail cost a read, side by side in one run. */
import { fileURLToPath } from 'node:url'
import type { Bench, Figure, Measurement } from '../support/bench.ts'
import { type BenchDatabase, makeKey, openBookings } from '../support/database.ts'
import { sessionsOf } from '../support/make-data-sql.ts'
import { cpuMicros, startNode } from '../support/processes.ts'
import { shuffled } from '../support/random.ts'
import { alternately, cpuOf, rateOf, ratioOf } from '../support/rounds.ts'
import { profiling } from '../support/service.ts'
import { type Request, runLoad } from '../support/wrk.ts'
import { WEEK_PAGE } from './repeated-read.ts'

const PROGRAM = fileURLToPath(new URL('../support/cost-server.ts', import.meta.url))
const CONNECTIONS = 64

export const cost: Measurement = {
  name: 'cost',
  title: 'reads a second with and without scopes, limits and the audit trail',

  async run(bench: Bench): Promise<Figure[]> {
    const data = await openBookings(bench, 100_000)
    const apiKey = await makeKey(data.database, '1')
    const repeated = [{ path: WEEK_PAGE, apiKey }]
    const first = shuffled(sessionsOf(data.size, 1)).map((session) => ({
      path: `/v1/guests?sessionId=${session}`,
      apiKey,
    }))
    const figures: Figure[] = []
    for (const without of ['scopes', 'limits', 'trail', 'scopes,limits,trail']) {
      figures.push(...(await compare(bench, data, without, 'repeated reads', repeated, 64e6)))
    }
    figures.push(...(await compare(bench, data, 'scopes,limits,trail', 'first reads', first, 0)))
    return figures
  },
}

async function compare(
  bench: Bench,
  data: BenchDatabase,
  without: string,
  what: string,
  requests: readonly Request[],
  cacheBytes: number,
): Promise<Figure[]> {
  const server = (pieces: string) =>
    startNode(
      bench,
      [...profiling(bench), PROGRAM],
      { DATABASE_URL: data.url, COST_WITHOUT: pieces, COST_CACHE_BYTES: String(cacheBytes) },
      /listens on (http:\S+)/,
    )
  const [full, bare] = [await server(''), await server(without)]
  const ask = async ({ pid, said: url }: typeof full, seconds: number) => {
    const before = cpuMicros(pid)
    const result = await runLoad({ url, requests, connections: CONNECTIONS, seconds })
    return { ...result, cpuMicros: (cpuMicros(pid) - before) / result.requests }
  }
  await ask(full, 2)
  await ask(bare, 2)
  const compared = await alternately(
    bench.rounds,
    () => ask(full, bench.roundSeconds),
    () => ask(bare, bench.roundSeconds),
  )
  await full.stop()
  await bare.stop()
  const pieces = without.replaceAll(',', ', ')
  return [
    ratioOf(`${what}: all : without ${pieces}`, compared),
    rateOf(`${what} with all`, compared.ours),
    rateOf(`${what} without ${pieces}`, compared.floor),
    cpuOf('  CPU a request with all', compared.ours),
    cpuOf(`  CPU a request without ${pieces}`, compared.floor),
  ]
}

/** Rounds of load, with answers checked meanwhile. */
import { check, checksOneOf, type Expected, startChecker } from './checker.ts'
import type { Sample } from './rounds.ts'
import { type LoadOptions, type LoadResult, runLoad } from './wrk.ts'

interface Measured {
  readonly url: string
  cpuMicros(): number
}

/**
 * One round of load on the service.
 * @param databaseMicros the database's CPU time so far, if it is to be measured too
 */
export const loadService = (
  service: Measured,
  load: Omit<LoadOptions, 'url'>,
  expected: readonly Expected[],
  databaseMicros?: () => number,
): Promise<LoadResult & Required<Sample>> =>
  loadChecked(
    service,
    load,
    checksOneOf(expected, (page) => check(service.url, page)),
    databaseMicros,
  )

/** One round of load on any server, with a client next to it that checks its answers. */
export async function loadChecked(
  server: Measured,
  load: Omit<LoadOptions, 'url'>,
  checkOne: () => Promise<void>,
  databaseMicros: () => number = () => Number.NaN,
): Promise<LoadResult & Required<Sample>> {
  const checker = startChecker(checkOne)
  const before = { server: server.cpuMicros(), database: databaseMicros() }
  const result = await runLoad({ ...load, url: server.url })
  const micros = server.cpuMicros() - before.server
  const inDatabase = databaseMicros() - before.database
  const requests = result.requests + (await checker.stop())
  return { ...result, cpuMicros: micros / requests, databaseMicros: inDatabase / requests }
}

/** One round of load on the service, with its answers checked meanwhile. */
import { type Expected, startChecker } from './checker.ts'
import type { Sample } from './rounds.ts'
import { type LoadOptions, type LoadResult, runLoad } from './wrk.ts'

interface Measured {
  readonly url: string
  cpuMicros(): number
}

/** @param databaseMicros the database's CPU time so far, if it is to be measured too */
export async function loadService(
  service: Measured,
  load: Omit<LoadOptions, 'url'>,
  expected: readonly Expected[],
  databaseMicros: () => number = () => Number.NaN,
): Promise<LoadResult & Required<Sample>> {
  const checker = startChecker(service.url, expected)
  const before = { service: service.cpuMicros(), database: databaseMicros() }
  const result = await runLoad({ ...load, url: service.url })
  const micros = service.cpuMicros() - before.service
  const inDatabase = databaseMicros() - before.database
  const requests = result.requests + (await checker.stop())
  return { ...result, cpuMicros: micros / requests, databaseMicros: inDatabase / requests }
}

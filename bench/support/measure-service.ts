/** One round of load on the service, its answers checked meanwhile. */
import { type Expected, startChecker } from './checker.ts'
import type { Sample } from './rounds.ts'
import { type LoadOptions, type LoadResult, runLoad } from './wrk.ts'

interface Measured {
  readonly url: string
  cpuMicros(): number
}

export async function loadService(
  service: Measured,
  load: Omit<LoadOptions, 'url'>,
  expected: readonly Expected[],
): Promise<LoadResult & Required<Sample>> {
  const checker = startChecker(service.url, expected)
  const before = service.cpuMicros()
  const result = await runLoad({ ...load, url: service.url })
  const micros = service.cpuMicros() - before
  const checked = await checker.stop()
  return { ...result, cpuMicros: micros / (result.requests + checked) }
}

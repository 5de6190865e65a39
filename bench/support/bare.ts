/** The floor of repeated reads: a bare `node:http` server in a separate process that sends the same bytes. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { type Bench, BenchFailed } from './bench.ts'
import { loadChecked } from './measure-service.ts'
import { cpuMicros, startNode } from './processes.ts'
import type { LoadOptions } from './wrk.ts'

export interface BareServer {
  readonly url: string
  /** what it sends, parsed */
  readonly answer: unknown
  cpuMicros(): number
}

/** Starts the server. @param body the bytes that it sends */
export async function startBareServer(bench: Bench, body: Buffer): Promise<BareServer> {
  const folder = mkdtempSync(join(tmpdir(), 'sojourn-bench-'))
  bench.afterwards(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'body')
  writeFileSync(file, body)
  const program = fileURLToPath(new URL('bare-server.ts', import.meta.url))
  const { pid, said } = await startNode(bench, [program, file], {}, /listens on (http:\S+)/)
  return { url: said, answer: JSON.parse(body.toString()), cpuMicros: () => cpuMicros(pid) }
}

/** One round of load, with the same client next to it as the service has. */
export const loadBareServer = (bare: BareServer, load: Omit<LoadOptions, 'url'>) =>
  loadChecked(bare, load, async () => {
    const response = await fetch(bare.url)
    if (!isDeepStrictEqual(await response.json(), bare.answer)) {
      throw new BenchFailed('bare node:http answered wrongly')
    }
  })

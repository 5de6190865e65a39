/** The floor of repeated reads: a bare `node:http` server in a separate process that sends the same bytes. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Bench } from './bench.ts'
import { cpuMicros, startNode } from './processes.ts'
import { type LoadOptions, runLoad } from './wrk.ts'

export interface BareServer {
  readonly url: string
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
  return { url: said, cpuMicros: () => cpuMicros(pid) }
}

/** One round of load. */
export async function loadBareServer(bare: BareServer, load: Omit<LoadOptions, 'url'>) {
  const before = bare.cpuMicros()
  const result = await runLoad({ ...load, url: bare.url })
  return { ...result, cpuMicros: (bare.cpuMicros() - before) / result.requests }
}

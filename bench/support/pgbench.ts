/** The floor of first reads: `pgbench` sends the service's own statement, prepared, and discards the rows. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sql } from 'sql-template-tag'
import { BenchFailed } from './bench.ts'

export interface PgbenchOptions {
  readonly url: string
  readonly script: string
  readonly connections: number
  readonly seconds: number
}

/**
 * The statement with each bound number as a variable, so that it is prepared with the same parameters.
 * @param drawn the value that is chosen at random for every transaction
 */
export function pgbenchScript(statement: Sql, drawn: { value: string; from: number; to: number }): string {
  const isVariable = (value: unknown) => value === drawn.value || /^\d+$/.test(String(value))
  const lines = statement.values.flatMap((value, index) => {
    if (!isVariable(value)) return []
    const set = value === drawn.value ? `random(${drawn.from}, ${drawn.to})` : Number(value)
    return [`\\set p${index + 1} ${set}`]
  })
  // The variables of pgbench are numbers, so a separator is written into the text.
  const text = statement.text.replaceAll(/\$(\d+)/g, (_, position: string) => {
    const value = statement.values[Number(position) - 1]
    return isVariable(value) ? `:p${position}` : `'${String(value)}'`
  })
  return `${lines.join('\n')}\n${text.replaceAll('\n', ' ')};\n`
}

/** @returns transactions per second */
export async function runPgbench(options: PgbenchOptions): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'sojourn-bench-'))
  try {
    const script = join(folder, 'statement.sql')
    writeFileSync(script, options.script)
    const said = await run([
      '--no-vacuum',
      '--protocol=prepared',
      `--client=${options.connections}`,
      '--jobs=1',
      `--time=${options.seconds}`,
      `--file=${script}`,
      options.url,
    ])
    const perSecond = Number(/^tps = ([\d.]+)/m.exec(said)?.[1])
    const failed = Number(/number of failed transactions: (\d+)/.exec(said)?.[1] ?? 0)
    if (!(perSecond > 0) || failed > 0) throw new BenchFailed(`pgbench did not finish: ${said}`)
    return perSecond
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function run(args: readonly string[]): Promise<string> {
  // As on the service's connections: a floor that plans each time would be too easy to reach.
  const env = { ...process.env, PGOPTIONS: '-c plan_cache_mode=force_generic_plan' }
  const child = spawn('pgbench', args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  }
  try {
    await once(child, 'close')
  } catch {
    throw new BenchFailed('pgbench is missing (Debian, Ubuntu: apt-get install postgresql-contrib)')
  }
  return said
}

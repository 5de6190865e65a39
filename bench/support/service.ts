/** The service as it is run: `sojourn serve` in a process of its own. */
import { join } from 'node:path'
import { NODE_FLAGS, SOJOURN } from '../../test/support/command.ts'
import type { Bench } from './bench.ts'
import { cpuMicros, forgetPeak, outputOf, residentMb, startNode } from './processes.ts'

export interface Service {
  /** `http://127.0.0.1:port` */
  readonly url: string
  readonly pid: number
  cpuMicros(): number
  residentMb(): { now: number; peak: number }
  /** The peak is that from now on. */
  forgetPeak(): void
  stop(): Promise<void>
}

/** What a command of the version prints. */
export const sojournSays = (args: readonly string[], options: ServiceOptions): Promise<string> =>
  outputOf(process.execPath, [...sojournOf(options.checkout), ...args], serviceEnv(options))

export interface ServiceOptions {
  readonly databaseUrl?: string
  readonly dataDir?: string
  readonly answerCacheMb?: number
  /** another checkout of Sojourn, to run in place of this one */
  readonly checkout?: string | undefined
  /** other settings */
  readonly env?: Readonly<Record<string, string>>
}

export async function startService(bench: Bench, options: ServiceOptions): Promise<Service> {
  const started = await startNode(
    bench,
    [...profiling(bench), ...sojournOf(options.checkout), 'serve'],
    serviceEnv(options),
    /listens on (http:\S+)/,
  )
  const { pid, said: url, stop } = started
  return {
    url,
    pid,
    stop,
    cpuMicros: () => cpuMicros(pid),
    residentMb: () => residentMb(pid),
    forgetPeak: () => forgetPeak(pid),
  }
}

const sojournOf = (checkout: string | undefined): readonly string[] =>
  checkout === undefined ? SOJOURN : [...NODE_FLAGS, join(checkout, 'bin', 'sojourn.js')]

export const serviceEnv = ({
  databaseUrl,
  dataDir,
  answerCacheMb,
  env,
}: ServiceOptions): Record<string, string> => ({
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'warn',
  DATABASE_URL: databaseUrl ?? '',
  DATA_DIR: dataDir ?? '',
  ANSWER_CACHE_MB: answerCacheMb === undefined ? '' : String(answerCacheMb),
  ...env,
})

/** Node writes the profile when the process ends. */
export const profiling = ({ profileFolder }: Bench): string[] =>
  profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`]

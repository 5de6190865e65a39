/** The service as it is run in production: `sojourn serve` in a separate process. */
import { join } from 'node:path'
import { NODE_FLAGS, SOJOURN } from '../../test/support/command.ts'
import type { Bench } from './bench.ts'
import { exactCpuMicrosOfThreads, forgetPeak, outputOf, residentMb, startNode } from './processes.ts'

export interface Service {
  /** `http://127.0.0.1:port` */
  readonly url: string
  readonly pid: number
  cpuMicros(): number
  residentMb(): { now: number; peak: number }
  /** Resets the peak of the resident memory. */
  forgetPeak(): void
  stop(): Promise<void>
}

/** The output of a command of this version. */
export const sojournSays = (args: readonly string[], options: ServiceOptions): Promise<string> =>
  outputOf(process.execPath, [...sojournOf(options.checkout), ...args], serviceEnv(options))

export interface ServiceOptions {
  readonly databaseUrl?: string
  readonly dataDir?: string
  readonly answerCacheMb?: number
  /** another checkout of Sojourn to run instead of this one */
  readonly checkout?: string | undefined
  /** additional arguments of Node */
  readonly nodeArgs?: readonly string[]
  /** additional settings */
  readonly env?: Readonly<Record<string, string>>
}

/** Starts the service and waits until it listens. */
export async function startService(bench: Bench, options: ServiceOptions): Promise<Service> {
  const started = await startNode(
    bench,
    [...profiling(bench), ...(options.nodeArgs ?? []), ...sojournOf(options.checkout), 'serve'],
    serviceEnv(options),
    /listens on (http:\S+)/,
  )
  const { pid, said: url, stop } = started
  return {
    url,
    pid,
    stop,
    cpuMicros: () => exactCpuMicrosOfThreads(pid),
    residentMb: () => residentMb(pid),
    forgetPeak: () => forgetPeak(pid),
  }
}

/** Arguments for Node that run the command of a checkout. */
export const sojournOf = (checkout: string | undefined): readonly string[] =>
  checkout === undefined ? SOJOURN : [...NODE_FLAGS, join(checkout, 'bin', 'sojourn.js')]

/** What a unit and the image say to glibc (deploy/sojourn.service, Dockerfile). */
export const ALLOCATOR = { MALLOC_TRIM_THRESHOLD_: '131072' }

/** The environment for these options. */
export const serviceEnv = ({
  databaseUrl,
  dataDir,
  answerCacheMb,
  env,
}: ServiceOptions): Record<string, string> => ({
  ...ALLOCATOR,
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

/** What a measurement is, and what it works with. */

/** One figure of a measurement. */
export interface Finding {
  readonly what: string
  readonly value: number
  /** `/s`, `ms`, `MB`, `µs`; a ratio has none */
  readonly unit?: string
  /** smallest and largest of the rounds */
  readonly spread?: readonly [number, number]
  readonly target?: { readonly atLeast: number } | { readonly atMost: number }
}

export interface Measurement {
  readonly name: string
  /** one line for `--list` */
  readonly title: string
  run(bench: Bench): Promise<Finding[]>
}

export interface Bench {
  readonly rounds: number
  readonly roundSeconds: number
  /** of the large database */
  readonly bookings: number
  /** a checkout of another version, to measure beside this one */
  readonly against: string | undefined
  /** the one database to measure on, where a measurement has two; undefined: both */
  readonly engine: string | undefined
  /** the kinds of abuse, where not all of them are to go on at once */
  readonly abuses: readonly string[] | undefined
  /** where services leave a CPU profile; undefined: none is taken */
  readonly profileFolder: string | undefined
  log(line: string): void
  /** Undone in reverse order when the measurement ends, however it ends. */
  afterwards(work: () => unknown): void
  /** the PostgreSQL server, as its superuser: the one of `BENCH_DATABASE_URL`, or one of our own, started now */
  serverUrl(): Promise<string>
}

/** A wrong answer, or a load that was not what it should be: the figures mean nothing then. */
export class BenchFailed extends Error {
  override readonly name = 'BenchFailed'
}

export const isMet = ({ value, target }: Finding): boolean | undefined => {
  if (target === undefined) return undefined
  return 'atLeast' in target ? value >= target.atLeast : value <= target.atMost
}

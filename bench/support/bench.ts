/** The types of a measurement and of what it uses. */

/** One figure of a measurement. */
export interface Figure {
  readonly what: string
  readonly value: number
  /** `/s`, `ms`, `MB`, `µs`; a ratio has none */
  readonly unit?: string
  /** smallest and largest value of the rounds */
  readonly spread?: readonly [number, number]
  readonly target?: { readonly atLeast: number } | { readonly atMost: number }
}

export interface Measurement {
  readonly name: string
  /** one line for `--list` */
  readonly title: string
  run(bench: Bench): Promise<Figure[]>
}

export interface Bench {
  readonly rounds: number
  readonly roundSeconds: number
  /** size of the large database */
  readonly bookings: number
  /** size of the large audit trail */
  readonly entries: number
  /** a checkout of another version to compare with */
  readonly against: string | undefined
  /** the only database to measure on, if a measurement supports two; undefined: both */
  readonly engine: string | undefined
  /** the kinds of abuse to run, if not all of them at once */
  readonly abuses: readonly string[] | undefined
  /** the kinds of request to measure, if not all of them */
  readonly kinds: readonly string[] | undefined
  /** where services write CPU profiles; undefined: no profiles */
  readonly profileFolder: string | undefined
  log(line: string): void
  /** Runs when the measurement ends, however it ends; in reverse order. */
  afterwards(work: () => unknown): void
  /** the PostgreSQL server as its superuser: the one in `BENCH_DATABASE_URL`, or a new one */
  serverUrl(): Promise<string>
}

/** Runs a program that measures no time, with the parts of a bench that starting a service uses. */
export async function runAlone(main: (bench: Bench) => Promise<void>): Promise<void> {
  const cleanups: (() => unknown)[] = []
  const bench = {
    profileFolder: undefined,
    afterwards: (work: () => unknown) => cleanups.push(work),
  } as unknown as Bench
  try {
    await main(bench)
  } finally {
    for (const cleanup of cleanups.reverse()) await cleanup()
  }
}

/** A wrong answer, or load that was not as intended: the figures are then meaningless. */
export class BenchFailed extends Error {
  override readonly name = 'BenchFailed'
}

/** Whether a target is met; undefined if there is none. */
export const isMet = ({ value, target }: Figure): boolean | undefined => {
  if (target === undefined) return undefined
  return 'atLeast' in target ? value >= target.atLeast : value <= target.atMost
}

/**
 * Measures sides alternately, A B A B A B: other work on the machine affects both alike, so the ratio of neighbouring
 * rounds is more reliable than either figure.
 */
import type { Figure } from './bench.ts'

export interface Sample {
  readonly perSecond: number
  /** CPU time of the service's process per request */
  readonly cpuMicros?: number
  /** CPU time of the database's processes per request */
  readonly databaseMicros?: number
  readonly p99Ms?: number
}

export interface Comparison {
  readonly ours: readonly Sample[]
  readonly floor: readonly Sample[]
}

/** Measures two sides alternately. */
export async function alternately(
  rounds: number,
  ours: () => Promise<Sample>,
  floor: () => Promise<Sample>,
): Promise<Comparison> {
  const comparison: { ours: Sample[]; floor: Sample[] } = { ours: [], floor: [] }
  for (let round = 0; round < rounds; round += 1) {
    comparison.ours.push(await ours())
    comparison.floor.push(await floor())
  }
  return comparison
}

/** Measures several sides alternately. @returns the samples of each side, by round */
export async function allAlternately<Side extends string>(
  rounds: number,
  sides: Readonly<Record<Side, () => Promise<Sample>>>,
): Promise<Record<Side, Sample[]>> {
  const names = Object.keys(sides) as Side[]
  const samples = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Side, Sample[]>
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) samples[name].push(await sides[name]())
  }
  return samples
}

/** The ratio of the two sides in each round. */
export function ratioOf(what: string, { ours, floor }: Comparison, target?: Figure['target']): Figure {
  const ratios = ours.map((sample, round) => sample.perSecond / (floor[round]?.perSecond ?? Number.NaN))
  return { ...figure(what, ratios), ...(target === undefined ? {} : { target }) }
}

/** The median rate. */
export const rateOf = (what: string, samples: readonly Sample[]): Figure => ({
  ...figure(
    what,
    samples.map(({ perSecond }) => perSecond),
  ),
  unit: '/s',
})

/** The median CPU time of the service. */
export const cpuOf = (what: string, samples: readonly Sample[]): Figure =>
  microsOf(what, samples, ({ cpuMicros }) => cpuMicros)

/** A median CPU time in µs. */
export const microsOf = (
  what: string,
  samples: readonly Sample[],
  of: (sample: Sample) => number | undefined,
): Figure => ({
  ...figure(
    what,
    samples.map((sample) => of(sample) ?? Number.NaN),
  ),
  unit: 'µs',
})

/** The service and the database together. */
export const wholeCpu = ({ cpuMicros, databaseMicros }: Sample): number =>
  (cpuMicros ?? Number.NaN) + (databaseMicros ?? Number.NaN)

/** The median of the rounds, with their spread. */
export function figure(what: string, values: readonly number[]): Figure {
  return { what, value: median(values), spread: [Math.min(...values), Math.max(...values)] }
}

/** The median; the mean of the two middle values if their number is even. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

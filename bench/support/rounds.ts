/**
 * Sides measured in turns, A B A B A B: what else the machine does meanwhile troubles both alike, so a ratio
 * of neighbours says more than either figure.
 */
import type { Finding } from './bench.ts'

export interface Sample {
  readonly perSecond: number
  /** CPU time of the service's process for each request */
  readonly cpuMicros?: number
  /** CPU time of the database's processes for each request */
  readonly databaseMicros?: number
  readonly p99Ms?: number
}

export interface Comparison {
  readonly ours: readonly Sample[]
  readonly floor: readonly Sample[]
}

export async function inTurns(
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

/** More than two sides in turns. @returns the samples of each side, a round after the other */
export async function allInTurns<Side extends string>(
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

/** The ratio of each round's neighbours. */
export function ratioOf(what: string, { ours, floor }: Comparison, target?: Finding['target']): Finding {
  const ratios = ours.map((sample, round) => sample.perSecond / (floor[round]?.perSecond ?? Number.NaN))
  return { ...figure(what, ratios), ...(target === undefined ? {} : { target }) }
}

export const rateOf = (what: string, samples: readonly Sample[]): Finding => ({
  ...figure(
    what,
    samples.map(({ perSecond }) => perSecond),
  ),
  unit: '/s',
})

export const cpuOf = (what: string, samples: readonly Sample[]): Finding =>
  microsOf(what, samples, ({ cpuMicros }) => cpuMicros)

/** CPU time in µs: of the service unless told otherwise. */
export const microsOf = (
  what: string,
  samples: readonly Sample[],
  of: (sample: Sample) => number | undefined,
): Finding => ({
  ...figure(
    what,
    samples.map((sample) => of(sample) ?? Number.NaN),
  ),
  unit: 'µs',
})

/** Of the service and the database together. */
export const wholeCpu = ({ cpuMicros, databaseMicros }: Sample): number =>
  (cpuMicros ?? Number.NaN) + (databaseMicros ?? Number.NaN)

/** The median of the rounds, with their spread. */
export function figure(what: string, values: readonly number[]): Finding {
  return { what, value: median(values), spread: [Math.min(...values), Math.max(...values)] }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/**
 * Two sides measured in turns, A B A B A B: what else the machine does meanwhile troubles both alike, so a ratio
 * of neighbours says more than either figure.
 */
import type { Finding } from './bench.ts'

export interface Sample {
  readonly perSecond: number
  /** CPU time of the service's process for each request */
  readonly cpuMicros?: number
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

export const cpuOf = (what: string, samples: readonly Sample[]): Finding => ({
  ...figure(
    what,
    samples.map(({ cpuMicros }) => cpuMicros ?? Number.NaN),
  ),
  unit: 'µs',
})

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

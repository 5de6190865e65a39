/** What another center sees for two minutes in which everything is abused at once. */
import { type Bench, BenchFailed, type Measurement } from '../support/bench.ts'
import { ABUSES, type Abuse, besideAbuse } from '../support/other-center.ts'

export const abusers: Measurement = {
  name: 'abusers',
  title: 'what a center sees while every kind of abuse goes on at once, on both databases',

  run: (bench) =>
    besideAbuse(bench, chosen(bench), {
      quietSeconds: bench.roundSeconds * 2,
      abusedSeconds: bench.roundSeconds * 6,
    }),
}

/** All but the ninety reports at once, which are beyond what a key may ask for beside the rest. */
function chosen({ abuses }: Bench): readonly Abuse[] {
  if (abuses === undefined) return ABUSES.filter((kind) => kind !== 'reports at once')
  const unknown = abuses.find((name) => !ABUSES.some((kind) => kind === name))
  if (unknown !== undefined)
    throw new BenchFailed(`there is no abuse ${unknown}; there are ${ABUSES.join(', ')}`)
  return ABUSES.filter((kind) => abuses.includes(kind))
}

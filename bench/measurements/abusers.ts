/** What another center sees for two minutes in which everything is abused at once. */
import type { Bench, Measurement } from '../support/bench.ts'
import { chosen } from '../support/chosen.ts'
import { ABUSES, type Abuse, duringAbuse } from '../support/other-center.ts'

export const abusers: Measurement = {
  name: 'abusers',
  title: 'what a center sees while every kind of abuse goes on at once, on both databases',

  run: (bench) =>
    duringAbuse(bench, abusesOf(bench), {
      quietSeconds: bench.roundSeconds * 2,
      abusedSeconds: bench.roundSeconds * 6,
    }),
}

/** All but the ninety reports at once, which are beyond what a key may ask for next to the rest. */
function abusesOf({ abuses }: Bench): readonly Abuse[] {
  if (abuses === undefined) return ABUSES.filter((kind) => kind !== 'reports at once')
  return chosen('abuse', abuses, ABUSES)
}

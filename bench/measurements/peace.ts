/**
 * What another center sees while one key does its worst: ninety reports of ten years at once, within its limits, next to
 * lists of orders that it does not read.
 */
import type { Measurement } from '../support/bench.ts'
import { duringAbuse } from '../support/other-center.ts'

export const peace: Measurement = {
  name: 'peace',
  title: 'what a center sees in quiet and while a key of another one does its worst, on both databases',

  run: (bench) =>
    duringAbuse(bench, ['reports at once', 'streams'], {
      quietSeconds: bench.roundSeconds * 2,
      abusedSeconds: bench.roundSeconds * 2,
    }),
}

/** The seed of tests with random input: the same in every run, so that no change fails for what an earlier one did. */
import { randomInt } from 'node:crypto'
import { inject } from 'vitest'
import type { Lane } from '../../tools/lanes/files.ts'

declare module 'vitest' {
  interface ProvidedContext {
    lane: Lane
  }
}

/** Whether the run is `npm run test:whole`, which tries random seeds and more cases. */
export const isWhole = inject('lane') === 'whole'

/** `SEED` if it is set, and otherwise a random one in `npm run test:whole`. The titles of tests show it, so that a failure can be repeated. */
export const SEED = Number(process.env.SEED ?? (isWhole ? randomInt(2 ** 31) : 20_261_127))

/** A center whose contradictions are evaluated, and what the list says of them. */
import { createEvaluator, type Evaluator } from '../../../src/parts/contradictions/evaluator.ts'
import type { Fields, TestAnswer, TestApi } from '../../support/api.ts'
import { clockedDatabase } from '../../support/clocked-database.ts'

export const NOW = '2025-01-12T09:00:00Z'

/** @param holder of the leases */
export function evaluatorOf(
  api: Pick<TestApi, 'database'>,
  holder = 'test',
  now = NOW,
  warn = failTest as () => void,
): Evaluator {
  const clock = () => Date.parse(now)
  return createEvaluator({ database: clockedDatabase(api.database, clock), clock, holder, log: { warn } })
}

const failTest = (...said: unknown[]): never => {
  throw new Error(JSON.stringify(said))
}

export interface Listed {
  readonly id: string
  readonly kind: string
  readonly severity: string
  readonly since: string
  readonly changedAt: string
  readonly evidence: {
    readonly digest: string
    readonly records: readonly { readonly kind: string; readonly id: string; readonly name: string | null }[]
    readonly compared: readonly { readonly field: string; readonly values: readonly unknown[] }[]
  }
  readonly dismissed: Fields | null
}

export const listed = (answer: TestAnswer): readonly Listed[] =>
  answer.body.data as readonly unknown[] as Listed[]

/** Each contradiction as its kind and its records: `overlappingStays a b`. In order. */
export const inShort = (answer: TestAnswer): string[] =>
  listed(answer)
    .map(({ kind, evidence }) => [kind, ...evidence.records.map(({ id }) => id)].join(' '))
    .sort()

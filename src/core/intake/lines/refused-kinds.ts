/** Records that an import refuses whatever they contain. */
import { onlyEnglish, reason } from '../../locale/said.ts'
import { oneOfWords } from '../../records/fields/values.ts'
import type { KindName } from '../kinds/kind.ts'
import { KINDS } from '../kinds.ts'
import { type FieldProblem, valueIs } from '../rejects/problems.ts'
import type { RunOptions } from '../run-options.ts'

/** @returns why a record of this kind and center is refused; undefined if it is not */
export function unwanted(
  kind: KindName,
  center: string | undefined,
  options: RunOptions,
): FieldProblem | undefined {
  const { only: flag } = KINDS[kind]
  if (flag !== undefined && !options[flag]) {
    const what = flag === 'keys' ? 'keys' : 'the audit trail'
    return { field: 'kind', ...onlyEnglish(`is "${kind}"; use --${flag} to import ${what}`) }
  }
  const { only } = options
  if (only === undefined) return undefined
  if (!only.kinds.has(kind)) {
    const values = { given: valueIs(kind), expected: oneOfWords([...only.kinds]) }
    return { field: 'kind', ...reason({ key: 'expected', values }) }
  }
  if (center === undefined || center === only.center) return undefined
  return { field: 'centerId', ...reason({ key: 'otherCenter', values: { center, own: only.center } }) }
}

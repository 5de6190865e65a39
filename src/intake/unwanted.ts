/** Records that an import refuses whatever they contain. */
import type { KindName } from './kinds/kind.ts'
import { KINDS } from './kinds.ts'
import type { FieldProblem } from './problems.ts'
import type { RunOptions } from './run-options.ts'

/** @returns why a record of this kind and center is refused; undefined if it is not */
export function unwanted(
  kind: KindName,
  center: string | undefined,
  options: RunOptions,
): FieldProblem | undefined {
  const { only: flag } = KINDS[kind]
  if (flag !== undefined && !options[flag]) {
    const what = flag === 'keys' ? 'keys' : 'the audit trail'
    return { field: 'kind', message: `is "${kind}"; use --${flag} to import ${what}` }
  }
  const { only } = options
  if (only === undefined) return undefined
  if (!only.kinds.has(kind)) {
    return { field: 'kind', message: `is "${kind}"; expected one of ${[...only.kinds].join(', ')}` }
  }
  if (center === undefined || center === only.center) return undefined
  return { field: 'centerId', message: `is "${center}"; only records of "${only.center}" are taken` }
}

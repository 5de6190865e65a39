/**
 * Checks mappings that are imported as records. This is separate from their kind because reading a mapping depends on
 * all kinds.
 */
import { onlyEnglish } from '../../../locale/said.ts'
import { InputError } from '../../input-error.ts'
import type { KindName } from '../../kinds/kind.ts'
import { type FieldProblem, isObject } from '../../rejects/problems.ts'
import { readMapping } from './read-mapping.ts'

/** The problem of a mapping to be stored with its center, which would otherwise only appear when it is used. */
export function wrongMapping(kind: KindName, text: string | undefined): FieldProblem | undefined {
  const given: unknown = kind === 'mapping' && text !== undefined ? JSON.parse(text) : undefined
  if (!isObject(given) || typeof given.body !== 'string') return undefined
  try {
    readMapping(given.body, String(given.name))
    return undefined
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    return { field: 'body', ...onlyEnglish(`is not a valid mapping: ${error.message.split('\n', 1)[0]}`) }
  }
}

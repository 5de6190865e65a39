/** A record of a mapping that a center is to keep: its kind cannot say what is wrong with it, which takes the kinds to tell. */
import { InputError } from '../input-error.ts'
import type { KindName } from '../kinds/kind.ts'
import { type FieldProblem, isObject } from '../problems.ts'
import { readMapping } from './read-mapping.ts'

/** What is wrong with a mapping that the center is to keep, which would otherwise be told when it is used. */
export function wrongMapping(kind: KindName, text: string | undefined): FieldProblem | undefined {
  const given: unknown = kind === 'mapping' && text !== undefined ? JSON.parse(text) : undefined
  if (!isObject(given) || typeof given.body !== 'string') return undefined
  try {
    readMapping(given.body, String(given.name))
    return undefined
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    return { field: 'body', message: `is no mapping: ${error.message.split('\n', 1)[0]}` }
  }
}

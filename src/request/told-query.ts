/** A query as it may be kept: the trail says that somebody was looked for, not who. */
import type { ParameterTable } from './parameters.ts'

/** What stands in place of a value. */
const HIDDEN = '(hidden)'

/**
 * @param query as it was sent, without its question mark
 * @returns the same text where it holds nothing personal
 */
export function toldQuery(query: string, table: ParameterTable): string {
  if (query === '') return query
  const parts = query.split('&')
  const told = parts.map((part) => {
    const name = nameOf(part)
    return Object.hasOwn(table, name) && table[name]?.personal === true ? `${name}=${HIDDEN}` : part
  })
  return told.join('&')
}

/** As it is read: a name may be written with escapes. */
function nameOf(part: string): string {
  const at = part.indexOf('=')
  const name = at < 0 ? part : part.slice(0, at)
  if (!/[%+]/.test(name)) return name
  for (const [decoded] of new URLSearchParams(name)) return decoded
  return name
}

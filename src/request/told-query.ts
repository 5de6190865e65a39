/**
 * Removes personal values from a query before it is stored: the trail records that somebody was searched for, not who.
 */
import type { ParameterTable } from './parameters.ts'

/** Replaces a personal value. */
const HIDDEN = '(hidden)'

/**
 * @param query as sent, without its question mark
 * @returns the same text if it contains nothing personal
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

/** The decoded name, because names may be percent-encoded. */
function nameOf(part: string): string {
  const at = part.indexOf('=')
  const name = at < 0 ? part : part.slice(0, at)
  if (!/[%+]/.test(name)) return name
  for (const [decoded] of new URLSearchParams(name)) return decoded
  return name
}

/** A guest's values as text, for cells. */

export type Row = Readonly<Record<string, unknown>>

/** The value of a field, `address.city`. */
export function valueAt(row: Row, name: string): unknown {
  let value: unknown = row
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined
    value = Object.entries(value).find(([key]) => key === part)?.[1]
  }
  return value
}

/** @returns '' where there is no value */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  if (typeof value === 'object') {
    return Object.entries(value)
      .map(([key, inner]): [string, string] => [key, textOf(inner)])
      .filter(([, text]) => text !== '')
      .map(([key, text]) => `${key}: ${text}`)
      .join('; ')
  }
  return String(value)
}

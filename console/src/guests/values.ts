/** A guest's values as text, for cells and files. */

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

/** Programs that open such a file compute what begins like this; a sign before a number or a phone number is no formula. */
const FORMULA = /^(?:[=@\t\r]|[+-](?![\d\s().-]*$))/

export function csvCell(value: unknown): string {
  const text = textOf(value)
  const safe = typeof value === 'number' || !FORMULA.test(text) ? text : `'${text}`
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const csvLine = (values: readonly unknown[]): string => `${values.map(csvCell).join(',')}\r\n`

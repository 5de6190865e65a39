/** JSON, or CSV for a spreadsheet: by `format`, or by what the `Accept` header would rather have. */
import { enumParameter } from './parameter-kinds.ts'

export type Format = 'json' | 'csv'

export const CSV_TYPE = 'text/csv; charset=utf-8; header=present'

export const formatParameter = enumParameter({
  description: '`json` or `csv`; without it, the `Accept` header decides, and JSON is the default.',
  values: ['json', 'csv'],
})

/** CSV only where the header gives it more weight than JSON. A type that is neither is answered with JSON. */
export function acceptedFormat(accept: string | undefined): Format {
  if (accept === undefined || !accept.toLowerCase().includes('text/csv')) return 'json'
  const weights = new Map<string, number>()
  for (const part of accept.toLowerCase().split(',')) {
    const [type = '', ...parameters] = part.split(';').map((text) => text.trim())
    const weight = parameters.find((text) => text.startsWith('q='))?.slice(2)
    weights.set(type, weight === undefined ? 1 : Number(weight))
  }
  // What is named beats a wildcard.
  const json = weights.get('application/json') ?? weights.get('application/*') ?? 0
  return (weights.get('text/csv') ?? 0) > json ? 'csv' : 'json'
}

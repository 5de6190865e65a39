/** The formats of an answer besides JSON, and the choice by the `Accept` header. */

export type FileFormat = 'csv' | 'ndjson' | 'xlsx'
export type Format = 'json' | FileFormat

export const FORMATS: readonly Format[] = ['json', 'csv', 'ndjson', 'xlsx']

export const MEDIA_TYPES: Readonly<Record<FileFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/** Without parameters, as a request's header names them. */
const NAMED = Object.entries(MEDIA_TYPES).map(
  ([format, type]) => [format as FileFormat, type.split(';')[0] ?? type] as const,
)

/** A shorter `Accept` header names no other format than JSON: most requests send a wildcard. */
export const OTHER_FORMAT_LENGTH_MIN = Math.min(...NAMED.map(([, type]) => type.length))

/**
 * Chooses another format than JSON only if the header gives it more weight. For unsupported types, the answer is JSON.
 * @param formats that the operation supports besides JSON
 */
export function acceptedFormat(accept: string, formats: readonly FileFormat[] = []): Format {
  const named = NAMED.filter(([format]) => formats.includes(format))
  const lower = accept.toLowerCase()
  if (!named.some(([, type]) => lower.includes(type))) return 'json'
  const weights = new Map<string, number>()
  for (const part of lower.split(',')) {
    const [type = '', ...parameters] = part.split(';').map((text) => text.trim())
    const weight = parameters.find((text) => text.startsWith('q='))?.slice(2)
    weights.set(type, weight === undefined ? 1 : Number(weight))
  }
  // A named type takes precedence over a wildcard.
  let best: Format = 'json'
  let most = weights.get('application/json') ?? weights.get('application/*') ?? 0
  for (const [format, type] of named) {
    const weight = weights.get(type) ?? 0
    if (weight > most) [best, most] = [format, weight]
  }
  return best
}

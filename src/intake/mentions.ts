/** How a person may be named in the records of others. */

export interface CustomerNames {
  first_name: string
  last_name: string
  email: string | null
  phone: string | null
  secondary_phone: string | null
  pin: string | null
  internal_id: string | null
}

/** Shorter texts are found everywhere. */
const LENGTH_MIN = 4

/** Between the names, in texts and in identifiers that are made from them. */
const BETWEEN = [' ', '-', '_', '.']

/**
 * Lower case, each once: the whole name in both orders, addresses and numbers, also as a URL would write them. A surname
 * alone is none, because it is a family's.
 */
export function mentionTerms(names: CustomerNames): string[] {
  const { first_name: first, last_name: last, email, phone, secondary_phone, pin, internal_id } = names
  const texts = [
    ...BETWEEN.flatMap((mark) => [`${first}${mark}${last}`, `${last}${mark}${first}`]),
    `${last}, ${first}`,
    ...[email, phone, secondary_phone, pin, internal_id].flatMap((text) => text ?? []),
  ]
    .map((text) => text.trim().toLowerCase())
    .filter((text) => text.length >= LENGTH_MIN)
  const inUrls = texts.flatMap((text) => {
    const encoded = encodeURIComponent(text).toLowerCase()
    return [encoded, encoded.replaceAll('%20', '+')]
  })
  return [...new Set([...texts, ...inUrls])]
}

export const mentions = (text: string, terms: readonly string[]): boolean => {
  const lower = text.toLowerCase()
  return terms.some((term) => lower.includes(term))
}

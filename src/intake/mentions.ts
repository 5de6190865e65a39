/** How a person may be named in other people's records. */

export interface CustomerNames {
  first_name: string | null
  last_name: string | null
  email: string | null
  phone: string | null
  secondary_phone: string | null
  pin: string | null
  internal_id: string | null
}

/** Shorter texts occur everywhere. */
const LENGTH_MIN = 4

/** Separators between names, in texts and in identifiers made from them. */
const BETWEEN = [' ', '-', '_', '.']

/**
 * Search terms in lower case, each once: the full name in both orders, addresses and numbers, also URL-encoded. A
 * surname alone is not included, because relatives share it, unless it is the person's only name.
 */
export function mentionTerms(names: CustomerNames): string[] {
  const { first_name: first, last_name: last, email, phone, secondary_phone, pin, internal_id } = names
  const texts = [
    ...(first === null || last === null
      ? [first ?? last ?? '']
      : [
          ...BETWEEN.flatMap((mark) => [`${first}${mark}${last}`, `${last}${mark}${first}`]),
          `${last}, ${first}`,
        ]),
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

/** Whether a text contains one of the terms. */
export const mentions = (text: string, terms: readonly string[]): boolean => {
  const lower = text.toLowerCase()
  return terms.some((term) => lower.includes(term))
}

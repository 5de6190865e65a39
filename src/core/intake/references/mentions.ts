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
    .map((text) => text.trim())
    .filter((text) => text.length >= LENGTH_MIN)
  // A letter such as Ș has other bytes than its lower case, and a database with the locale C leaves it as it is.
  const inUrls = texts.flatMap((text) =>
    [text, text.toLowerCase()].flatMap((form) => {
      const encoded = encodeURIComponent(form).toLowerCase()
      return [encoded, encoded.replaceAll('%20', '+')]
    }),
  )
  const lower = texts.flatMap((text) => [
    text.toLowerCase(),
    text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()),
  ])
  return [...new Set([...lower, ...inUrls])]
}

/** In place of a name. It is a plain word in JSON, in YAML and in the query of a URL. */
const ERASED = '(erased)'

/** The text without the terms, in any case. */
export function withoutMentions(text: string, terms: readonly string[]): string {
  let left = text
  for (const term of terms.toSorted((a, b) => b.length - a.length)) {
    // The lower case of a few characters is longer.
    const lower = left.toLowerCase()
    const source = lower.length === left.length ? left : lower
    let [found, from] = [lower.indexOf(term), 0]
    let without = ''
    for (; found >= 0; found = lower.indexOf(term, from)) {
      without += `${source.slice(from, found)}${ERASED}`
      from = found + term.length
    }
    if (from > 0) left = without + source.slice(from)
  }
  return left
}

/** Whether a text contains one of the terms. */
export const mentions = (text: string, terms: readonly string[]): boolean => {
  const lower = text.toLowerCase()
  return terms.some((term) => lower.includes(term))
}

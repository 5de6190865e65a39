/** E-mail addresses as address books, forms and people write them. */
import { mayBeWord } from './text-lengths.ts'

const ADDRESS_LENGTH_MAX = 254

/** Whether a text is one address. */
function isEmail(text: string): boolean {
  const [name = '', domain = '', ...more] = text.length > ADDRESS_LENGTH_MAX ? [] : text.split('@')
  return name !== '' && more.length === 0 && !/[\s<>()[\]:,;"]/.test(text) && /[^.]\.[^.]/.test(domain)
}

/** Without quotation marks and punctuation at the end. */
function withoutEnd(text: string): string {
  let end = text.length
  while (end > 0 && "'\u2019\u201d.:".includes(text[end - 1] ?? '')) end -= 1
  return text.slice(0, end)
}

/**
 * The addresses of a text, each once: `Dan Marin <dan@example.org>`, `mailto:dan@example.org?subject=…`, and several of them
 * with commas, semicolons, slashes, spaces or line breaks between.
 */
export function addressesIn(text: string): string[] {
  if (!mayBeWord(text) || !text.includes('@')) return []
  const pieces = text
    .split(/[\s<>()[\],;|/"]+/)
    .map((piece) => piece.replace(/^(?:mailto:|smtp:|['\u2018\u201c])+/i, '').split('?', 1)[0] ?? '')
    .map(withoutEnd)
  return [...new Map(pieces.filter(isEmail).map((address) => [address.toLowerCase(), address])).values()]
}

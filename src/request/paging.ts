/** Pages: what `start` and `length` mean, and the `Link` header that leads through all of them (ruling 19a). */
import type { Problem } from '../errors/api-error.ts'
import type { RawQuery, SentParameters } from './parameters.ts'

export const DEFAULT_PAGE_LENGTH = 50

/** A page of an answer: its number from 1, and how many results it may hold. */
export interface Page {
  readonly start: number
  readonly length: number
}

/**
 * The page asked for, and a problem where `length` is over the center's maximum (ruling 19). A request that
 * names no length gets the default, or the maximum where a center has set that lower.
 */
export function readPage(
  values: Page,
  sent: SentParameters,
  maximum: number,
): { page: Page; problems: readonly Problem[] } {
  const { start, length } = values
  if (length <= maximum) return { page: { start, length }, problems: [] }
  if (!sent.has('length')) return { page: { start, length: maximum }, problems: [] }
  return {
    page: { start, length },
    problems: [
      {
        parameter: 'length',
        message: `length ${length} is over this center's maximum of ${maximum} results a page; ask for ${maximum} or less and follow the Link header's next page.`,
      },
    ],
  }
}

/**
 * The value of `Link`: `first`, `prev`, `next` and `last`, as far as there are such pages, each keeping every
 * other parameter as it was sent. The references are relative to the request, so nothing of it is echoed but
 * its own encoded query.
 */
export function pageLinks(path: string, query: RawQuery, page: Page & { readonly total: number }): string {
  const last = Math.max(1, Math.ceil(page.total / page.length))
  const kept = new URLSearchParams()
  for (const [name, values] of query) {
    if (name !== 'start') for (const value of values) kept.append(name, value)
  }
  const link = (start: number, relation: string) => {
    const parameters = new URLSearchParams(kept)
    parameters.set('start', String(start))
    return `<${path}?${parameters}>; rel="${relation}"`
  }
  const links = [link(1, 'first')]
  // From a page past the end, the way back is the last one.
  if (page.start > 1) links.push(link(Math.min(page.start - 1, last), 'prev'))
  if (page.start < last) links.push(link(page.start + 1, 'next'))
  links.push(link(last, 'last'))
  return links.join(', ')
}

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
        message: `length ${length} is above this center's maximum of ${maximum} results per page. Ask for ${maximum} or fewer and follow the Link header to the next page.`,
      },
    ],
  }
}

/** Clients and proxies refuse long headers, many from 8 kB for all of them; 88 fields in four links made 10 kB. */
const LINK_BYTES_MAX = 4000

/**
 * The value of `Link`: `first`, `prev`, `next` and `last`, as far as there are such pages, each keeping every
 * other parameter as it was sent. Where that is too long: `prev` and `next` alone, and then none.
 * @param path as the service knows it: what the client wrote before it, such as another host, is not echoed.
 * @param snapshot the cursor that all pages are to be read at
 */
export function pageLinks(
  path: string,
  query: RawQuery,
  page: Page & { readonly total: number },
  snapshot?: string,
): string | undefined {
  const last = Math.max(1, Math.ceil(page.total / page.length))
  const kept = new URLSearchParams()
  for (const [name, values] of query) {
    if (name !== 'start') for (const value of values) kept.append(name, value)
  }
  if (snapshot !== undefined) kept.set('snapshot', snapshot)
  const link = (start: number, relation: string) => {
    const parameters = new URLSearchParams(kept)
    parameters.set('start', String(start))
    // A comma may stand in a query as it is, and encoded it is three times as long.
    return `<${path}?${parameters.toString().replaceAll('%2C', ',')}>; rel="${relation}"`
  }
  const near: string[] = []
  // From a page past the end, the way back is the last one.
  if (page.start > 1) near.push(link(Math.min(page.start - 1, last), 'prev'))
  if (page.start < last) near.push(link(page.start + 1, 'next'))
  const all = [link(1, 'first'), ...near, link(last, 'last')].join(', ')
  if (all.length <= LINK_BYTES_MAX) return all
  const short = near.join(', ')
  return short !== '' && short.length <= LINK_BYTES_MAX ? short : undefined
}

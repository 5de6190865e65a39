/** Pages: the meaning of `start` and `length`, and the `Link` header to all pages (ruling 19a). */
import type { Problem } from '../errors/api-error.ts'
import type { RawQuery, SentParameters } from './parameters.ts'

export const DEFAULT_PAGE_LENGTH = 50

/** A page of an answer: its number, counted from 1, and its maximum number of results. */
export interface Page {
  readonly start: number
  readonly length: number
}

/**
 * The requested page, and a problem if `length` exceeds the center's maximum (ruling 19). A request without a length
 * gets the default, or the center's maximum if that is lower.
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

/**
 * Clients and proxies refuse long headers, many above 8 kB for all of them. A request for 88 fields had 10 kB in four
 * links. The scheme and host are added to each when it is sent.
 */
const LINK_BYTES_MAX = 3600

/**
 * The value of `Link`: `first`, `prev`, `next` and `last`, as far as these pages exist, each with all other parameters
 * as they were sent. If that is too long, only `prev` and `next`, and if that is still too long, none.
 * @param path as the service knows it, without scheme and host
 * @param snapshot the cursor at which all pages are to be read
 */
export function pageLinks(
  path: string,
  query: RawQuery,
  page: Page & { readonly total: number },
  snapshot?: string,
): string | undefined {
  const last = Math.max(1, Math.ceil(page.total / page.length))
  const others = new URLSearchParams()
  for (const [name, values] of query) {
    if (name !== 'start') for (const value of values) others.append(name, value)
  }
  if (snapshot !== undefined) others.set('snapshot', snapshot)
  // A comma is allowed in a query; encoded it would be three times as long.
  const text = others.toString().replaceAll('%2C', ',')
  const link = (start: number, relation: string) =>
    `<${path}?${text === '' ? '' : `${text}&`}start=${start}>; rel="${relation}"`
  const near: string[] = []
  // From a page past the end, the previous page is the last one.
  if (page.start > 1) near.push(link(Math.min(page.start - 1, last), 'prev'))
  if (page.start < last) near.push(link(page.start + 1, 'next'))
  const all = [link(1, 'first'), ...near, link(last, 'last')].join(', ')
  if (all.length <= LINK_BYTES_MAX) return all
  const short = near.join(', ')
  return short !== '' && short.length <= LINK_BYTES_MAX ? short : undefined
}

/**
 * What an answer does not contain, in sentences. A model that reads a page of a list, or numbers without diets, answers a
 * person as if it had read everything.
 */
import { isFields } from './tools.ts'

/**
 * @param body of an answer, if it is an object
 * @param link its `Link` header
 */
export function missingIn(
  body: Readonly<Record<string, unknown>> | undefined,
  link: string | undefined,
): string[] {
  const next = nextPage(body, link)
  return [...(next === undefined ? [] : [next]), ...(body === undefined ? [] : otherParts(body))]
}

function nextPage(body: Readonly<Record<string, unknown>> | undefined, link = ''): string | undefined {
  const next = link.split(', ').find((part) => part.endsWith('>; rel="next"'))
  if (next === undefined) return undefined
  const query = new URL(next.slice(1, next.indexOf('>')), 'http://localhost').searchParams
  const names = ['start', 'snapshot'].filter((name) => query.has(name))
  const changed = names.map((name) => `${name}=${query.get(name)}`).join(' and ')
  const total = typeof body?.total === 'number' ? ` ${body.total} records in all, of which` : ''
  const shown =
    total === '' ? 'More records follow.' : `There are${total} ${lengthOf(body?.data)} are in this answer.`
  return `${shown} For the next page, call again with the same arguments and ${changed}.`
}

function otherParts({
  diets,
  more,
  cursor,
  doNotFit,
  mismatches,
  looseDeposits,
  depositsWithoutOrder,
  notChecked,
}: Readonly<Record<string, unknown>>): string[] {
  const withheld = isFields(diets) ? listOf(diets.withheld) : []
  return [
    ...(withheld.length > 0
      ? [
          `This key may not read these diets: ${withheld.join(', ')}. They are in no number and of no guest here, and some of them may be allergies.`,
        ]
      : []),
    ...(more === true
      ? [`More changes follow. Call again with the same arguments and after=${cursor}.`]
      : []),
    ...partOf('orders in which something does not fit', doNotFit, mismatches),
    ...partOf('deposits without an order', looseDeposits, depositsWithoutOrder),
    ...(listOf(notChecked).length > 0
      ? [`Not checked without includePayments: ${listOf(notChecked).join(', ')}.`]
      : []),
  ]
}

/** @param count of all, where only the first ones are listed */
const partOf = (what: string, count: unknown, list: unknown): string[] =>
  typeof count === 'number' && Array.isArray(list) && list.length < count
    ? [`There are ${count} ${what}; only the first ${list.length} are listed. Request a shorter range.`]
    : []

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const lengthOf = (value: unknown): number => listOf(value).length

/** Which answers a change makes outdated, by their URL. If that is not certain, it does: the page then asks, and gets a 304. */
import type { Change } from '../../../client/src/openapi.ts'

/** The part of a change that decides. It names nobody, so other tabs may get it. */
export type Moved = Pick<Change, 'kind' | 'operation' | 'days'>
type Kind = Moved['kind']

/** The kinds that an answer is made from; undefined: the changes do not tell, so it is never known to be current. */
export function kindsOf({ pathname, searchParams }: URL): readonly Kind[] | undefined {
  const path = pathname.slice(pathname.indexOf('/v1/') + '/v1'.length)
  const begins = (start: string) => path === start || path.startsWith(`${start}/`)
  if (begins('/guests')) return ['guests', 'sessions']
  // A key that follows guests gets no changes of meals: those of guests include them.
  if (begins('/meals')) return ['meals', 'guests', 'sessions']
  if (begins('/sessions')) {
    return searchParams.get('includeGuestCounts') === 'true' ? ['sessions', 'guests'] : ['sessions']
  }
  if (begins('/orders')) return ['orders', 'guests', 'sessions']
  // A change of a record is evaluated a moment later, and until then the list is not complete.
  if (begins('/contradictions')) return ['contradictions', 'guests', 'sessions', 'orders']
  // The center's own fields change together with a notice to read everything again.
  if (begins('/fields')) return []
  return undefined
}

export function isTouched(url: URL, { kind, operation, days }: Moved): boolean {
  const kinds = kindsOf(url)
  if (kinds === undefined) return false
  if (operation === 'readAgain') return kinds.length === 0 || kinds.includes(kind)
  if (!kinds.includes(kind)) return false
  const shown = daysOf(url)
  // Of a session, the days are not those of its guests' stays.
  if (shown === undefined || kind === 'sessions' || days.length === 0) return true
  return days.some(({ from, to }) => from <= shown.to && shown.from <= to)
}

/** The days that an answer about meals or guests shows; undefined if its URL does not say. */
function daysOf({ pathname, searchParams }: URL): { readonly from: string; readonly to: string } | undefined {
  if (!/\/v1\/(?:meals|guests)(?:\/|$)/.test(pathname)) return undefined
  const sheet = /\/meals\/sheets\/(\d{4}-\d{2}-\d{2})$/.exec(pathname)?.[1]
  const day =
    sheet ?? ['arriving', 'departing', 'inHouse'].map((name) => searchParams.get(name)).find(Boolean)
  if (day != null) return { from: day, to: day }
  const from = searchParams.get('startDate')
  const to = searchParams.get('endDate')
  return from === null || to === null ? undefined : { from, to }
}

/** Which page is open, and the way to another one. */
import { signal } from '@preact/signals-core'
import { type Route, readRoute, to } from './routes.ts'

type Query = Route['query']

/** Before the number of what is asked for in addition to an address. */
const UNSEEN = 'sojourn-unseen-'

export const route = signal(here())
// Forward and back between two pages whose address is the same is no change of the part behind `#`.
for (const moved of ['hashchange', 'popstate']) {
  addEventListener(moved, () => {
    route.value = here()
  })
}

/**
 * @param unseen what the page is asked for in addition to its address. Browsers keep addresses, and what belongs to them,
 * in their history for weeks. So a name is in neither: this tab has it until somebody signs out.
 */
export function go(path: string, query: Query, unseen: Query): void {
  history.pushState({ unseen: remember(unseen) }, '', to(path, query))
  route.value = here()
}

/** The same page, by its own address. */
export function settle(path: string, query: Query, unseen: Query): void {
  history.replaceState({ unseen: remember(unseen) }, '', to(path, query))
}

/** @returns the number under which the tab has it; undefined for nothing */
function remember(unseen: Query): string | undefined {
  if (Object.keys(unseen).length === 0) return undefined
  const number = crypto.getRandomValues(new Uint32Array(2)).join('-')
  sessionStorage.setItem(UNSEEN + number, new URLSearchParams(unseen).toString())
  return number
}

function here(): Route {
  const { path, query } = readRoute(location.hash)
  const unseen = sessionStorage.getItem(UNSEEN + history.state?.unseen) ?? ''
  return { path, query: { ...query, ...Object.fromEntries(new URLSearchParams(unseen)) } }
}

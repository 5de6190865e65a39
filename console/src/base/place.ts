/** Where somebody is now, and the way to another place. */
import { signal } from '@preact/signals-core'
import { type Route, readRoute, to } from './routes.ts'

type Query = Route['query']

export const route = signal(here())
// Forward and back between two places whose address is the same is no change of the part behind `#`.
for (const moved of ['hashchange', 'popstate']) {
  addEventListener(moved, () => {
    route.value = here()
  })
}

/**
 * @param unseen what the place is asked for beside its address. Browsers keep addresses in their history for weeks, so a
 * name is not in one: it stays with this tab.
 */
export function go(path: string, query: Query, unseen: Query): void {
  history.pushState({ unseen }, '', to(path, query))
  route.value = here()
}

/** The same place, by its own address. */
export function settle(path: string, query: Query, unseen: Query): void {
  history.replaceState({ unseen }, '', to(path, query))
}

function here(): Route {
  const { path, query } = readRoute(location.hash)
  return { path, query: { ...query, ...history.state?.unseen } }
}

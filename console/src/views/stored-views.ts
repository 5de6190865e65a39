/**
 * Views that a person has saved: the address of a list under a name, in this browser. They belong to a key of a center, of
 * which only the identifiers are stored. An address has filters and days, and never a name that was searched for.
 */
import type { Query } from '../base/address.ts'

export interface SavedView {
  /** of the page, `guests` */
  readonly path: string
  readonly name: string
  readonly query: Query
  /** names of the columns that it shows; undefined for a page without a choice of columns */
  readonly columns?: readonly string[]
}

export interface ViewsOwner {
  readonly center: string
  readonly appId: string
}

export const VIEWS_MAX = 50
export const NAME_MAX = 60
/** Filters and days have no more. */
const ADDRESS_MAX = 2000

type Memory = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const keyOf = ({ center, appId }: ViewsOwner): string =>
  `sojourn-views ${encodeURIComponent(center)} ${encodeURIComponent(appId)}`

/** What is stored in another form, by another version or by hand, is left out. */
export function readViews(memory: Pick<Memory, 'getItem'>, owner: ViewsOwner): readonly SavedView[] {
  const found = parsed(memory.getItem(keyOf(owner)) ?? '[]')
  return Array.isArray(found) ? found.flatMap(viewOf).slice(0, VIEWS_MAX) : []
}

/** Without views, nothing is stored. @returns false if the browser does not store it */
export function writeViews(memory: Memory, owner: ViewsOwner, views: readonly SavedView[]): boolean {
  try {
    if (views.length === 0) memory.removeItem(keyOf(owner))
    else memory.setItem(keyOf(owner), JSON.stringify(views.slice(0, VIEWS_MAX)))
    return true
  } catch {
    return false
  }
}

/** A view of the same page with the same name is replaced. @returns undefined if there are too many */
export function withView(views: readonly SavedView[], view: SavedView): readonly SavedView[] | undefined {
  const at = views.findIndex(({ path, name }) => path === view.path && name === view.name)
  if (at >= 0) return views.with(at, view)
  const isTooLong = new URLSearchParams(view.query).toString().length > ADDRESS_MAX
  return views.length >= VIEWS_MAX || isTooLong ? undefined : [...views, view]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function viewOf(found: unknown): SavedView[] {
  if (typeof found !== 'object' || found === null) return []
  const { path, name, query, columns } = found as Readonly<Record<string, unknown>>
  if (typeof path !== 'string' || typeof name !== 'string' || name === '') return []
  if (typeof query !== 'object' || query === null) return []
  const texts = Object.entries(query).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  const names = Array.isArray(columns) ? columns.filter((one) => typeof one === 'string') : undefined
  return [
    {
      path,
      name: name.slice(0, NAME_MAX),
      query: Object.fromEntries(texts),
      ...(names === undefined ? {} : { columns: names }),
    },
  ]
}

/**
 * The page that the console shows: what comes after `#` in the address. It never reaches a server, so no log has it,
 * and one page serves all of it.
 */
export interface Route {
  /** `kitchen`, `kitchen/week` */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
}

export function readRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split('?', 2)
  return { path: path.replace(/\/+$/, ''), query: Object.fromEntries(new URLSearchParams(query)) }
}

/** @returns the address of a page, for a link; what is undefined or empty is left out */
export function to(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]))
  const text = new URLSearchParams(given).toString()
  return `#/${path}${text === '' ? '' : `?${text}`}`
}

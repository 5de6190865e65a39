/** The file that lists the cells: one a line, its name and the URL of its database. */

import { postgresUrl } from '../../core/config/kinds.ts'
import { UserError } from '../../core/errors/user-error.ts'
import { visible } from '../../core/errors/visible.ts'

export interface Cell {
  /** of its backend in HAProxy, after `cell-` */
  readonly name: string
  /** contains a password: never shown */
  readonly url: string
}

/** The list of cells, or the map, cannot be used; the message says why. */
export class CellsError extends UserError {
  override readonly name = 'CellsError'
}

/** What a line of the map and a name of a backend may contain. */
const NAME = /^[a-z][a-z0-9-]{0,31}$/

/**
 * Reads the list. Empty lines and lines that begin with `#` are ignored.
 * @throws {CellsError} for a line that is invalid, without what it contains: it has a password
 */
export function readCells(text: string): Cell[] {
  const cells = text.split('\n').flatMap((line, at) => {
    const words = line.trim().split(/\s+/)
    const [name = '', url = '', ...more] = words
    if (name === '' || name.startsWith('#')) return []
    if (!NAME.test(name)) {
      throw new CellsError(
        `Line ${at + 1} of the cells does not begin with a name: lower-case letters, digits and hyphens, at most 32, such as north-1.`,
      )
    }
    if (more.length > 0 || postgresUrl.read(url) === undefined) {
      throw new CellsError(
        `Line ${at + 1} of the cells (${name}) must have a name and the URL of its database, postgres://USER:PASSWORD@HOST:PORT/DATABASE.`,
      )
    }
    return [{ name, url }]
  })
  if (cells.length === 0)
    throw new CellsError('No cell is listed: write one a line, its name and the URL of its database.')
  const names = cells.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new CellsError(`The cell ${visible(twice)} is listed twice.`)
  return cells
}

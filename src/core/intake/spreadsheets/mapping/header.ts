/** Finds the columns of a table by name. */
import { didYouMean } from '../../../errors/suggest.ts'
import { InputError } from '../../input-error.ts'
import { shown } from '../../rejects/problems.ts'
import { type Cell, cellText } from '../tables/table.ts'
import type { ColumnRef } from './mapping.ts'
import { foldWord } from './words.ts'

export type Column = number

/** The names as used in messages and mappings: on one line, repeated ones as `Name (2)`. */
export function columnNames(cells: readonly Cell[]): string[] {
  const seen = new Map<string, number>()
  return cells.map((cell, column) => {
    // A column without a heading is named by its letter, as spreadsheet programs name it.
    const name = oneLine(cellText(cell)) || `(${letterOf(column)})`
    const times = (seen.get(name) ?? 0) + 1
    seen.set(name, times)
    return times === 1 ? name : `${name} (${times})`
  })
}

/** `A` … `Z`, `AA` …: the columns of a table without a header. */
export function letterOf(column: Column): string {
  const last = String.fromCharCode(65 + (column % 26))
  return column < 26 ? last : `${letterOf(Math.floor(column / 26) - 1)}${last}`
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/**
 * Finds the position of each column that a mapping uses.
 * @param name name of the table, for messages
 * @throws {InputError} that lists all missing columns
 */
export function findColumns(
  wanted: readonly ColumnRef[],
  names: readonly string[],
  name: string,
): ReadonlyMap<ColumnRef, Column> {
  const exact = new Map(names.map((known, at) => [known, at]))
  const folded = Map.groupBy(names.entries(), ([, known]) => foldWord(known))
  const columns = new Map<ColumnRef, Column>()
  const missing: ColumnRef[] = []
  for (const ref of wanted) {
    const given = oneLine(ref.name)
    const alike = folded.get(foldWord(given)) ?? []
    const found = exact.get(given) ?? (alike.length === 1 ? alike[0]?.[0] : undefined)
    if (found === undefined) missing.push(ref)
    else columns.set(ref, found)
  }
  if (missing.length > 0) {
    const known = names.filter((column) => column !== '').map((column) => `"${shown(column)}"`)
    const reported = missing.slice(0, 10).map((ref) => {
      const hint = didYouMean(ref.name, names, (close) => `"${shown(close)}"`)
      return `${ref.at}: ${name} has no column "${shown(ref.name)}"${hint}`
    })
    throw new InputError(
      [...reported, `The columns of ${name} are ${known.slice(0, 50).join(', ')}.`].join('\n'),
    )
  }
  return columns
}

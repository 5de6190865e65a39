/** What an import leaves out of a file without refusing it, in words. */
import { basename } from 'node:path'
import { counted, number } from '../core/command-line/words.ts'
import { inWords } from '../core/errors/in-words.ts'
import { visible } from '../core/errors/visible.ts'
import { STDIN } from '../core/intake/lines/files.ts'
import type { LeftOut } from '../core/intake/lines/left-out.ts'
import { shown } from '../core/intake/rejects/problems.ts'

const ROWS_MAX = 5
const COLUMNS_MAX = 10

/** @returns a line for each kind of things left out of each table; none if all was used */
export function leftOutLines(file: string, { tables, sheets }: LeftOut): string[] {
  const name = file === STDIN ? 'standard input' : visible(basename(file))
  return [
    ...tables.flatMap(({ sheet, rows, columns }) => {
      const of = sheet === undefined ? name : `${name}:${shown(sheet)}`
      return [
        ...(rows.count === 0
          ? []
          : [`${of}: ${counted(rows.count, 'row')} left out by "when": ${rowsInWords(rows)}.`]),
        ...(columns.length === 0
          ? []
          : [
              `${of}: ${counted(columns.length, 'column')} not used: ${listed(columns.map((column) => `"${shown(column)}"`))}.`,
            ]),
      ]
    }),
    ...sheets.map(({ sheet, reason }) => `${name}: sheet "${shown(sheet)}" was not read: ${reason}.`),
  ]
}

const rowsInWords = ({ count, first }: LeftOut['tables'][number]['rows']) =>
  inWords([
    ...first.slice(0, ROWS_MAX).map(String),
    ...(count > ROWS_MAX ? [`${number(count - ROWS_MAX)} more`] : []),
  ])

const listed = (names: readonly string[]) =>
  inWords([
    ...names.slice(0, COLUMNS_MAX),
    ...(names.length > COLUMNS_MAX ? [`${number(names.length - COLUMNS_MAX)} more`] : []),
  ])

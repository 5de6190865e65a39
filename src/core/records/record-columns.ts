/** The columns of files, made from a table of fields. */

import type { Column } from '../answer/files/table.ts'
import type { Field } from './fields/field.ts'
import { inIds, inLists } from './record-parts.ts'

/** A column for each value that a list has; those that only `ids` has are read there. */
export const fileColumns = (fields: readonly Field[]): Column[] =>
  fields
    .filter((field) => inLists(field) || inIds(field))
    .flatMap((field): Column[] => {
      const { name, path, raw, schema, items, cells } = field
      if (cells !== undefined) {
        return cells.map((cell) => {
          const of = [...path, cell]
          return { name: of.join('.'), kind: 'number', shown: of, raw: of }
        })
      }
      const ids = ['ids', ...path]
      const column: Column = {
        name,
        kind: items === undefined ? kindOf(raw?.schema ?? schema) : 'list',
        shown: inLists(field) ? path : ids,
        raw: inIds(field) && items === undefined ? ids : path,
        ...(field.itemName && { of: field.itemName }),
      }
      return [column]
    })

/** The kind of a cell. */
export function kindOf({ type, format }: Readonly<Record<string, unknown>>): Column['kind'] {
  if (format === 'date') return 'day'
  if (format === 'date-time') return 'moment'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean') return 'boolean'
  return type === 'array' ? 'list' : 'text'
}

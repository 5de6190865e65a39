/** The fields of records as an import takes them, made from the tables of fields. */
import type { TSchema } from 'typebox'
import type { Field, RecordField } from './fields/field.ts'

/** The fields of a table that are stored as an import brings them. */
export const recordFields = (fields: readonly Field[]): RecordField[] =>
  fields.flatMap(({ name, recordName = name, stored, ...field }) =>
    stored === undefined ? [] : [{ ...field, name: recordName, path: recordName.split('.'), stored }],
  )

/** The schemas of the fields of an item of a list, by name. @param first of these names first */
export function itemSchemas(
  fields: readonly Field[],
  first: readonly string[],
): Readonly<Record<string, TSchema>> {
  const all = inOrder(recordFields(fields), first)
  return Object.fromEntries(
    all.map(({ name, stored, description, recordDescription }) => [
      name,
      stored.kind.takes(recordDescription ?? description),
    ]),
  )
}

/** Those with these names first, and the others as they are. */
export function inOrder<One extends { readonly name: string }>(
  all: readonly One[],
  first: readonly string[],
): One[] {
  const place = ({ name }: One) => (first.includes(name) ? first.indexOf(name) : first.length)
  return all.toSorted((a, b) => place(a) - place(b))
}

/** The objects of a schema as the database's catalog describes them, to print and to compare schemas. */
import type { Queryable } from '../database.ts'
import * as statements from './schema-objects-sql.ts'

export interface SchemaObject {
  readonly kind: 'table' | 'index' | 'function' | 'trigger'
  /** unique within its kind; of a trigger with its table, of a function with its parameters */
  readonly name: string
  /** statements that create it; the table's columns in their order */
  readonly definition: string
  /** of an index: whether it is made by a function of the schema, so it is created after the functions */
  readonly afterFunctions?: boolean
}

interface CreatedFunction {
  readonly name: string
  readonly definition: string
  /** names of the functions that its body calls, as far as PostgreSQL checks them when it is created */
  readonly uses: readonly string[]
}

/**
 * In order of creation, but each after those that it uses: a function that a later migration has replaced is older than what it
 * uses since then.
 */
function afterWhatTheyUse(functions: readonly CreatedFunction[]): CreatedFunction[] {
  const byName = new Map(functions.map((one) => [one.name, one]))
  const ordered = new Set<CreatedFunction>()
  const add = (one: CreatedFunction) => {
    for (const name of one.uses) {
      const used = byName.get(name)
      if (used !== undefined && !ordered.has(used)) add(used)
    }
    ordered.add(one)
  }
  for (const one of functions) add(one)
  return [...ordered]
}

/**
 * Everything in the first schema of the search path: tables, indexes, functions, triggers, each in order of creation, and functions
 * after those that they use.
 */
export async function schemaObjects(queryable: Queryable): Promise<SchemaObject[]> {
  const tables = await queryable.query<{ name: string; lines: string[]; settings: string; after: string[] }>(
    statements.selectTables,
  )
  const indexes = await queryable.query<{ name: string; definition: string; after_functions: boolean }>(
    statements.selectIndexes,
  )
  const functions = await queryable.query<CreatedFunction>(statements.selectFunctions)
  const triggers = await queryable.query<{ name: string; definition: string }>(statements.selectTriggers)
  return [
    ...tables.map(({ name, lines, settings, after }) => ({
      kind: 'table' as const,
      name,
      definition: [
        `create table ${name} (\n${lines.map((line) => `  ${line}`).join(',\n')}\n)${settings};`,
        ...after,
      ].join('\n'),
    })),
    ...indexes.map(({ name, definition, after_functions }) => ({
      kind: 'index' as const,
      name,
      definition: `${definition};`,
      afterFunctions: after_functions,
    })),
    ...afterWhatTheyUse(functions).map(({ name, definition }) => ({
      kind: 'function' as const,
      name,
      definition: `${definition.trimEnd()};`,
    })),
    ...triggers.map(({ name, definition }) => ({
      kind: 'trigger' as const,
      name,
      definition: `${definition};`,
    })),
  ]
}

/**
 * The objects of one schema that another one lacks or has differently, such as `function phone_key(phone text)`. What
 * the other one has in addition, such as an index of its administrator, does not count.
 */
export function differingObjects(wanted: readonly SchemaObject[], found: readonly SchemaObject[]): string[] {
  const definitions = new Map(found.map((object) => [title(object), object.definition]))
  return wanted.filter((object) => definitions.get(title(object)) !== object.definition).map(title)
}

const title = ({ kind, name }: SchemaObject) => `${kind} ${name}`

/** The select list of a record, made from its table of fields. */
import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Language } from '../locale/languages.ts'
import { termNames } from '../locale/term-names-sql.ts'
import type { Field } from './fields/field.ts'
import type { Source, TermNames } from './fields/source.ts'
import { nameInRow } from './record-parts.ts'

export interface SelectInputs {
  /** of the row */
  readonly alias: string
  /** of names of terms */
  readonly language: Language
  /** the expressions of values that are not columns, by name; one that is absent was not requested */
  readonly made?: Readonly<Record<string, Sql>>
}

/** Each value that the fields need once, in the order of `positionsOf`. */
export function selectFields(fields: readonly Field[], inputs: SelectInputs): Sql {
  const sources = new Map(
    fields.flatMap((field) => field.sources.map((source) => [nameInRow(source), source])),
  )
  return join(
    [...sources].map(([name, source]) => expressionOf(name, source, inputs)),
    ', ',
  )
}

function expressionOf(name: string, source: Source, { alias, language, made = {} }: SelectInputs): Sql {
  if (source.from === 'terms') return sql`${namesOf(source, alias, language)} as ${raw(name)}`
  if (source.from === 'made') return sql`${made[name] ?? raw('null::json')} as ${raw(name)}`
  return raw(`${alias}.${name}`)
}

/** The terms of a list of identifiers, with their names; an identifier without a term is its own name (ruling 24). */
const namesOf = ({ of }: TermNames, alias: string, language: Language): Sql => sql`(
    select coalesce(
      jsonb_agg(
        jsonb_build_object('_id', listed.id, 'name', coalesce(${termNames(language)}, listed.id))
        order by listed.position
      ),
      '[]'
    )
    from unnest(${raw(`${alias}.${of.column}`)}) with ordinality as listed (id, position)
    left join terms t on t.center_id = ${raw(alias)}.center_id and t.term_set = ${raw(`'${of.kind.set}'`)} and t.id = listed.id)`

/** Every column that the fields are made from, as `table.column`: an answer stays current while none changes. */
export const columnsOf = (fields: readonly Field[]): ReadonlySet<string> =>
  new Set(
    fields.flatMap(({ sources }) =>
      sources.flatMap((source) => {
        if (source.from === 'record') return [`${source.table}.${source.column}`]
        if (source.from === 'terms') return [`${source.of.table}.${source.of.column}`]
        return source.from === 'made' ? source.columns : []
      }),
    ),
  )

/** The part of a statement that shows terms by their names. */
import sql, { join, type Sql } from 'sql-template-tag'
import { type Language, withBase } from './languages.ts'

/**
 * The names of term `t` as arguments of `coalesce`, first the one to show (ruling 24): in the language, in the
 * language that it is a variety of, and plain.
 */
export const termNames = (language: Language): Sql =>
  join([...withBase(language).map((tag) => sql`t.names ->> ${tag}`), sql`t.name`], ', ')

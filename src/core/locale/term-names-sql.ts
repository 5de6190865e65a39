/** The SQL for the names of terms. */
import sql, { join, type Sql } from 'sql-template-tag'
import { type Language, withBase } from './languages.ts'

/**
 * The names of term `t` as arguments of `coalesce`, by priority (ruling 24): in the language, in its base language, and
 * the default name.
 */
export const termNames = (language: Language): Sql =>
  join([...withBase(language).map((tag) => sql`t.names ->> ${tag}`), sql`t.name`], ', ')

/** The statements that replace the log of former migrations by the baseline. */
import sql, { raw, type Sql } from 'sql-template-tag'

/** Exists only within the transaction. */
export const SCHEMA = 'sojourn_baseline'

export const countMigrations: Sql = sql`select count(*)::integer as count from schema_migrations`

export const deleteMigrations: Sql = sql`delete from schema_migrations`

export const selectSearchPath: Sql = sql`select current_setting('search_path') as path`

/** Whether the role may create a schema in the database. */
export const selectMayCreate: Sql = sql`select has_database_privilege(current_database(), 'create') as may`

/** Until the end of the transaction. */
export const setSearchPath = (path: string): Sql => sql`select set_config('search_path', ${path}, true)`

export const createSchema: Sql = raw(`create schema ${SCHEMA}`)

export const dropSchema: Sql = raw(`drop schema ${SCHEMA} cascade`)

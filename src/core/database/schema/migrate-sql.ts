/** The statements of the log of migrations. */
import sql, { type Sql } from 'sql-template-tag'
import type { Migration } from './migrate.ts'

// Any fixed number will do; this one spells "sojo".
const LOCK = 0x736f6a6f

export const lockMigrations: Sql = sql`select pg_advisory_xact_lock(${LOCK})`

export const createLog: Sql = sql`
  create table if not exists schema_migrations (
    version integer primary key,
    name text not null,
    checksum text not null,
    applied_at timestamptz not null default now(),
    reads_from integer
  )`

export const selectHasReadsFrom: Sql = sql`
  select count(*) = 1 as complete from pg_attribute
  where attrelid = to_regclass('schema_migrations') and attname = 'reads_from'`

export const addReadsFrom: Sql = sql`alter table schema_migrations add column reads_from integer`

export const insertMigration = (
  { version, name, checksum }: Pick<Migration, 'version' | 'name' | 'checksum'>,
  readsFrom: number,
): Sql => sql`
  insert into schema_migrations (version, name, checksum, reads_from)
  values (${version}, ${name}, ${checksum}, ${readsFrom})`

export const selectHasLog: Sql = sql`select to_regclass('schema_migrations') is not null as found`

/** Logs of before have no column `reads_from`. */
export const selectMigrations: Sql = sql`
  select version, name, checksum, (to_jsonb(m) ->> 'reads_from')::integer as reads_from
  from schema_migrations m order by version`

/** The processes of other versions of Sojourn that are connected to this database. */
export const selectProcesses: Sql = sql`
  select application_name as application, count(*)::integer as connections
  from pg_stat_activity
  where datname = current_database() and application_name ~ '^sojourn(/|$)'
    and application_name <> current_setting('application_name')
  group by application_name order by application_name`

export const selectOwnProcess: Sql = sql`select pg_backend_pid() as pid`

export const setLockTimeout = (ms: number): Sql => sql`select set_config('lock_timeout', ${`${ms}ms`}, true)`

/** The sessions for which this one waits, with when their transactions began. */
export const selectBlockers = (pid: number): Sql => sql`
  select pid, coalesce(usename, '') as role, coalesce(application_name, '') as application,
    coalesce(state, '') as state, coalesce(extract(epoch from now() - xact_start), 0)::float8 as seconds
  from pg_stat_activity where pid = any(pg_blocking_pids(${pid}))
  order by xact_start limit 3`

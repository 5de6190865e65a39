/** The statements of `sojourn doctor`. All read the catalog or the settings of the server, and change nothing. */
import sql, { type Sql } from 'sql-template-tag'

/** The first statement of each transaction. */
export const READ_ONLY: Sql = sql`set transaction read only`

/** Begins a transaction on a server. Through a pooler, nothing may stay in the session. */
export const BEGIN = `begin read only; set local timezone to 'UTC'; set local jit to off;
  set local statement_timeout to 10000; set local lock_timeout to 1000`

export const selectVersion: Sql = sql`
  select current_setting('server_version_num')::integer as number, current_setting('server_version') as version`

/** Settings on which it depends whether a commit survives. */
export const selectDurability: Sql = sql`
  select current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
    current_setting('synchronous_commit') as synchronous_commit`

/** How many connections this role may open to this database; -1 is no limit of its own. */
export const selectConnections: Sql = sql`
  select current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
      - coalesce(current_setting('reserved_connections', true)::integer, 0) as server,
    coalesce((select rolconnlimit from pg_roles where rolname = current_user), -1) as role,
    coalesce((select datconnlimit from pg_database where datname = current_database()), -1) as database`

/** Processes of Sojourn that are connected, by the newest migration that they know. */
export const selectProcesses: Sql = sql`
  select application_name as application, count(*)::integer as connections
  from pg_stat_activity
  where datname = current_database() and application_name ~ '^sojourn(/|$)' and pid <> pg_backend_pid()
  group by application_name order by application_name`

/** Machines from which the service is connected. A command has one connection at a time, and the service several. */
export const countMachines: Sql = sql`
  select count(*)::integer as machines from (
    select client_addr from pg_stat_activity
    where datname = current_database() and application_name ~ '^sojourn/' and pid <> pg_backend_pid()
      and client_addr is not null
    group by client_addr having count(*) > 1
  ) services`

/** Indexes of this schema that the server does not use, or does not maintain: a creation that failed leaves one. */
export const selectInvalidIndexes: Sql = sql`
  select x.relname::text as name
  from pg_index i join pg_class x on x.oid = i.indexrelid
  where x.relnamespace = current_schema()::regnamespace and not (i.indisvalid and i.indisready and i.indislive)
  order by x.relname`

/** What this role lacks on the tables of this schema, without partitions. Entries of the trail are only added. */
export const selectMissingRights: Sql = sql`
  select c.relname::text as name, p.privilege
  from pg_class c
  cross join lateral unnest(
    case when c.relname in ('audit_entries', 'audit_record_lists') then array['SELECT', 'INSERT']
      when c.relname in ('schema_migrations', 'database_origin') then array['SELECT']
      else array['SELECT', 'INSERT', 'UPDATE', 'DELETE'] end
  ) p (privilege)
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and not has_table_privilege(c.oid, p.privilege)
  union all
  select c.relname::text, 'USAGE' from pg_class c
  where c.relnamespace = current_schema()::regnamespace
    -- The conditions of a where have no order, and the function fails for a table.
    and case when c.relkind = 'S' then not has_sequence_privilege(c.oid, 'USAGE') else false end
  order by name, privilege`

/** Who this role is, and whether it owns the trail. */
export const selectRole: Sql = sql`
  select current_user::text as name, coalesce(r.rolsuper, false) as is_superuser,
    coalesce((select pg_has_role(c.relowner, 'usage') from pg_class c where c.oid = to_regclass('audit_entries')), false) as owns,
    has_database_privilege(current_database(), 'temporary') as may_stage
  from (select 1) as one left join pg_roles r on r.rolname = current_user`

/** Roles that may change entries of the trail although they do not own it (trail-privileges-sql.ts). */
export const selectTrailRights: Sql = sql`
  select distinct case when a.grantee = 0 then 'public' else a.grantee::regrole::text end as role
  from pg_class c, aclexplode(c.relacl) a
  where (
      c.oid in (to_regclass('audit_entries'), to_regclass('audit_record_lists'))
      or c.oid in (select inhrelid from pg_inherits where inhparent = to_regclass('audit_entries'))
    )
    and a.grantee <> c.relowner
    and a.privilege_type in ('UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER')
  order by role`

/** Whether the server is a standby, and of which data it is; null if the role may not read that. */
export const selectStandby: Sql = sql`
  select pg_is_in_recovery() as standby, current_database()::text as name,
    case when has_function_privilege('pg_control_system()', 'execute')
      then (select system_identifier::text from pg_control_system()) end as server`

import type { Database } from '../../src/core/database/database.ts'

/**
 * Deletes all rows, including revisions and counters, but for what `migrate` has stored. As the tests' superuser it switches
 * triggers and foreign keys off, so nothing is recorded as a change. Small tables are emptied with `delete`, because
 * `truncate` creates new files for each table and index; large ones are truncated. Statistics are removed too: a plan made
 * for another file's three rows has taken half a minute over a thousand.
 */
export async function emptyDatabase(database: Database): Promise<void> {
  await database.runScript(EMPTY)
}

const EMPTY = `do $$
declare
  used regclass[];
begin
  set local session_replication_role = replica;
  set local lock_timeout = '2s';
  select coalesce(array_agg(oid::regclass), '{}') into used from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not in ('schema_migrations', 'database_origin')
      and pg_relation_size(oid) > 0;
  if exists (select from unnest(used) as size where pg_relation_size(size) > 262144) then
    execute 'truncate ' || array_to_string(used, ', ') || ' cascade';
  else
    for at in 1 .. cardinality(used) loop
      execute 'delete from ' || used[at];
    end loop;
  end if;
  delete from pg_statistic where starelid in (select oid from pg_class where relnamespace = 'public'::regnamespace);
  update pg_class set relpages = 0, reltuples = -1
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'i') and reltuples > 0;
  perform setval(oid::regclass, 1, false) from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'S';
end $$`

/** Reads the catalog of the first schema of the search path. */
import sql, { type Sql } from 'sql-template-tag'

/** Tables by creation: lines of columns and constraints, settings, and statements that `create table` cannot contain. */
export const selectTables: Sql = sql`
  select
    c.relname::text as name,
    array(
      select concat(
        quote_ident(a.attname), ' ', format_type(a.atttypid, a.atttypmod),
        case when a.attcollation <> t.typcollation then ' collate ' || quote_ident(l.collname) end,
        case when a.attnotnull then ' not null' end,
        ' default ' || pg_get_expr(d.adbin, d.adrelid)
      )
      from pg_attribute a
      join pg_type t on t.oid = a.atttypid
      left join pg_collation l on l.oid = a.attcollation
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      order by a.attnum
    ) || array(
      -- Newer servers store "not null" as a constraint, too (n); it is in the line of its column.
      select concat('constraint ', quote_ident(k.conname), ' ', pg_get_constraintdef(k.oid, true))
      from pg_constraint k
      where k.conrelid = c.oid and k.contype in ('p', 'u', 'c', 'f', 'x')
      order by array_position(array['p', 'u', 'c', 'f', 'x'], k.contype::text), k.conname
    ) as lines,
    coalesce(' with (' || array_to_string(c.reloptions, ', ') || ')', '') as settings,
    array(
      select format('alter table %I alter column %I set storage %s;', c.relname, a.attname,
        case a.attstorage when 'p' then 'plain' when 'e' then 'external' when 'm' then 'main' else 'extended' end)
      from pg_attribute a join pg_type t on t.oid = a.atttypid
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attstorage <> t.typstorage
      order by a.attnum
    ) as after
  from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
    and c.relname <> 'schema_migrations'
  order by c.oid`

/** Indexes by creation; those of constraints are with their table. */
export const selectIndexes: Sql = sql`
  select x.relname::text as name, pg_get_indexdef(i.indexrelid, 0, true) as definition,
    -- PostgreSQL's own functions are not recorded as dependencies.
    exists (
      select from pg_depend d
      where d.classid = 'pg_class'::regclass and d.objid = i.indexrelid and d.refclassid = 'pg_proc'::regclass
    ) as after_functions
  from pg_index i
  join pg_class x on x.oid = i.indexrelid
  join pg_class c on c.oid = i.indrelid
  where c.relnamespace = current_schema()::regnamespace and c.relname <> 'schema_migrations'
    and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.conrelid = c.oid)
  order by i.indexrelid`

export const selectFunctions: Sql = sql`
  select format('%I(%s)', p.proname, pg_get_function_identity_arguments(p.oid)) as name,
    replace(pg_get_functiondef(p.oid), ' FUNCTION ' || quote_ident(current_schema()) || '.', ' FUNCTION ') as definition
  from pg_proc p
  where p.pronamespace = current_schema()::regnamespace and p.prokind = 'f'
  order by p.oid`

export const selectTriggers: Sql = sql`
  select format('%I on %I', g.tgname, c.relname) as name,
    pg_get_triggerdef(g.oid, true)
      || case when g.tgenabled <> 'O' then format('; -- enabled: %s', g.tgenabled) else '' end as definition
  from pg_trigger g
  join pg_class c on c.oid = g.tgrelid
  where c.relnamespace = current_schema()::regnamespace and not g.tgisinternal
  order by c.oid, g.tgname`

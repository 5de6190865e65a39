/**
 * The schema as the migrations make it, in one file to read: `npm run schema` writes schema.sql, and a test
 * keeps it fresh. It is read from the catalogue, so it is what the database has and not what somebody wrote.
 */
import { writeFileSync } from 'node:fs'
import sql from 'sql-template-tag'
import type { Queryable } from '../src/database/database.ts'
import { openEmbedded } from '../src/database/embedded.ts'
import { migrate } from '../src/database/migrate.ts'

/**
 * The schema `public`: tables with their indexes, functions, the indexes that these functions make, triggers; each in the
 * order of creation.
 */
export async function printSchema(database: Queryable): Promise<string> {
  const parts = [
    '-- The whole schema, generated from the migrations (npm run schema). Reasons stand in migrations/*.sql.',
    ...(await tables(database)),
    ...(await functions(database)),
    ...(await indexesByFunctions(database)),
    ...(await triggers(database)),
  ]
  return `${parts.join('\n\n')}\n`
}

/** Whether an index `i` needs a function of the schema; what PostgreSQL has itself is not noted as needed. */
const usesFunction = sql`exists (
            select 1 from pg_depend d
            where d.classid = 'pg_class'::regclass and d.objid = i.indexrelid and d.refclassid = 'pg_proc'::regclass)`

async function tables(database: Queryable): Promise<string[]> {
  const rows = await database.query<{ name: string; lines: string[]; indexes: string[] }>(sql`
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
        -- Newer servers keep "not null" as a constraint too (n); it stands with its column already.
        select concat('constraint ', quote_ident(k.conname), ' ', pg_get_constraintdef(k.oid, true))
        from pg_constraint k
        where k.conrelid = c.oid and k.contype in ('p', 'u', 'c', 'f', 'x')
        order by array_position(array['p', 'u', 'c', 'f', 'x'], k.contype::text), k.conname
      ) as lines,
      array(
        select pg_get_indexdef(i.indexrelid, 0, true)
        from pg_index i
        where i.indrelid = c.oid
          and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid and k.conrelid = c.oid)
          and not ${usesFunction}
        order by i.indexrelid
      ) as indexes
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    order by c.oid`)
  return rows.map(({ name, lines, indexes }) =>
    [
      `create table ${name} (\n${lines.map((line) => `  ${line}`).join(',\n')}\n);`,
      ...indexes.map((index) => `${index};`),
    ].join('\n'),
  )
}

async function functions(database: Queryable): Promise<string[]> {
  const rows = await database.query<{ definition: string }>(sql`
    select replace(pg_get_functiondef(p.oid), ' FUNCTION public.', ' FUNCTION ') as definition
    from pg_proc p
    where p.pronamespace = 'public'::regnamespace
    order by p.oid`)
  return rows.map(({ definition }) => `${definition.trimEnd()};`)
}

async function indexesByFunctions(database: Queryable): Promise<string[]> {
  const rows = await database.query<{ definition: string }>(sql`
    select pg_get_indexdef(i.indexrelid, 0, true) as definition
    from pg_index i
    join pg_class c on c.oid = i.indrelid
    where c.relnamespace = 'public'::regnamespace and ${usesFunction}
    order by i.indexrelid`)
  return rows.map(({ definition }) => `${definition};`)
}

async function triggers(database: Queryable): Promise<string[]> {
  const rows = await database.query<{ definitions: string[] }>(sql`
    select array_agg(pg_get_triggerdef(g.oid, true) order by g.tgname) as definitions
    from pg_trigger g
    join pg_class c on c.oid = g.tgrelid
    where c.relnamespace = 'public'::regnamespace and not g.tgisinternal
    group by c.oid
    order by c.oid`)
  return rows.map(({ definitions }) => definitions.map((definition) => `${definition};`).join('\n'))
}

if (import.meta.main) {
  const database = await openEmbedded({})
  await migrate(database)
  writeFileSync(new URL('../src/database/schema.sql', import.meta.url), await printSchema(database))
  await database.close()
}

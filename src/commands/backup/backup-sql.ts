/** The statements of a backup and of a restore. */
import sql, { type Sql } from 'sql-template-tag'

/** What a restore makes by itself, and what has numbers of transactions, which mean something on one server alone. */
const NOT_COPIED = ['schema_migrations', 'database_origin', 'center_touches', 'changes', 'change_commits']

export interface TableRow {
  name: string
  /** without those that the server computes */
  columns: string[]
  /** names of the tables that its foreign keys refer to */
  refers: string[]
}

/** Every table with rows of its own or of its partitions, and which others must be filled before it. */
export const selectTables: Sql = sql`
  select c.relname::text as name,
    array(
      select a.attname::text from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      order by a.attnum
    ) as columns,
    array(
      select distinct f.confrelid::regclass::text from pg_constraint f
      where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid
    ) as refers
  from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and not c.relname = any(${NOT_COPIED}::text[])
  order by c.relname`

export interface MonthRow {
  name: string
  /** null for a month that is being dropped, and no partition any more */
  bound: string | null
}

/** The months of the trail (audit/trail-months.ts). */
export const selectMonths: Sql = sql`
  select c.relname::text as name, case when c.relispartition then pg_get_expr(c.relpartbound, c.oid) end as bound
  from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
    and c.relname ~ '^audit_entries_(first|other|\\d+_\\d\\d)$'
  order by c.relname`

export interface SequenceRow {
  name: string
  /** null if it has given no number yet */
  last: string | null
}

export const selectSequences: Sql = sql`
  select sequencename::text as name, last_value::text as last from pg_sequences
  where schemaname = current_schema() order by sequencename`

export const setSequence = (name: string, last: string): Sql =>
  sql`select setval(format('%I', ${name}::text)::regclass, ${last}::bigint)`

export interface HeadsRow {
  /** a digest of the heads of all trails */
  heads: string
  /** a digest of the revisions of all centers */
  revisions: string
}

/** One row that depends on every commit and every entry of the trail. */
export const selectHeads: Sql = sql`
  select
    coalesce((select md5(string_agg(concat_ws(' ', center_id, seq, encode(hash, 'hex')), ',' order by center_id))
      from audit_heads), '') as heads,
    coalesce((select md5(string_agg(concat_ws(' ', center_id, revision), ',' order by center_id))
      from center_revisions), '') as revisions`

/** The newest migration. */
export const selectSchema: Sql = sql`select max(version)::integer as version from schema_migrations`

/** Whether the database has anything that a restore could mix with others. */
export const selectIsEmpty: Sql = sql`
  select not exists (
    select from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
  ) as empty`

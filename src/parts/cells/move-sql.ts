/**
 * The statements that move a center to another database. Names of tables and columns come from the catalog, so a new table
 * moves without anything here.
 */
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'

export interface TableRow {
  name: string
  columns: string[]
  types: string[]
  /** columns of the primary key */
  key: string[]
  /** columns whose values a sequence gives */
  identities: string[]
}

/**
 * The tables with a column `center_id`, except partitions, and what are partitions no more. `center_moves` is about the
 * database itself, and `center_touches` about its own transactions.
 */
export const selectTables: Sql = sql`
  select c.relname::text as name,
    array(
      select a.attname::text from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped order by a.attnum
    ) as columns,
    array(
      select format_type(a.atttypid, a.atttypmod) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped order by a.attnum
    ) as types,
    array(
      select a.attname::text
      from pg_index i
      cross join unnest(i.indkey::smallint[]) with ordinality as k (attnum, place)
      join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
      where i.indrelid = c.oid and i.indisprimary
      order by k.place
    ) as key,
    array(
      select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attidentity <> '' and not a.attisdropped
    ) as identities
  from pg_class c
  where c.relnamespace = (select relnamespace from pg_class where oid = 'centers'::regclass)
    and c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p'
    and c.relname !~ '^audit_entries_' and c.relname not in ('center_moves', 'center_touches')
    and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'center_id' and not a.attisdropped)
  order by c.relname`

export interface ServerRow {
  /** of the server and its database */
  identity: string
  migrations: string[]
  /** whether this role may leave out triggers */
  may_replicate: boolean
}

/** Which database this is, and its schema. */
export const selectServer = (setting: string): Sql => sql`
  select concat_ws(' ', pg_postmaster_start_time(), current_database()) as identity,
    array(select name::text from schema_migrations order by name) as migrations,
    has_parameter_privilege(${setting}, 'set') as may_replicate`

/** From here to the end of the transaction, triggers and foreign keys are left out: rows arrive as they were. */
export const leaveOutTriggers: Sql = sql`set local session_replication_role to replica`

export const repeatableRead: Sql = sql`set transaction isolation level repeatable read, read only`

/** The oldest transaction that this snapshot may not see. */
export const selectHorizon: Sql = sql`select pg_snapshot_xmin(pg_current_snapshot())::xid::text as horizon`

export interface MoveRow {
  move_id: string
  state: 'arriving' | 'closing' | 'moved'
  trail_seq: number | null
}

export const selectMove = (center: string): Sql => sql`
  select move_id::text as move_id, state, trail_seq from center_moves where center_id = ${center}`

/** The history of a center, which it retains; no row if there is no such center. */
export const selectHistory = (center: string): Sql => sql`
  select r.history_id::text as history_id from center_revisions r where r.center_id = ${center}
  union all
  select '' from centers c where c.center_id = ${center}
  limit 1`

export const insertArriving = (center: string, moveId: string): Sql => sql`
  insert into center_moves (center_id, move_id, state) values (${center}, ${moveId}, 'arriving')`

/** Closes a center for at most this long. */
export const upsertClosing = (center: string, moveId: string, seconds: number): Sql => sql`
  insert into center_moves as m (center_id, move_id, state, closed_until)
  values (${center}, ${moveId}, 'closing', clock_timestamp() + make_interval(secs => ${seconds}))
  on conflict (center_id) do update set move_id = excluded.move_id, closed_until = excluded.closed_until
    where m.state = 'closing'
  returning m.move_id`

/** It has moved, with this many entries of its trail. From the commit on, it is here no longer. */
export const updateMoved = (center: string, moveId: string, trailSeq: number): Sql => sql`
  update center_moves set state = 'moved', closed_until = null, trail_seq = ${trailSeq}, at = clock_timestamp()
  where center_id = ${center} and move_id = ${moveId} and state = 'closing'
  returning move_id`

export const deleteMove = (center: string, moveId: string, state: MoveRow['state']): Sql => sql`
  delete from center_moves where center_id = ${center} and move_id = ${moveId} and state = ${state}
  returning move_id`

export const limitWaiting: Sql = sql`set local lock_timeout to '2s'`

/**
 * Locks what every change of the center waits for at its commit: its row (foreign keys and the trigger refuse_moved), its
 * revision, and the end of its trail, which is there from its first entry on, and could otherwise begin meanwhile. Transactions
 * that have locked them end first.
 */
export const lockCenter = (center: string): readonly Sql[] => [
  sql`insert into audit_heads (center_id) values (${center}) on conflict (center_id) do nothing`,
  sql`select center_id from centers where center_id = ${center} for update`,
  sql`select center_id from center_revisions where center_id = ${center} for update`,
  sql`select center_id from audit_heads where center_id = ${center} for update`,
]

export interface Table extends TableRow {
  /** the column with a number of a transaction, which each database gives itself */
  readonly number: string | undefined
}

const named = (name: string): Sql => {
  if (!/^[a-z_][a-z0-9_]*$/.test(name)) throw new Error('a name in the catalog is unusual')
  return raw(`"${name}"`)
}
const listOf = (names: readonly string[], prefix = ''): Sql =>
  join(names.map((name) => sql`${raw(prefix)}${named(name)}`))

/** A row as text, which PostgreSQL reads as it has written it. Without the number of its transaction. */
const rowText = ({ columns, number }: Table): Sql =>
  sql`row(${join(columns.map((name) => (name === number ? sql`null::xid8` : sql`t.${named(name)}`)))})::text`

const keyText = ({ key, number }: Table): Sql =>
  sql`row(${join(key.map((name) => (name === number ? sql`null::xid8` : sql`t.${named(name)}`)))})::text`

export interface RowText {
  row: string
  key: string
  /** of its transaction; '' if the table has none */
  number: string
}

const rowColumns = (table: Table): Sql => sql`
  ${rowText(table)} as row, ${keyText(table)} as key,
  ${table.number === undefined ? sql`''` : sql`t.${named(table.number)}::text`} as number`

/** Declares a cursor for the rows of a center. */
export const declareRows = (table: Table, center: string): Sql => sql`
  declare moving no scroll cursor for
  select ${rowColumns(table)} from ${named(table.name)} t where t.center_id = ${center}`

export interface ChangedRow extends RowText {
  table: string
}

/** The rows of a center in all tables that a transaction from this one on has written. One statement, for one round trip. */
export const selectChanged = (tables: readonly Table[], center: string, horizon: string): Sql =>
  join(
    tables.map(
      (table) => sql`
        select ${table.name}::text as table, ${rowColumns(table)} from ${named(table.name)} t
        where t.center_id = ${center} and age(t.xmin) <= age(${horizon}::xid)`,
    ),
    ' union all ',
  )

export const fetchRows: Sql = sql`fetch 2000 from moving`
export const closeRows: Sql = sql`close moving`

/** The rows with these keys. */
export const selectRows = (table: Table, center: string, keys: readonly string[]): Sql => sql`
  select ${rowColumns(table)} from ${named(table.name)} t
  where t.center_id = ${center} and ${keyText(table)} = any(${keys}::text[])`

/** Rows with the same key must be deleted before. */
export function insertRows(table: Table, rows: readonly RowText[]): Sql {
  const { name, columns, number, identities } = table
  const values = columns.map((column) =>
    column === number ? sql`s.number::xid8` : sql`(s.x).${named(column)}`,
  )
  return sql`
    insert into ${named(name)} (${listOf(columns)}) ${identities.length === 0 ? empty : sql`overriding system value`}
    select ${join(values)}
    from (
      select u.row::${named(name)} as x, u.number
      from unnest(${rows.map(({ row }) => row)}::text[], ${rows.map((row) => row.number)}::text[]) as u (row, number)
      offset 0
    ) s
    where (s.x).center_id is not null`
}

/** Deletes the rows that have the keys of these. */
export function deleteSame(table: Table, center: string, rows: readonly RowText[]): Sql {
  const { name, key, number } = table
  const same = key.map((column) =>
    column === number
      ? sql`t.${named(column)} = s.number::xid8`
      : sql`t.${named(column)} = (s.x).${named(column)}`,
  )
  return sql`
    delete from ${named(name)} t
    using (
      select u.row::${named(name)} as x, u.number
      from unnest(${rows.map(({ row }) => row)}::text[], ${rows.map((row) => row.number)}::text[]) as u (row, number)
      offset 0
    ) s
    where t.center_id = ${center} and ${join(same, ' and ')}`
}

/** Deletes the rows with these keys. */
export const deleteRows = (table: Table, center: string, keys: readonly string[]): Sql => sql`
  delete from ${named(table.name)} t where t.center_id = ${center} and ${keyText(table)} = any(${keys}::text[])`

export const deleteAllRows = ({ name }: Pick<Table, 'name'>, center: string): Sql => sql`
  delete from ${named(name)} where center_id = ${center}`

export interface DigestRow {
  table: string
  rows: number
  digest: string
}

/** Of each table the number of rows and a digest of all of them, in no order; `keys`: of their keys alone. */
export const selectDigests = (tables: readonly Table[], center: string, what: 'rows' | 'keys'): Sql =>
  join(
    tables.map(
      (table) => sql`
        select ${table.name}::text as table, count(*) as rows,
          coalesce(sum(hashtextextended(${what === 'rows' ? rowText(table) : keyText(table)}, 0)::numeric), 0)::text as digest
        from ${named(table.name)} t where t.center_id = ${center}`,
    ),
    ' union all ',
  )

export const selectKeys = (table: Table, center: string): Sql => sql`
  select ${keyText(table)} as key from ${named(table.name)} t where t.center_id = ${center}`

/** The numbers of the transactions that the changes of a center are noted under, in their order. */
export const selectNumbers = (center: string): Sql => sql`
  select transaction_id::text as number from (
    select transaction_id from change_commits where center_id = ${center}
    union
    select transaction_id from changes where center_id = ${center}
  ) numbers
  order by transaction_id`

/** The end of the numbers that this server has given. */
export const selectNextNumber: Sql = sql`select pg_snapshot_xmax(pg_current_snapshot())::text as next`

/** Lets the server give so many numbers, each in a transaction of its own that writes nothing. */
export const useNumbers = (count: number): Sql =>
  raw(
    `do $$ begin for i in 1..${Math.trunc(count)} loop perform pg_current_xact_id(); commit; end loop; end $$`,
  )

/** Continues a sequence behind what has arrived. Nothing if it is there already. */
export const continueSequence = ({ name }: Table, column: string, center: string): Sql => sql`
  select setval(pg_get_serial_sequence(${name}, ${column}), arrived.last + 1000)
  from (select max(t.${named(column)}) as last from ${named(name)} t where t.center_id = ${center}) arrived
  where arrived.last >= coalesce(pg_sequence_last_value(pg_get_serial_sequence(${name}, ${column})::regclass), 0)`

export interface TrailEndRow {
  seq: number
  /** hexadecimal */
  hash: string
  /** of the entry with that number; null if there is none, because it was pruned or nothing was read yet */
  last_hash: string | null
  pruned_seq: number
}

/** The end of a trail, and the hash of its last entry. */
export const selectTrailEnd = (center: string): Sql => sql`
  select h.seq, encode(h.hash, 'hex') as hash, h.pruned_seq,
    (select encode(e.hash, 'hex') from audit_entries e where e.center_id = h.center_id and e.seq = h.seq) as last_hash
  from audit_heads h where h.center_id = ${center}`

/**
 * The staging table holds every line that names a record until the import ends. So records may come in any order and
 * memory use is flat: the database holds the lines, which are read back kind by kind.
 *
 * The table is temporary, so it is not written to the write-ahead log, and disappears with its session.
 */
import sql, { type Sql } from 'sql-template-tag'

/** One staged line, as read for writing. */
export interface StagedLine {
  readonly seq: number
  readonly first_seq: number
  readonly center_id: string
  readonly key: string
  readonly body: string
  readonly loose: boolean
  /** the sender's version */
  readonly version: number | null
  readonly page: number
}

/** Creates the staging table of one import. */
export const createStageSql: Sql = sql`
  create temporary table import_stage (
    -- the order in which the lines came
    seq bigint not null,
    file integer not null,
    line bigint not null,
    -- the kind's place in the order of writing
    kind smallint not null,
    center_id text collate "C" not null,
    key text collate "C" not null,
    -- the first line of the same record: it is written where that one is
    first_seq bigint not null,
    -- custom values came as text (CSV)
    loose boolean not null,
    refused boolean not null default false,
    version bigint,
    body text not null,
    -- the rows of a table that it was made from, where they are wanted
    given text,
    -- of a booking: whose it is, as far as its line says
    customer text collate "C",
    order_uuid text collate "C",
    is_main boolean,
    -- of a person who was erased
    erased boolean not null default false,
    -- of other people, and something of a person who was erased was removed from it
    cleared boolean not null default false
  )`

/** Drops the table at the end of the import. */
export const dropStageSql: Sql = sql`drop table import_stage`

/** Adds lines given as one JSON array. */
export const stageLinesSql = (lines: string): Sql => sql`
  insert into import_stage (seq, file, line, kind, center_id, key, first_seq, loose, version, body, given,
    customer, order_uuid, is_main)
  select seq, file, line, kind, center_id, key, seq, loose, version, body, given, customer, order_uuid, is_main
  from json_to_recordset(${lines}::json) as l (
    seq bigint, file integer, line bigint, kind smallint, center_id text, key text, loose boolean,
    version bigint, body text, given text, customer text, order_uuid text, is_main boolean
  )`

/** Sets the position of all lines of a record to that of its first line, so that they are read together. */
export const joinRepeatedSql: Sql = sql`
  update import_stage s
  set first_seq = r.first_seq
  from (
    select kind, center_id, key, min(seq) as first_seq
    from import_stage
    group by kind, center_id, key
    having count(*) > 1
  ) as r
  where s.kind = r.kind and s.center_id = r.center_id and s.key = r.key and s.seq <> r.first_seq`

/**
 * The rows of tables that make one record, record by record. Records whose rows are all equal, such as a customer in
 * several rows, are left out unless `withEqual`: rows may be added up.
 */
export const repeatedRowsSql = (withEqual: boolean): Sql => sql`
  with repeated as (
    select first_seq from import_stage
    where loose and not refused
      and first_seq in (select first_seq from import_stage where seq <> first_seq and loose)
    group by first_seq
    having ${withEqual} or min(body collate "C") <> max(body collate "C")
  )
  select seq, first_seq, file, line, body, version
  from import_stage
  where loose and not refused and first_seq in (select first_seq from repeated)
  order by first_seq, seq`

/** Number of records that lines of JSON give more than once. */
export const repeatedLinesSql: Sql = sql`
  select count(distinct first_seq)::integer as count from import_stage
  where seq <> first_seq and not loose and not refused`

/** Replaces the bodies of lines, given as one JSON array. */
export const replaceBodiesSql = (bodies: string): Sql => sql`
  update import_stage s set body = l.body
  from json_to_recordset(${bodies}::json) as l (seq bigint, body text)
  where s.seq = l.seq`

/** Creates the indexes and analyzes the columns that identify nobody. */
export const indexStageSql: readonly Sql[] = [
  sql`create index on import_stage (kind, first_seq, seq)`,
  sql`create index on import_stage (seq)`,
  sql`create index on import_stage (kind, center_id, key) where refused`,
  // Statistics quote values and are stored in a permanent table, so columns with personal identifiers are left out.
  sql`analyze import_stage (seq, file, line, kind, center_id, first_seq, loose, refused, version)`,
]

/** Analyzes the identifiers, once the lines of erased people are deleted. */
export const analyzeStageSql: Sql = sql`analyze import_stage (key, customer, order_uuid)`

/**
 * The next lines of a kind after a position, in writing order: at most `limit`, and fewer if they are long. `page` is
 * the number without the bound of bytes. By the index for that order.
 */
export const readStageSql = (
  kind: number,
  after: { firstSeq: number; seq: number },
  limit: number,
  bytes: number,
): Sql => sql`
  select seq, first_seq, center_id, key, body, loose, version, page
  from (
    select *, count(*) over () as page,
      sum(octet_length(body)) over (order by first_seq, seq) - octet_length(body) as bytes_before
    from (
      select seq, first_seq, center_id, key, body, loose, version
      from import_stage
      where kind = ${kind} and not refused
        and (first_seq, seq) > (${after.firstSeq}::bigint, ${after.seq}::bigint)
      order by first_seq, seq
      limit ${limit}
    ) as lines
  ) as sized
  where bytes_before < ${bytes}
  order by first_seq, seq`

/** Marks lines as refused, so that they are not read again. */
export const refuseLinesSql = (seqs: readonly number[]): Sql => sql`
  update import_stage set refused = true
  where seq = any (${seqs}::bigint[])`

/** The origins of lines, for their problems. */
export const originsSql = (seqs: readonly number[]): Sql => sql`
  select seq, file, line, kind, center_id, key, body, given
  from import_stage
  where seq = any (${seqs}::bigint[])`

/** Any fixed number works; this one spells "sojn". */
const IMPORT_LOCK = 0x736f6a6e

export const lockImportsSql: Sql = sql`select pg_advisory_xact_lock(${IMPORT_LOCK})`
/** Locks for an import of one center: it waits for imports of this center and of any center, and blocks only those. */
export const lockCenterImportsSql = (center: string): Sql => sql`
  select pg_advisory_xact_lock_shared(${IMPORT_LOCK}), pg_advisory_xact_lock(${IMPORT_LOCK}, hashtext(${center}))`
export const savepointSql: Sql = sql`savepoint before_records`
export const rollbackToSavepointSql: Sql = sql`rollback to savepoint before_records`
export const releaseSavepointSql: Sql = sql`release savepoint before_records`
export const checkConstraintsSql: Sql = sql`set constraints all immediate`

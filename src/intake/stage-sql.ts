/**
 * The staging table: every line that names a record, until the import ends. It lets records come in any order
 * and memory stay flat: the database holds the lines, and they are read back kind by kind.
 *
 * It is temporary, so it is written without the write-ahead log and gone with its session whatever happens. Until
 * the import writes it has a name of its own: the embedded database has one session for all imports.
 */
import sql, { raw, type Sql } from 'sql-template-tag'

/** One staged line as the writer reads it. */
export interface StagedLine {
  readonly seq: number
  readonly first_seq: number
  readonly center_id: string
  readonly key: string
  readonly body: string
  readonly loose: boolean
  /** how new the record is, by whoever sends it */
  readonly version: number | null
  readonly page: number
}

export const createStageSql = (name: string): Sql => sql`
  create temporary table ${raw(name)} (
    -- the order in which the lines came
    seq bigint not null,
    file integer not null,
    line bigint not null,
    -- the kind's place in the order of writing
    kind smallint not null,
    center_id text collate "C" not null,
    key text collate "C" not null,
    -- the first line of the same record: it is written where that one stands
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
    erased boolean not null default false
  )`

/** From here on it has the name that all other statements give it: one import writes at a time. */
export const adoptStageSql = (name: string): Sql => sql`alter table ${raw(name)} rename to import_stage`
export const dropStageSql: Sql = sql`drop table import_stage`
export const abandonStageSql = (name: string): Sql => sql`drop table if exists ${raw(name)}`

/** Adds lines given as one JSON array. */
export const stageLinesSql = (name: string, lines: string): Sql => sql`
  insert into ${raw(name)} (seq, file, line, kind, center_id, key, first_seq, loose, version, body, given,
    customer, order_uuid, is_main)
  select seq, file, line, kind, center_id, key, seq, loose, version, body, given, customer, order_uuid, is_main
  from json_to_recordset(${lines}::json) as l (
    seq bigint, file integer, line bigint, kind smallint, center_id text, key text, loose boolean,
    version bigint, body text, given text, customer text, order_uuid text, is_main boolean
  )`

/** Gives all lines of one record the place of the first, so that they are read together. */
export const joinRepeatedSql = (name: string): Sql => sql`
  update ${raw(name)} s
  set first_seq = r.first_seq
  from (
    select kind, center_id, key, min(seq) as first_seq
    from ${raw(name)}
    group by kind, center_id, key
    having count(*) > 1
  ) as r
  where s.kind = r.kind and s.center_id = r.center_id and s.key = r.key and s.seq <> r.first_seq`

export const indexStageSql = (name: string): readonly Sql[] => [
  sql`create index on ${raw(name)} (kind, first_seq, seq)`,
  sql`create index on ${raw(name)} (seq)`,
  sql`create index on ${raw(name)} (kind, center_id, key) where refused`,
  // Of what says nothing about anybody: statistics quote values, and stand in a table that stays.
  sql`analyze ${raw(name)} (seq, file, line, kind, center_id, first_seq, loose, refused, version)`,
]

/** The identifiers, once nobody is among the lines who was erased. */
export const analyzeStageSql: Sql = sql`analyze import_stage (key, customer, order_uuid)`

/**
 * The next lines of a kind after a place, in the order of writing: at most `limit`, and fewer where they are
 * long. `page` is how many there would be without that. By its index of that order.
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

/** Lines that were refused are not read again. */
export const refuseLinesSql = (seqs: readonly number[]): Sql => sql`
  update import_stage set refused = true
  where seq = any (${seqs}::bigint[])`

/** Where lines came from, for their problems. */
export const originsSql = (seqs: readonly number[]): Sql => sql`
  select seq, file, line, kind, center_id, key, body, given
  from import_stage
  where seq = any (${seqs}::bigint[])`

/** Any fixed number of our own will do; this one spells "sojn". */
const IMPORT_LOCK = 0x736f6a6e

export const lockImportsSql: Sql = sql`select pg_advisory_xact_lock(${IMPORT_LOCK})`
/** Of an import of one center alone: only imports of this center, and those of any, wait for it. */
export const lockCenterImportsSql = (center: string): Sql => sql`
  select pg_advisory_xact_lock_shared(${IMPORT_LOCK}), pg_advisory_xact_lock(${IMPORT_LOCK}, hashtext(${center}))`
export const savepointSql: Sql = sql`savepoint before_records`
export const rollbackToSavepointSql: Sql = sql`rollback to savepoint before_records`
export const releaseSavepointSql: Sql = sql`release savepoint before_records`
export const checkConstraintsSql: Sql = sql`set constraints all immediate`

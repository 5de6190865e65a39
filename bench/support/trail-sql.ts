/** The statements that fill a trail inside PostgreSQL, as it is after two years. */
import sql, { type Sql } from 'sql-template-tag'

/** Months that have ended. */
export const MONTHS = 24
const GUESTS_PER_LIST = 25

/** A partition for each month, and a first one with what is older. */
export const monthsOfTrail: readonly Sql[] = [
  sql`
    do $$
    declare
      bound timestamptz := date_trunc('month', now(), 'UTC') - interval '24 months';
      name text;
    begin
      for name in
        select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = 'audit_entries'::regclass and c.relname <> 'audit_entries_other'
      loop
        execute format('drop table %I', name);
      end loop;
      execute format('create table audit_entries_first partition of audit_entries for values from (minvalue) to (%L)', bound);
      alter table audit_entries_first add primary key (center_id, seq);
      create index on audit_entries_first (center_id, at);
      create index on audit_entries_first (center_id, record_list) where record_list is not null;
    end $$`,
  sql`select add_trail_months(now() + interval '6 months')`,
]

/** The trail as one table, as it was before it had partitions. */
export const oneTable: readonly Sql[] = [
  sql`create table one_trail (like audit_entries including defaults including storage)`,
  sql`alter table one_trail add primary key (center_id, seq)`,
  sql`create index one_trail_by_time on one_trail (center_id, at)`,
  sql`create index one_trail_by_list on one_trail (center_id, record_list) where record_list is not null`,
]

/** An identifier of a batch had 36 characters then. */
export const fillOneTable: Sql = sql`
  insert into one_trail
  select center_id, seq, at, gen_random_uuid()::text, public_key, app_id, key_name, operation, query, scopes, records,
    record_list, revision, reads, requests, previous_hash, hash, channel
  from audit_entries order by at, center_id, seq`

/** `at`, evenly within a month, for the n-th of `count` entries. */
const within = (month: number, n: Sql, count: number): Sql => sql`(
  select began + (ended - began) * (${n} / ${count}::float8)
  from (
    select date_trunc('month', now(), 'UTC') - make_interval(months => ${MONTHS - month}) as began,
      date_trunc('month', now(), 'UTC') - make_interval(months => ${MONTHS - month - 1}) as ended
  ) month
)`

/**
 * The entries of all centers but one of a month, pages of guests, in the order of their times, so that centers are mixed as in a
 * trail that grew. Ten lists of records are read alternately, twenty times each. Nobody verifies these chains.
 * @param per entries of each center a month
 */
export const fillMonth = (month: number, centers: number, per: number): Sql => sql`
  insert into audit_entries (
    center_id, seq, at, batch, public_key, app_id, key_name, operation, query, scopes, records, record_list, revision, reads,
    requests, previous_hash, hash
  )
  select center, seq, at, 'AbCdEfGh' || lpad(to_hex(seq), 8, '0'), 'sjn_pk_' || left(md5(center), 16),
    'sjn_app_' || left(md5(center), 16), 'Kitchen and desk', 'listGuests',
    'sessionId=session-' || list || '&project=firstName,lastName,skippingMeals', 'guests', ${GUESTS_PER_LIST}::int,
    sha256(convert_to(center || ' ' || list, 'utf8')), seq / 10, 1, '0 200 ' || gen_random_uuid(),
    sha256(convert_to(center || ' ' || seq - 1, 'utf8')), sha256(convert_to(center || ' ' || seq, 'utf8'))
  from (
    select 'center-' || n % ${centers}::int as center, n / ${centers}::int + 1 + ${month * per}::int as seq,
      (n / ${centers}::int + ${month * per}::int) / 200 * 10 + (n / ${centers}::int) % 10 as list,
      ${within(month, sql`n`, centers * per)} as at
    from generate_series(0, ${centers * per - 1}::int) n
    order by n
  ) entries`

/** A center that was read every day of the last month, so that pruning believes the clock. */
export const fillNow: Sql = sql`
  insert into audit_entries
  select 'center-now', 31 - days, now() - make_interval(days => days), batch, public_key, app_id, key_name, operation, query,
    scopes, records, record_list, revision, reads, requests, previous_hash, hash, channel
  from audit_entries, generate_series(0, 30) days
  where center_id = 'center-0' and seq = 1`

/** The lists that the entries of these centers name. */
export const fillLists: Sql = sql`
  insert into audit_record_lists (center_id, hash, ids)
  select center_id, record_list, E'\n' || (
    select string_agg(md5(encode(record_list, 'hex') || guest)::uuid::text, E'\n')
    from generate_series(1, ${GUESTS_PER_LIST}::int) guest
  ) || E'\n'
  from (select distinct center_id, record_list from audit_entries) named`

export const fillHeads: Sql = sql`
  insert into audit_heads (center_id, seq, hash)
  select distinct on (center_id) center_id, seq, hash from audit_entries order by center_id, seq desc`

/** Bytes of the trail's tables, by what they are for. */
export const selectSizes: Sql = sql`
  with tables as (
    select case when c.relname = 'audit_record_lists' then 'lists' when c.relname = 'one_trail' then 'one' else 'entries' end as of, c.oid
    from pg_class c
    where c.relname in ('audit_record_lists', 'one_trail')
      or c.oid in (select inhrelid from pg_inherits where inhparent = 'audit_entries'::regclass)
  )
  select of || ' rows' as part, sum(pg_table_size(oid))::bigint as bytes from tables group by 1
  union all
  select of || case
      when of = 'lists' then ' index'
      when pg_get_indexdef(indexrelid) like '%record_list%' then ' index by list'
      when indisprimary then ' index by number'
      else ' index by time'
    end, sum(pg_relation_size(indexrelid))::bigint
  from tables join pg_index on indrelid = oid
  group by 1
  order by 1`

export const analyzeTrail: Sql = sql`analyze audit_entries, audit_record_lists`

/** Epoch ms: the beginning of the first month, of the second week of a month, and the end of the last month. */
export const selectWeek = (month: number): Sql => sql`
  select (extract(epoch from this - make_interval(months => ${MONTHS})) * 1000)::bigint as first,
    (extract(epoch from this - make_interval(months => ${MONTHS - month}::int) + interval '7 days') * 1000)::bigint as week,
    (extract(epoch from this) * 1000)::bigint as last
  from (select date_trunc('month', now(), 'UTC') as this) now`

/** Epoch ms: the database's clock, and the beginning of the second month. */
export const selectSecondMonth: Sql = sql`
  select (extract(epoch from now()) * 1000)::bigint as now,
    (extract(epoch from date_trunc('month', now(), 'UTC') - make_interval(months => ${MONTHS - 1}::int)) * 1000)::bigint as second`

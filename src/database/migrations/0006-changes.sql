-- What each commit changed: the source of the change feed and of precise freshness. Statement triggers note, in the
-- transaction that writes and whoever writes, which guests, sessions and orders a statement moves; never values.
--
-- A guest is a booking (ruling 16), and moves with whatever it shows: its customer, its sessions, its order, the
-- other stays of its customer. An order moves with the names of its guests.

-- One row for each commit of a center: its revision, and the transaction whose notes belong to it. Notes name the
-- transaction because the revision is known only at the commit, and rewriting them there would cost as much again.
create table change_commits (
  center_id text collate "C" not null,
  revision bigint not null,
  transaction_id xid8 not null,
  committed_at timestamptz not null default clock_timestamp(),
  primary key (center_id, revision)
);

create index change_commits_by_transaction on change_commits (center_id, transaction_id);
create index change_commits_by_time on change_commits (committed_at);

create table changes (
  center_id text collate "C" not null,
  transaction_id xid8 not null default pg_current_xact_id(),
  kind text collate "C" not null check (kind in ('guest', 'session', 'order')),
  -- '*': more of the kind than are worth naming; whoever follows reads the kind again
  id text collate "C" not null,
  operation text collate "C" not null check (operation in ('created', 'changed', 'deleted')),
  -- what differs, as table.column; 'guests.history' and 'orders.guests' for what other rows make of it
  columns text[] not null,
  -- where a guest stood before and stands now; empty for the other kinds
  session_ids text[] not null,
  -- the time it took before and takes now: a stay, a session, the moment of an order
  during tstzmultirange not null,
  primary key (center_id, transaction_id, kind, id)
);

-- Rows come and go at the age of the retention, so what is dead is most of what was written.
alter table changes set (autovacuum_vacuum_scale_factor = 0.05);

-- Tells this center's history from that of another database that has a center of the same name, for cursors.
alter table center_revisions add column history_id uuid not null default gen_random_uuid();

-- Several notes of one thing in one transaction are one: what was created and changed was created, what was deleted
-- and created again was changed.
create function merged_operation(earlier text, later text) returns text language sql immutable as $$
  select case
    when later = 'deleted' then 'deleted'
    when earlier = 'created' then 'created'
    when earlier = 'deleted' and later = 'created' then 'changed'
    when earlier = 'deleted' then 'deleted'
    else later
  end
$$;

create function with_texts(texts text[], more text[]) returns text[] language sql immutable as $$
  select case when texts @> more then texts else texts || more end
$$;

create function time_span(first_moment timestamptz, last_moment timestamptz) returns tstzmultirange
language sql immutable as $$
  select tstzmultirange(tstzrange(first_moment, last_moment, '[]'))
$$;

-- How many things of a kind a commit names one by one.
create function changes_bound() returns integer language sql immutable as 'select 1000';

-- Notes that kinds have moved as a whole. What was noted one by one is covered by that.
create function note_whole_kinds(centers text[], kinds text[]) returns void language plpgsql as $$
begin
  delete from changes
  where center_id = any(centers) and transaction_id = pg_current_xact_id() and kind = any(kinds) and id <> '*';
  insert into changes (center_id, kind, id, operation, columns, session_ids, during)
  select center, of_kind, '*', 'changed', '{}', '{}', '{}'
  from unnest(centers) as center, unnest(kinds) as of_kind
  on conflict do nothing;
end $$;

create function is_noted_whole(center text, of_kind text) returns boolean language plpgsql as $$
begin
  return exists (
    select from changes
    where center_id = center and transaction_id = pg_current_xact_id() and kind = of_kind and id = '*'
  );
end $$;

-- Whether a statement that moves so many rows, of one center or several, need not be looked at: its kinds are noted
-- as a whole already, or are now, because it moves too many.
create function note_by_size(size bigint, first_center text, last_center text, kinds text[]) returns boolean
language plpgsql as $$
begin
  if size > changes_bound() and first_center = last_center then
    perform note_whole_kinds(array[first_center], kinds);
    return true;
  end if;
  return size = 0 or (first_center = last_center and is_noted_whole(first_center, kinds[1]));
end $$;

-- Kinds of which a transaction has named too many one by one are noted as a whole.
create function bound_changes(transaction xid8, centers text[]) returns void language plpgsql as $$
declare
  crowded record;
begin
  for crowded in
    select center_id, kind from changes
    where center_id = any(centers) and transaction_id = transaction
    group by center_id, kind having count(*) > changes_bound()
  loop
    perform note_whole_kinds(array[crowded.center_id], array[crowded.kind]);
  end loop;
end $$;

-- From so many rows on a statement looks at once whether there are too many; fewer are looked at by the commit.
create function is_crowd(size bigint) returns boolean language sql immutable as 'select size >= 100';

-- What differs between two rows of a table, as table.column: changed_bookings(old, new) and its like. They are made
-- from the catalogue; a migration that adds a column to one of these tables ends with this call.
create function compare_all_columns() returns void language plpgsql as $$
declare
  target record;
begin
  for target in
    select c.relname as name, string_agg(
      format('case when (b).%1$I is distinct from (a).%1$I then %2$L end', a.attname, c.relname || '.' || a.attname),
      ', ' order by a.attnum) as comparisons
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.oid in ('bookings'::regclass, 'customers'::regclass, 'orders'::regclass, 'sessions'::regclass)
    group by c.relname
  loop
    execute format('create or replace function %I(a %I, b %I) returns text[] language sql immutable as %L',
      'changed_' || target.name, target.name, target.name,
      format('select array_remove(array[%s], null)', target.comparisons));
  end loop;
end $$;

select compare_all_columns();

-- A session plans the statements of these functions once, whatever the size of the first one that comes and however
-- small the tables are by then. So they are told to go by the indexes: rows of a statement lead to rows of a table by
-- "cross join lateral (… offset 0)", and tables are not read through (0.5 ms for each note where they were). Nor are
-- they planned for each call, which costs more than what they do.

create function changes_of_bookings() returns trigger language plpgsql
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  size bigint;
  first_center text;
  last_center text;
  columns_moved text[];
  centers text[];
  moved text[];
  customers text[];
  order_uuids text[];
begin
  if tg_op = 'DELETE' then
    select count(*), min(center_id), max(center_id) into size, first_center, last_center from old_rows;
  else
    select count(*), min(center_id), max(center_id) into size, first_center, last_center from new_rows;
  end if;
  if note_by_size(size, first_center, last_center, '{guest,order}') then
    return null;
  end if;
  if tg_op = 'INSERT' then
    insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
    select n.center_id, 'guest', n.id, 'created', '{}', n.session_ids, time_span(n.start_date, n.end_date)
    from new_rows n
    on conflict (center_id, transaction_id, kind, id) do update set
      operation = merged_operation(c.operation, excluded.operation),
      columns = with_texts(c.columns, excluded.columns),
      session_ids = with_texts(c.session_ids, excluded.session_ids),
      during = c.during + excluded.during;
    select array_agg(r.center_id), array_agg(r.id), array_agg(r.customer_id), array_agg(r.order_uuid)
    into centers, moved, customers, order_uuids from new_rows r;
  elsif tg_op = 'DELETE' then
    insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
    select o.center_id, 'guest', o.id, 'deleted', '{}', o.session_ids, time_span(o.start_date, o.end_date)
    from old_rows o
    on conflict (center_id, transaction_id, kind, id) do update set
      operation = merged_operation(c.operation, excluded.operation),
      columns = with_texts(c.columns, excluded.columns),
      session_ids = with_texts(c.session_ids, excluded.session_ids),
      during = c.during + excluded.during;
    select array_agg(r.center_id), array_agg(r.id), array_agg(r.customer_id), array_agg(r.order_uuid)
    into centers, moved, customers, order_uuids from old_rows r;
  else
    with noted as (
      insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
      select coalesce(n.center_id, o.center_id), 'guest', coalesce(n.id, o.id),
        case when o.id is null then 'created' when n.id is null then 'deleted' else 'changed' end,
        changed_bookings(o, n), with_texts(coalesce(n.session_ids, '{}'), coalesce(o.session_ids, '{}')),
        coalesce(time_span(n.start_date, n.end_date), '{}') + coalesce(time_span(o.start_date, o.end_date), '{}')
      from new_rows n
      full join old_rows o on o.center_id = n.center_id and o.id = n.id
      where n is distinct from o
      on conflict (center_id, transaction_id, kind, id) do update set
        operation = merged_operation(c.operation, excluded.operation),
        columns = with_texts(c.columns, excluded.columns),
        session_ids = with_texts(c.session_ids, excluded.session_ids),
        during = c.during + excluded.during
      returning columns
    )
    select array_agg(distinct differing) into columns_moved from noted, unnest(columns) as differing;
    if columns_moved && '{bookings.id,bookings.customer_id,bookings.status,bookings.session_ids,bookings.start_date,bookings.end_date,bookings.order_uuid,bookings.is_order_main_guest}' then
      select array_agg(r.center_id), array_agg(r.id), array_agg(r.customer_id), array_agg(r.order_uuid)
      into centers, moved, customers, order_uuids from (select * from new_rows union all select * from old_rows) r;
    end if;
  end if;
  if cardinality(moved) > 0 then
    perform note_beside_bookings(centers, moved, customers, order_uuids);
  end if;
  if is_crowd(size) then
    perform bound_changes(pg_current_xact_id(), array[first_center, last_center]);
  end if;
  return null;
end $$;

-- The other stays of these customers, whose history changes, and these orders, whose guests change; the three arrays
-- belong together. Of the one stay that moved it is said already; of several, each is another one's other stay.
create function note_beside_bookings(centers text[], moved text[], customers text[], orders text[]) returns void
language plpgsql as $$
begin
  insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
  select b.center_id, 'guest', b.id, 'changed', '{guests.history}', b.session_ids, time_span(b.start_date, b.end_date)
  from (
    select m.center_id, m.customer_id, min(m.id) as first_id, count(distinct m.id) as stays
    from unnest(centers, moved, customers) as m (center_id, id, customer_id)
    group by m.center_id, m.customer_id
  ) k
  cross join lateral (
    select * from bookings b where b.center_id = k.center_id and b.customer_id = k.customer_id offset 0
  ) b
  where k.stays > 1 or b.id <> k.first_id
  on conflict (center_id, transaction_id, kind, id) do update set
    columns = with_texts(c.columns, excluded.columns);
  if array_remove(orders, null) <> '{}' then
    perform note_orders(centers, orders);
  end if;
end $$;

create function note_orders(centers text[], uuids text[]) returns void language plpgsql as $$
begin
  insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
  select o.center_id, 'order', o.uuid, 'changed', '{orders.guests}', '{}', time_span(o.order_date, o.order_date)
  from (select distinct m.center_id, m.uuid from unnest(centers, uuids) as m (center_id, uuid)) k
  cross join lateral (
    select * from orders o where o.center_id = k.center_id and o.uuid = k.uuid offset 0
  ) o
  on conflict (center_id, transaction_id, kind, id) do update set
    columns = with_texts(c.columns, excluded.columns);
end $$;

-- A customer has no entry of its own: it shows in its bookings, and its names in their orders. One that comes has
-- none yet, and one that goes none any more; those are noted by themselves.
create function changes_of_customers() returns trigger language plpgsql
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  size bigint;
  first_center text;
  last_center text;
  columns_moved text[];
  centers text[];
  order_uuids text[];
begin
  select count(*), min(center_id), max(center_id) into size, first_center, last_center from new_rows;
  if note_by_size(size, first_center, last_center, '{guest,order}') then
    return null;
  end if;
  with noted as (
    insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
    select b.center_id, 'guest', b.id, 'changed', k.columns, b.session_ids, time_span(b.start_date, b.end_date)
    from (
      select n.center_id, n.id, changed_customers(o, n) as columns
      from new_rows n
      left join old_rows o on o.center_id = n.center_id and o.id = n.id
      where n is distinct from o
    ) k
    cross join lateral (
      select * from bookings b where b.center_id = k.center_id and b.customer_id = k.id offset 0
    ) b
    on conflict (center_id, transaction_id, kind, id) do update set
      columns = with_texts(c.columns, excluded.columns)
    returning columns
  )
  select array_agg(distinct differing), count(*) into columns_moved, size from noted, unnest(columns) as differing;
  if columns_moved && '{customers.first_name,customers.last_name}' then
    select array_agg(b.center_id), array_agg(b.order_uuid) into centers, order_uuids
    from new_rows n
    cross join lateral (
      select * from bookings b
      where b.center_id = n.center_id and b.customer_id = n.id and b.order_uuid is not null offset 0
    ) b;
    perform note_orders(centers, order_uuids);
  end if;
  if is_crowd(size) then
    perform bound_changes(pg_current_xact_id(), array[first_center, last_center]);
  end if;
  return null;
end $$;

create function changes_of_orders() returns trigger language plpgsql
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  size bigint;
  first_center text;
  last_center text;
  columns_moved text[];
begin
  if tg_op = 'DELETE' then
    select count(*), min(center_id), max(center_id) into size, first_center, last_center from old_rows;
  else
    select count(*), min(center_id), max(center_id) into size, first_center, last_center from new_rows;
  end if;
  if note_by_size(size, first_center, last_center, '{order,guest}') then
    return null;
  end if;
  if tg_op = 'INSERT' then
    insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
    select n.center_id, 'order', n.uuid, 'created', '{}', '{}', time_span(n.order_date, n.order_date)
    from new_rows n
    on conflict (center_id, transaction_id, kind, id) do update set
      operation = merged_operation(c.operation, excluded.operation),
      columns = with_texts(c.columns, excluded.columns),
      session_ids = with_texts(c.session_ids, excluded.session_ids),
      during = c.during + excluded.during;
    columns_moved := '{orders.uuid}';
  elsif tg_op = 'DELETE' then
    insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
    select o.center_id, 'order', o.uuid, 'deleted', '{}', '{}', time_span(o.order_date, o.order_date)
    from old_rows o
    on conflict (center_id, transaction_id, kind, id) do update set
      operation = merged_operation(c.operation, excluded.operation),
      columns = with_texts(c.columns, excluded.columns),
      session_ids = with_texts(c.session_ids, excluded.session_ids),
      during = c.during + excluded.during;
    -- Its guests cannot go on naming it: they are noted by themselves.
  else
    with noted as (
      insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
      select coalesce(n.center_id, o.center_id), 'order', coalesce(n.uuid, o.uuid),
        case when o.uuid is null then 'created' when n.uuid is null then 'deleted' else 'changed' end,
        changed_orders(o, n), '{}',
        coalesce(time_span(n.order_date, n.order_date), '{}') + coalesce(time_span(o.order_date, o.order_date), '{}')
      from new_rows n
      full join old_rows o on o.center_id = n.center_id and o.uuid = n.uuid
      where n is distinct from o
      on conflict (center_id, transaction_id, kind, id) do update set
        operation = merged_operation(c.operation, excluded.operation),
        columns = with_texts(c.columns, excluded.columns),
        session_ids = with_texts(c.session_ids, excluded.session_ids),
        during = c.during + excluded.during
      returning columns
    )
    select array_agg(distinct differing) into columns_moved from noted, unnest(columns) as differing;
  end if;
  -- A booking may come before its order in one transaction.
  if cardinality(columns_moved) > 0 then
    insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
    select b.center_id, 'guest', b.id, 'changed', columns_moved, b.session_ids, time_span(b.start_date, b.end_date)
    from new_rows n
    cross join lateral (
      select * from bookings b where b.center_id = n.center_id and b.order_uuid = n.uuid offset 0
    ) b
    on conflict (center_id, transaction_id, kind, id) do update set
      columns = with_texts(c.columns, excluded.columns);
  end if;
  if is_crowd(size) then
    perform bound_changes(pg_current_xact_id(), array[first_center, last_center]);
  end if;
  return null;
end $$;

-- Of a session its guests show name, start and end, and so do the other stays of the same customers.
create function changes_of_sessions() returns trigger language plpgsql
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  size bigint;
  first_center text;
  last_center text;
  columns_moved text[];
  moved sessions[];
begin
  if tg_op = 'DELETE' then
    select count(*), min(center_id), max(center_id) into size, first_center, last_center from old_rows;
  else
    select count(*), min(center_id), max(center_id) into size, first_center, last_center from new_rows;
  end if;
  if note_by_size(size, first_center, last_center, '{session,guest}') then
    return null;
  end if;
  columns_moved := '{sessions.id}';
  if tg_op = 'INSERT' then
    insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
    select n.center_id, 'session', n.id, 'created', '{}', '{}', time_span(n.start_date, n.end_date)
    from new_rows n
    on conflict (center_id, transaction_id, kind, id) do update set
      operation = merged_operation(c.operation, excluded.operation),
      columns = with_texts(c.columns, excluded.columns),
      session_ids = with_texts(c.session_ids, excluded.session_ids),
      during = c.during + excluded.during;
    moved := array(select n::sessions from new_rows n);
  elsif tg_op = 'DELETE' then
    insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
    select o.center_id, 'session', o.id, 'deleted', '{}', '{}', time_span(o.start_date, o.end_date)
    from old_rows o
    on conflict (center_id, transaction_id, kind, id) do update set
      operation = merged_operation(c.operation, excluded.operation),
      columns = with_texts(c.columns, excluded.columns),
      session_ids = with_texts(c.session_ids, excluded.session_ids),
      during = c.during + excluded.during;
    moved := array(select o::sessions from old_rows o);
  else
    with noted as (
      insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
      select coalesce(n.center_id, o.center_id), 'session', coalesce(n.id, o.id),
        case when o.id is null then 'created' when n.id is null then 'deleted' else 'changed' end,
        changed_sessions(o, n), '{}',
        coalesce(time_span(n.start_date, n.end_date), '{}') + coalesce(time_span(o.start_date, o.end_date), '{}')
      from new_rows n
      full join old_rows o on o.center_id = n.center_id and o.id = n.id
      where n is distinct from o
      on conflict (center_id, transaction_id, kind, id) do update set
        operation = merged_operation(c.operation, excluded.operation),
        columns = with_texts(c.columns, excluded.columns),
        session_ids = with_texts(c.session_ids, excluded.session_ids),
        during = c.during + excluded.during
      returning columns
    )
    select array_agg(distinct differing) into columns_moved from noted, unnest(columns) as differing;
    moved := array(select n::sessions from new_rows n) || array(select o::sessions from old_rows o);
  end if;
  if columns_moved && '{sessions.id,sessions.name,sessions.start_date,sessions.end_date}' then
    insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
    select b.center_id, 'guest', b.id, 'changed', columns_moved || '{guests.history}', b.session_ids,
      time_span(b.start_date, b.end_date)
    from (select distinct m.center_id, m.id from unnest(moved) m) k
    cross join lateral (
      select * from booking_sessions bs where bs.center_id = k.center_id and bs.session_id = k.id offset 0
    ) bs
    cross join lateral (
      select * from bookings b where b.center_id = bs.center_id and b.id = bs.booking_id offset 0
    ) b
    group by b.center_id, b.id, b.session_ids, b.start_date, b.end_date
    on conflict (center_id, transaction_id, kind, id) do update set
      columns = with_texts(c.columns, excluded.columns);
    insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
    select b.center_id, 'guest', b.id, 'changed', '{guests.history}', b.session_ids,
      time_span(b.start_date, b.end_date)
    from (
      select distinct b.center_id, b.customer_id
      from unnest(moved) m
      cross join lateral (
        select * from booking_sessions bs where bs.center_id = m.center_id and bs.session_id = m.id offset 0
      ) bs
      cross join lateral (
        select * from bookings b where b.center_id = bs.center_id and b.id = bs.booking_id offset 0
      ) b
    ) k
    cross join lateral (
      select * from bookings b where b.center_id = k.center_id and b.customer_id = k.customer_id offset 0
    ) b
    on conflict (center_id, transaction_id, kind, id) do update set
      columns = with_texts(c.columns, excluded.columns);
  end if;
  if is_crowd(size) then
    perform bound_changes(pg_current_xact_id(), array[first_center, last_center]);
  end if;
  return null;
end $$;

-- Names of terms, custom fields and the center's own settings can show anywhere.
create function changes_of_everything() returns trigger language plpgsql as $$
declare
  centers text[];
begin
  if tg_op = 'INSERT' then
    centers := array(select distinct center_id from new_rows);
  elsif tg_op = 'DELETE' then
    centers := array(select distinct center_id from old_rows);
  elsif tg_op = 'UPDATE' then
    centers := array(select center_id from new_rows union select center_id from old_rows);
  else
    centers := array(select center_id from center_revisions);
  end if;
  perform note_whole_kinds(centers, '{guest,session,order}');
  return null;
end $$;

do $$
declare
  target record;
begin
  for target in
    select * from (values
      ('centers', 'everything'), ('meta_fields', 'everything'), ('terms', 'everything'),
      ('sessions', 'sessions'), ('orders', 'orders'), ('customers', 'customers'), ('bookings', 'bookings')
    ) as t (name, of)
  loop
    execute format('create trigger note_changes_on_update after update on %I
      referencing old table as old_rows new table as new_rows
      for each statement execute function %I()', target.name, 'changes_of_' || target.of);
    if target.name <> 'customers' then
      execute format('create trigger note_changes_on_insert after insert on %I referencing new table as new_rows
        for each statement execute function %I()', target.name, 'changes_of_' || target.of);
      execute format('create trigger note_changes_on_delete after delete on %I referencing old table as old_rows
        for each statement execute function %I()', target.name, 'changes_of_' || target.of);
    end if;
    execute format('create trigger note_changes_on_truncate after truncate on %I
      for each statement execute function changes_of_everything()', target.name);
  end loop;
end $$;

-- As before, and each move of a revision leaves the row that its notes are found by.
create or replace function advance_revisions(mover xid8) returns void language plpgsql
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  with moved as (
    insert into center_revisions as r (center_id, revision, profile_revision)
    select center_id, 1, case when profile then 1 else 0 end
    from center_touches
    where transaction_id = mover and not advanced
    order by center_id
    on conflict (center_id) do update set
      revision = r.revision + 1,
      profile_revision = case when excluded.profile_revision = 1 then r.revision + 1 else r.profile_revision end
    returning center_id, revision
  )
  insert into change_commits (center_id, revision, transaction_id)
  select center_id, revision, mover from moved;
  if found then
    perform bound_changes(mover, array(select center_id from center_touches where transaction_id = mover));
    delete from center_touches earlier
    using center_touches mine
    where mine.transaction_id = mover and not mine.advanced
      and earlier.center_id = mine.center_id and earlier.transaction_id < mover;
    update center_touches set advanced = true
    where transaction_id = mover and not advanced;
  end if;
end $$;

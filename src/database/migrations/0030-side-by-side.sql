-- Two transactions that run at the same time do not see each other's rows. If one moves a booking to an order, and the
-- other changes that order, neither notes that the guest shows the change, and a follower who reads between the two
-- commits keeps the old value. So the one that commits later notes again, as changed, what was noted by those that
-- committed since its first statement: only these rows can show its changes without its having seen them.

-- the revision that the transaction saw when it first touched the center
alter table center_touches add column seen bigint;

-- Noted only because it was noted by a transaction at the same time. It is not noted once more by a third one, which
-- looks at the first one itself: else where transactions always overlap, notes would be handed on for ever.
alter table changes add column again boolean not null default false;

create or replace function note_whole_kinds(centers text[], kinds text[]) returns void language plpgsql as $$
begin
  delete from changes
  where center_id = any(centers) and transaction_id = pg_current_xact_id() and kind = any(kinds) and id <> '*';
  insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
  select center, of_kind, '*', 'changed', '{}', '{}', '{}'
  from unnest(centers) as center, unnest(kinds) as of_kind
  on conflict (center_id, transaction_id, kind, id) do update set again = false where c.again;
end $$;

create or replace function is_noted_whole(center text, of_kind text) returns boolean language plpgsql as $$
begin
  return exists (
    select from changes
    where center_id = center and transaction_id = pg_current_xact_id() and kind = of_kind and id = '*' and not again
  );
end $$;

create or replace function note_touch() returns trigger language plpgsql as $$
declare
  is_profile boolean := tg_argv[0]::boolean;
begin
  if tg_op = 'INSERT' then
    insert into center_touches (center_id, profile, seen)
    select center_id, is_profile,
      coalesce((select r.revision from center_revisions r where r.center_id = touched.center_id), 0)
    from (select distinct center_id from new_rows) as touched
    on conflict (center_id, transaction_id) do update set profile = true
      where excluded.profile and not center_touches.profile;
  elsif tg_op = 'DELETE' then
    insert into center_touches (center_id, profile, seen)
    select center_id, is_profile,
      coalesce((select r.revision from center_revisions r where r.center_id = touched.center_id), 0)
    from (select distinct center_id from old_rows) as touched
    on conflict (center_id, transaction_id) do update set profile = true
      where excluded.profile and not center_touches.profile;
  elsif tg_op = 'UPDATE' then
    insert into center_touches (center_id, profile, seen)
    select center_id, is_profile,
      coalesce((select r.revision from center_revisions r where r.center_id = touched.center_id), 0)
    from (select center_id from new_rows union select center_id from old_rows) as touched
    on conflict (center_id, transaction_id) do update set profile = true
      where excluded.profile and not center_touches.profile;
  else
    insert into center_touches (center_id, profile, seen)
    select center_id, is_profile, revision from center_revisions
    on conflict (center_id, transaction_id) do update set profile = true
      where excluded.profile and not center_touches.profile;
  end if;
  return null;
end $$;

-- Triggers fire in the order of their names: what was seen is read before notes look for rows.
do $$
declare
  target record;
begin
  for target in
    select c.relname as name, t.tgname as trigger from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where t.tgfoid = 'note_touch'::regproc
  loop
    execute format('alter trigger %I on %I rename to %I', target.trigger, target.name, 'first_' || target.trigger);
  end loop;
end $$;

-- Called at the commit, while the revision is locked, so that everything that committed before is seen. Which columns
-- the rows show of this transaction is what it has noted, or what has no note of its own: a customer without stays, and
-- what came or went.
create function note_side_by_side(mover xid8) returns void language plpgsql
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  side record;
  moved text[];
begin
  for side in
    select t.center_id, array_agg(m.transaction_id) as transactions
    from center_touches t
    cross join lateral (
      select transaction_id from change_commits
      where center_id = t.center_id and revision > t.seen and transaction_id <> mover offset 0
    ) m
    where t.transaction_id = mover and not t.advanced
    group by t.center_id
  loop
    insert into changes (center_id, kind, id, operation, columns, session_ids, during, again)
    select distinct side.center_id, kind, '*', 'changed', '{}'::text[], '{}'::text[], '{}'::tstzmultirange, true
    from changes
    where center_id = side.center_id and transaction_id = any(side.transactions) and id = '*' and not again
    on conflict do nothing;
    moved := array(
      select distinct differing from changes, unnest(columns) as differing
      where center_id = side.center_id and transaction_id = mover
      union
      select 'customers.' || attname from pg_attribute
      where attrelid = 'customers'::regclass and attnum > 0 and not attisdropped
      union
      select unnest('{guests.history,orders.uuid,sessions.id}'::text[]));
    insert into changes as c (center_id, kind, id, operation, columns, session_ids, during, again)
    select b.center_id, 'guest', b.id, 'changed', moved, b.session_ids, time_span(b.start_date, b.end_date), true
    from (
      select distinct id from changes
      where center_id = side.center_id and transaction_id = any(side.transactions) and kind = 'guest' and not again
    ) k
    cross join lateral (
      select * from bookings b where b.center_id = side.center_id and b.id = k.id offset 0
    ) b
    where not is_noted_whole(side.center_id, 'guest')
    on conflict (center_id, transaction_id, kind, id) do update set
      columns = with_texts(c.columns, excluded.columns);
    insert into changes as c (center_id, kind, id, operation, columns, session_ids, during, again)
    select o.center_id, 'order', o.uuid, 'changed', '{orders.guests}', '{}', time_span(o.order_date, o.order_date), true
    from (
      select distinct id from changes
      where center_id = side.center_id and transaction_id = any(side.transactions) and kind = 'order' and not again
    ) k
    cross join lateral (
      select * from orders o where o.center_id = side.center_id and o.uuid = k.id offset 0
    ) o
    where not is_noted_whole(side.center_id, 'order')
    on conflict (center_id, transaction_id, kind, id) do update set
      columns = with_texts(c.columns, excluded.columns);
  end loop;
end $$;

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
    if exists (
      select from center_touches t
      cross join lateral (select revision from center_revisions where center_id = t.center_id offset 0) r
      where t.transaction_id = mover and not t.advanced and r.revision > t.seen + 1
    ) then
      perform note_side_by_side(mover);
    end if;
    perform bound_changes(mover, array(select center_id from center_touches where transaction_id = mover));
    delete from center_touches earlier
    using center_touches mine
    where mine.transaction_id = mover and not mine.advanced
      and earlier.center_id = mine.center_id and earlier.transaction_id < mover;
    update center_touches set advanced = true
    where transaction_id = mover and not advanced;
  end if;
end $$;

-- Rules that hold whoever writes: the import, or the center's own system writing SQL.

-- 1. booking_sessions follows bookings.session_ids.

create function booking_sessions_insert() returns trigger language plpgsql as $$
begin
  insert into booking_sessions (center_id, session_id, booking_id, position, start_date)
  select b.center_id, s.session_id, b.id, s.position, b.start_date
  from new_rows b, unnest(b.session_ids) with ordinality as s (session_id, position)
  on conflict do nothing;
  return null;
end $$;

create function booking_sessions_delete() returns trigger language plpgsql as $$
begin
  delete from booking_sessions s
  using old_rows b
  where s.center_id = b.center_id and s.booking_id = b.id;
  return null;
end $$;

-- Only bookings whose sessions, start or key changed are written again.
create function booking_sessions_update() returns trigger language plpgsql as $$
begin
  delete from booking_sessions s
  using old_rows o
  where s.center_id = o.center_id and s.booking_id = o.id
    and not exists (
      select 1 from new_rows n
      where n.center_id = o.center_id and n.id = o.id
        and n.session_ids = o.session_ids and n.start_date = o.start_date
    );
  insert into booking_sessions (center_id, session_id, booking_id, position, start_date)
  select n.center_id, s.session_id, n.id, s.position, n.start_date
  from new_rows n, unnest(n.session_ids) with ordinality as s (session_id, position)
  where not exists (
    select 1 from old_rows o
    where o.center_id = n.center_id and o.id = n.id
      and o.session_ids = n.session_ids and o.start_date = n.start_date
  )
  on conflict do nothing;
  return null;
end $$;

create function booking_sessions_truncate() returns trigger language plpgsql as $$
begin
  -- Not truncated as well: the same statement may be doing that already.
  delete from booking_sessions;
  return null;
end $$;

create trigger booking_sessions_insert after insert on bookings
  referencing new table as new_rows for each statement execute function booking_sessions_insert();
create trigger booking_sessions_update after update on bookings
  referencing old table as old_rows new table as new_rows for each statement execute function booking_sessions_update();
create trigger booking_sessions_delete after delete on bookings
  referencing old table as old_rows for each statement execute function booking_sessions_delete();
create trigger booking_sessions_truncate after truncate on bookings
  for each statement execute function booking_sessions_truncate();

-- 2. The revision of a center: up by one for each committed transaction that touched it, in commit order.
-- A statement notes the centers it touched; the deferred trigger moves their revisions at commit and only
-- then takes the lock on a revision, so that a long import holds nobody up.

create table center_revisions (
  center_id text collate "C" primary key,
  revision bigint not null,
  -- the revision at which the center itself or its custom fields last changed
  profile_revision bigint not null
);

create table center_touches (
  center_id text collate "C" not null,
  transaction_id xid8 not null default pg_current_xact_id(),
  profile boolean not null,
  advanced boolean not null default false,
  primary key (center_id, transaction_id)
);

create index center_touches_by_transaction on center_touches (transaction_id);

create function note_touch() returns trigger language plpgsql as $$
declare
  is_profile boolean := tg_argv[0]::boolean;
begin
  if tg_op = 'INSERT' then
    insert into center_touches (center_id, profile)
    select distinct center_id, is_profile from new_rows
    on conflict (center_id, transaction_id) do update set profile = true
      where excluded.profile and not center_touches.profile;
  elsif tg_op = 'DELETE' then
    insert into center_touches (center_id, profile)
    select distinct center_id, is_profile from old_rows
    on conflict (center_id, transaction_id) do update set profile = true
      where excluded.profile and not center_touches.profile;
  elsif tg_op = 'UPDATE' then
    insert into center_touches (center_id, profile)
    select center_id, is_profile
    from (select center_id from new_rows union select center_id from old_rows) as touched
    on conflict (center_id, transaction_id) do update set profile = true
      where excluded.profile and not center_touches.profile;
  else
    insert into center_touches (center_id, profile)
    select center_id, is_profile from center_revisions
    on conflict (center_id, transaction_id) do update set profile = true
      where excluded.profile and not center_touches.profile;
  end if;
  return null;
end $$;

-- Moves all centers that a transaction has touched at once, in one order everywhere, so that two
-- transactions over the same centers cannot deadlock. What the transaction changes after this point (a
-- booking identifier given at commit) is covered already: its notes stay until the next transaction over
-- the same center removes them.
create function advance_revisions(mover xid8) returns void language plpgsql as $$
begin
  insert into center_revisions as r (center_id, revision, profile_revision)
  select center_id, 1, case when profile then 1 else 0 end
  from center_touches
  where transaction_id = mover and not advanced
  order by center_id
  on conflict (center_id) do update set
    revision = r.revision + 1,
    profile_revision = case when excluded.profile_revision = 1 then r.revision + 1 else r.profile_revision end;
  if found then
    delete from center_touches earlier
    using center_touches mine
    where mine.transaction_id = mover and not mine.advanced
      and earlier.center_id = mine.center_id and earlier.transaction_id < mover;
    update center_touches set advanced = true
    where transaction_id = mover and not advanced;
  end if;
end $$;

create function center_touched() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform advance_revisions(new.transaction_id);
  else
    update center_revisions set profile_revision = revision
    where center_id = new.center_id and new.advanced;
  end if;
  return null;
end $$;

create constraint trigger center_touched after insert or update of profile on center_touches
  deferrable initially deferred for each row execute function center_touched();

do $$
declare
  target record;
begin
  for target in
    select * from (values
      ('centers', true), ('meta_fields', true), ('terms', false), ('sessions', false),
      ('orders', false), ('customers', false), ('bookings', false)
    ) as t (name, profile)
  loop
    execute format('create trigger touch_on_insert after insert on %I referencing new table as new_rows
      for each statement execute function note_touch(%L)', target.name, target.profile);
    execute format('create trigger touch_on_update after update on %I
      referencing old table as old_rows new table as new_rows
      for each statement execute function note_touch(%L)', target.name, target.profile);
    execute format('create trigger touch_on_delete after delete on %I referencing old table as old_rows
      for each statement execute function note_touch(%L)', target.name, target.profile);
    execute format('create trigger touch_on_truncate after truncate on %I
      for each statement execute function note_touch(%L)', target.name, target.profile);
  end loop;
end $$;

-- 3. The booking identifier (ruling 39): given at the commit in which a booking has become arrived, so that
-- its session may come later in the same import.

create table booking_counters (
  center_id text collate "C" not null,
  session_id text collate "C" not null,
  last_number integer not null,
  primary key (center_id, session_id)
);

-- The identifier of booking number `number` of a session, in the center's pattern: YY the two-digit year of
-- the session's local start day, SN its number or name, BN the booking's number in it, two digits at least.
create function booking_id_text(center centers, session sessions, number integer) returns text
language sql stable as $$
  -- Each token becomes a control character first, so that a session named "BN" stays as it is.
  select replace(replace(replace(
    replace(replace(replace(center.booking_id_format, 'YY', chr(1)), 'SN', chr(2)), 'BN', chr(3)),
    chr(1), to_char(session.start_date at time zone center.timezone, 'YY')),
    chr(3), case when number < 100 then lpad(number::text, 2, '0') else number::text end),
    chr(2), case when center.booking_id_session = 'name' then session.name
      else coalesce(nullif(session.number, ''), session.name) end)
$$;

create function give_booking_id() returns trigger language plpgsql as $$
declare
  booking bookings;
  center centers;
  session sessions;
  number integer;
  given text;
begin
  select * into booking from bookings where center_id = new.center_id and id = new.id;
  select * into center from centers where center_id = new.center_id;
  if booking.status is distinct from 'arrived' or booking.booking_id is not null
    or not center.automatic_booking_ids then
    return null;
  end if;
  select * into session from sessions
  where center_id = booking.center_id and id = booking.session_ids[1];
  if not found then
    return null;
  end if;
  -- Every transaction locks revisions before counters, in whatever order its triggers fire: else one that
  -- came here first and one that came there first would wait for each other.
  perform advance_revisions(pg_current_xact_id());
  loop
    -- The counter's row lock, held until the commit ends, is what keeps concurrent arrivals apart and
    -- leaves no gap when one of them rolls back.
    insert into booking_counters as c (center_id, session_id, last_number)
    values (session.center_id, session.id, 1)
    on conflict (center_id, session_id) do update set last_number = c.last_number + 1
    returning last_number into number;
    given := booking_id_text(center, session, number);
    -- A number that a person set by hand on another booking is passed over.
    exit when not exists (
      select 1 from bookings where center_id = booking.center_id and booking_id = given
    );
  end loop;
  update bookings set booking_id = given, booking_number = number
  where center_id = booking.center_id and id = booking.id;
  return null;
end $$;

create constraint trigger booking_arrives after insert on bookings
  deferrable initially deferred for each row
  when (new.status = 'arrived' and new.booking_id is null)
  execute function give_booking_id();
create constraint trigger booking_arrived after update on bookings
  deferrable initially deferred for each row
  when (new.status = 'arrived' and old.status <> 'arrived' and new.booking_id is null)
  execute function give_booking_id();

-- An identifier set by hand is no automatic one any more.
create function booking_id_by_hand() returns trigger language plpgsql as $$
begin
  if new.booking_number is not distinct from old.booking_number then
    new.booking_number := null;
  end if;
  return new;
end $$;

create trigger booking_id_by_hand before update of booking_id on bookings
  for each row when (new.booking_id is distinct from old.booking_id)
  execute function booking_id_by_hand();

-- What a center remembers of identifiers that are no longer there. A booking identifier that was freed is never given again,
-- by an arrival or by a bulk renumbering (ruling 39): people have written it on doors and files. And a center that ever had an
-- order whose identifier is no UUID answers 404 for one that is gone (ruling 33).
-- Booking identifiers are stored as digests: a person may have typed a name, and an erasure must find none.
-- phase: expand
-- locks: bookings, orders
-- reads_from: 0061

create table booking_ids_of_before (
  center_id text collate "C" not null,
  -- SHA-256 of the identifier, and of the record's own identifier that had it
  booking_id bytea not null,
  booking bytea not null,
  constraint booking_ids_of_before_pkey primary key (center_id, booking_id, booking)
);

create function text_digest(value text) returns bytea
language sql immutable parallel safe strict as $$ select sha256(convert_to(value, 'UTF8')) $$;

create function remember_booking_id() returns trigger
language plpgsql as $$
begin
  insert into booking_ids_of_before (center_id, booking_id, booking)
  values (old.center_id, text_digest(old.booking_id), text_digest(old.id))
  on conflict do nothing;
  return null;
end $$;
create trigger booking_id_is_freed after update on bookings for each row
  when (old.booking_id is not null and new.booking_id is distinct from old.booking_id)
  execute function remember_booking_id();
create trigger booking_id_is_removed after delete on bookings for each row
  when (old.booking_id is not null)
  execute function remember_booking_id();

-- As before, and an identifier that was freed is passed over too.
create or replace function give_booking_id() returns trigger
language plpgsql as $$
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
    -- A number that a person set by hand on another booking is passed over, also after it was freed.
    exit when not exists (
      select 1 from bookings where center_id = booking.center_id and booking_id = given
    ) and not exists (
      select 1 from booking_ids_of_before b
      where b.center_id = booking.center_id and b.booking_id = text_digest(given)
    );
  end loop;
  update bookings set booking_id = given, booking_number = number
  where center_id = booking.center_id and id = booking.id;
  return null;
end $$;

create table other_order_ids (
  center_id text collate "C" not null,
  constraint other_order_ids_pkey primary key (center_id)
);

create function is_uuid(id text) returns boolean
language sql immutable parallel safe strict as $$
  select id ~* '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'
$$;

create function note_other_order_ids() returns trigger
language plpgsql as $$
begin
  insert into other_order_ids (center_id)
  select distinct o.center_id from new_rows o
  where not is_uuid(o.uuid) and not exists (select from other_order_ids i where i.center_id = o.center_id)
  on conflict do nothing;
  return null;
end $$;
create trigger note_other_order_ids after insert on orders referencing new table as new_rows
  for each statement execute function note_other_order_ids();

-- After the trigger: whoever writes now waits for it.
insert into other_order_ids (center_id) select distinct center_id from orders where not is_uuid(uuid);

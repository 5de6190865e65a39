-- Names and e-mail address of the customer stand beside each session of a booking, too: finding fifty customers was two
-- fifths of what a session's page cost the database. Skipped meals stand there as json, which is the text that a list
-- shows; making it of jsonb was a tenth of the rest.
--
-- A copy follows its customer whoever writes, in which order ever:
--   * Who makes a copy locks the customer's row until the end of the transaction. So whoever changes the name waits for them
--     and finds the copy, or they wait for whoever changes the name and read the new one.
--   * Who changes the name changes the copies.
--   * A booking may come before its customer, because references are checked at commit. Its copy is made then.
-- Transactions that see the database as it was when they began need nothing more: each that writes moves the revision of
-- its center, so of two at once the second one fails.

drop table booking_sessions;

create table booking_sessions (
  center_id text collate "C" not null,
  session_id text collate "C" not null,
  booking_id text collate "C" not null,
  position smallint not null,
  start_date timestamptz not null,
  end_date timestamptz not null,
  customer_id text collate "C" not null,
  role text not null,
  status text not null,
  session_ids text[] not null,
  skipping_meals json not null,
  -- Null until the commit where the customer comes after the booking.
  first_name text,
  last_name text,
  email text
) with (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

insert into booking_sessions (
  center_id, session_id, booking_id, position, start_date, end_date, customer_id, role, status, session_ids,
  skipping_meals, first_name, last_name, email
)
select b.center_id, s.session_id, b.id, s.position, b.start_date, b.end_date, b.customer_id, b.role, b.status,
  b.session_ids, b.skipping_meals, c.first_name, c.last_name, c.email
from bookings b
join customers c on c.center_id = b.center_id and c.id = b.customer_id
cross join lateral (
  select session_id, min(position) from unnest(b.session_ids) with ordinality as s (session_id, position) group by session_id
) s (session_id, position)
order by b.center_id, s.session_id, b.start_date, b.id;

alter table booking_sessions
  -- A booking is found by it; what a session has, by its index.
  add primary key (center_id, booking_id, session_id),
  add foreign key (center_id, session_id) references sessions deferrable initially deferred;
create index booking_sessions_by_start on booking_sessions (center_id, session_id, start_date, booking_id);

create or replace function booking_sessions_insert() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  insert into booking_sessions (
    center_id, session_id, booking_id, position, start_date, end_date, customer_id, role, status, session_ids,
    skipping_meals, first_name, last_name, email
  )
  select b.center_id, s.session_id, b.id, s.position, b.start_date, b.end_date, b.customer_id, b.role, b.status,
    b.session_ids, b.skipping_meals, c.first_name, c.last_name, c.email
  from new_rows b
  cross join unnest(b.session_ids) with ordinality as s (session_id, position)
  left join lateral (
    select first_name, last_name, email from customers
    where center_id = b.center_id and id = b.customer_id
    limit 1 for share
  ) c on true
  on conflict do nothing;
  return null;
end $$;

create or replace function booking_sessions_update() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  customer record;
begin
  if (new.center_id, new.id, new.session_ids, new.customer_id)
    is not distinct from (old.center_id, old.id, old.session_ids, old.customer_id) then
    update booking_sessions
    set start_date = new.start_date, end_date = new.end_date, role = new.role, status = new.status,
      skipping_meals = new.skipping_meals
    where center_id = new.center_id and booking_id = new.id;
    return null;
  end if;
  -- The customer before the copies, as whoever changes the name has them.
  select first_name, last_name, email into customer from customers
  where center_id = new.center_id and id = new.customer_id
  for share;
  delete from booking_sessions where center_id = old.center_id and booking_id = old.id;
  insert into booking_sessions (
    center_id, session_id, booking_id, position, start_date, end_date, customer_id, role, status, session_ids,
    skipping_meals, first_name, last_name, email
  )
  select new.center_id, s.session_id, new.id, s.position, new.start_date, new.end_date, new.customer_id, new.role,
    new.status, new.session_ids, new.skipping_meals, customer.first_name, customer.last_name, customer.email
  from unnest(new.session_ids) with ordinality as s (session_id, position)
  on conflict do nothing;
  return null;
end $$;

-- Of a customer who is deleted or has another identifier now, bookings may be left until the commit. A booking that another
-- transaction gives to somebody else meanwhile has lost these rows, and got new ones with that name.
create function booking_sessions_rename() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  if tg_op = 'DELETE' or (new.center_id, new.id) is distinct from (old.center_id, old.id) then
    update booking_sessions set first_name = null, last_name = null, email = null
    where center_id = old.center_id
      and booking_id = any(array(select id from bookings where center_id = old.center_id and customer_id = old.id));
  end if;
  if tg_op = 'UPDATE' then
    update booking_sessions set first_name = new.first_name, last_name = new.last_name, email = new.email
    where center_id = new.center_id
      and booking_id = any(array(select id from bookings where center_id = new.center_id and customer_id = new.id));
  end if;
  return null;
end $$;

create trigger booking_sessions_delete after delete on customers for each row
  execute function booking_sessions_rename();
create trigger booking_sessions_update after update on customers for each row
  when (
    (new.center_id, new.id, new.first_name, new.last_name, new.email)
    is distinct from (old.center_id, old.id, old.first_name, old.last_name, old.email)
  )
  execute function booking_sessions_rename();

-- By then the booking may be somebody else's.
create function booking_sessions_name() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  customer record;
begin
  select first_name, last_name, email into customer from customers
  where center_id = new.center_id and id = new.customer_id
  for share;
  if found then
    update booking_sessions
    set first_name = customer.first_name, last_name = customer.last_name, email = customer.email
    where center_id = new.center_id and session_id = new.session_id and booking_id = new.booking_id
      and customer_id = new.customer_id;
  end if;
  return null;
end $$;

create constraint trigger booking_sessions_name after insert or update on booking_sessions
  deferrable initially deferred for each row when (new.first_name is null)
  execute function booking_sessions_name();

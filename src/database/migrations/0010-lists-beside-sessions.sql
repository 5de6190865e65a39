-- What lists and reports ask of a booking stands beside each of its sessions, so that the page of a session is read along
-- one index and the rows it leads to: a look-up of each booking by its key was a third of a page's cost.
--
-- Only what the booking itself holds. The names of its customer would save as much again, but a booking made in one
-- transaction and a name changed in another do not see each other, and the old name would stay.

drop table booking_sessions;

-- Each column is that of the booking, by the same name. None that changes in place is in an index, and there is room
-- left on each page, so a change of status replaces its row where it stands and leaves nothing to vacuum.
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
  skipping_meals jsonb not null
) with (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

insert into booking_sessions (
  center_id, session_id, booking_id, position, start_date, end_date, customer_id, role, status, session_ids,
  skipping_meals
)
select b.center_id, s.session_id, b.id, min(s.position), b.start_date, b.end_date, b.customer_id, b.role, b.status,
  b.session_ids, b.skipping_meals
from bookings b, unnest(b.session_ids) with ordinality as s (session_id, position)
group by b.center_id, b.id, s.session_id
order by b.center_id, s.session_id, b.start_date, b.id;

alter table booking_sessions
  add primary key (center_id, session_id, booking_id),
  add foreign key (center_id, session_id) references sessions deferrable initially deferred;
create index booking_sessions_by_start on booking_sessions (center_id, session_id, start_date, booking_id);
create index booking_sessions_by_booking on booking_sessions (center_id, booking_id);

create or replace function booking_sessions_insert() returns trigger language plpgsql as $$
begin
  insert into booking_sessions (
    center_id, session_id, booking_id, position, start_date, end_date, customer_id, role, status, session_ids,
    skipping_meals
  )
  select b.center_id, s.session_id, b.id, s.position, b.start_date, b.end_date, b.customer_id, b.role, b.status,
    b.session_ids, b.skipping_meals
  from new_rows b, unnest(b.session_ids) with ordinality as s (session_id, position)
  on conflict do nothing;
  return null;
end $$;

-- Row by row, because most updates move nothing of this: those call nothing, and the others one statement.
drop trigger booking_sessions_update on bookings;

create or replace function booking_sessions_update() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  if (new.center_id, new.id, new.session_ids) is distinct from (old.center_id, old.id, old.session_ids) then
    delete from booking_sessions where center_id = old.center_id and booking_id = old.id;
    insert into booking_sessions (
      center_id, session_id, booking_id, position, start_date, end_date, customer_id, role, status, session_ids,
      skipping_meals
    )
    select new.center_id, s.session_id, new.id, s.position, new.start_date, new.end_date, new.customer_id, new.role,
      new.status, new.session_ids, new.skipping_meals
    from unnest(new.session_ids) with ordinality as s (session_id, position)
    on conflict do nothing;
  else
    update booking_sessions
    set start_date = new.start_date, end_date = new.end_date, customer_id = new.customer_id, role = new.role,
      status = new.status, skipping_meals = new.skipping_meals
    where center_id = new.center_id and booking_id = new.id;
  end if;
  return null;
end $$;

create trigger booking_sessions_update after update on bookings for each row
  when (
    (new.center_id, new.id, new.session_ids, new.start_date, new.end_date, new.customer_id, new.role, new.status,
      new.skipping_meals)
    is distinct from
    (old.center_id, old.id, old.session_ids, old.start_date, old.end_date, old.customer_id, old.role, old.status,
      old.skipping_meals)
  )
  execute function booking_sessions_update();

-- A booking that arrived without an identifier, because its center gave none then, is brought in again as it was:
-- number 0 says so, and at the commit it gets none (ruling 39 is about the moment of arrival, which is past).

drop trigger booking_arrives on bookings;
create constraint trigger booking_arrives after insert on bookings
  deferrable initially deferred for each row
  when (new.status = 'arrived' and new.booking_id is null and new.booking_number is distinct from 0)
  execute function give_booking_id();
drop trigger booking_arrived on bookings;
create constraint trigger booking_arrived after update on bookings
  deferrable initially deferred for each row
  when (new.status = 'arrived' and old.status <> 'arrived' and new.booking_id is null
    and new.booking_number is distinct from 0)
  execute function give_booking_id();

-- It holds for the arrival it was said of: one that arrives again gets an identifier like any other.
create function arrival_is_over() returns trigger language plpgsql as $$
begin
  new.booking_number := null;
  return new;
end $$;

create trigger arrival_is_over before insert or update of status, booking_id, booking_number on bookings
  for each row when (new.booking_number = 0 and (new.status <> 'arrived' or new.booking_id is not null))
  execute function arrival_is_over();

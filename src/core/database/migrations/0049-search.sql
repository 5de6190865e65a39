-- Indexes of GET /search. Each entry of a text index begins with the center, so the index alone finds what it asks for, and
-- each is the rest of a text from the beginning of one of its words, so the middle of it is found as well as its beginning.
-- phase: expand
-- locks: bookings, customers, orders
-- reads_from: 0046

-- The rests of a text from each of its words on, folded as names are, with and without leading zeros: '2026-00171' becomes
-- '2026 00171', '00171' and '171'. Rests that are shorter than a search are left out.
create function search_rests(begins text, value text) returns text[]
language plpgsql immutable parallel safe strict as $$
declare
  letters text := left(name_letters(left(value, 100)), 200);
  rests text[] := '{}';
begin
  for word in 1..12 loop
    exit when length(letters) < 3;
    rests := rests || (begins || letters);
    if letters ~ '^0+[^0 ]..' then rests := rests || (begins || ltrim(letters, '0')); end if;
    exit when position(' ' in letters) = 0;
    letters := substr(letters, position(' ' in letters) + 1);
  end loop;
  return rests;
end $$;

-- A booking or order number.
create function number_index(center_id text, number text) returns tsvector
language sql immutable parallel safe strict cost 500
return array_to_tsvector(search_rests(center_id || '/', number));

-- The digits of a phone number without what stands before a country code, and without leading zeros.
create function phone_digits(phone text) returns text
language sql immutable parallel safe strict
return left(ltrim(coalesce(phone_key(phone), regexp_replace(phone, '[^0-9]+', '', 'g')), '+0'), 20);

-- The part of an e-mail address before its host, which many guests share; and the digits of both phone numbers from each
-- digit on, because half of a number may be either half.
create function contact_index(center_id text, email text, phone text, secondary_phone text) returns tsvector
language plpgsql immutable parallel safe cost 500 as $$
declare
  entries text[] := search_rests(center_id || '@', split_part(coalesce(email, ''), '@', 1));
  digits text;
begin
  foreach digits in array array[coalesce(phone_digits(phone), ''), coalesce(phone_digits(secondary_phone), '')] loop
    for at in 1..length(digits) - 3 loop
      entries := entries || (center_id || '#' || substr(digits, at));
    end loop;
  end loop;
  return array_to_tsvector(entries);
end $$;

-- What a search asks an index for: entries that begin with the text; null if nothing of it can be compared.
create function search_query(begins text, letters text) returns tsquery
language sql immutable parallel safe strict
return case when length(letters) >= 3 then (name_quoted(begins || letters) || ':*')::tsquery end;

-- A room as it is compared.
create function room_letters(room text) returns text
language sql immutable parallel safe strict
return left(name_letters(left(room, 100)), 200);

-- The rooms of a stay in several rooms.
create function segments_index(center_id text, segments jsonb) returns text[]
language sql immutable parallel safe strict
return array(
  select distinct center_id || '/' || room_letters(one ->> 'roomId')
  from jsonb_array_elements(segments) one
  where one ->> 'roomId' is not null
);

-- PostgreSQL creates, analyzes and vacuums an index with no search path but its own, so a function in PL/pgSQL that an index uses
-- finds other functions only with a path of its own.
do $$
begin
  execute format('alter function search_rests(text, text) set search_path to %I', current_schema());
  execute format('alter function contact_index(text, text, text, text) set search_path to %I', current_schema());
end $$;

create index customers_by_contact on customers using gin (contact_index(center_id, email, phone, secondary_phone))
  with (fastupdate = on, gin_pending_list_limit = 64)
  where coalesce(email, phone, secondary_phone) is not null;
create index bookings_by_number_part on bookings using gin (number_index(center_id, booking_id))
  with (fastupdate = on, gin_pending_list_limit = 64)
  where booking_id is not null;
create index orders_by_number_part on orders using gin (number_index(center_id, number))
  with (fastupdate = on, gin_pending_list_limit = 64)
  where number is not null;
create index bookings_by_room on bookings (center_id, room_letters(accommodation ->> 'roomId'), start_date)
  where accommodation ->> 'roomId' is not null;
create index bookings_by_segment on bookings using gin (segments_index(center_id, acc_segments))
  with (fastupdate = on, gin_pending_list_limit = 64)
  where acc_segments is not null;

-- Rooms: the beds of a room, and the segments of a stay that is in several rooms.

alter table terms
  add column beds integer constraint terms_beds check (beds >= 0);

alter table bookings
  add column acc_segments jsonb constraint bookings_acc_segments check (jsonb_typeof(acc_segments) = 'array');

select compare_all_columns();

-- The segment of a stay that a day (YYYY-MM-DD) belongs to: the last that has begun by that day, and the first before any
-- has. So the day of departure belongs to the last night's room, and a stay that was extended continues in its last
-- room. Null without segments. The center's own system may have written the segments, so nothing in it fails.
create function segment_on(segments jsonb, day text) returns jsonb
language sql immutable strict parallel safe as $$
  select s.segment
  from jsonb_array_elements(case when jsonb_typeof(segments) = 'array' then segments end) as s (segment)
  cross join lateral (select (s.segment ->> 'from') collate "C" as begins) b
  where b.begins is not null
  order by case when b.begins <= day collate "C" then b.begins end desc nulls last, b.begins
  limit 1
$$;

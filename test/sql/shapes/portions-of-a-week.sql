with slice as materialized (
  select * from ((
select b.id, b.start_date
from bookings b
where b.center_id = $1
  and b.start_date <= $2 and b.end_date >= $3
  and b.start_date >= $4::timestamptz - interval '31 days'
  and b.status <> all($5)
  order by b.start_date, b.id limit $6)
union all
(
select b.id, b.start_date
from bookings b
where b.center_id = $7
  and b.end_date - b.start_date > interval '31 days'
  and b.start_date <= $8 and b.end_date >= $9
  and b.start_date < $10::timestamptz - interval '31 days'
  and b.status <> all($11) offset 0)) matched
  order by start_date, id limit $12
)
, guest as materialized (
  select b.id, b.start_date, b.end_date, b.role, b.status, nullif(b.skipping_meals, '{"breakfast": [], "lunch": [], "dinner": []}') as skips,
    b.program_id, b.package_id, b.meals as own_meals, b.accommodation ->> 'roomId' as room_id, b.acc_segments,
    null as diets,
    null::json as of_sessions,
    null as first_name, null as last_name
  from slice
  join lateral (select * from bookings where center_id = $13 and id = slice.id limit 1) b on true
)
select
  (select revision from center_revisions where center_id = $14) as revision,
  (
    select coalesce(
      json_agg(json_build_array(id, floor(date_part('epoch', start_date) * 1000 + 0.0005), floor(date_part('epoch', end_date) * 1000 + 0.0005), role, status, skips,
        program_id, room_id, diets, of_sessions, first_name, last_name, package_id, own_meals, acc_segments)),
      '[]'
    )
    from guest
  ) as guests,
  (
    select coalesce(json_agg(json_build_array(t.term_set, t.id, coalesce(t.names ->> $15, t.name), t.meals)), '[]')
    from (
      select 'program' as term_set, program_id as id from guest union select 'room', room_id from guest
      union select 'package', package_id from guest
      union select 'room', segment ->> 'roomId' from guest, jsonb_array_elements(acc_segments) as s (segment)
    ) used
    join lateral (select * from terms where center_id = $16 and term_set = used.term_set and id = used.id limit 1) t on true
  ) as names,
  '[]'::json as starts,
  (
    select json_build_array(start_date, id) from slice
    order by start_date, id offset $17 limit 1
  ) as last
-- $1 = "c07"
-- $2 = "2025-01-12T23:59:59.999Z"
-- $3 = "2025-01-06T00:00:00.000Z"
-- $4 = "2025-01-06T00:00:00.000Z"
-- $5 = ["cancelled","waitingList","review"]
-- $6 = 200
-- $7 = "c07"
-- $8 = "2025-01-12T23:59:59.999Z"
-- $9 = "2025-01-06T00:00:00.000Z"
-- $10 = "2025-01-06T00:00:00.000Z"
-- $11 = ["cancelled","waitingList","review"]
-- $12 = 200
-- $13 = "c07"
-- $14 = "c07"
-- $15 = "en"
-- $16 = "c07"
-- $17 = 199

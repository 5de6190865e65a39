with slice as materialized (
  select * from ((
  select
    b.booking_id as id, b.start_date, b.center_id, b.customer_id, b.role, b.status, b.end_date, b.session_ids, b.skipping_meals::json, b.first_name, b.last_name, b.email
  from booking_sessions b
  where b.center_id = $1
    and b.session_id = $2
    and b.status <> all($3)
  order by b.start_date, b.booking_id limit $4)) matched
  order by start_date, id limit $5
)
, guest as materialized (
  select b.id, b.start_date, b.end_date, b.role, b.status, nullif(b.skipping_meals, '{"breakfast": [], "lunch": [], "dinner": []}') as skips,
    b.program_id, b.package_id, b.meals as own_meals, b.accommodation ->> 'roomId' as room_id, b.acc_segments,
    json_build_array(c.meta -> $6) as diets,
    case when cardinality(b.session_ids) > 1 then to_json(b.session_ids) end as of_sessions,
    c.first_name, c.last_name
  from slice
  join lateral (select * from bookings where center_id = $7 and id = slice.id limit 1) b on true
  join lateral (select * from customers where center_id = $8 and id = b.customer_id limit 1) c on true
)
select
  (select revision from center_revisions where center_id = $9) as revision,
  (
    select coalesce(
      json_agg(json_build_array(id, floor(date_part('epoch', start_date) * 1000 + 0.0005), floor(date_part('epoch', end_date) * 1000 + 0.0005), role, status, skips,
        program_id, room_id, diets, of_sessions, first_name, last_name, package_id, own_meals, acc_segments)),
      '[]'
    )
    from guest
  ) as guests,
  (
    select coalesce(json_agg(json_build_array(t.term_set, t.id, coalesce(t.names ->> $10, t.name), t.meals)), '[]')
    from (
      select 'program' as term_set, program_id as id from guest union select 'room', room_id from guest
      union select 'package', package_id from guest
      union select 'room', segment ->> 'roomId' from guest, jsonb_array_elements(acc_segments) as s (segment)
    ) used
    join lateral (select * from terms where center_id = $11 and term_set = used.term_set and id = used.id limit 1) t on true
  ) as names,
  (
    select coalesce(json_agg(json_build_array(s.id, floor(date_part('epoch', s.start_date) * 1000 + 0.0005))), '[]')
    from (select distinct unnest(session_ids) as id from slice where cardinality(session_ids) > 1) several
    join sessions s on s.center_id = $12 and s.id = several.id
  ) as starts,
  (
    select json_build_array(start_date, id) from slice
    order by start_date, id offset $13 limit 1
  ) as last
-- $1 = "c07"
-- $2 = "s10"
-- $3 = ["cancelled","waitingList","review"]
-- $4 = 200
-- $5 = 200
-- $6 = "diet"
-- $7 = "c07"
-- $8 = "c07"
-- $9 = "c07"
-- $10 = "en"
-- $11 = "c07"
-- $12 = "c07"
-- $13 = 199

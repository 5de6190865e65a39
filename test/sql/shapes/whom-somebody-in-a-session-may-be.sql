select (select revision from center_revisions where center_id = $1) as revision,
name_sounds(replace(name_letters(left($2::text, 200)), 'ph', 'f')) as wanted,
(
  select coalesce(json_agg(json_build_array(f.id, f.booking_id, f.first_name, f.last_name, f.starts, f.ends, f.status,
    f.session_ids, f.sounds, f.same_email, f.dob, f.same_pin)), '[]')
  from (
    select b.id, b.booking_id, c.first_name, c.last_name, b.status, b.session_ids, b.start_date,
      floor(date_part('epoch', b.start_date) * 1000 + 0.0005) as starts, floor(date_part('epoch', b.end_date) * 1000 + 0.0005) as ends,
      name_sounds(replace(name_letters(left((c.first_name || ' ' || c.last_name), 200)), 'ph', 'f')) as sounds,
      lower(c.email collate "C") = lower($3::text collate "C") as same_email,
      c.dob as dob,
      pin_hash(c.pin) = $4 as same_pin
    from (
select
  b.booking_id as id, b.start_date, b.center_id, b.customer_id, b.role, b.status, b.end_date, b.session_ids, b.skipping_meals
from booking_sessions b
where b.center_id = $5
  and b.session_id = $6
  and b.customer_id in (with found as materialized (
  select c.id from customers c
  where c.center_id = $7 collate "POSIX"
    and name_keys(c.center_id, c.first_name, c.last_name) @@ name_near($8, $9) union all select c.id from customers c where c.center_id = $10 and c.dob = any($11::date[]) union all select c.id from customers c where c.center_id = $12 and lower(c.email collate "C") = lower($13::text collate "C") union all select c.id from customers c where c.center_id = $14 and pin_hash(c.pin) = $15) select id from found)) m
    cross join lateral (select * from bookings where center_id = $16 and id = m.id limit 1) b
    cross join lateral (select * from customers where center_id = $17 and id = b.customer_id limit 1) c
    order by (pin_hash(c.pin) = $18) is not true,
      (lower(c.email collate "C") = lower($19::text collate "C")) is not true,
      (c.dob = $20) is not true,
      (name_keys(c.center_id, c.first_name, c.last_name) @@ name_query($21, $22)) is not true,
      b.start_date, b.id
    limit $23
  ) f
) as candidates
-- $1 = "c07"
-- $2 = "Popesku Iona"
-- $3 = "ana@example.com"
-- $4 = "0000000000000000000000000000000000000000000000000000000000000000"
-- $5 = "c07"
-- $6 = "s10"
-- $7 = "c07"
-- $8 = "c07"
-- $9 = "Popesku Iona"
-- $10 = "c07"
-- $11 = ["1980-01-20"]
-- $12 = "c07"
-- $13 = "ana@example.com"
-- $14 = "c07"
-- $15 = "0000000000000000000000000000000000000000000000000000000000000000"
-- $16 = "c07"
-- $17 = "c07"
-- $18 = "0000000000000000000000000000000000000000000000000000000000000000"
-- $19 = "ana@example.com"
-- $20 = "1980-01-20"
-- $21 = "c07"
-- $22 = "Popesku Iona"
-- $23 = 201

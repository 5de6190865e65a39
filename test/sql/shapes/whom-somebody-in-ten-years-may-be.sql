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
select b.id, b.start_date
from bookings b
where b.center_id = $5
  and b.start_date + interval '0' <= $6 and b.end_date + interval '0' >= $7
  and b.customer_id in (with found as materialized (
    select c.id from customers c
    where c.center_id = $8 collate "POSIX"
      and name_keys(c.center_id, c.first_name, c.last_name) @@ name_near($9, $10) union all select c.id from customers c where c.center_id = $11 and c.dob = any($12::date[]) union all select c.id from customers c where c.center_id = $13 and lower(c.email collate "C") = lower($14::text collate "C") union all select c.id from customers c where c.center_id = $15 and pin_hash(c.pin) = $16) select id from found)) m
      cross join lateral (select * from bookings where center_id = $17 and id = m.id limit 1) b
      cross join lateral (select * from customers where center_id = $18 and id = b.customer_id limit 1) c
      order by (pin_hash(c.pin) = $19) is not true,
        (lower(c.email collate "C") = lower($20::text collate "C")) is not true,
        (c.dob = $21) is not true,
        (name_keys(c.center_id, c.first_name, c.last_name) @@ name_query($22, $23)) is not true,
        b.start_date, b.id
      limit $24
    ) f
  ) as candidates
-- $1 = "c07"
-- $2 = "Popesku Iona"
-- $3 = "ana@example.com"
-- $4 = "0000000000000000000000000000000000000000000000000000000000000000"
-- $5 = "c07"
-- $6 = "2026-12-31T23:59:59.999Z"
-- $7 = "2016-01-01T00:00:00.000Z"
-- $8 = "c07"
-- $9 = "c07"
-- $10 = "Popesku Iona"
-- $11 = "c07"
-- $12 = ["1980-01-20"]
-- $13 = "c07"
-- $14 = "ana@example.com"
-- $15 = "c07"
-- $16 = "0000000000000000000000000000000000000000000000000000000000000000"
-- $17 = "c07"
-- $18 = "c07"
-- $19 = "0000000000000000000000000000000000000000000000000000000000000000"
-- $20 = "ana@example.com"
-- $21 = "1980-01-20"
-- $22 = "c07"
-- $23 = "Popesku Iona"
-- $24 = 201

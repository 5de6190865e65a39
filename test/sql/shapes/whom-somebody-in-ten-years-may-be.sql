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
  and b.start_date <= $6 and b.end_date >= $7
  and b.start_date >= $8::timestamptz - interval '31 days'
  and b.customer_id in (with found as materialized (select c.id from customers c where c.center_id = $9 and name_keys(c.center_id, c.first_name, c.last_name) @@ name_near($10, $11) union all select c.id from customers c where c.center_id = $12 and c.dob = any($13::date[]) union all select c.id from customers c where c.center_id = $14 and lower(c.email collate "C") = lower($15::text collate "C") union all select c.id from customers c where c.center_id = $16 and pin_hash(c.pin) = $17) select id from found)
union all
select b.id, b.start_date
from bookings b
where b.center_id = $18
  and b.end_date - b.start_date > interval '31 days'
  and b.start_date <= $19 and b.end_date >= $20
  and b.start_date < $21::timestamptz - interval '31 days'
  and b.customer_id in (with found as materialized (select c.id from customers c where c.center_id = $22 and name_keys(c.center_id, c.first_name, c.last_name) @@ name_near($23, $24) union all select c.id from customers c where c.center_id = $25 and c.dob = any($26::date[]) union all select c.id from customers c where c.center_id = $27 and lower(c.email collate "C") = lower($28::text collate "C") union all select c.id from customers c where c.center_id = $29 and pin_hash(c.pin) = $30) select id from found)) m
      cross join lateral (select * from bookings where center_id = $31 and id = m.id limit 1) b
      cross join lateral (select * from customers where center_id = $32 and id = b.customer_id limit 1) c
      order by (pin_hash(c.pin) = $33) is not true,
        (lower(c.email collate "C") = lower($34::text collate "C")) is not true,
        (c.dob = $35) is not true,
        (name_keys(c.center_id, c.first_name, c.last_name) @@ name_query($36, $37)) is not true,
        b.start_date, b.id
      limit $38
    ) f
  ) as candidates
-- $1 = "c07"
-- $2 = "Popesku Iona"
-- $3 = "ana@example.com"
-- $4 = "0000000000000000000000000000000000000000000000000000000000000000"
-- $5 = "c07"
-- $6 = "2026-12-31T23:59:59.999Z"
-- $7 = "2016-01-01T00:00:00.000Z"
-- $8 = "2016-01-01T00:00:00.000Z"
-- $9 = "c07"
-- $10 = "c07"
-- $11 = "Popesku Iona"
-- $12 = "c07"
-- $13 = ["1980-01-20"]
-- $14 = "c07"
-- $15 = "ana@example.com"
-- $16 = "c07"
-- $17 = "0000000000000000000000000000000000000000000000000000000000000000"
-- $18 = "c07"
-- $19 = "2026-12-31T23:59:59.999Z"
-- $20 = "2016-01-01T00:00:00.000Z"
-- $21 = "2016-01-01T00:00:00.000Z"
-- $22 = "c07"
-- $23 = "c07"
-- $24 = "Popesku Iona"
-- $25 = "c07"
-- $26 = ["1980-01-20"]
-- $27 = "c07"
-- $28 = "ana@example.com"
-- $29 = "c07"
-- $30 = "0000000000000000000000000000000000000000000000000000000000000000"
-- $31 = "c07"
-- $32 = "c07"
-- $33 = "0000000000000000000000000000000000000000000000000000000000000000"
-- $34 = "ana@example.com"
-- $35 = "1980-01-20"
-- $36 = "c07"
-- $37 = "Popesku Iona"
-- $38 = 201

with same_pin as materialized (
      select c.id from customers c where c.center_id = $1 and pin_hash(c.pin) = $2), same_email as materialized (
      select c.id from customers c where c.center_id = $3 and lower(c.email collate "C") = lower($4::text collate "C")), same_dob as materialized (
      select c.id from customers c where c.center_id = $5 and c.dob = $6), same_name as materialized (
      select c.id from customers c
      where c.center_id = $7 collate "POSIX"
        and name_index(c.center_id, c.first_name, c.last_name) @@ name_query($8, $9))
select c.id, c.first_name, c.last_name, to_char(c.dob, 'YYYY-MM-DD') as dob,
  to_json(name_readings($10::text, true)) as wanted, to_json(name_readings(concat_ws(' ', c.first_name, c.last_name), $11::boolean)) as readings,
  lower(c.email collate "C") = lower($12::text collate "C") as same_email,
  (
    select coalesce(json_agg(json_build_object('id', s.id, 'booking_id', s.booking_id, 'starts', s.starts,
      'ends', s.ends, 'status', s.status)), '[]')
    from (
      select b.id, b.booking_id, b.status, floor(date_part('epoch', b.start_date) * 1000 + 0.0005) as starts, floor(date_part('epoch', b.end_date) * 1000 + 0.0005) as ends
      from bookings b
      where b.center_id = $13 and b.customer_id = c.id
      order by b.start_date desc, b.id
      limit $14
    ) s
  ) as stays
from customers c
where c.center_id = $15 and c.id in (with found as materialized (
      select c.id from customers c
      where c.center_id = $16 collate "POSIX"
        and name_index(c.center_id, c.first_name, c.last_name) @@ name_near($17, $18) union all
      select c.id from customers c where c.center_id = $19 and c.dob = any($20::date[]) union all
      select c.id from customers c where c.center_id = $21 and lower(c.email collate "C") = lower($22::text collate "C") union all
      select c.id from customers c where c.center_id = $23 and pin_hash(c.pin) = $24) select id from found)
order by (c.id in (select id from same_pin)) is not true, (c.id in (select id from same_email)) is not true, (c.id in (select id from same_dob)) is not true, (c.id in (select id from same_name)) is not true, c.id
limit $25
-- $1 = "c07"
-- $2 = "0000000000000000000000000000000000000000000000000000000000000000"
-- $3 = "c07"
-- $4 = "ana@example.com"
-- $5 = "c07"
-- $6 = "1980-01-20"
-- $7 = "c07"
-- $8 = "c07"
-- $9 = "Popesku Iona"
-- $10 = "Popesku Iona"
-- $11 = false
-- $12 = "ana@example.com"
-- $13 = "c07"
-- $14 = 100
-- $15 = "c07"
-- $16 = "c07"
-- $17 = "c07"
-- $18 = "Popesku Iona"
-- $19 = "c07"
-- $20 = ["1980-01-20"]
-- $21 = "c07"
-- $22 = "ana@example.com"
-- $23 = "c07"
-- $24 = "0000000000000000000000000000000000000000000000000000000000000000"
-- $25 = 200

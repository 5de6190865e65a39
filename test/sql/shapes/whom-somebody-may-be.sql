with same_pin as materialized (
      select c.id from customers c where c.center_id = $1 and pin_hash(c.pin) = $2), same_email as materialized (
      select c.id from customers c where c.center_id = $3 and lower(c.email collate "C") = lower($4::text collate "C")), same_dob as materialized (
      select c.id from customers c where c.center_id = $5 and c.dob = $6), same_name as materialized (
      select c.id from customers c
      where c.center_id = $7 collate "POSIX"
        and name_keys(c.center_id, c.first_name, c.last_name) @@ name_query($8, $9))
select c.id, c.first_name, c.last_name, to_char(c.dob, 'YYYY-MM-DD') as dob,
  name_sounds(replace(name_letters(left($10::text, 200)), 'ph', 'f')) as wanted,
  name_sounds(replace(name_letters(left(concat_ws(' ', c.first_name, c.last_name), 200)), 'ph', 'f')) as sounds,
  lower(c.email collate "C") = lower($11::text collate "C") as same_email,
  (
    select coalesce(json_agg(json_build_object('id', s.id, 'booking_id', s.booking_id, 'starts', s.starts,
      'ends', s.ends, 'status', s.status)), '[]')
    from (
      select b.id, b.booking_id, b.status, floor(date_part('epoch', b.start_date) * 1000 + 0.0005) as starts, floor(date_part('epoch', b.end_date) * 1000 + 0.0005) as ends
      from bookings b
      where b.center_id = $12 and b.customer_id = c.id
      order by b.start_date desc, b.id
      limit $13
    ) s
  ) as stays
from customers c
where c.center_id = $14 and c.id in (with found as materialized (
      select c.id from customers c
      where c.center_id = $15 collate "POSIX"
        and name_keys(c.center_id, c.first_name, c.last_name) @@ name_near($16, $17) union all
      select c.id from customers c where c.center_id = $18 and c.dob = any($19::date[]) union all
      select c.id from customers c where c.center_id = $20 and lower(c.email collate "C") = lower($21::text collate "C") union all
      select c.id from customers c where c.center_id = $22 and pin_hash(c.pin) = $23) select id from found)
order by (c.id in (select id from same_pin)) is not true, (c.id in (select id from same_email)) is not true, (c.id in (select id from same_dob)) is not true, (c.id in (select id from same_name)) is not true, c.id
limit $24
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
-- $11 = "ana@example.com"
-- $12 = "c07"
-- $13 = 100
-- $14 = "c07"
-- $15 = "c07"
-- $16 = "c07"
-- $17 = "Popesku Iona"
-- $18 = "c07"
-- $19 = ["1980-01-20"]
-- $20 = "c07"
-- $21 = "ana@example.com"
-- $22 = "c07"
-- $23 = "0000000000000000000000000000000000000000000000000000000000000000"
-- $24 = 200

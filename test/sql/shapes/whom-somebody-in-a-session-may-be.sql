with same_pin as materialized (
    select c.id from customers c where c.center_id = $1 and pin_hash(c.pin) = $2), same_email as materialized (
    select c.id from customers c where c.center_id = $3 and lower(c.email collate "C") = lower($4::text collate "C")), same_dob as materialized (
    select c.id from customers c where c.center_id = $5 and c.dob = $6), same_name as materialized (
    select c.id from customers c
    where c.center_id = $7 collate "POSIX"
      and name_index(c.center_id, c.first_name, c.last_name) @@ name_query($8, $9)), wanted as materialized (
    select c.id from customers c
    where c.center_id = $10 collate "POSIX"
      and name_index(c.center_id, c.first_name, c.last_name) @@ name_near($11, $12) union all
    select c.id from customers c where c.center_id = $13 and c.dob = any($14::date[]) union all
    select c.id from customers c where c.center_id = $15 and lower(c.email collate "C") = lower($16::text collate "C") union all
    select c.id from customers c where c.center_id = $17 and pin_hash(c.pin) = $18)
select
  (select revision from center_revisions where center_id = $19) as revision,
  to_json(name_readings($20::text, true)) as wanted,
  (
    select coalesce(json_agg(json_build_array(b.id, b.booking_id, c.first_name, c.last_name,
      floor(date_part('epoch', b.start_date) * 1000 + 0.0005), floor(date_part('epoch', b.end_date) * 1000 + 0.0005), b.status, b.session_ids,
      name_readings(concat_ws(' ', c.first_name, c.last_name), $21::boolean),
      lower(c.email collate "C") = lower($22::text collate "C"),
      c.dob,
      pin_hash(c.pin) = $23)), '[]')
    from (
      select m.id, m.customer_id
      from (
  select
    b.booking_id as id, b.start_date, b.center_id, b.customer_id, b.role, b.status, b.end_date, b.session_ids, b.skipping_meals::json, b.first_name, b.last_name, b.email
  from booking_sessions b
  where b.center_id = $24
    and b.session_id = $25
    and (b.customer_id in (select id from wanted)) is true) m
      order by (m.customer_id in (select id from same_pin)) is not true, (m.customer_id in (select id from same_email)) is not true, (m.customer_id in (select id from same_dob)) is not true, (m.customer_id in (select id from same_name)) is not true, m.customer_id, m.start_date, m.id
      limit $26
    ) f
    cross join lateral (select * from bookings where center_id = $27 and id = f.id limit 1) b
    cross join lateral (select * from customers where center_id = $28 and id = f.customer_id limit 1) c
  ) as candidates,
  null as last,
  null as customers
-- $1 = "c07"
-- $2 = "0000000000000000000000000000000000000000000000000000000000000000"
-- $3 = "c07"
-- $4 = "ana@example.com"
-- $5 = "c07"
-- $6 = "1980-01-20"
-- $7 = "c07"
-- $8 = "c07"
-- $9 = "Popesku Iona"
-- $10 = "c07"
-- $11 = "c07"
-- $12 = "Popesku Iona"
-- $13 = "c07"
-- $14 = ["1980-01-20"]
-- $15 = "c07"
-- $16 = "ana@example.com"
-- $17 = "c07"
-- $18 = "0000000000000000000000000000000000000000000000000000000000000000"
-- $19 = "c07"
-- $20 = "Popesku Iona"
-- $21 = false
-- $22 = "ana@example.com"
-- $23 = "0000000000000000000000000000000000000000000000000000000000000000"
-- $24 = "c07"
-- $25 = "s10"
-- $26 = 201
-- $27 = "c07"
-- $28 = "c07"

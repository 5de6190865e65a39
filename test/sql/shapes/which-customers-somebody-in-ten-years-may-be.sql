with same_pin as materialized (
    select c.id from customers c where c.center_id = $1 and pin_hash(c.pin) = $2), same_email as materialized (
    select c.id from customers c where c.center_id = $3 and lower(c.email collate "C") = lower($4::text collate "C")), same_dob as materialized (
    select c.id from customers c where c.center_id = $5 and c.dob = $6), same_name as materialized (
    select c.id from customers c
    where c.center_id = $7 collate "POSIX"
      and name_index(c.center_id, c.first_name, c.last_name) @@ name_query($8, $9)), found as materialized (
    select c.id from customers c
    where c.center_id = $10 collate "POSIX"
      and name_index(c.center_id, c.first_name, c.last_name) @@ name_near($11, $12) union all
    select c.id from customers c where c.center_id = $13 and c.dob = any($14::date[]) union all
    select c.id from customers c where c.center_id = $15 and lower(c.email collate "C") = lower($16::text collate "C") union all
    select c.id from customers c where c.center_id = $17 and pin_hash(c.pin) = $18), wanted as materialized (
  select other_0, other_1, other_2, other_3, id from (select f.id, (f.id in (select id from same_pin)) is not true as other_0, (f.id in (select id from same_email)) is not true as other_1, (f.id in (select id from same_dob)) is not true as other_2, (f.id in (select id from same_name)) is not true as other_3 from (select distinct id from found) f) judged
  order by other_0, other_1, other_2, other_3, id limit $19
)
select
  (select revision from center_revisions where center_id = $20) as revision,
  to_json(name_readings($21::text, true)) as wanted, '[]'::json as candidates,
  (
    select json_build_array(other_0, other_1, other_2, other_3, id) from wanted
    order by other_0, other_1, other_2, other_3, id offset $22 limit 1
  ) as last,
  (select coalesce(json_agg(id order by other_0, other_1, other_2, other_3, id), '[]') from wanted) as customers
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
-- $19 = 1000
-- $20 = "c07"
-- $21 = "Popesku Iona"
-- $22 = 999

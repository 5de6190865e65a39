with booked as materialized (
    select * from bookings
    where center_id >= any($1) and center_id <= any($2) and id = any(array(select id from (
      select id, start_date
      from (
  select
    b.booking_id as id, b.start_date, b.center_id, b.customer_id, b.role, b.status, b.end_date, b.session_ids, b.skipping_meals::json, b.first_name, b.last_name, b.email
  from booking_sessions b
  where b.center_id = $3
    and b.session_id = $4
    ) matched
      order by matched.start_date, matched.id
      limit $5 offset $6
    ) page)))
select
  (select count(*) from (
  select
    b.booking_id as id, b.start_date, b.center_id, b.customer_id, b.role, b.status, b.end_date, b.session_ids, b.skipping_meals::json, b.first_name, b.last_name, b.email
  from booking_sessions b
  where b.center_id = $7
    and b.session_id = $8
    ) matched) as total,
  (select revision from center_revisions where center_id = $9) as revision,
  (
    select concat_ws($10, count(*), string_agg(concat_ws($11, b.id, b.status, b.role, b.session_ids, coalesce('=' || (b.medical -> 'medicalLetter' ->> 'diagnoses'), ''), coalesce(b.medical -> 'bmi1', 'null'), coalesce(b.medical -> 'weight1', 'null'), coalesce(b.medical -> 'height', 'null')), $12 order by b.start_date, b.id))
    from booked b
  ) as guests
-- $1 = ["c07"]
-- $2 = ["c07"]
-- $3 = "c07"
-- $4 = "s10"
-- $5 = 50
-- $6 = 0
-- $7 = "c07"
-- $8 = "s10"
-- $9 = "c07"
-- $10 = "\u001f"
-- $11 = "\u001f"
-- $12 = "\u001f"

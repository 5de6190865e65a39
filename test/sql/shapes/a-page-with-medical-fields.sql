with matched as materialized (
  select  bs.booking_id as id, bs.start_date
  from booking_sessions bs
  where bs.center_id = $1
    and bs.session_id = $2
    )
select
  (select count(*) from matched) as total,
  (select revision from center_revisions where center_id = $3) as revision,
  (
    select coalesce(json_agg(json_build_array(b.id, b.status, b.role, b.session_ids, b.medical -> 'medicalLetter' ->> 'diagnoses', nullif(b.medical -> 'bmi1', 'null'), nullif(b.medical -> 'weight1', 'null'), nullif(b.medical -> 'height', 'null')) order by page.start_date, page.id), '[]')
    from (
      select id, start_date from matched
      order by start_date, id
      limit $4 offset $5
    ) page
    join lateral (select * from bookings where center_id = $6 and id = page.id limit 1) b on true
  ) as guests
-- $1 = "c07"
-- $2 = "s10"
-- $3 = "c07"
-- $4 = 50
-- $5 = 0
-- $6 = "c07"

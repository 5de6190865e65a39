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
select (select count(*) from slice) as total,
  (select revision from center_revisions where center_id = $6) as revision,
  (
    select coalesce(
      json_agg(json_build_array(b.id, c.first_name, c.last_name,
        floor(date_part('epoch', b.start_date) * 1000 + 0.0005), floor(date_part('epoch', b.end_date) * 1000 + 0.0005), b.skipping_meals, case when cardinality(b.session_ids) > 1 then to_json(b.session_ids) end)),
      '[]'
    )
    from slice b
    cross join lateral (select b.first_name, b.last_name, b.email) c
    where b.skipping_meals::text <> '{"breakfast": [], "lunch": [], "dinner": []}'::jsonb::text
  ) as guests,
  (
    select coalesce(json_agg(json_build_array(s.id, floor(date_part('epoch', s.start_date) * 1000 + 0.0005))), '[]')
    from (select distinct unnest(session_ids) as id from slice where cardinality(session_ids) > 1) several
    join sessions s on s.center_id = $7 and s.id = several.id
  ) as starts,
  (
    select json_build_array(start_date, id) from slice
    order by start_date, id offset $8 limit 1
  ) as last
-- $1 = "c07"
-- $2 = "s10"
-- $3 = ["cancelled","waitingList","review"]
-- $4 = 200
-- $5 = 200
-- $6 = "c07"
-- $7 = "c07"
-- $8 = 199

with slice as materialized (
  select * from ((
  select
    b.booking_id as id, b.start_date, b.center_id, b.customer_id, b.role, b.status, b.end_date, b.session_ids, b.skipping_meals
  from booking_sessions b
  where b.center_id = $1
    and b.session_id = $2
    and b.status <> all($3)
  order by b.start_date, b.booking_id limit $4)) matched
  order by start_date, id limit $5
)
select
  (select revision from center_revisions where center_id = $6) as revision,
  (
    select coalesce(
      json_agg(json_build_array(b.id, floor(date_part('epoch', b.start_date) * 1000 + 0.0005), floor(date_part('epoch', b.end_date) * 1000 + 0.0005), b.role,
        b.status, b.skipping_meals, b.program_id, (
          select coalesce(t.names ->> $7, t.name) from terms t
          where t.center_id = b.center_id and t.term_set = $8 and t.id = b.program_id),
        b.accommodation ->> 'roomId', (
          select coalesce(t.names ->> $9, t.name) from terms t
          where t.center_id = b.center_id and t.term_set = $10 and t.id = b.accommodation ->> 'roomId'),
        json_build_array(c.meta -> $11),
      case when cardinality(b.session_ids) > 1 then (
        select json_agg(json_build_array(s.id, floor(date_part('epoch', s.start_date) * 1000 + 0.0005)))
        from sessions s where s.center_id = b.center_id and s.id = any(b.session_ids)
      ) end, c.first_name, c.last_name)),
      '[]'
    )
    from slice
    join lateral (select * from bookings where center_id = $12 and id = slice.id limit 1) b on true
    join lateral (select * from customers where center_id = b.center_id and id = b.customer_id limit 1) c on true
  ) as guests,
  (
    select json_build_array(start_date, id) from slice
    order by start_date, id offset $13 limit 1
  ) as last
-- $1 = "c07"
-- $2 = "s10"
-- $3 = ["cancelled","waitingList","review"]
-- $4 = 200
-- $5 = 200
-- $6 = "c07"
-- $7 = "en"
-- $8 = "program"
-- $9 = "en"
-- $10 = "room"
-- $11 = "diet"
-- $12 = "c07"
-- $13 = 199

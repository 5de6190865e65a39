with slice as materialized (
  select b.id, b.start_date from bookings b
  where b.center_id = $1 and b.start_date >= $2 and b.start_date <= $3
  order by b.start_date, b.id limit $4
)
select
  (select revision from center_revisions where center_id = $5) as revision, 'deposits' as kind,
  (
    select coalesce(json_agg(json_build_array(b.id, floor(date_part('epoch', b.start_date) * 1000 + 0.0005), case when jsonb_typeof(b.financial -> 'deposit' -> 'amount') = 'number' then b.financial -> 'deposit' ->> 'amount' end)), '[]')
    from slice
    join bookings b on b.center_id = $6 and b.id = slice.id
    where b.order_uuid is null and (case when jsonb_typeof(b.financial -> 'deposit' -> 'amount') = 'number' then b.financial -> 'deposit' ->> 'amount' end)::numeric > 0
  ) as found,
  (
    select json_build_array(start_date, id) from slice
    order by start_date, id offset $7 limit 1
  ) as last
-- $1 = "c07"
-- $2 = "2025-01-01T00:00:00.000Z"
-- $3 = "2025-01-31T23:59:59.999Z"
-- $4 = 200
-- $5 = "c07"
-- $6 = "c07"
-- $7 = 199

with slice as materialized (
  select o.* from orders o
  where o.center_id = $1 and o.order_date >= $2 and o.order_date <= $3 and (case
      when o.status <> all($4::text[]) or (o.payment_status is not null and o.payment_status <> all($5::text[])) then 'notDecided'
      when o.status = any($6::text[]) or o.payment_status = any($7::text[]) then 'void'
      when o.status = any($8::text[]) or o.payment_status = any($9::text[]) then 'open'
      else 'valid'
    end = any($10::text[]))
  order by o.order_date, o.uuid limit $11
)
select
  (select revision from center_revisions where center_id = $12) as revision, 'orders' as kind,
  (
    select coalesce(json_agg(json_build_array(o.uuid, o.number,
      floor(date_part('epoch', o.order_date) * 1000 + 0.0005), o.total_amount::text, o.currency, o.status, o.payment_status, (
        select sum(case when jsonb_typeof(i -> 'quantity') = 'number' and jsonb_typeof(i -> 'price') = 'number'
          then (i -> 'quantity')::numeric * (i -> 'price')::numeric else 0 end)::text
        from jsonb_array_elements(case when jsonb_typeof(o.items) = 'array' then o.items else '[]' end) i),
      (
        select json_agg(json_build_array(b.id, c.first_name, c.last_name, coalesce(b.is_order_main_guest, false),
          b.status, floor(date_part('epoch', b.start_date) * 1000 + 0.0005), floor(date_part('epoch', b.end_date) * 1000 + 0.0005),
          (
            select json_agg(json_build_array(s.id, floor(date_part('epoch', s.start_date) * 1000 + 0.0005), floor(date_part('epoch', s.end_date) * 1000 + 0.0005)))
            from sessions s where s.center_id = b.center_id and s.id = any(b.session_ids)
          ), case when jsonb_typeof(b.financial -> 'deposit' -> 'amount') = 'number' then b.financial -> 'deposit' ->> 'amount' end, case when jsonb_typeof(b.financial -> 'fullPayment' -> 'amount') = 'number' then b.financial -> 'fullPayment' ->> 'amount' end))
        from bookings b
        join customers c on c.center_id = b.center_id and c.id = b.customer_id
        where b.center_id = o.center_id and b.order_uuid = o.uuid))), '[]')
    from slice o
  ) as found,
  (
    select json_build_array(order_date, uuid) from slice
    order by order_date, uuid offset $13 limit 1
  ) as last
-- $1 = "c07"
-- $2 = "2025-01-01T00:00:00.000Z"
-- $3 = "2025-01-31T23:59:59.999Z"
-- $4 = ["confirmed","cancelled"]
-- $5 = ["paid","unpaid"]
-- $6 = ["cancelled"]
-- $7 = []
-- $8 = []
-- $9 = ["unpaid"]
-- $10 = ["open"]
-- $11 = 200
-- $12 = "c07"
-- $13 = 199

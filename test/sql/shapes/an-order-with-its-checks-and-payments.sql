select (select revision from center_revisions where center_id = $1) as revision,
  o.uuid, o.number, o.order_date, o.total_amount, o.currency, o.status, o.payment_method, o.payment_status, o.billing_address, o.notes, o.items, o.created_at, o.updated_at, (
  select jsonb_agg(jsonb_build_array(g.first_name, g.last_name, g.main))
  from (
    select c.id, c.first_name, c.last_name, bool_or(coalesce(b.is_order_main_guest, false)) as main
    from bookings b
    join customers c on c.center_id = b.center_id and c.id = b.customer_id
    where b.center_id = o.center_id and b.order_uuid = o.uuid
    group by c.id, c.first_name, c.last_name
  ) g) as guestNames,
  json_build_array(o.uuid, o.number,
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
        where b.center_id = o.center_id and b.order_uuid = o.uuid)) as control,
  (
  select coalesce(json_agg(json_build_array(b.id, paid.kind, paid.what ->> 'amount', paid.what ->> 'paidAt',
    paid.what ->> 'paymentType', coalesce(t.names ->> $2, t.name), paid.what ->> 'notes')), '[]')
  from bookings b
  cross join lateral (
    values ('deposit', b.financial -> 'deposit'), ('fullPayment', b.financial -> 'fullPayment')
  ) paid (kind, what)
  left join terms t on t.center_id = $3 and t.term_set = 'paymentType' and t.id = paid.what ->> 'paymentType'
  where b.center_id = $4 and b.order_uuid = o.uuid and jsonb_typeof(paid.what -> 'amount') = 'number') as payments,
  o.uuid is null and exists (select from other_order_ids i where i.center_id = $5) as had_other_ids
from (values (1)) one (n)
left join orders o
  on o.center_id = $6 and o.uuid = $7
-- $1 = "c07"
-- $2 = "en"
-- $3 = "c07"
-- $4 = "c07"
-- $5 = "c07"
-- $6 = "c07"
-- $7 = "o-c07-42"

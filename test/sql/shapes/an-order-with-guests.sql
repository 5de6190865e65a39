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
  null::json as control,
  null::json as payments,
  o.uuid is null and exists (select from other_order_ids i where i.center_id = $2) as had_other_ids
from (values (1)) one (n)
left join orders o
  on o.center_id = $3 and o.uuid = $4
-- $1 = "c07"
-- $2 = "c07"
-- $3 = "c07"
-- $4 = "o-c07-42"

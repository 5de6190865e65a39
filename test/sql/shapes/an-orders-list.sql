select (select revision from center_revisions where center_id = $1) as revision,
  o.uuid, o.number, o.order_date, o.total_amount, o.currency, o.status, o.payment_method, o.payment_status, o.billing_address, o.notes, o.items, o.created_at, o.updated_at, null::json as guestNames
from orders o
where o.center_id = $2 and o.order_date <= $3 and o.order_date >= $4
order by o.order_date, o.uuid
limit $5
-- $1 = "c07"
-- $2 = "c07"
-- $3 = "2025-01-31T23:59:59.999Z"
-- $4 = "2025-01-01T00:00:00.000Z"
-- $5 = 1001

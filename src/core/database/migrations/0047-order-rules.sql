-- Which statuses of orders a center takes as valid, open or void, as
-- {"orderStatuses": {"valid": [], "open": [], "void": [], "refunded": []}, "paymentStatuses": {...}}; null: none is decided.
-- phase: expand
-- locks: centers
-- reads_from: 0046
alter table centers add column order_rules jsonb
  constraint centers_order_rules_check check (jsonb_typeof(order_rules) = 'object'::text);

-- A webhook may be told of some of the kinds that its scopes open, and its signing secret may be rotated.

-- null: all kinds that the scopes open
alter table webhooks add column kinds text[] check (cardinality(kinds) > 0);

-- The secret before the newest one: until this moment messages carry a signature of each.
alter table webhooks add column earlier_salt bytea;
alter table webhooks add column earlier_check bytea;
alter table webhooks add column earlier_until timestamptz;

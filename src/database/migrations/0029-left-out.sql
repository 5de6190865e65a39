-- An import leaves the records of people who were erased out. A booking or an order may come without its customer, so
-- digests of their identifiers are kept too, with that of the customer whom they were erased with.
alter table erasures add column customer bytea;
alter table imports add column erased bigint not null default 0;

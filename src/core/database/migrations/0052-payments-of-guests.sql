-- What is paid of an order is shown with each of its guests, so a payment of one of them changes the others. They are noted
-- with the column `guests.payments`, which no answer of the version before shows.
-- phase: expand
-- locks: none
-- reads_from: 0051

-- The guests of these orders, next to those whose payments changed; the three arrays belong together. Of the one guest of an
-- order it is said already; of several, each is another one's other guest. Uses `bookings_by_order`.
create function note_payments(centers text[], payers text[], orders text[]) returns void
language plpgsql as $$
begin
  insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
  select b.center_id, 'guest', b.id, 'changed', '{guests.payments}', b.session_ids, time_span(b.start_date, b.end_date)
  from (
    select m.center_id, m.order_uuid, min(m.id) as first_id, count(distinct m.id) as guests
    from unnest(centers, payers, orders) as m (center_id, id, order_uuid)
    where m.order_uuid is not null
    group by m.center_id, m.order_uuid
  ) k
  cross join lateral (
    select * from bookings b where b.center_id = k.center_id and b.order_uuid = k.order_uuid offset 0
  ) b
  where k.guests > 1 or b.id <> k.first_id
  on conflict (center_id, transaction_id, kind, id) do update set
    columns = with_texts(c.columns, excluded.columns);
end $$;

create or replace function changes_of_bookings() returns trigger
language plpgsql set enable_seqscan to 'off' set plan_cache_mode to 'force_generic_plan' as $$
declare
  size bigint;
  counted bigint;
  first_center text;
  last_center text;
  columns_moved text[];
  centers text[];
  moved text[];
  customers text[];
  order_uuids text[];
  centers_of_payers text[];
  payers text[];
  orders_of_payers text[];
begin
  if tg_op = 'DELETE' then
    select count(*), min(center_id), max(center_id) into size, first_center, last_center from old_rows;
  else
    select count(*), min(center_id), max(center_id) into size, first_center, last_center from new_rows;
  end if;
  counted := size;
  if tg_op = 'INSERT' and is_crowd(size) then
    counted := size + noted_by_name(first_center, 'guest');
  end if;
  if note_by_size(counted, first_center, last_center, '{guest,order}') then
    return null;
  end if;
  if tg_op = 'INSERT' then
    insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
    select n.center_id, 'guest', n.id, 'created', '{}', n.session_ids, time_span(n.start_date, n.end_date)
    from new_rows n
    on conflict (center_id, transaction_id, kind, id) do update set
      operation = merged_operation(c.operation, excluded.operation),
      columns = with_texts(c.columns, excluded.columns),
      session_ids = with_texts(c.session_ids, excluded.session_ids),
      during = c.during + excluded.during;
    select array_agg(r.center_id), array_agg(r.id), array_agg(r.customer_id), array_agg(r.order_uuid)
    into centers, moved, customers, order_uuids from new_rows r;
    select array_agg(r.center_id), array_agg(r.id), array_agg(r.order_uuid)
    into centers_of_payers, payers, orders_of_payers
    from new_rows r where r.order_uuid is not null and r.financial is not null;
  elsif tg_op = 'DELETE' then
    insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
    select o.center_id, 'guest', o.id, 'deleted', '{}', o.session_ids, time_span(o.start_date, o.end_date)
    from old_rows o
    on conflict (center_id, transaction_id, kind, id) do update set
      operation = merged_operation(c.operation, excluded.operation),
      columns = with_texts(c.columns, excluded.columns),
      session_ids = with_texts(c.session_ids, excluded.session_ids),
      during = c.during + excluded.during;
    select array_agg(r.center_id), array_agg(r.id), array_agg(r.customer_id), array_agg(r.order_uuid)
    into centers, moved, customers, order_uuids from old_rows r;
    select array_agg(r.center_id), array_agg(r.id), array_agg(r.order_uuid)
    into centers_of_payers, payers, orders_of_payers
    from old_rows r where r.order_uuid is not null and r.financial is not null;
  else
    if size = 1 then
      insert into changes (center_id, kind, id, operation, columns, session_ids, during)
      select n.center_id, 'guest', n.id, 'changed', changed_bookings(o, n), with_texts(n.session_ids, o.session_ids),
        time_span(n.start_date, n.end_date) + time_span(o.start_date, o.end_date)
      from new_rows n
      cross join old_rows o
      where o.center_id = n.center_id and o.id = n.id and n is distinct from o
      on conflict do nothing
      returning columns into columns_moved;
    end if;
    if columns_moved is null then
      with noted as (
        insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
        select coalesce(n.center_id, o.center_id), 'guest', coalesce(n.id, o.id),
          case when o.id is null then 'created' when n.id is null then 'deleted' else 'changed' end,
          changed_bookings(o, n), with_texts(coalesce(n.session_ids, '{}'), coalesce(o.session_ids, '{}')),
          coalesce(time_span(n.start_date, n.end_date), '{}') + coalesce(time_span(o.start_date, o.end_date), '{}')
        from new_rows n
        full join old_rows o on o.center_id = n.center_id and o.id = n.id
        where n is distinct from o
        on conflict (center_id, transaction_id, kind, id) do update set
          operation = merged_operation(c.operation, excluded.operation),
          columns = with_texts(c.columns, excluded.columns),
          session_ids = with_texts(c.session_ids, excluded.session_ids),
          during = c.during + excluded.during
        returning columns
      )
      select array_agg(distinct differing) into columns_moved from noted, unnest(columns) as differing;
    end if;
    if columns_moved && '{bookings.id,bookings.customer_id,bookings.status,bookings.session_ids,bookings.start_date,bookings.end_date,bookings.order_uuid,bookings.is_order_main_guest}' then
      select array_agg(r.center_id), array_agg(r.id), array_agg(r.customer_id), array_agg(r.order_uuid)
      into centers, moved, customers, order_uuids from (select * from new_rows union all select * from old_rows) r;
    end if;
    if columns_moved && '{bookings.id,bookings.order_uuid,bookings.financial}' then
      select array_agg(r.center_id), array_agg(r.id), array_agg(r.order_uuid)
      into centers_of_payers, payers, orders_of_payers
      from (select * from new_rows union all select * from old_rows) r where r.order_uuid is not null and r.financial is not null;
    end if;
  end if;
  if cardinality(moved) > 0 then
    perform note_beside_bookings(centers, moved, customers, order_uuids);
  end if;
  if cardinality(payers) > 0 then
    perform note_payments(centers_of_payers, payers, orders_of_payers);
  end if;
  if is_crowd(size) then
    perform bound_changes(pg_current_xact_id(), array[first_center, last_center]);
  end if;
  return null;
end $$;

create or replace function note_side_by_side(mover xid8) returns void
language plpgsql set enable_seqscan to 'off' set plan_cache_mode to 'force_generic_plan' as $$
declare
  side record;
  moved text[];
begin
  for side in
    select t.center_id, array_agg(m.transaction_id) as transactions
    from center_touches t
    cross join lateral (
      select transaction_id from change_commits
      where center_id = t.center_id and revision > t.seen and transaction_id <> mover offset 0
    ) m
    where t.transaction_id = mover and not t.advanced
    group by t.center_id
  loop
    insert into changes (center_id, kind, id, operation, columns, session_ids, during, again)
    select distinct side.center_id, kind, '*', 'changed', '{}'::text[], '{}'::text[], '{}'::tstzmultirange, true
    from changes
    where center_id = side.center_id and transaction_id = any(side.transactions) and id = '*' and not again
    on conflict do nothing;
    moved := array(
      select distinct differing from changes, unnest(columns) as differing
      where center_id = side.center_id and transaction_id = mover
      union
      select 'customers.' || attname from pg_attribute
      where attrelid = 'customers'::regclass and attnum > 0 and not attisdropped
      union
      select unnest('{guests.history,guests.payments,orders.uuid,sessions.id}'::text[]));
    insert into changes as c (center_id, kind, id, operation, columns, session_ids, during, again)
    select b.center_id, 'guest', b.id, 'changed', moved, b.session_ids, time_span(b.start_date, b.end_date), true
    from (
      select distinct id from changes
      where center_id = side.center_id and transaction_id = any(side.transactions) and kind = 'guest' and not again
    ) k
    cross join lateral (
      select * from bookings b where b.center_id = side.center_id and b.id = k.id offset 0
    ) b
    where not is_noted_whole(side.center_id, 'guest')
    on conflict (center_id, transaction_id, kind, id) do update set
      columns = with_texts(c.columns, excluded.columns);
    insert into changes as c (center_id, kind, id, operation, columns, session_ids, during, again)
    select o.center_id, 'order', o.uuid, 'changed', '{orders.guests}', '{}', time_span(o.order_date, o.order_date), true
    from (
      select distinct id from changes
      where center_id = side.center_id and transaction_id = any(side.transactions) and kind = 'order' and not again
    ) k
    cross join lateral (
      select * from orders o where o.center_id = side.center_id and o.uuid = k.id offset 0
    ) o
    where not is_noted_whole(side.center_id, 'order')
    on conflict (center_id, transaction_id, kind, id) do update set
      columns = with_texts(c.columns, excluded.columns);
  end loop;
end $$;

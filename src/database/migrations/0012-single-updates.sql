-- A desk changes one booking at a time. What the general statement prepares for (several rows, rows whose key has moved, a
-- second note of the same thing in one transaction) is most of what a single update costs, so it is tried without first.

create or replace function changes_of_bookings() returns trigger language plpgsql
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  size bigint;
  first_center text;
  last_center text;
  columns_moved text[];
  centers text[];
  moved text[];
  customers text[];
  order_uuids text[];
begin
  if tg_op = 'DELETE' then
    select count(*), min(center_id), max(center_id) into size, first_center, last_center from old_rows;
  else
    select count(*), min(center_id), max(center_id) into size, first_center, last_center from new_rows;
  end if;
  if note_by_size(size, first_center, last_center, '{guest,order}') then
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
  else
    if size = 1 then
      insert into changes (center_id, kind, id, operation, columns, session_ids, during)
      select n.center_id, 'guest', n.id, 'changed', d.columns, with_texts(n.session_ids, o.session_ids),
        time_span(n.start_date, n.end_date) + time_span(o.start_date, o.end_date)
      from new_rows n
      cross join old_rows o
      cross join lateral (select changed_bookings(o, n) as columns offset 0) d
      where o.center_id = n.center_id and o.id = n.id and d.columns <> '{}'
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
  end if;
  if cardinality(moved) > 0 then
    perform note_beside_bookings(centers, moved, customers, order_uuids);
  end if;
  if is_crowd(size) then
    perform bound_changes(pg_current_xact_id(), array[first_center, last_center]);
  end if;
  return null;
end $$;

-- More contradictions than are noted one by one, in one statement, are noted as a whole once. The kind was named twice, so the
-- statement failed: the deletion of a thousand orders, of a center, or what a large import makes of a thousand records.
-- phase: expand
-- locks: none
-- reads_from: 0050
create or replace function changes_of_contradictions() returns trigger
language plpgsql set enable_seqscan to 'off' as $$
declare
  size bigint;
  first_center text;
  last_center text;
begin
  if tg_op = 'DELETE' then
    select count(*), min(center_id), max(center_id) into size, first_center, last_center from old_rows;
  else
    select count(*), min(center_id), max(center_id) into size, first_center, last_center from new_rows;
  end if;
  if note_by_size(size, first_center, last_center, '{contradiction}') then
    return null;
  end if;
  if tg_op = 'DELETE' then
    insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
    select o.center_id, 'contradiction', o.id, 'deleted', '{}', '{}', '{}' from old_rows o
    on conflict (center_id, transaction_id, kind, id) do update set
      operation = merged_operation(c.operation, excluded.operation);
  else
    insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
    select n.center_id, 'contradiction', n.id, case when tg_op = 'INSERT' then 'created' else 'changed' end, '{}', '{}', '{}'
    from new_rows n
    on conflict (center_id, transaction_id, kind, id) do update set
      operation = merged_operation(c.operation, excluded.operation);
  end if;
  return null;
end $$;

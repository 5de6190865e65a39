-- Contradictions between records (docs/architecture.md, "Contradictions"): what was found, and how far the commits of each
-- center have been evaluated.

-- Which kinds a center wants reported, as {"kind": true or false}; null: the default of each kind.
alter table centers add column contradiction_kinds jsonb
  constraint centers_contradiction_kinds_check check (jsonb_typeof(contradiction_kinds) = 'object'::text);

create table contradictions (
  center_id text collate "C" not null,
  -- a digest of the kind and the identifiers of the records that contradict each other
  id text collate "C" not null,
  kind text collate "C" not null,
  since timestamp with time zone not null,
  -- when the compared values last changed
  changed_at timestamp with time zone not null,
  -- of the compared values: a dismissal ends when it changes
  digest text collate "C" not null,
  -- of everything that is shown, such as names
  form text collate "C" not null,
  evidence jsonb not null,
  -- when it ends by itself because time passes
  expires_at timestamp with time zone,
  dismissed_at timestamp with time zone,
  dismissed_by text,
  dismissed_reason text,
  constraint contradictions_pkey primary key (center_id, id),
  constraint contradictions_dismissed_check check ((dismissed_at is null) = (dismissed_by is null) and (dismissed_at is null) = (dismissed_reason is null)),
  constraint contradictions_center_id_fkey foreign key (center_id) references centers(center_id) on delete cascade deferrable initially deferred
);

-- The records that each is about, as guest:ID, customer:ID, order:UUID and room:ID.
create table contradiction_records (
  center_id text collate "C" not null,
  record text collate "C" not null,
  contradiction_id text collate "C" not null,
  constraint contradiction_records_pkey primary key (center_id, record, contradiction_id),
  constraint contradiction_records_center_id_contradiction_id_fkey foreign key (center_id, contradiction_id) references contradictions(center_id, id) on delete cascade deferrable initially deferred
);

-- A center has a row once somebody may read its contradictions. One instance at a time evaluates it.
create table contradiction_progress (
  center_id text collate "C" not null,
  -- all commits up to this revision are evaluated, except for what a sweep has not reached yet
  revision bigint not null,
  -- where the sweep through all records is, as JSON; null: there is none
  sweep_at text,
  -- whether another sweep follows, because everything changed once more
  sweep_again boolean not null default false,
  leased_by text collate "C",
  leased_until timestamp with time zone,
  turn_at timestamp with time zone,
  constraint contradiction_progress_pkey primary key (center_id),
  constraint contradiction_progress_center_id_fkey foreign key (center_id) references centers(center_id) on delete cascade deferrable initially deferred
);

create index contradictions_by_time on contradictions using btree (center_id, since, id);
create index contradictions_by_end on contradictions using btree (center_id, expires_at) where expires_at is not null;
create index contradiction_records_by_contradiction on contradiction_records using btree (center_id, contradiction_id);
-- The centers whose contradictions somebody may read: usually few, and found without reading every key.
create index api_keys_for_contradictions on api_keys using btree (center_id) where 'contradictions'::text = any (scopes) and revoked_at is null;

-- A name as the same people are looked for by it: small letters without accents. Cheap, because an index has it.
create function name_folded(name text) returns text
language sql immutable parallel safe strict
return lower((regexp_replace(normalize("left"(name, 100), NFKD), '[\u0300-\u036f\s''’.-]+'::text, ''::text, 'g'::text) COLLATE "C"));

-- As before, and within a day by the last name: many have the first of January.
drop index customers_by_dob;
create index customers_by_dob on customers using btree (center_id, dob, name_folded(coalesce(last_name, first_name))) where dob is not null;

alter table changes drop constraint changes_kind_check;
alter table changes add constraint changes_kind_check check (kind = any (array['guest'::text, 'session'::text, 'order'::text, 'sheet'::text, 'contradiction'::text]));

create function changes_of_contradictions() returns trigger
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
  if note_by_size(size, first_center, last_center, '{contradiction,contradiction}') then
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

-- A contradiction ends with any of its records, in the same transaction: an erased person is in none. The other guests that
-- it was about are noted as changed in nothing, so that they are compared again: those who remain may still be too many.
create function contradictions_of_deleted() returns trigger
language plpgsql as $$
declare
  ended record;
begin
  for ended in
    select r.center_id, array_agg(distinct r.contradiction_id) as ids
    from old_rows o
    join contradiction_records r on r.center_id = o.center_id
      and r.record = tg_argv[0] || ':' || (to_jsonb(o) ->> tg_argv[1])
    group by r.center_id
  loop
    insert into changes (center_id, kind, id, operation, columns, session_ids, during)
    select distinct b.center_id, 'guest', b.id, 'changed', '{}'::text[], b.session_ids, time_span(b.start_date, b.end_date)
    from contradiction_records r
    join bookings b on b.center_id = ended.center_id and b.id = substr(r.record, 7)
    where r.center_id = ended.center_id and r.contradiction_id = any(ended.ids) and r.record like 'guest:%'
      and not is_noted_whole(ended.center_id, 'guest')
    on conflict do nothing;
    delete from contradictions where center_id = ended.center_id and id = any(ended.ids);
  end loop;
  return null;
end $$;

create trigger first_touch_on_delete after delete on contradictions referencing old table as old_rows for each statement execute function note_touch('false');
create trigger first_touch_on_insert after insert on contradictions referencing new table as new_rows for each statement execute function note_touch('false');
create trigger first_touch_on_update after update on contradictions referencing old table as old_rows new table as new_rows for each statement execute function note_touch('false');
create trigger note_changes_on_delete after delete on contradictions referencing old table as old_rows for each statement execute function changes_of_contradictions();
create trigger note_changes_on_insert after insert on contradictions referencing new table as new_rows for each statement execute function changes_of_contradictions();
create trigger note_changes_on_update after update on contradictions referencing old table as old_rows new table as new_rows for each statement execute function changes_of_contradictions();
create trigger contradictions_end after delete on bookings referencing old table as old_rows for each statement execute function contradictions_of_deleted('guest', 'id');
create trigger contradictions_end after delete on customers referencing old table as old_rows for each statement execute function contradictions_of_deleted('customer', 'id');
create trigger contradictions_end after delete on orders referencing old table as old_rows for each statement execute function contradictions_of_deleted('order', 'uuid');

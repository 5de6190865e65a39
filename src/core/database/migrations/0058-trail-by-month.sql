-- The audit trail has a partition for each month, so that old entries are removed by dropping a table, and a period is read
-- without the others. What was in the table is the first partition, with its indexes; nothing is copied or read. Months follow,
-- and a last partition has what belongs to none: entries of a time for which nobody has added a month, of a clock that was ahead,
-- and those that outlive their month because they are the newest read of a center. An index is of each partition: on the whole
-- table, that of a number in a chain would have to contain the time. The lock is on the table that had the name until now.
-- phase: expand
-- locks: audit_entries_first
-- reads_from: 0051
do $$
declare
  bound text;
  granted record;
begin
  select substring(pg_get_constraintdef(oid) from $q$'([^']+)'$q$) into strict bound from pg_constraint
  where conrelid = 'audit_entries'::regclass and conname = 'audit_entries_bound';
  alter table audit_entries rename to audit_entries_first;
  create table audit_entries (like audit_entries_first including defaults including storage) partition by range (at);
  execute format('alter table audit_entries attach partition audit_entries_first for values from (minvalue) to (%L)', bound);
  for granted in
    select distinct a.grantee, a.privilege_type
    from pg_class c, aclexplode(c.relacl) a
    where c.oid = 'audit_entries_first'::regclass and a.grantee <> c.relowner and a.privilege_type in ('SELECT', 'INSERT')
  loop
    execute format('grant %s on audit_entries to %s', granted.privilege_type,
      case when granted.grantee = 0 then 'public' else granted.grantee::regrole::text end);
  end loop;
end $$;

create table audit_entries_other partition of audit_entries default;
alter table audit_entries_other add primary key (center_id, seq);
create index on audit_entries_other (center_id, at);
create index on audit_entries_other (center_id, record_list) where record_list is not null;

-- Adds a partition for each month up to this one. A month of which the last partition has entries already remains there: moving
-- them would lock the trail. Only the owner of the table may do this; `migrate` and every pruning do it.
create function add_trail_months(until timestamptz) returns integer
language plpgsql as $$
declare
  month timestamptz;
  next timestamptz;
  name text;
  added integer := 0;
begin
  select max(substring(pg_get_expr(c.relpartbound, c.oid) from $q$TO \('([^']+)'\)$q$)::timestamptz) into month
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'audit_entries'::regclass;
  while month <= until loop
    next := (month at time zone 'UTC' + interval '1 month') at time zone 'UTC';
    if not exists (select from audit_entries_other where at >= month and at < next) then
      name := 'audit_entries_' || to_char(month at time zone 'UTC', 'YYYY_MM');
      execute format('create table %I partition of audit_entries for values from (%L) to (%L)', name, month, next);
      execute format('alter table %I add primary key (center_id, seq)', name);
      execute format('create index on %I (center_id, at)', name);
      execute format('create index on %I (center_id, record_list) where record_list is not null', name);
      added := added + 1;
    end if;
    month := next;
  end loop;
  return added;
end $$;

select add_trail_months(now() + interval '6 months');

-- The audit trail becomes a table with a partition for each month, and what is in it now becomes the first partition. For that,
-- a constraint must say that all of it is from before a moment: two to three months from now, or later if a clock was ahead. It
-- applies to new entries from now on; the next migration checks the others, because that takes long and must not lock the table.
-- phase: expand
-- locks: audit_entries
-- reads_from: 0051
do $$
declare
  bound timestamptz;
begin
  select date_trunc('month', greatest(now(), max(at)), 'UTC') into bound from audit_entries;
  bound := (bound at time zone 'UTC' + interval '3 months') at time zone 'UTC';
  execute format('alter table audit_entries add constraint audit_entries_bound check (at < %L) not valid', bound);
end $$;

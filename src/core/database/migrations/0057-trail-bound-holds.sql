-- Checks the constraint of the migration before. It reads the whole trail, while reads and writes continue.
-- phase: expand
-- locks: none
-- reads_from: 0051
alter table audit_entries validate constraint audit_entries_bound;

-- A file in a folder is recognized as that of a run by what was stored before it was written: the name that it has until it is
-- complete, and its digest.
-- phase: expand
-- locks: report_deliveries
-- reads_from: 0061
alter table report_deliveries add column file jsonb;

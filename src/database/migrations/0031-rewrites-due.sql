-- An erasure deletes rows, whose bytes remain in the database's files until the tables are rewritten. That happens after
-- the commit, and the process may be killed before it ends. So the erasure notes it in its transaction, and the next
-- start completes it.
create table rewrites_due (
  id bigint generated always as identity primary key,
  noted_at timestamptz not null default clock_timestamp()
);

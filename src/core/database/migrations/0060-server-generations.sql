-- Each start of the database server that a service has seen with its replicas. A replica that has the newest row has
-- everything that was committed before that start, and nothing that a server of before has lost.
-- phase: expand
-- locks: none
-- reads_from: 0051
create table server_generations (
  name text not null primary key,
  since timestamptz not null default clock_timestamp()
);

-- When a person who was erased was imported again on purpose. A copy of an earlier erasure, in the log next to the
-- database, must not erase the person once more.
create table erasures_lifted (
  center_id text collate "C" not null references centers on delete cascade deferrable initially deferred,
  -- of the customer, as in erasures
  digest bytea not null,
  lifted_at timestamptz not null default clock_timestamp(),
  primary key (center_id, digest)
);

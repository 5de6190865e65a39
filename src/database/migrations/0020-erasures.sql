-- Who was erased, so that an import does not bring the person back unnoticed: a digest of the customer's identifier with
-- the center's salt. Without the identifier nothing can be read from it.
create table erasures (
  center_id text collate "C" not null references centers on delete cascade deferrable initially deferred,
  digest bytea not null,
  -- the same for all of a center, so that many identifiers are looked up at once
  salt bytea not null,
  erased_at timestamptz not null default clock_timestamp(),
  primary key (center_id, digest)
);

-- How new each record is that its sender gave a version: what arrives later and is older is passed over. A removed record
-- keeps its version, so that a late record does not bring it back.
create table record_versions (
  center_id text collate "C" not null references centers on delete cascade deferrable initially deferred,
  kind text collate "C" not null,
  -- the identifiers of the record joined by /
  key text collate "C" not null,
  version bigint not null,
  primary key (center_id, kind, key)
);

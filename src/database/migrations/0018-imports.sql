-- The log of imports: who brought in which files, what came of them, and between which revisions of the center. Nothing
-- of what a file holds is kept, nor its name, which may be that of a guest: a file is known by its digest.
--
-- A line is written in the transaction of its import, so that neither is there without the other; that of an import that
-- was refused follows it. Centers may come and go; their lines stay until they are pruned by age.
create table imports (
  -- '' where an import concerned no center that exists
  center_id text collate "C" not null,
  ended_at timestamptz not null default clock_timestamp(),
  -- the same for all centers of one import
  id text collate "C" not null,
  way text collate "C" not null check (way in ('command', 'watch', 'intake')),
  -- the user of the command, or the public key
  by_user text,
  by_key text collate "C",
  -- [{"sha256", "bytes"}] of the files as they were given
  files jsonb not null,
  duration_ms integer not null,
  outcome text collate "C" not null check (outcome in ('done', 'refused', 'failed')),
  -- of the whole import
  lines bigint not null,
  rejected bigint not null,
  problems bigint not null,
  -- {"booking": {"created": 3}} of this center, without zeros
  counts jsonb not null,
  -- records of this center that were created, changed or removed
  changed bigint not null,
  revision_before bigint not null,
  revision_after bigint not null,
  primary key (center_id, ended_at, id)
);

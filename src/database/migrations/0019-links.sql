-- Links: one saved question each, answered to whoever has its address. A link stops with the keys of its application, and
-- has no scopes of its own: it reads what they may.
create table links (
  id text collate "C" primary key,
  center_id text collate "C" not null references centers on delete cascade,
  app_id text collate "C" not null,
  name text not null,
  -- SHA-256 of the secret half of its token, which is stored nowhere
  secret_hash bytea not null,
  -- path and query; days may be words such as today
  question text not null,
  -- null: the center's own
  language text,
  allow_sensitive boolean not null default false,
  per_hour integer not null check (per_hour >= 1),
  per_minute integer not null check (per_minute >= 1),
  allowed_addresses text[] not null default '{}',
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index links_by_center on links (center_id, app_id);

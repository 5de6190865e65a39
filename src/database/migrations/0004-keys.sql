-- Who may read. A key is looked up by its public half before its center is known, so this directory is the
-- one table whose primary key does not begin with the center. Secrets are stored as SHA-256 only.

create table api_keys (
  public_key text collate "C" primary key,
  center_id text collate "C" not null references centers on delete cascade,
  -- the application the key was handed to: a rotated key keeps it, and limits count by it
  app_id text collate "C" not null,
  name text not null,
  secret_hash bytea not null,
  scopes text[] not null check (cardinality(scopes) > 0),
  per_hour integer check (per_hour >= 0),
  per_minute integer check (per_minute >= 0),
  allowed_addresses text[] not null default '{}',
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);

create index api_keys_by_center on api_keys (center_id, app_id);

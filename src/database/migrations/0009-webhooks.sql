-- Webhooks: who is told of a center's changes, how far they were told, and how that went.

create table webhooks (
  center_id text collate "C" not null references centers on delete cascade,
  id text collate "C" not null,
  name text not null,
  url text not null,
  -- as those of a key: they decide which kinds are told and which groups of fields are named
  scopes text[] not null check (cardinality(scopes) > 0),
  -- The signing secret is derived from this and the service's own key, and stored nowhere.
  salt bytea not null,
  -- tells whether the service still has the key that the secret was derived from
  secret_check bytea not null,
  -- failed: nothing was accepted for three days; gone: the receiver answered 410
  state text collate "C" not null default 'active' check (state in ('active', 'paused', 'failed', 'gone')),
  created_at timestamptz not null default clock_timestamp(),
  -- the place in the center's changes up to which everything was told, and its revision
  cursor text collate "C" not null,
  revision bigint not null,
  -- The message under way: so many notes after the cursor, and the place after them. A message that is sent again is
  -- the same message, so it is settled before it is sent first.
  pending_notes integer,
  pending_cursor text collate "C",
  attempts integer not null default 0,
  failing_since timestamptz,
  next_attempt_at timestamptz,
  delivered_at timestamptz,
  -- One instance at a time sends. One that dies loses its turn when the lease ends.
  leased_by text collate "C",
  leased_until timestamptz,
  turn_at timestamptz,
  primary key (center_id, id)
);

-- The last attempts of each webhook.
create table webhook_deliveries (
  center_id text collate "C" not null,
  webhook_id text collate "C" not null,
  seq bigint generated always as identity,
  at timestamptz not null default clock_timestamp(),
  message_id text collate "C" not null,
  attempt integer not null,
  entries integer not null,
  outcome text collate "C" not null,
  -- of the answer; null where there was none
  status integer,
  duration_ms integer not null,
  primary key (center_id, webhook_id, seq),
  foreign key (center_id, webhook_id) references webhooks on delete cascade
);

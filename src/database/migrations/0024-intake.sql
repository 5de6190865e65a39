-- Keys that bring records in over HTTP: such a key reads nothing, so it has no scopes, and no other key writes.
alter table api_keys add column intake boolean not null default false;
alter table api_keys drop constraint api_keys_scopes_check;
alter table api_keys add constraint api_keys_scopes_check check ((cardinality(scopes) > 0) <> intake);

-- Answers to deliveries that went in, for whoever sends the same one again under the same Idempotency-Key.
create table intake_answers (
  center_id text collate "C" not null references centers on delete cascade deferrable initially deferred,
  app_id text collate "C" not null,
  -- SHA-256 of the key: what stands in it is its sender's
  delivery bytea not null,
  -- SHA-256 of the body and of what was asked of it
  body bytea not null,
  answer text not null,
  at timestamptz not null default clock_timestamp(),
  primary key (center_id, app_id, delivery)
);

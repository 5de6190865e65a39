-- One-time links that hand a key to a device (docs/keys.md#hand-a-key-to-a-device). A link has no secret of the key: the key
-- gets its secret when the link is used.
-- phase: expand
-- locks: api_keys, centers
-- reads_from: 0046

create table device_links (
  center_id text collate "C" not null,
  id text collate "C" not null,
  public_key text collate "C" not null,
  secret_hash bytea not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  -- SHA-256 of the Idempotency-Key of the request that has used it: an answer that was lost is asked for again with it
  used_with bytea,
  constraint device_links_pkey primary key (center_id, id),
  constraint device_links_used_check check ((used_at is null) = (used_with is null)),
  constraint device_links_center_id_fkey foreign key (center_id) references centers(center_id) on delete cascade deferrable initially deferred,
  constraint device_links_public_key_fkey foreign key (public_key) references api_keys(public_key) on delete cascade deferrable initially deferred
);
create unique index device_links_by_id on device_links (id);
create index device_links_by_key on device_links (center_id, public_key);

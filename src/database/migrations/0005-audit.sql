-- The audit trail: who has read what. Entries are only ever added at the end and pruned at the beginning, and
-- each carries a hash over the one before it, so that one that was changed, taken out, put in or moved shows
-- (src/audit/chain.ts). Centers may come and go; their trail stays until it is pruned by age.

-- The end of each center's chain and its beginning. The row is locked by whoever adds or prunes, so that
-- several instances keep one chain without gaps.
create table audit_heads (
  center_id text collate "C" primary key,
  seq bigint not null default 0,
  hash bytea not null default decode(repeat('00', 32), 'hex'),
  -- the last entry that was pruned: what the oldest one left is chained to
  pruned_seq bigint not null default 0,
  pruned_hash bytea not null default decode(repeat('00', 32), 'hex')
);

-- Which records were read, once for all reads of the same ones: pages are read again and again, and their
-- fifty identifiers are most of what there is to write.
create table audit_record_lists (
  center_id text collate "C" not null,
  -- SHA-256 of ids
  hash bytea not null,
  -- a newline before, between and after them, so that one is found by its text
  ids text not null,
  primary key (center_id, hash)
);

-- One entry for reads that followed each other within a second and differ in nothing but their moment.
create table audit_entries (
  center_id text collate "C" not null,
  seq bigint not null,
  -- of the first of its reads
  at timestamptz not null,
  -- of the writing, so that one whose confirmation was lost is not repeated
  batch text collate "C" not null,
  public_key text collate "C" not null,
  app_id text collate "C" not null,
  key_name text not null,
  operation text collate "C" not null,
  -- the parameters as they were sent, form-encoded
  query text not null,
  -- those that the fields needed, separated by spaces
  scopes text not null,
  records integer not null,
  -- null where there were none, and for a list too long to name each
  record_list bytea,
  revision bigint not null,
  reads integer not null,
  -- a line for each read: milliseconds after "at", status, request id
  requests text not null,
  previous_hash bytea not null,
  hash bytea not null,
  primary key (center_id, seq)
);

-- Request ids hardly compress, and trying to is most of what writing a busy second costs.
alter table audit_entries alter column requests set storage external;

create index audit_entries_by_time on audit_entries (center_id, at);
create index audit_entries_by_record_list on audit_entries (center_id, record_list)
  where record_list is not null;

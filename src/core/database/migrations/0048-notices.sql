-- Notices of problems of sources: which problems there are, who is written to, and what has not been sent yet.
-- phase: expand
-- locks: centers, webhooks
-- reads_from: 0046

-- The addresses of a center, in addition to those of the installation (NOTIFY_TO).
create table notice_addresses (
  center_id text collate "C" not null,
  addresses text[] not null,
  constraint notice_addresses_pkey primary key (center_id),
  constraint notice_addresses_addresses_check check (cardinality(addresses) > 0),
  constraint notice_addresses_center_id_fkey foreign key (center_id) references centers (center_id) on delete cascade
    deferrable initially deferred
);

-- A problem from its beginning to its end. Those without an end are open.
create table source_problems (
  center_id text collate "C" not null,
  id uuid not null,
  -- Its name. The source may be removed before the problem is over.
  source text collate "C" not null,
  -- broken: something keeps data from arriving; the others are warnings
  kind text collate "C" not null,
  -- what was wrong so far
  causes text[] not null,
  began_at timestamptz not null,
  noticed_at timestamptz not null,
  ended_at timestamptz,
  -- Nobody is notified of it, because the source had too many problems within a day.
  muted boolean not null,
  constraint source_problems_pkey primary key (center_id, id),
  constraint source_problems_kind_check check (kind in ('broken', 'keyExpires', 'rejectedLines')),
  constraint source_problems_center_id_fkey foreign key (center_id) references centers (center_id) on delete cascade
    deferrable initially deferred
);
-- Instances that notice a problem at the same time open it once.
create unique index source_problems_open on source_problems (center_id, source, kind) where ended_at is null;
create index source_problems_noticed on source_problems (center_id, source, noticed_at);

-- E-mail about a problem: one when it begins, one when it is over.
create table notice_mails (
  center_id text collate "C" not null,
  problem uuid not null,
  event text collate "C" not null,
  subject text not null,
  body text not null,
  -- the addresses for which the mail server has not accepted it yet
  addresses text[] not null,
  state text collate "C" not null,
  attempts integer not null default 0,
  -- why the last attempt failed: codes, never an address
  reason text,
  created_at timestamptz not null,
  next_attempt_at timestamptz,
  sent_at timestamptz,
  -- One instance at a time sends. One that dies loses it when the lease ends.
  leased_by text collate "C",
  leased_until timestamptz,
  constraint notice_mails_pkey primary key (center_id, problem, event),
  constraint notice_mails_event_check check (event in ('begin', 'over')),
  constraint notice_mails_state_check check (state in ('waiting', 'sent', 'failed')),
  constraint notice_mails_center_id_problem_fkey foreign key (center_id, problem)
    references source_problems (center_id, id) on delete cascade deferrable initially deferred
);
create index notice_mails_waiting on notice_mails (created_at) where state = 'waiting';

-- What a webhook is sent that is not a change of a record. A row is deleted when the receiver has accepted it.
create table webhook_events (
  center_id text collate "C" not null,
  webhook_id text collate "C" not null,
  seq bigint generated always as identity,
  message_id text collate "C" not null,
  body text not null,
  created_at timestamptz not null,
  constraint webhook_events_pkey primary key (center_id, webhook_id, seq),
  constraint webhook_events_center_id_webhook_id_fkey foreign key (center_id, webhook_id)
    references webhooks (center_id, id) on delete cascade deferrable initially deferred
);

-- Scheduled reports (docs/reports.md): what is sent when and where, what became of each, and who sends it.
-- phase: expand
-- locks: centers
-- reads_from: 0046

create table reports (
  center_id text collate "C" not null,
  id text collate "C" not null,
  -- the application whose newest active key says what the report may read
  app_id text collate "C" not null,
  name text not null,
  kind text collate "C" not null,
  -- of a saved query: path and query; its days may be relative
  question text,
  format text collate "C" not null,
  -- null: the center's
  language text collate "C",
  -- local times of the center, HH:MM
  times text[] not null,
  -- days of the week or of the month, as they were written
  days text not null,
  -- kind:where, such as printer:kitchen
  destinations text[] not null,
  created_at timestamp with time zone not null,
  -- the next time that has no run yet
  next_at timestamp with time zone not null,
  -- the folder of copies whose instance sends the last good copy if the database is away at that time
  prepared_by text collate "C",
  prepared_until timestamp with time zone,
  constraint reports_pkey primary key (center_id, id),
  constraint reports_destinations_check check (cardinality(destinations) > 0),
  constraint reports_center_id_fkey foreign key (center_id) references centers(center_id) on delete cascade deferrable initially deferred
);

-- One for each time of a report, whatever became of it.
create table report_runs (
  center_id text collate "C" not null,
  report_id text collate "C" not null,
  scheduled_at timestamp with time zone not null,
  state text collate "C" not null default 'due',
  attempts integer not null default 0,
  next_attempt_at timestamp with time zone not null,
  leased_by text collate "C",
  leased_until timestamp with time zone,
  -- when the data was read that was sent last
  as_of timestamp with time zone,
  -- whether it was the last good copy
  is_copy boolean not null default false,
  -- codes of the characters that no font has
  missing text,
  -- why it is not sent, or not yet
  problem text,
  ended_at timestamp with time zone,
  constraint report_runs_pkey primary key (center_id, report_id, scheduled_at),
  constraint report_runs_state_check check (state = any (array['due'::text, 'sent'::text, 'missed'::text, 'refused'::text])),
  constraint report_runs_center_id_report_id_fkey foreign key (center_id, report_id) references reports(center_id, id) on delete cascade deferrable initially deferred
);

-- Each destination of a run is tried by itself, so one that is away holds up no other, and none gets a report twice.
create table report_deliveries (
  center_id text collate "C" not null,
  report_id text collate "C" not null,
  scheduled_at timestamp with time zone not null,
  destination text not null,
  state text collate "C" not null default 'waiting',
  attempts integer not null default 0,
  next_attempt_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  problem text,
  constraint report_deliveries_pkey primary key (center_id, report_id, scheduled_at, destination),
  constraint report_deliveries_state_check check (state = any (array['waiting'::text, 'sent'::text, 'failed'::text])),
  constraint report_deliveries_run_fkey foreign key (center_id, report_id, scheduled_at) references report_runs(center_id, report_id, scheduled_at) on delete cascade deferrable initially deferred
);

create index reports_by_next on reports using btree (next_at);
create index report_runs_due on report_runs using btree (next_attempt_at) where state = 'due';

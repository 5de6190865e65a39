-- The whole schema, generated from the migrations (npm run schema). The reasons are in migrations/*.sql.

create table centers (
  center_id text collate "C" not null,
  name text not null,
  address_line1 text,
  address_line2 text,
  email text,
  phone text,
  timezone text not null,
  currency text not null,
  locale text not null default 'en'::text,
  automatic_booking_ids boolean not null default false,
  booking_id_session text not null default 'number'::text,
  booking_id_format text not null default 'YY-SN-BN'::text,
  api_access boolean not null default true,
  maximum_page_length integer not null default 100,
  meal_report_excluded_statuses text[] not null default '{cancelled,waitingList,review}'::text[],
  meal_rules jsonb,
  pseudonymous_reads boolean not null default false,
  contradiction_kinds jsonb,
  order_rules jsonb,
  constraint centers_pkey PRIMARY KEY (center_id),
  constraint centers_booking_id_format_check CHECK (booking_id_format ~~ '%BN%'::text),
  constraint centers_booking_id_session_check CHECK (booking_id_session = ANY (ARRAY['number'::text, 'name'::text])),
  constraint centers_contradiction_kinds_check CHECK (jsonb_typeof(contradiction_kinds) = 'object'::text),
  constraint centers_maximum_page_length_check CHECK (maximum_page_length >= 1),
  constraint centers_meal_rules_check CHECK (jsonb_typeof(meal_rules) = 'object'::text),
  constraint centers_order_rules_check CHECK (jsonb_typeof(order_rules) = 'object'::text)
);

create table terms (
  center_id text collate "C" not null,
  term_set text collate "C" not null,
  id text collate "C" not null,
  name text not null,
  names jsonb not null default '{}'::jsonb,
  meals text[],
  beds integer,
  constraint terms_pkey PRIMARY KEY (center_id, term_set, id),
  constraint terms_beds CHECK (beds >= 0),
  constraint terms_meals CHECK (meals IS NULL OR (term_set = ANY (ARRAY['package'::text, 'program'::text])) AND meals <@ '{breakfast,lunch,dinner}'::text[]),
  constraint terms_center_id_fkey FOREIGN KEY (center_id) REFERENCES centers(center_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);

create table meta_fields (
  center_id text collate "C" not null,
  key text collate "C" not null,
  label text,
  type text not null,
  owner text not null,
  constraint meta_fields_pkey PRIMARY KEY (center_id, key),
  constraint meta_fields_owner_check CHECK (owner = ANY (ARRAY['customer'::text, 'booking'::text])),
  constraint meta_fields_type_check CHECK (type = ANY (ARRAY['string'::text, 'number'::text, 'boolean'::text, 'date'::text])),
  constraint meta_fields_center_id_fkey FOREIGN KEY (center_id) REFERENCES centers(center_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);

create table sessions (
  center_id text collate "C" not null,
  id text collate "C" not null,
  name text not null,
  number text,
  text text,
  start_date timestamp with time zone not null,
  end_date timestamp with time zone not null,
  program_ids text[] not null default '{}'::text[],
  unit_ids text[] not null default '{}'::text[],
  start_year integer,
  constraint sessions_pkey PRIMARY KEY (center_id, id),
  constraint sessions_check CHECK (end_date >= start_date),
  constraint sessions_end_date_check CHECK (isfinite(end_date)),
  constraint sessions_start_date_check CHECK (isfinite(start_date)),
  constraint sessions_center_id_fkey FOREIGN KEY (center_id) REFERENCES centers(center_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);

create table orders (
  center_id text collate "C" not null,
  uuid text collate "C" not null,
  number text,
  order_date timestamp with time zone not null,
  total_amount numeric not null,
  currency text,
  status text not null,
  payment_method text,
  payment_status text,
  billing_address jsonb,
  notes text,
  items jsonb not null default '[]'::jsonb,
  created_at timestamp with time zone,
  updated_at timestamp with time zone,
  constraint orders_pkey PRIMARY KEY (center_id, uuid),
  constraint orders_created_at_check CHECK (isfinite(created_at)),
  constraint orders_order_date_check CHECK (isfinite(order_date)),
  constraint orders_updated_at_check CHECK (isfinite(updated_at)),
  constraint orders_center_id_fkey FOREIGN KEY (center_id) REFERENCES centers(center_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);

create table customers (
  center_id text collate "C" not null,
  id text collate "C" not null,
  first_name text,
  last_name text,
  email text,
  phone text,
  secondary_phone text,
  pin text,
  internal_id text,
  dob date,
  gender text,
  religion text,
  address jsonb,
  referral_type text,
  meta jsonb,
  constraint customers_pkey PRIMARY KEY (center_id, id),
  constraint customers_dob_check CHECK (isfinite(dob)),
  constraint customers_name CHECK (first_name IS NOT NULL OR last_name IS NOT NULL),
  constraint customers_center_id_fkey FOREIGN KEY (center_id) REFERENCES centers(center_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);

create table bookings (
  center_id text collate "C" not null,
  id text collate "C" not null,
  customer_id text collate "C" not null,
  role text not null,
  status text not null,
  start_date timestamp with time zone not null,
  end_date timestamp with time zone not null,
  session_ids text[] not null default '{}'::text[],
  booking_id text,
  booking_number integer,
  booked_at timestamp with time zone,
  created_by text,
  program_id text,
  package_id text,
  order_uuid text collate "C",
  is_order_main_guest boolean,
  doctor_name text,
  therapist_name text,
  skipping_meals jsonb not null default '{"lunch": [], "dinner": [], "breakfast": []}'::jsonb,
  accommodation jsonb,
  form jsonb,
  medical jsonb,
  financial jsonb,
  meta jsonb,
  meals jsonb,
  acc_segments jsonb,
  constraint bookings_pkey PRIMARY KEY (center_id, id),
  constraint bookings_acc_segments CHECK (jsonb_typeof(acc_segments) = 'array'::text),
  constraint bookings_booked_at_check CHECK (isfinite(booked_at)),
  constraint bookings_check CHECK (end_date >= start_date),
  constraint bookings_end_date_check CHECK (isfinite(end_date)),
  constraint bookings_meals CHECK (jsonb_typeof(meals) = 'array'::text),
  constraint bookings_role_check CHECK (role = ANY (ARRAY['patient'::text, 'companion'::text, 'guest'::text])),
  constraint bookings_start_date_check CHECK (isfinite(start_date)),
  constraint bookings_status_check CHECK (status = ANY (ARRAY['registered'::text, 'waitingList'::text, 'review'::text, 'confirmed'::text, 'arrived'::text, 'paid'::text, 'cancelled'::text, 'voided'::text, 'registeredOnline'::text, 'offer'::text, 'departed'::text])),
  constraint bookings_center_id_customer_id_fkey FOREIGN KEY (center_id, customer_id) REFERENCES customers(center_id, id) DEFERRABLE INITIALLY DEFERRED,
  constraint bookings_center_id_fkey FOREIGN KEY (center_id) REFERENCES centers(center_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  constraint bookings_center_id_order_uuid_fkey FOREIGN KEY (center_id, order_uuid) REFERENCES orders(center_id, uuid) DEFERRABLE INITIALLY DEFERRED
);

create table center_revisions (
  center_id text collate "C" not null,
  revision bigint not null,
  profile_revision bigint not null,
  history_id uuid not null default gen_random_uuid(),
  sources_revision bigint not null default 0,
  advanced_at timestamp with time zone not null default now(),
  constraint center_revisions_pkey PRIMARY KEY (center_id)
);

create table center_touches (
  center_id text collate "C" not null,
  transaction_id xid8 not null default pg_current_xact_id(),
  profile boolean not null,
  advanced boolean not null default false,
  seen bigint,
  constraint center_touches_pkey PRIMARY KEY (center_id, transaction_id)
);

create table booking_counters (
  center_id text collate "C" not null,
  session_id text collate "C" not null,
  last_number integer not null,
  constraint booking_counters_pkey PRIMARY KEY (center_id, session_id)
);

create table api_keys (
  public_key text collate "C" not null,
  center_id text collate "C" not null,
  app_id text collate "C" not null,
  name text not null,
  secret_hash bytea not null,
  scopes text[] not null,
  per_hour integer,
  per_minute integer,
  allowed_addresses text[] not null default '{}'::text[],
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  allow_assistants boolean not null default false,
  custom_fields text[] not null default '{}'::text[],
  intake boolean not null default false,
  pseudonym_secret bytea not null,
  responsible text,
  review_on date,
  grants text[] not null default '{}'::text[],
  constraint api_keys_pkey PRIMARY KEY (public_key),
  constraint api_keys_per_hour_check CHECK (per_hour >= 0),
  constraint api_keys_per_minute_check CHECK (per_minute >= 0),
  constraint api_keys_pseudonym_secret_check CHECK (octet_length(pseudonym_secret) = 32),
  constraint api_keys_scopes_check CHECK (
CASE
    WHEN intake THEN scopes <@ '{import}'::text[]
    ELSE cardinality(scopes) > 0 AND NOT scopes && '{import}'::text[]
END),
  constraint api_keys_center_id_fkey FOREIGN KEY (center_id) REFERENCES centers(center_id) ON DELETE CASCADE
);

create table audit_heads (
  center_id text collate "C" not null,
  seq bigint not null default 0,
  hash bytea not null default decode(repeat('00'::text, 32), 'hex'::text),
  pruned_seq bigint not null default 0,
  pruned_hash bytea not null default decode(repeat('00'::text, 32), 'hex'::text),
  constraint audit_heads_pkey PRIMARY KEY (center_id)
);

create table audit_record_lists (
  center_id text collate "C" not null,
  hash bytea not null,
  ids text not null,
  constraint audit_record_lists_pkey PRIMARY KEY (center_id, hash)
);

create table change_commits (
  center_id text collate "C" not null,
  revision bigint not null,
  transaction_id xid8 not null,
  committed_at timestamp with time zone not null default clock_timestamp(),
  constraint change_commits_pkey PRIMARY KEY (center_id, revision)
);

create table changes (
  center_id text collate "C" not null,
  transaction_id xid8 not null default pg_current_xact_id(),
  kind text collate "C" not null,
  id text collate "C" not null,
  operation text collate "C" not null,
  columns text[] not null,
  session_ids text[] not null,
  during tstzmultirange not null,
  again boolean not null default false,
  constraint changes_pkey PRIMARY KEY (center_id, transaction_id, kind, id),
  constraint changes_kind_check CHECK (kind = ANY (ARRAY['guest'::text, 'session'::text, 'order'::text, 'sheet'::text, 'contradiction'::text])),
  constraint changes_operation_check CHECK (operation = ANY (ARRAY['created'::text, 'changed'::text, 'deleted'::text]))
) with (autovacuum_vacuum_scale_factor=0.05);

create table usage_days (
  center_id text collate "C" not null,
  app_id text collate "C" not null,
  day date not null,
  endpoint text collate "C" not null,
  requests bigint not null,
  unchanged bigint not null,
  refusals bigint not null,
  errors bigint not null,
  bytes bigint not null,
  constraint usage_days_pkey PRIMARY KEY (center_id, app_id, day, endpoint)
);

create table usage_errors (
  center_id text collate "C" not null,
  app_id text collate "C" not null,
  fingerprint text collate "C" not null,
  public_key text collate "C" not null,
  endpoint text collate "C" not null,
  status smallint not null,
  code text collate "C" not null,
  message text not null,
  details jsonb not null,
  times integer not null,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  request_id text collate "C" not null,
  constraint usage_errors_pkey PRIMARY KEY (center_id, app_id, fingerprint)
);

create table webhooks (
  center_id text collate "C" not null,
  id text collate "C" not null,
  name text not null,
  url text not null,
  scopes text[] not null,
  salt bytea not null,
  secret_check bytea not null,
  state text collate "C" not null default 'active'::text,
  created_at timestamp with time zone not null default clock_timestamp(),
  cursor text collate "C" not null,
  revision bigint not null,
  pending_notes integer,
  pending_cursor text collate "C",
  attempts integer not null default 0,
  failing_since timestamp with time zone,
  next_attempt_at timestamp with time zone,
  delivered_at timestamp with time zone,
  leased_by text collate "C",
  leased_until timestamp with time zone,
  turn_at timestamp with time zone,
  kinds text[],
  earlier_salt bytea,
  earlier_check bytea,
  earlier_until timestamp with time zone,
  idle boolean not null default false,
  constraint webhooks_pkey PRIMARY KEY (center_id, id),
  constraint webhooks_kinds_check CHECK (cardinality(kinds) > 0),
  constraint webhooks_scopes_check CHECK (cardinality(scopes) > 0),
  constraint webhooks_state_check CHECK (state = ANY (ARRAY['active'::text, 'paused'::text, 'failed'::text, 'gone'::text])),
  constraint webhooks_center_id_fkey FOREIGN KEY (center_id) REFERENCES centers(center_id) ON DELETE CASCADE
);

create table webhook_deliveries (
  center_id text collate "C" not null,
  webhook_id text collate "C" not null,
  seq bigint not null generated always as identity,
  at timestamp with time zone not null default clock_timestamp(),
  message_id text collate "C" not null,
  attempt integer not null,
  entries integer not null,
  outcome text collate "C" not null,
  status integer,
  duration_ms integer not null,
  constraint webhook_deliveries_pkey PRIMARY KEY (center_id, webhook_id, seq),
  constraint webhook_deliveries_center_id_webhook_id_fkey FOREIGN KEY (center_id, webhook_id) REFERENCES webhooks(center_id, id) ON DELETE CASCADE
);

create table meal_sheets (
  center_id text collate "C" not null,
  day date not null,
  number integer not null,
  taken_at timestamp with time zone not null,
  content text not null,
  proposed boolean not null default false,
  constraint meal_sheets_pkey PRIMARY KEY (center_id, day, number),
  constraint meal_sheets_number_check CHECK (number >= 1),
  constraint meal_sheets_center_id_fkey FOREIGN KEY (center_id) REFERENCES centers(center_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);

create table imports (
  center_id text collate "C" not null,
  ended_at timestamp with time zone not null default clock_timestamp(),
  id text collate "C" not null,
  way text collate "C" not null,
  by_user text,
  by_key text collate "C",
  files jsonb not null,
  duration_ms integer not null,
  outcome text collate "C" not null,
  lines bigint not null,
  rejected bigint not null,
  problems bigint not null,
  counts jsonb not null,
  changed bigint not null,
  revision_before bigint not null,
  revision_after bigint not null,
  erased bigint not null default 0,
  source text collate "C" not null,
  file_time timestamp with time zone,
  causes jsonb not null default '[]'::jsonb,
  constraint imports_pkey PRIMARY KEY (center_id, ended_at, id),
  constraint imports_outcome_check CHECK (outcome = ANY (ARRAY['done'::text, 'refused'::text, 'failed'::text])),
  constraint imports_way_check CHECK (way = ANY (ARRAY['command'::text, 'watch'::text, 'intake'::text]))
);

create table links (
  id text collate "C" not null,
  center_id text collate "C" not null,
  app_id text collate "C" not null,
  name text not null,
  secret_hash bytea not null,
  question text not null,
  language text,
  allow_sensitive boolean not null default false,
  per_hour integer not null,
  per_minute integer not null,
  allowed_addresses text[] not null default '{}'::text[],
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  constraint links_pkey PRIMARY KEY (id),
  constraint links_per_hour_check CHECK (per_hour >= 1),
  constraint links_per_minute_check CHECK (per_minute >= 1),
  constraint links_center_id_fkey FOREIGN KEY (center_id) REFERENCES centers(center_id) ON DELETE CASCADE
);

create table erasures (
  center_id text collate "C" not null,
  digest bytea not null,
  salt bytea not null,
  erased_at timestamp with time zone not null default clock_timestamp(),
  customer bytea,
  constraint erasures_pkey PRIMARY KEY (center_id, digest),
  constraint erasures_center_id_fkey FOREIGN KEY (center_id) REFERENCES centers(center_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);

create table record_versions (
  center_id text collate "C" not null,
  kind text collate "C" not null,
  key text collate "C" not null,
  version bigint not null,
  constraint record_versions_pkey PRIMARY KEY (center_id, kind, key),
  constraint record_versions_center_id_fkey FOREIGN KEY (center_id) REFERENCES centers(center_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);

create table intake_answers (
  center_id text collate "C" not null,
  app_id text collate "C" not null,
  delivery bytea not null,
  body bytea not null,
  answer text not null,
  at timestamp with time zone not null default clock_timestamp(),
  constraint intake_answers_pkey PRIMARY KEY (center_id, app_id, delivery),
  constraint intake_answers_center_id_fkey FOREIGN KEY (center_id) REFERENCES centers(center_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);

create table mappings (
  center_id text collate "C" not null,
  name text collate "C" not null,
  body text not null,
  saved_at timestamp with time zone not null default clock_timestamp(),
  saved_by text not null,
  constraint mappings_pkey PRIMARY KEY (center_id, name),
  constraint mappings_body_check CHECK (octet_length(body) <= 65536),
  constraint mappings_center_id_fkey FOREIGN KEY (center_id) REFERENCES centers(center_id) ON DELETE CASCADE
);

create table booking_sessions (
  center_id text collate "C" not null,
  session_id text collate "C" not null,
  booking_id text collate "C" not null,
  "position" smallint not null,
  start_date timestamp with time zone not null,
  end_date timestamp with time zone not null,
  customer_id text collate "C" not null,
  role text not null,
  status text not null,
  session_ids text[] not null,
  skipping_meals json not null,
  first_name text,
  last_name text,
  email text,
  constraint booking_sessions_pkey PRIMARY KEY (center_id, booking_id, session_id),
  constraint booking_sessions_center_id_session_id_fkey FOREIGN KEY (center_id, session_id) REFERENCES sessions(center_id, id) DEFERRABLE INITIALLY DEFERRED
) with (fillfactor=90, autovacuum_vacuum_scale_factor=0.05, autovacuum_analyze_scale_factor=0.05);

create table rewrites_due (
  id bigint not null generated always as identity,
  noted_at timestamp with time zone not null default clock_timestamp(),
  constraint rewrites_due_pkey PRIMARY KEY (id)
);

create table action_answers (
  center_id text collate "C" not null,
  app_id text collate "C" not null,
  idempotency_key bytea not null,
  request bytea not null,
  answer text,
  at timestamp with time zone not null default clock_timestamp(),
  constraint action_answers_pkey PRIMARY KEY (center_id, app_id, idempotency_key),
  constraint action_answers_center_id_fkey FOREIGN KEY (center_id) REFERENCES centers(center_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);

create table sheets_on_wall (
  center_id text collate "C" not null,
  day date not null,
  number integer,
  confirmed_at timestamp with time zone not null,
  constraint sheets_on_wall_pkey PRIMARY KEY (center_id, day),
  constraint sheets_on_wall_number_check CHECK (number >= 1),
  constraint sheets_on_wall_center_id_fkey FOREIGN KEY (center_id) REFERENCES centers(center_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);

create table erasures_lifted (
  center_id text collate "C" not null,
  digest bytea not null,
  lifted_at timestamp with time zone not null default clock_timestamp(),
  constraint erasures_lifted_pkey PRIMARY KEY (center_id, digest),
  constraint erasures_lifted_center_id_fkey FOREIGN KEY (center_id) REFERENCES centers(center_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);

create table database_origin (
  only_row boolean not null default true,
  system_identifier text not null,
  constraint database_origin_pkey PRIMARY KEY (only_row),
  constraint database_origin_only_row_check CHECK (only_row)
);

create table meal_cut_offs (
  center_id text collate "C" not null,
  day date not null,
  meal text not null,
  number integer not null,
  taken_at timestamp with time zone not null,
  constraint meal_cut_offs_pkey PRIMARY KEY (center_id, day, meal),
  constraint meal_cut_offs_meal_check CHECK (meal = ANY (ARRAY['breakfast'::text, 'lunch'::text, 'dinner'::text])),
  constraint meal_cut_offs_number_check CHECK (number >= 1),
  constraint meal_cut_offs_center_id_fkey FOREIGN KEY (center_id) REFERENCES centers(center_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);

create table sheets_acknowledged (
  center_id text collate "C" not null,
  day date not null,
  number integer,
  acknowledged_at timestamp with time zone not null,
  constraint sheets_acknowledged_pkey PRIMARY KEY (center_id, day),
  constraint sheets_acknowledged_number_check CHECK (number >= 1),
  constraint sheets_acknowledged_center_id_fkey FOREIGN KEY (center_id) REFERENCES centers(center_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);

create table refused_requests (
  center_id text collate "C" not null,
  hour timestamp with time zone not null,
  public_key text collate "C" not null,
  endpoint text collate "C" not null,
  reason text collate "C" not null,
  times bigint not null,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  request_id text collate "C" not null,
  constraint refused_requests_pkey PRIMARY KEY (center_id, hour, public_key, endpoint, reason)
);

create table sources (
  center_id text collate "C" not null,
  name text collate "C" not null,
  kinds text[],
  schedule text,
  scheduled_at timestamp with time zone not null default clock_timestamp(),
  app_id text collate "C",
  constraint sources_pkey PRIMARY KEY (center_id, name),
  constraint sources_center_id_fkey FOREIGN KEY (center_id) REFERENCES centers(center_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);

create table source_folders (
  center_id text collate "C" not null,
  source text collate "C" not null,
  reported_at timestamp with time zone not null,
  state text not null,
  unfinished_since timestamp with time zone,
  empty_since timestamp with time zone,
  waiting_since timestamp with time zone,
  is_disk_full boolean not null,
  constraint source_folders_pkey PRIMARY KEY (center_id, source),
  constraint source_folders_state_check CHECK (state = ANY (ARRAY['watching'::text, 'ended'::text, 'missing'::text, 'unusable'::text])),
  constraint source_folders_center_id_source_fkey FOREIGN KEY (center_id, source) REFERENCES sources(center_id, name) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);

create table contradictions (
  center_id text collate "C" not null,
  id text collate "C" not null,
  kind text collate "C" not null,
  since timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  digest text collate "C" not null,
  form text collate "C" not null,
  evidence jsonb not null,
  expires_at timestamp with time zone,
  dismissed_at timestamp with time zone,
  dismissed_by text,
  dismissed_reason text,
  constraint contradictions_pkey PRIMARY KEY (center_id, id),
  constraint contradictions_dismissed_check CHECK ((dismissed_at IS NULL) = (dismissed_by IS NULL) AND (dismissed_at IS NULL) = (dismissed_reason IS NULL)),
  constraint contradictions_center_id_fkey FOREIGN KEY (center_id) REFERENCES centers(center_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);

create table contradiction_records (
  center_id text collate "C" not null,
  record text collate "C" not null,
  contradiction_id text collate "C" not null,
  constraint contradiction_records_pkey PRIMARY KEY (center_id, record, contradiction_id),
  constraint contradiction_records_center_id_contradiction_id_fkey FOREIGN KEY (center_id, contradiction_id) REFERENCES contradictions(center_id, id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);

create table contradiction_progress (
  center_id text collate "C" not null,
  revision bigint not null,
  sweep_at text,
  sweep_again boolean not null default false,
  leased_by text collate "C",
  leased_until timestamp with time zone,
  turn_at timestamp with time zone,
  constraint contradiction_progress_pkey PRIMARY KEY (center_id),
  constraint contradiction_progress_center_id_fkey FOREIGN KEY (center_id) REFERENCES centers(center_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);

create table notice_addresses (
  center_id text collate "C" not null,
  addresses text[] not null,
  constraint notice_addresses_pkey PRIMARY KEY (center_id),
  constraint notice_addresses_addresses_check CHECK (cardinality(addresses) > 0),
  constraint notice_addresses_center_id_fkey FOREIGN KEY (center_id) REFERENCES centers(center_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);

create table source_problems (
  center_id text collate "C" not null,
  id uuid not null,
  source text collate "C" not null,
  kind text collate "C" not null,
  causes text[] not null,
  began_at timestamp with time zone not null,
  noticed_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  muted boolean not null,
  constraint source_problems_pkey PRIMARY KEY (center_id, id),
  constraint source_problems_kind_check CHECK (kind = ANY (ARRAY['broken'::text, 'keyExpires'::text, 'rejectedLines'::text])),
  constraint source_problems_center_id_fkey FOREIGN KEY (center_id) REFERENCES centers(center_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);

create table notice_mails (
  center_id text collate "C" not null,
  problem uuid not null,
  event text collate "C" not null,
  subject text not null,
  body text not null,
  addresses text[] not null,
  state text collate "C" not null,
  attempts integer not null default 0,
  reason text,
  created_at timestamp with time zone not null,
  next_attempt_at timestamp with time zone,
  sent_at timestamp with time zone,
  leased_by text collate "C",
  leased_until timestamp with time zone,
  constraint notice_mails_pkey PRIMARY KEY (center_id, problem, event),
  constraint notice_mails_event_check CHECK (event = ANY (ARRAY['begin'::text, 'over'::text])),
  constraint notice_mails_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'sent'::text, 'failed'::text])),
  constraint notice_mails_center_id_problem_fkey FOREIGN KEY (center_id, problem) REFERENCES source_problems(center_id, id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);

create table webhook_events (
  center_id text collate "C" not null,
  webhook_id text collate "C" not null,
  seq bigint not null generated always as identity,
  message_id text collate "C" not null,
  body text not null,
  created_at timestamp with time zone not null,
  constraint webhook_events_pkey PRIMARY KEY (center_id, webhook_id, seq),
  constraint webhook_events_center_id_webhook_id_fkey FOREIGN KEY (center_id, webhook_id) REFERENCES webhooks(center_id, id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);

create table reports (
  center_id text collate "C" not null,
  id text collate "C" not null,
  app_id text collate "C" not null,
  name text not null,
  kind text collate "C" not null,
  question text,
  format text collate "C" not null,
  language text collate "C",
  times text[] not null,
  days text not null,
  destinations text[] not null,
  created_at timestamp with time zone not null,
  next_at timestamp with time zone not null,
  prepared_by text collate "C",
  prepared_until timestamp with time zone,
  constraint reports_pkey PRIMARY KEY (center_id, id),
  constraint reports_destinations_check CHECK (cardinality(destinations) > 0),
  constraint reports_center_id_fkey FOREIGN KEY (center_id) REFERENCES centers(center_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);

create table report_runs (
  center_id text collate "C" not null,
  report_id text collate "C" not null,
  scheduled_at timestamp with time zone not null,
  state text collate "C" not null default 'due'::text,
  attempts integer not null default 0,
  next_attempt_at timestamp with time zone not null,
  leased_by text collate "C",
  leased_until timestamp with time zone,
  as_of timestamp with time zone,
  is_copy boolean not null default false,
  missing text,
  problem text,
  ended_at timestamp with time zone,
  constraint report_runs_pkey PRIMARY KEY (center_id, report_id, scheduled_at),
  constraint report_runs_state_check CHECK (state = ANY (ARRAY['due'::text, 'sent'::text, 'missed'::text, 'refused'::text])),
  constraint report_runs_center_id_report_id_fkey FOREIGN KEY (center_id, report_id) REFERENCES reports(center_id, id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);

create table report_deliveries (
  center_id text collate "C" not null,
  report_id text collate "C" not null,
  scheduled_at timestamp with time zone not null,
  destination text not null,
  state text collate "C" not null default 'waiting'::text,
  attempts integer not null default 0,
  next_attempt_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  problem text,
  file jsonb,
  constraint report_deliveries_pkey PRIMARY KEY (center_id, report_id, scheduled_at, destination),
  constraint report_deliveries_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'sent'::text, 'failed'::text])),
  constraint report_deliveries_run_fkey FOREIGN KEY (center_id, report_id, scheduled_at) REFERENCES report_runs(center_id, report_id, scheduled_at) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);

create table device_links (
  center_id text collate "C" not null,
  id text collate "C" not null,
  public_key text collate "C" not null,
  secret_hash bytea not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  used_with bytea,
  constraint device_links_pkey PRIMARY KEY (center_id, id),
  constraint device_links_used_check CHECK ((used_at IS NULL) = (used_with IS NULL)),
  constraint device_links_center_id_fkey FOREIGN KEY (center_id) REFERENCES centers(center_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  constraint device_links_public_key_fkey FOREIGN KEY (public_key) REFERENCES api_keys(public_key) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);

create table audit_entries (
  center_id text collate "C" not null,
  seq bigint not null,
  at timestamp with time zone not null,
  batch text collate "C" not null,
  public_key text collate "C" not null,
  app_id text collate "C" not null,
  key_name text not null,
  operation text collate "C" not null,
  query text not null,
  scopes text not null,
  records integer not null,
  record_list bytea,
  revision bigint not null,
  reads integer not null,
  requests text not null,
  previous_hash bytea not null,
  hash bytea not null,
  channel text collate "C"
) partition by RANGE (at);
alter table audit_entries alter column requests set storage external;

create table server_generations (
  name text not null,
  since timestamp with time zone not null default clock_timestamp(),
  constraint server_generations_pkey PRIMARY KEY (name)
);

create table center_moves (
  center_id text collate "C" not null,
  move_id uuid not null,
  state text collate "C" not null,
  closed_until timestamp with time zone,
  at timestamp with time zone not null default clock_timestamp(),
  trail_seq bigint,
  constraint center_moves_pkey PRIMARY KEY (center_id),
  constraint center_moves_check CHECK ((state = 'closing'::text) = (closed_until IS NOT NULL)),
  constraint center_moves_check1 CHECK ((state = 'moved'::text) = (trail_seq IS NOT NULL)),
  constraint center_moves_state_check CHECK (state = ANY (ARRAY['arriving'::text, 'closing'::text, 'moved'::text]))
);

create table booking_ids_of_before (
  center_id text collate "C" not null,
  booking_id bytea not null,
  booking bytea not null,
  constraint booking_ids_of_before_pkey PRIMARY KEY (center_id, booking_id, booking)
);

create table other_order_ids (
  center_id text collate "C" not null,
  constraint other_order_ids_pkey PRIMARY KEY (center_id)
);

CREATE INDEX sessions_by_start ON sessions USING btree (center_id, start_date, id) INCLUDE (end_date);
CREATE INDEX orders_by_date ON orders USING btree (center_id, order_date, uuid);
CREATE INDEX bookings_by_start ON bookings USING btree (center_id, start_date, id) INCLUDE (end_date, role, status);
CREATE INDEX bookings_long_stays ON bookings USING btree (center_id, end_date, start_date, id) INCLUDE (role, status) WHERE (end_date - start_date) > '31 days'::interval;
CREATE INDEX bookings_by_customer ON bookings USING btree (center_id, customer_id);
CREATE INDEX bookings_by_order ON bookings USING btree (center_id, order_uuid) WHERE order_uuid IS NOT NULL;
CREATE INDEX bookings_by_booking_id ON bookings USING btree (center_id, booking_id) WHERE booking_id IS NOT NULL;
CREATE INDEX center_touches_by_transaction ON center_touches USING btree (transaction_id);
CREATE INDEX api_keys_by_center ON api_keys USING btree (center_id, app_id);
CREATE INDEX change_commits_by_transaction ON change_commits USING btree (center_id, transaction_id);
CREATE INDEX change_commits_by_time ON change_commits USING btree (committed_at);
CREATE INDEX usage_days_by_day ON usage_days USING btree (center_id, day);
CREATE INDEX usage_errors_by_time ON usage_errors USING btree (center_id, app_id, last_at);
CREATE INDEX links_by_center ON links USING btree (center_id, app_id);
CREATE INDEX customers_by_email ON customers USING btree (center_id, lower(email COLLATE "C")) WHERE email IS NOT NULL;
CREATE INDEX customers_by_internal_id ON customers USING btree (center_id, internal_id) WHERE internal_id IS NOT NULL;
CREATE INDEX orders_by_number ON orders USING btree (center_id, number) WHERE number IS NOT NULL;
CREATE INDEX orders_by_status ON orders USING btree (center_id, status, order_date, uuid);
CREATE INDEX orders_by_payment_status ON orders USING btree (center_id, payment_status, order_date, uuid);
CREATE INDEX booking_sessions_by_start ON booking_sessions USING btree (center_id, session_id, start_date, booking_id);
CREATE INDEX action_answers_by_time ON action_answers USING btree (center_id, app_id, at);
CREATE INDEX imports_by_source ON imports USING btree (center_id, source, ended_at DESC);
CREATE INDEX contradictions_by_time ON contradictions USING btree (center_id, since, id);
CREATE INDEX contradictions_by_end ON contradictions USING btree (center_id, expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX contradiction_records_by_contradiction ON contradiction_records USING btree (center_id, contradiction_id);
CREATE INDEX api_keys_for_contradictions ON api_keys USING btree (center_id) WHERE ('contradictions'::text = ANY (scopes)) AND revoked_at IS NULL;
CREATE UNIQUE INDEX source_problems_open ON source_problems USING btree (center_id, source, kind) WHERE ended_at IS NULL;
CREATE INDEX source_problems_noticed ON source_problems USING btree (center_id, source, noticed_at);
CREATE INDEX notice_mails_waiting ON notice_mails USING btree (created_at) WHERE state = 'waiting'::text;
CREATE INDEX reports_by_next ON reports USING btree (next_at);
CREATE INDEX report_runs_due ON report_runs USING btree (next_attempt_at) WHERE state = 'due'::text;
CREATE UNIQUE INDEX device_links_by_id ON device_links USING btree (id);
CREATE INDEX device_links_by_key ON device_links USING btree (center_id, public_key);
CREATE INDEX center_revisions_by_time ON center_revisions USING btree (advanced_at);
CREATE INDEX webhooks_at_work ON webhooks USING btree (center_id, id) WHERE state = 'active'::text AND NOT idle;

CREATE OR REPLACE FUNCTION booking_sessions_insert()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
begin
  insert into booking_sessions (
    center_id, session_id, booking_id, position, start_date, end_date, customer_id, role, status, session_ids,
    skipping_meals, first_name, last_name, email
  )
  select b.center_id, s.session_id, b.id, s.position, b.start_date, b.end_date, b.customer_id, b.role, b.status,
    b.session_ids, b.skipping_meals, c.first_name, c.last_name, c.email
  from new_rows b
  cross join unnest(b.session_ids) with ordinality as s (session_id, position)
  left join lateral (
    select first_name, last_name, email from customers
    where center_id = b.center_id and id = b.customer_id
    limit 1 for share
  ) c on true
  on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION booking_sessions_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from booking_sessions s
  using old_rows b
  where s.center_id = b.center_id and s.booking_id = b.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION booking_sessions_update()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
declare
  customer record;
begin
  if (new.center_id, new.id, new.session_ids, new.customer_id)
    is not distinct from (old.center_id, old.id, old.session_ids, old.customer_id) then
    update booking_sessions
    set start_date = new.start_date, end_date = new.end_date, role = new.role, status = new.status,
      skipping_meals = new.skipping_meals
    where center_id = new.center_id and booking_id = new.id;
    return null;
  end if;
  -- The customer before the copies, as whoever changes the name has them.
  select first_name, last_name, email into customer from customers
  where center_id = new.center_id and id = new.customer_id
  for share;
  delete from booking_sessions where center_id = old.center_id and booking_id = old.id;
  insert into booking_sessions (
    center_id, session_id, booking_id, position, start_date, end_date, customer_id, role, status, session_ids,
    skipping_meals, first_name, last_name, email
  )
  select new.center_id, s.session_id, new.id, s.position, new.start_date, new.end_date, new.customer_id, new.role,
    new.status, new.session_ids, new.skipping_meals, customer.first_name, customer.last_name, customer.email
  from unnest(new.session_ids) with ordinality as s (session_id, position)
  on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION booking_sessions_truncate()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- Not truncated as well: the same statement may be doing that already.
  delete from booking_sessions;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION note_touch()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  is_profile boolean := tg_argv[0]::boolean;
begin
  if tg_op = 'INSERT' then
    insert into center_touches (center_id, profile, seen)
    select center_id, is_profile,
      coalesce((select r.revision from center_revisions r where r.center_id = touched.center_id), 0)
    from (select distinct center_id from new_rows) as touched
    on conflict (center_id, transaction_id) do update set profile = true
      where excluded.profile and not center_touches.profile;
  elsif tg_op = 'DELETE' then
    insert into center_touches (center_id, profile, seen)
    select center_id, is_profile,
      coalesce((select r.revision from center_revisions r where r.center_id = touched.center_id), 0)
    from (select distinct center_id from old_rows) as touched
    on conflict (center_id, transaction_id) do update set profile = true
      where excluded.profile and not center_touches.profile;
  elsif tg_op = 'UPDATE' then
    insert into center_touches (center_id, profile, seen)
    select center_id, is_profile,
      coalesce((select r.revision from center_revisions r where r.center_id = touched.center_id), 0)
    from (select center_id from new_rows union select center_id from old_rows) as touched
    on conflict (center_id, transaction_id) do update set profile = true
      where excluded.profile and not center_touches.profile;
  else
    insert into center_touches (center_id, profile, seen)
    select center_id, is_profile, revision from center_revisions
    on conflict (center_id, transaction_id) do update set profile = true
      where excluded.profile and not center_touches.profile;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION advance_revisions(mover xid8)
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  with moved as (
    insert into center_revisions as r (center_id, revision, profile_revision, advanced_at)
    select center_id, 1, case when profile then 1 else 0 end, clock_timestamp()
    from center_touches
    where transaction_id = mover and not advanced
    order by center_id
    on conflict (center_id) do update set
      revision = r.revision + 1,
      advanced_at = clock_timestamp(),
      profile_revision = case when excluded.profile_revision = 1 then r.revision + 1 else r.profile_revision end
    returning center_id, revision
  )
  insert into change_commits (center_id, revision, transaction_id)
  select center_id, revision, mover from moved;
  if found then
    if exists (select from center_touches t where t.transaction_id = mover and has_moved(t.center_id)) then
      raise exception 'the center has moved to another database' using errcode = '55000';
    end if;
    if exists (
      select from center_touches t
      cross join lateral (select revision from center_revisions where center_id = t.center_id offset 0) r
      where t.transaction_id = mover and not t.advanced and r.revision > t.seen + 1
    ) then
      perform note_side_by_side(mover);
    end if;
    perform bound_changes(mover, array(select center_id from center_touches where transaction_id = mover));
    delete from center_touches earlier
    using center_touches mine
    where mine.transaction_id = mover and not mine.advanced
      and earlier.center_id = mine.center_id and earlier.transaction_id < mover;
    update center_touches set advanced = true
    where transaction_id = mover and not advanced;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION center_touched()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    perform advance_revisions(new.transaction_id);
  else
    update center_revisions set profile_revision = revision
    where center_id = new.center_id and new.advanced;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION booking_id_text(center centers, session sessions, number integer)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  -- Each token becomes a control character first, so that a session named "BN" stays as it is.
  select replace(replace(replace(
    replace(replace(replace(center.booking_id_format, 'YY', chr(1)), 'SN', chr(2)), 'BN', chr(3)),
    chr(1), (
      select case
        when y.before = y.after then right(y.before::text, 2)
        -- A version before may have moved the session.
        when session.start_year in (y.before, y.after) then right(session.start_year::text, 2)
        else to_char(session.start_date at time zone center.timezone, 'YY')
      end
      from (
        select extract(year from session.start_date at time zone 'UTC' - interval '1 day')::integer as before,
          extract(year from session.start_date at time zone 'UTC' + interval '1 day')::integer as after
      ) y
    )),
    chr(3), case when number < 100 then lpad(number::text, 2, '0') else number::text end),
    chr(2), case when center.booking_id_session = 'name' then session.name
      else coalesce(nullif(session.number, ''), session.name) end)
$function$;

CREATE OR REPLACE FUNCTION give_booking_id()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  booking bookings;
  center centers;
  session sessions;
  number integer;
  given text;
begin
  select * into booking from bookings where center_id = new.center_id and id = new.id;
  select * into center from centers where center_id = new.center_id;
  if booking.status is distinct from 'arrived' or booking.booking_id is not null
    or not center.automatic_booking_ids then
    return null;
  end if;
  select * into session from sessions
  where center_id = booking.center_id and id = booking.session_ids[1];
  if not found then
    return null;
  end if;
  -- Every transaction locks revisions before counters, in whatever order its triggers fire: else one that
  -- came here first and one that came there first would wait for each other.
  perform advance_revisions(pg_current_xact_id());
  loop
    -- The counter's row lock, held until the commit ends, is what keeps concurrent arrivals apart and
    -- leaves no gap when one of them rolls back.
    insert into booking_counters as c (center_id, session_id, last_number)
    values (session.center_id, session.id, 1)
    on conflict (center_id, session_id) do update set last_number = c.last_number + 1
    returning last_number into number;
    given := booking_id_text(center, session, number);
    -- A number that a person set by hand on another booking is passed over, also after it was freed.
    exit when not exists (
      select 1 from bookings where center_id = booking.center_id and booking_id = given
    ) and not exists (
      select 1 from booking_ids_of_before b
      where b.center_id = booking.center_id and b.booking_id = text_digest(given)
    );
  end loop;
  update bookings set booking_id = given, booking_number = number
  where center_id = booking.center_id and id = booking.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION booking_id_by_hand()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.booking_number is not distinct from old.booking_number then
    new.booking_number := null;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION merged_operation(earlier text, later text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case
    when later = 'deleted' then 'deleted'
    when earlier = 'created' then 'created'
    when earlier = 'deleted' and later = 'created' then 'changed'
    when earlier = 'deleted' then 'deleted'
    else later
  end
$function$;

CREATE OR REPLACE FUNCTION with_texts(texts text[], more text[])
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case when texts @> more then texts else texts || more end
$function$;

CREATE OR REPLACE FUNCTION time_span(first_moment timestamp with time zone, last_moment timestamp with time zone)
 RETURNS tstzmultirange
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select tstzmultirange(tstzrange(first_moment, last_moment, '[]'))
$function$;

CREATE OR REPLACE FUNCTION changes_bound()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
AS $function$select 1000$function$;

CREATE OR REPLACE FUNCTION note_whole_kinds(centers text[], kinds text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  delete from changes
  where center_id = any(centers) and transaction_id = pg_current_xact_id() and kind = any(kinds) and id <> '*';
  insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
  select center, of_kind, '*', 'changed', '{}', '{}', '{}'
  from unnest(centers) as center, unnest(kinds) as of_kind
  on conflict (center_id, transaction_id, kind, id) do update set again = false where c.again;
end $function$;

CREATE OR REPLACE FUNCTION is_noted_whole(center text, of_kind text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  return exists (
    select from changes
    where center_id = center and transaction_id = pg_current_xact_id() and kind = of_kind and id = '*' and not again
  );
end $function$;

CREATE OR REPLACE FUNCTION note_by_size(size bigint, first_center text, last_center text, kinds text[])
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  if size = 0 then
    return true;
  end if;
  if first_center <> last_center or (size <= changes_bound() and not is_noted_whole(first_center, kinds[1])) then
    return false;
  end if;
  if size > changes_bound() or not is_noted_whole(first_center, kinds[2]) then
    perform note_whole_kinds(array[first_center], kinds);
  end if;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION bound_changes(transaction xid8, centers text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  crowded record;
begin
  for crowded in
    select center_id, kind from changes
    where center_id = any(centers) and transaction_id = transaction
    group by center_id, kind having count(*) > changes_bound()
  loop
    perform note_whole_kinds(array[crowded.center_id], array[crowded.kind]);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION is_crowd(size bigint)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$select size >= 100$function$;

CREATE OR REPLACE FUNCTION compare_all_columns()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  target record;
begin
  for target in
    select c.relname as name, string_agg(
      format('case when (b).%1$I is distinct from (a).%1$I then %2$L end', a.attname, c.relname || '.' || a.attname),
      ', ' order by a.attnum) as comparisons
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.oid in ('bookings'::regclass, 'customers'::regclass, 'orders'::regclass, 'sessions'::regclass)
    group by c.relname
  loop
    execute format('create or replace function %I(a %I, b %I) returns text[] language sql immutable as %L',
      'changed_' || target.name, target.name, target.name,
      format('select array_remove(array[%s], null)', target.comparisons));
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION changed_bookings(a bookings, b bookings)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
AS $function$select array_remove(array[case when (b).center_id is distinct from (a).center_id then 'bookings.center_id' end, case when (b).id is distinct from (a).id then 'bookings.id' end, case when (b).customer_id is distinct from (a).customer_id then 'bookings.customer_id' end, case when (b).role is distinct from (a).role then 'bookings.role' end, case when (b).status is distinct from (a).status then 'bookings.status' end, case when (b).start_date is distinct from (a).start_date then 'bookings.start_date' end, case when (b).end_date is distinct from (a).end_date then 'bookings.end_date' end, case when (b).session_ids is distinct from (a).session_ids then 'bookings.session_ids' end, case when (b).booking_id is distinct from (a).booking_id then 'bookings.booking_id' end, case when (b).booking_number is distinct from (a).booking_number then 'bookings.booking_number' end, case when (b).booked_at is distinct from (a).booked_at then 'bookings.booked_at' end, case when (b).created_by is distinct from (a).created_by then 'bookings.created_by' end, case when (b).program_id is distinct from (a).program_id then 'bookings.program_id' end, case when (b).package_id is distinct from (a).package_id then 'bookings.package_id' end, case when (b).order_uuid is distinct from (a).order_uuid then 'bookings.order_uuid' end, case when (b).is_order_main_guest is distinct from (a).is_order_main_guest then 'bookings.is_order_main_guest' end, case when (b).doctor_name is distinct from (a).doctor_name then 'bookings.doctor_name' end, case when (b).therapist_name is distinct from (a).therapist_name then 'bookings.therapist_name' end, case when (b).skipping_meals is distinct from (a).skipping_meals then 'bookings.skipping_meals' end, case when (b).accommodation is distinct from (a).accommodation then 'bookings.accommodation' end, case when (b).form is distinct from (a).form then 'bookings.form' end, case when (b).medical is distinct from (a).medical then 'bookings.medical' end, case when (b).financial is distinct from (a).financial then 'bookings.financial' end, case when (b).meta is distinct from (a).meta then 'bookings.meta' end, case when (b).meals is distinct from (a).meals then 'bookings.meals' end, case when (b).acc_segments is distinct from (a).acc_segments then 'bookings.acc_segments' end], null)$function$;

CREATE OR REPLACE FUNCTION changed_customers(a customers, b customers)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
AS $function$select array_remove(array[case when (b).center_id is distinct from (a).center_id then 'customers.center_id' end, case when (b).id is distinct from (a).id then 'customers.id' end, case when (b).first_name is distinct from (a).first_name then 'customers.first_name' end, case when (b).last_name is distinct from (a).last_name then 'customers.last_name' end, case when (b).email is distinct from (a).email then 'customers.email' end, case when (b).phone is distinct from (a).phone then 'customers.phone' end, case when (b).secondary_phone is distinct from (a).secondary_phone then 'customers.secondary_phone' end, case when (b).pin is distinct from (a).pin then 'customers.pin' end, case when (b).internal_id is distinct from (a).internal_id then 'customers.internal_id' end, case when (b).dob is distinct from (a).dob then 'customers.dob' end, case when (b).gender is distinct from (a).gender then 'customers.gender' end, case when (b).religion is distinct from (a).religion then 'customers.religion' end, case when (b).address is distinct from (a).address then 'customers.address' end, case when (b).referral_type is distinct from (a).referral_type then 'customers.referral_type' end, case when (b).meta is distinct from (a).meta then 'customers.meta' end], null)$function$;

CREATE OR REPLACE FUNCTION changed_orders(a orders, b orders)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
AS $function$select array_remove(array[case when (b).center_id is distinct from (a).center_id then 'orders.center_id' end, case when (b).uuid is distinct from (a).uuid then 'orders.uuid' end, case when (b).number is distinct from (a).number then 'orders.number' end, case when (b).order_date is distinct from (a).order_date then 'orders.order_date' end, case when (b).total_amount is distinct from (a).total_amount then 'orders.total_amount' end, case when (b).currency is distinct from (a).currency then 'orders.currency' end, case when (b).status is distinct from (a).status then 'orders.status' end, case when (b).payment_method is distinct from (a).payment_method then 'orders.payment_method' end, case when (b).payment_status is distinct from (a).payment_status then 'orders.payment_status' end, case when (b).billing_address is distinct from (a).billing_address then 'orders.billing_address' end, case when (b).notes is distinct from (a).notes then 'orders.notes' end, case when (b).items is distinct from (a).items then 'orders.items' end, case when (b).created_at is distinct from (a).created_at then 'orders.created_at' end, case when (b).updated_at is distinct from (a).updated_at then 'orders.updated_at' end], null)$function$;

CREATE OR REPLACE FUNCTION changed_sessions(a sessions, b sessions)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
AS $function$select array_remove(array[case when (b).center_id is distinct from (a).center_id then 'sessions.center_id' end, case when (b).id is distinct from (a).id then 'sessions.id' end, case when (b).name is distinct from (a).name then 'sessions.name' end, case when (b).number is distinct from (a).number then 'sessions.number' end, case when (b).text is distinct from (a).text then 'sessions.text' end, case when (b).start_date is distinct from (a).start_date then 'sessions.start_date' end, case when (b).end_date is distinct from (a).end_date then 'sessions.end_date' end, case when (b).program_ids is distinct from (a).program_ids then 'sessions.program_ids' end, case when (b).unit_ids is distinct from (a).unit_ids then 'sessions.unit_ids' end, case when (b).start_year is distinct from (a).start_year then 'sessions.start_year' end], null)$function$;

CREATE OR REPLACE FUNCTION changes_of_bookings()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  size bigint;
  counted bigint;
  first_center text;
  last_center text;
  columns_moved text[];
  centers text[];
  moved text[];
  customers text[];
  order_uuids text[];
  centers_of_payers text[];
  payers text[];
  orders_of_payers text[];
begin
  if tg_op = 'DELETE' then
    select count(*), min(center_id), max(center_id) into size, first_center, last_center from old_rows;
  else
    select count(*), min(center_id), max(center_id) into size, first_center, last_center from new_rows;
  end if;
  counted := size;
  if tg_op = 'INSERT' and is_crowd(size) then
    counted := size + noted_by_name(first_center, 'guest');
  end if;
  if note_by_size(counted, first_center, last_center, '{guest,order}') then
    return null;
  end if;
  if tg_op = 'INSERT' then
    insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
    select n.center_id, 'guest', n.id, 'created', '{}', n.session_ids, time_span(n.start_date, n.end_date)
    from new_rows n
    on conflict (center_id, transaction_id, kind, id) do update set
      operation = merged_operation(c.operation, excluded.operation),
      columns = with_texts(c.columns, excluded.columns),
      session_ids = with_texts(c.session_ids, excluded.session_ids),
      during = c.during + excluded.during;
    select array_agg(r.center_id), array_agg(r.id), array_agg(r.customer_id), array_agg(r.order_uuid)
    into centers, moved, customers, order_uuids from new_rows r;
    select array_agg(r.center_id), array_agg(r.id), array_agg(r.order_uuid)
    into centers_of_payers, payers, orders_of_payers
    from new_rows r where r.order_uuid is not null and r.financial is not null;
  elsif tg_op = 'DELETE' then
    insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
    select o.center_id, 'guest', o.id, 'deleted', '{}', o.session_ids, time_span(o.start_date, o.end_date)
    from old_rows o
    on conflict (center_id, transaction_id, kind, id) do update set
      operation = merged_operation(c.operation, excluded.operation),
      columns = with_texts(c.columns, excluded.columns),
      session_ids = with_texts(c.session_ids, excluded.session_ids),
      during = c.during + excluded.during;
    select array_agg(r.center_id), array_agg(r.id), array_agg(r.customer_id), array_agg(r.order_uuid)
    into centers, moved, customers, order_uuids from old_rows r;
    select array_agg(r.center_id), array_agg(r.id), array_agg(r.order_uuid)
    into centers_of_payers, payers, orders_of_payers
    from old_rows r where r.order_uuid is not null and r.financial is not null;
  else
    if size = 1 then
      insert into changes (center_id, kind, id, operation, columns, session_ids, during)
      select n.center_id, 'guest', n.id, 'changed', changed_bookings(o, n), with_texts(n.session_ids, o.session_ids),
        time_span(n.start_date, n.end_date) + time_span(o.start_date, o.end_date)
      from new_rows n
      cross join old_rows o
      where o.center_id = n.center_id and o.id = n.id and n is distinct from o
      on conflict do nothing
      returning columns into columns_moved;
    end if;
    if columns_moved is null then
      with noted as (
        insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
        select coalesce(n.center_id, o.center_id), 'guest', coalesce(n.id, o.id),
          case when o.id is null then 'created' when n.id is null then 'deleted' else 'changed' end,
          changed_bookings(o, n), with_texts(coalesce(n.session_ids, '{}'), coalesce(o.session_ids, '{}')),
          coalesce(time_span(n.start_date, n.end_date), '{}') + coalesce(time_span(o.start_date, o.end_date), '{}')
        from new_rows n
        full join old_rows o on o.center_id = n.center_id and o.id = n.id
        where n is distinct from o
        on conflict (center_id, transaction_id, kind, id) do update set
          operation = merged_operation(c.operation, excluded.operation),
          columns = with_texts(c.columns, excluded.columns),
          session_ids = with_texts(c.session_ids, excluded.session_ids),
          during = c.during + excluded.during
        returning columns
      )
      select array_agg(distinct differing) into columns_moved from noted, unnest(columns) as differing;
    end if;
    if columns_moved && '{bookings.id,bookings.customer_id,bookings.status,bookings.session_ids,bookings.start_date,bookings.end_date,bookings.order_uuid,bookings.is_order_main_guest}' then
      select array_agg(r.center_id), array_agg(r.id), array_agg(r.customer_id), array_agg(r.order_uuid)
      into centers, moved, customers, order_uuids from (select * from new_rows union all select * from old_rows) r;
    end if;
    if columns_moved && '{bookings.id,bookings.order_uuid,bookings.financial}' then
      select array_agg(r.center_id), array_agg(r.id), array_agg(r.order_uuid)
      into centers_of_payers, payers, orders_of_payers
      from (select * from new_rows union all select * from old_rows) r where r.order_uuid is not null and r.financial is not null;
    end if;
  end if;
  if cardinality(moved) > 0 then
    perform note_beside_bookings(centers, moved, customers, order_uuids);
  end if;
  if cardinality(payers) > 0 then
    perform note_payments(centers_of_payers, payers, orders_of_payers);
  end if;
  if is_crowd(size) then
    perform bound_changes(pg_current_xact_id(), array[first_center, last_center]);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION note_beside_bookings(centers text[], moved text[], customers text[], orders text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
  select b.center_id, 'guest', b.id, 'changed', '{guests.history}', b.session_ids, time_span(b.start_date, b.end_date)
  from (
    select m.center_id, m.customer_id, min(m.id) as first_id, count(distinct m.id) as stays
    from unnest(centers, moved, customers) as m (center_id, id, customer_id)
    group by m.center_id, m.customer_id
  ) k
  cross join lateral (
    select * from bookings b where b.center_id = k.center_id and b.customer_id = k.customer_id offset 0
  ) b
  where k.stays > 1 or b.id <> k.first_id
  on conflict (center_id, transaction_id, kind, id) do update set
    columns = with_texts(c.columns, excluded.columns);
  if array_remove(orders, null) <> '{}' then
    perform note_orders(centers, orders);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION note_orders(centers text[], uuids text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
  select o.center_id, 'order', o.uuid, 'changed', '{orders.guests}', '{}', time_span(o.order_date, o.order_date)
  from (select distinct m.center_id, m.uuid from unnest(centers, uuids) as m (center_id, uuid)) k
  cross join lateral (
    select * from orders o where o.center_id = k.center_id and o.uuid = k.uuid offset 0
  ) o
  on conflict (center_id, transaction_id, kind, id) do update set
    columns = with_texts(c.columns, excluded.columns);
end $function$;

CREATE OR REPLACE FUNCTION changes_of_customers()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  size bigint;
  first_center text;
  last_center text;
  columns_moved text[];
  centers text[];
  order_uuids text[];
begin
  select count(*), min(center_id), max(center_id) into size, first_center, last_center from new_rows;
  if note_by_size(size, first_center, last_center, '{guest,order}') then
    return null;
  end if;
  with noted as (
    insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
    select b.center_id, 'guest', b.id, 'changed', k.columns, b.session_ids, time_span(b.start_date, b.end_date)
    from (
      select n.center_id, n.id, changed_customers(o, n) as columns
      from new_rows n
      left join old_rows o on o.center_id = n.center_id and o.id = n.id
      where n is distinct from o
    ) k
    cross join lateral (
      select * from bookings b where b.center_id = k.center_id and b.customer_id = k.id offset 0
    ) b
    on conflict (center_id, transaction_id, kind, id) do update set
      columns = with_texts(c.columns, excluded.columns)
    returning columns
  )
  select array_agg(distinct differing), count(*) into columns_moved, size from noted, unnest(columns) as differing;
  if columns_moved && '{customers.first_name,customers.last_name}' then
    select array_agg(b.center_id), array_agg(b.order_uuid) into centers, order_uuids
    from new_rows n
    cross join lateral (
      select * from bookings b
      where b.center_id = n.center_id and b.customer_id = n.id and b.order_uuid is not null offset 0
    ) b;
    perform note_orders(centers, order_uuids);
  end if;
  if is_crowd(size) then
    perform bound_changes(pg_current_xact_id(), array[first_center, last_center]);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION changes_of_orders()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  size bigint;
  first_center text;
  last_center text;
  columns_moved text[];
begin
  if tg_op = 'DELETE' then
    select count(*), min(center_id), max(center_id) into size, first_center, last_center from old_rows;
  else
    select count(*), min(center_id), max(center_id) into size, first_center, last_center from new_rows;
  end if;
  if note_by_size(size, first_center, last_center, '{order,guest}') then
    return null;
  end if;
  if tg_op = 'INSERT' then
    insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
    select n.center_id, 'order', n.uuid, 'created', '{}', '{}', time_span(n.order_date, n.order_date)
    from new_rows n
    on conflict (center_id, transaction_id, kind, id) do update set
      operation = merged_operation(c.operation, excluded.operation),
      columns = with_texts(c.columns, excluded.columns),
      session_ids = with_texts(c.session_ids, excluded.session_ids),
      during = c.during + excluded.during;
    columns_moved := '{orders.uuid}';
  elsif tg_op = 'DELETE' then
    insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
    select o.center_id, 'order', o.uuid, 'deleted', '{}', '{}', time_span(o.order_date, o.order_date)
    from old_rows o
    on conflict (center_id, transaction_id, kind, id) do update set
      operation = merged_operation(c.operation, excluded.operation),
      columns = with_texts(c.columns, excluded.columns),
      session_ids = with_texts(c.session_ids, excluded.session_ids),
      during = c.during + excluded.during;
    -- Its guests cannot go on naming it: they are noted by themselves.
  else
    with noted as (
      insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
      select coalesce(n.center_id, o.center_id), 'order', coalesce(n.uuid, o.uuid),
        case when o.uuid is null then 'created' when n.uuid is null then 'deleted' else 'changed' end,
        changed_orders(o, n), '{}',
        coalesce(time_span(n.order_date, n.order_date), '{}') + coalesce(time_span(o.order_date, o.order_date), '{}')
      from new_rows n
      full join old_rows o on o.center_id = n.center_id and o.uuid = n.uuid
      where n is distinct from o
      on conflict (center_id, transaction_id, kind, id) do update set
        operation = merged_operation(c.operation, excluded.operation),
        columns = with_texts(c.columns, excluded.columns),
        session_ids = with_texts(c.session_ids, excluded.session_ids),
        during = c.during + excluded.during
      returning columns
    )
    select array_agg(distinct differing) into columns_moved from noted, unnest(columns) as differing;
  end if;
  -- A booking may come before its order in one transaction.
  if cardinality(columns_moved) > 0 then
    insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
    select b.center_id, 'guest', b.id, 'changed', columns_moved, b.session_ids, time_span(b.start_date, b.end_date)
    from new_rows n
    cross join lateral (
      select * from bookings b where b.center_id = n.center_id and b.order_uuid = n.uuid offset 0
    ) b
    on conflict (center_id, transaction_id, kind, id) do update set
      columns = with_texts(c.columns, excluded.columns);
  end if;
  if is_crowd(size) then
    perform bound_changes(pg_current_xact_id(), array[first_center, last_center]);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION changes_of_sessions()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  size bigint;
  first_center text;
  last_center text;
  columns_moved text[];
  moved sessions[];
begin
  if tg_op = 'DELETE' then
    select count(*), min(center_id), max(center_id) into size, first_center, last_center from old_rows;
  else
    select count(*), min(center_id), max(center_id) into size, first_center, last_center from new_rows;
  end if;
  if note_by_size(size, first_center, last_center, '{session,guest}') then
    return null;
  end if;
  columns_moved := '{sessions.id}';
  if tg_op = 'INSERT' then
    insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
    select n.center_id, 'session', n.id, 'created', '{}', '{}', time_span(n.start_date, n.end_date)
    from new_rows n
    on conflict (center_id, transaction_id, kind, id) do update set
      operation = merged_operation(c.operation, excluded.operation),
      columns = with_texts(c.columns, excluded.columns),
      session_ids = with_texts(c.session_ids, excluded.session_ids),
      during = c.during + excluded.during;
    moved := array(select n::sessions from new_rows n);
  elsif tg_op = 'DELETE' then
    insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
    select o.center_id, 'session', o.id, 'deleted', '{}', '{}', time_span(o.start_date, o.end_date)
    from old_rows o
    on conflict (center_id, transaction_id, kind, id) do update set
      operation = merged_operation(c.operation, excluded.operation),
      columns = with_texts(c.columns, excluded.columns),
      session_ids = with_texts(c.session_ids, excluded.session_ids),
      during = c.during + excluded.during;
    moved := array(select o::sessions from old_rows o);
  else
    with noted as (
      insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
      select coalesce(n.center_id, o.center_id), 'session', coalesce(n.id, o.id),
        case when o.id is null then 'created' when n.id is null then 'deleted' else 'changed' end,
        changed_sessions(o, n), '{}',
        coalesce(time_span(n.start_date, n.end_date), '{}') + coalesce(time_span(o.start_date, o.end_date), '{}')
      from new_rows n
      full join old_rows o on o.center_id = n.center_id and o.id = n.id
      where n is distinct from o
      on conflict (center_id, transaction_id, kind, id) do update set
        operation = merged_operation(c.operation, excluded.operation),
        columns = with_texts(c.columns, excluded.columns),
        session_ids = with_texts(c.session_ids, excluded.session_ids),
        during = c.during + excluded.during
      returning columns
    )
    select array_agg(distinct differing) into columns_moved from noted, unnest(columns) as differing;
    moved := array(select n::sessions from new_rows n) || array(select o::sessions from old_rows o);
  end if;
  if columns_moved && '{sessions.id,sessions.name,sessions.start_date,sessions.end_date}' then
    insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
    select b.center_id, 'guest', b.id, 'changed', columns_moved || '{guests.history}', b.session_ids,
      time_span(b.start_date, b.end_date)
    from (select distinct m.center_id, m.id from unnest(moved) m) k
    cross join lateral (
      select * from booking_sessions bs where bs.center_id = k.center_id and bs.session_id = k.id offset 0
    ) bs
    cross join lateral (
      select * from bookings b where b.center_id = bs.center_id and b.id = bs.booking_id offset 0
    ) b
    group by b.center_id, b.id, b.session_ids, b.start_date, b.end_date
    on conflict (center_id, transaction_id, kind, id) do update set
      columns = with_texts(c.columns, excluded.columns);
    insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
    select b.center_id, 'guest', b.id, 'changed', '{guests.history}', b.session_ids,
      time_span(b.start_date, b.end_date)
    from (
      select distinct b.center_id, b.customer_id
      from unnest(moved) m
      cross join lateral (
        select * from booking_sessions bs where bs.center_id = m.center_id and bs.session_id = m.id offset 0
      ) bs
      cross join lateral (
        select * from bookings b where b.center_id = bs.center_id and b.id = bs.booking_id offset 0
      ) b
    ) k
    cross join lateral (
      select * from bookings b where b.center_id = k.center_id and b.customer_id = k.customer_id offset 0
    ) b
    on conflict (center_id, transaction_id, kind, id) do update set
      columns = with_texts(c.columns, excluded.columns);
  end if;
  if is_crowd(size) then
    perform bound_changes(pg_current_xact_id(), array[first_center, last_center]);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION changes_of_everything()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  centers text[];
begin
  if tg_op = 'INSERT' then
    centers := array(select distinct center_id from new_rows);
  elsif tg_op = 'DELETE' then
    centers := array(select distinct center_id from old_rows);
  elsif tg_op = 'UPDATE' then
    centers := array(select center_id from new_rows union select center_id from old_rows);
  else
    centers := array(select center_id from center_revisions);
  end if;
  perform note_whole_kinds(centers, '{guest,session,order}');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION arrival_is_over()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.booking_number := null;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION noted_by_name(center text, of_kind text)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
begin
  return (
    select count(*) from changes
    where center_id = center and transaction_id = pg_current_xact_id() and kind = of_kind
  );
end $function$;

CREATE OR REPLACE FUNCTION phone_keys(phone text)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO 'public'
AS $function$
declare
  numbers text[] := '{}';
  number text;
  digits text;
  part text;
  segment text;
begin
  foreach segment in array regexp_split_to_array(
    replace(replace(left(plain_digits(phone), 200), '(0)', ''), '+', ';+'),
    '[A-Za-z#;,|\n\r\u00c0-\u024f\u0370-\u1fff\u2c00-\ud7ff\uf900-\ufaff]+')
  loop
    number := '';
    foreach part in array string_to_array(segment, '/') loop
      digits := regexp_replace(part, '[^0-9+]+', '', 'g');
      if number = '' or is_area_code(number) then
        number := number || digits;
      elsif length(digits) >= 6 or part ~ '^\s' then
        numbers := numbers || number;
        number := case when length(digits) >= 6 then digits else '' end;
      else
        number := number || digits;
      end if;
    end loop;
    numbers := numbers || number;
  end loop;
  return array(
    select k.key
    from unnest(numbers) with ordinality as n (number, at)
    cross join lateral (
      select regexp_replace(regexp_replace(replace(n.number, '+', '00'), '^00+', '+'), '^(0+|8(?=[0-9]{10}$))', '') as key
    ) k
    where k.key ~ '^\+?[0-9]{7,}$'
    order by n.at
  );
end $function$;

CREATE OR REPLACE FUNCTION phone_key(phone text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (phone_keys(phone))[1];

CREATE OR REPLACE FUNCTION is_same_phone(a text, b text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN CASE WHEN (starts_with(a, '+'::text) AND starts_with(b, '+'::text)) THEN (a = b) WHEN (length(a) > length(b)) THEN ("right"(a, length(b)) = ltrim(b, '+'::text)) ELSE ("right"(b, length(a)) = ltrim(a, '+'::text)) END;

CREATE OR REPLACE FUNCTION name_letters(name text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
declare
  letters text := name;
begin
  if octet_length(letters) <> length(letters) then
    letters := regexp_replace(normalize(letters, NFKD), '[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff]+', '', 'g');
  end if;
  -- The usual letters of Greek and of Cyrillic first: looking for each of them among the 330 below takes longer than all the
  -- rest. Arabic letters are not among these.
  if octet_length(letters) <> length(letters) and letters ~ '[\u0391-\u03c9]' then
    letters := replace(replace(replace(translate(
      letters,
      'αοιεσςνρτκλπμυηγδωβφξζΑΟΙΕΣΝΡΤΚΛΠΜΥΗΓΔΩΒΦΞΖΘΧΨ',
      'aoiessnrtklpmyigdovfxzaoiesnrtklpmyigdovfxzθχψ'),
      'θ', 'th'), 'χ', 'ch'), 'ψ', 'ps');
  end if;
  if octet_length(letters) <> length(letters) and letters ~ '[\u0400-\u0491]' then
    letters := replace(replace(replace(replace(replace(replace(replace(
      replace(replace(replace(replace(replace(replace(replace(translate(
      letters,
      'аоеинрвлкстдмпгубзыфјћАОЕэЭИіІНРВЛКСТДМПГґҐУБЗЫФЈЋЧХЖШЦЮЯЩЄЂЅЉЊЏъьЪЬ',
      'aoeinrvlkstdmpgubzyfjcaoeeeiiinrvlkstdmpgggubzyfjcчхжшцюящєђѕљњџ'), 'ч', 'ch'), 'х', 'kh'), 'ж', 'zh'), 'ш', 'sh'), 'ц', 'ts'), 'ю', 'yu'), 'я', 'ya')
      , 'щ', 'shch'), 'є', 'ie'), 'ђ', 'dj'), 'ѕ', 'dz'), 'љ', 'lj'), 'њ', 'nj'), 'џ', 'dzh');
  end if;
  if octet_length(letters) <> length(letters) and letters ~ '[^\u0001-\u007f\u0600-\u06ff]' then
    letters :=
      replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
      replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
      replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
      replace(replace(replace(translate(
        letters,
        'ʒ'
        'ÐðĐđƉƊƋƌȡΔδДдẟØøƆƟΟΩοωОоѠѡѪѫѺѻѼѽӨөĦħͰͱϨϩҲҳҺһӀӏӾӿıƖƗΗΙηιІИиіĸǃɊɋϘϙϞϟҀҁҚқҞҟҠҡӃӄŁłƚƛȴȽΛλЛлŦŧƫ'
        'ƬƭƮȶȾΤτТтƀƁƂƃɃБбƇƈǀȻȼϬϭЋћҸҹƍƵƶȤȥɀΖζЗзҘҙƎƏƐǝɆɇΕεЕЭеэѢѣѦѧƑƒΦφϤϥФфѲѳƓƔǤǥΓγГгҐґҜҝƘƙΚκКкƜƿǷͶͷϜϝ'
        'ҨҩƝƞȠȵΝνНнƤƥΠπПпƦɌɍΡρϼРрƱɄУуѸѹҮүҰұƲΒβВвỼỽƳƴȜȝɎɏΥυЫыѴѵỾỿǁΞξϦϧӼӽȷɈɉͿϪϫϳЈјҖҗҶҷȺɅΑαАаӘәȿͲͳͻͼͽΣ'
        'ςσϠϡϺϻϽϾϿСсҪҫẜẝΜμМмÆӔӕÞΘθҬҭẞŊҢңҤҥӇӈŒǶƢҒғҔҕӶӷƩϢϣϷϸШшƷЖжЅѕӠӡЦцҴҵȢΧЧчҼҽҾҿΨѰѱϚϮЂЄѤѥѨѩЉЊЏӋӌХЩЮЯ'
        'ѬѮѾҊҎҦӅӉӍӺỺƄƅƧƨƸƹƼƽɁɂϏϗЪЬъьҌҍ',
        'ƺ'
        'ddddddddddddddoooooooooooooooooooohhhhhhhhhhhhhhiiiiiiiiiiiqqqqqqqqqqqqqqqqqqllllllllllttt'
        'tttttttttbbbbbbbccccccccccczzzzzzzzzzzzeeeeeeeeeeeeeeeeffffffffffggggggggggggkkkkkkwwwwwww'
        'wwnnnnnnnnpppppprrrrrrrruuuuuuuuuuvvvvvvvyyyyyyyyyyyyyyxxxxxxxjjjjjjjjjjjjjaaaaaaaasssssss'
        'sssssssssssssssmmmmæææþþþþþßŋŋŋŋŋŋŋœƕƣƣƣƣƣƣƣƪƪƪƪƪƪƪƺƺƺƻƻƻƻƾƾƾƾȣχχχχχχχψψψϛϯђєєєєєљњџџџхщюя'
        'ѭѯѿҋҏҧӆӊӎӻỻ'), 'æ', 'ae'), 'þ', 'th'), 'ß', 'ss'), 'ŋ', 'ng'), 'œ', 'oe'), 'ƕ', 'hw'), 'ƣ', 'gh'), 'ƪ', 'sh')
        , 'ƺ', 'zh'), 'ƻ', 'dz'), 'ƾ', 'ts'), 'ǂ', 'qc'), 'ȣ', 'ou'), 'ȸ', 'db'), 'ȹ', 'qp'), 'χ', 'ch')
        , 'ψ', 'ps'), 'ϛ', 'st'), 'ϯ', 'ti'), 'ђ', 'dj'), 'є', 'ie'), 'љ', 'lj'), 'њ', 'nj'), 'џ', 'dzh')
        , 'х', 'kh'), 'щ', 'shch'), 'ю', 'yu'), 'я', 'ya'), 'ѭ', 'io'), 'ѯ', 'ks'), 'ѿ', 'ot'), 'ҋ', 'jh')
        , 'ҏ', 'rh'), 'ҧ', 'ph'), 'ӆ', 'lh'), 'ӊ', 'nh'), 'ӎ', 'mh'), 'ӻ', 'xh'), 'ỻ', 'll');
  end if;
  return trim(regexp_replace(lower(letters collate "C"),
  '[\u0001-\u002f\u003a-\u0060\u007b-\u00bf\u02b9-\u02cb\u02ee\u055a\u05f3\u05f4\u2000-\u206f\u3000-\u3020\ua78b\ua78c]+', ' ', 'g'));
end $function$;

CREATE OR REPLACE FUNCTION name_sounds(letters text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
begin
  return replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
    replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
    replace(replace(replace(replace(replace(replace(replace(replace(replace(translate(letters, 'yjwkq', 'iivcc'), 'x', 'cs'), 'ae', 'a'), 'oe', 'o'), 'ue', 'u'), 'bh', 'b'), 'ch', 'c'), 'dh', 'd'), 'gh', 'g')
      , 'ph', 'p'), 'rh', 'r'), 'sh', 's'), 'th', 't'), 'vh', 'v'), 'zh', 'z'), 'aa', 'a'), 'bb', 'b')
      , 'cc', 'c'), 'dd', 'd'), 'ee', 'e'), 'ff', 'f'), 'gg', 'g'), 'ii', 'i'), 'll', 'l'), 'mm', 'm')
      , 'nn', 'n'), 'oo', 'o'), 'pp', 'p'), 'rr', 'r'), 'ss', 's'), 'tt', 't'), 'uu', 'u'), 'vv', 'v')
      , 'zz', 'z');
end $function$;

CREATE OR REPLACE FUNCTION pin_hash(pin text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN encode(sha256(convert_to(upper((regexp_replace(pin, '[^A-Za-z0-9]+'::text, ''::text, 'g'::text) COLLATE "C")), 'UTF8'::name)), 'hex'::text);

CREATE OR REPLACE FUNCTION booking_sessions_rename()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
begin
  if tg_op = 'DELETE' or (new.center_id, new.id) is distinct from (old.center_id, old.id) then
    update booking_sessions set first_name = null, last_name = null, email = null
    where center_id = old.center_id
      and booking_id = any(array(select id from bookings where center_id = old.center_id and customer_id = old.id));
  end if;
  if tg_op = 'UPDATE' then
    update booking_sessions set first_name = new.first_name, last_name = new.last_name, email = new.email
    where center_id = new.center_id
      and booking_id = any(array(select id from bookings where center_id = new.center_id and customer_id = new.id));
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION booking_sessions_name()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
declare
  customer record;
begin
  select first_name, last_name, email into customer from customers
  where center_id = new.center_id and id = new.customer_id
  for share;
  if found then
    update booking_sessions
    set first_name = customer.first_name, last_name = customer.last_name, email = customer.email
    where center_id = new.center_id and session_id = new.session_id and booking_id = new.booking_id
      and customer_id = new.customer_id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION note_side_by_side(mover xid8)
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  side record;
  moved text[];
begin
  for side in
    select t.center_id, array_agg(m.transaction_id) as transactions
    from center_touches t
    cross join lateral (
      select transaction_id from change_commits
      where center_id = t.center_id and revision > t.seen and transaction_id <> mover offset 0
    ) m
    where t.transaction_id = mover and not t.advanced
    group by t.center_id
  loop
    insert into changes (center_id, kind, id, operation, columns, session_ids, during, again)
    select distinct side.center_id, kind, '*', 'changed', '{}'::text[], '{}'::text[], '{}'::tstzmultirange, true
    from changes
    where center_id = side.center_id and transaction_id = any(side.transactions) and id = '*' and not again
    on conflict do nothing;
    moved := array(
      select distinct differing from changes, unnest(columns) as differing
      where center_id = side.center_id and transaction_id = mover
      union
      select 'customers.' || attname from pg_attribute
      where attrelid = 'customers'::regclass and attnum > 0 and not attisdropped
      union
      select unnest('{guests.history,guests.payments,orders.uuid,sessions.id}'::text[]));
    insert into changes as c (center_id, kind, id, operation, columns, session_ids, during, again)
    select b.center_id, 'guest', b.id, 'changed', moved, b.session_ids, time_span(b.start_date, b.end_date), true
    from (
      select distinct id from changes
      where center_id = side.center_id and transaction_id = any(side.transactions) and kind = 'guest' and not again
    ) k
    cross join lateral (
      select * from bookings b where b.center_id = side.center_id and b.id = k.id offset 0
    ) b
    where not is_noted_whole(side.center_id, 'guest')
    on conflict (center_id, transaction_id, kind, id) do update set
      columns = with_texts(c.columns, excluded.columns);
    insert into changes as c (center_id, kind, id, operation, columns, session_ids, during, again)
    select o.center_id, 'order', o.uuid, 'changed', '{orders.guests}', '{}', time_span(o.order_date, o.order_date), true
    from (
      select distinct id from changes
      where center_id = side.center_id and transaction_id = any(side.transactions) and kind = 'order' and not again
    ) k
    cross join lateral (
      select * from orders o where o.center_id = side.center_id and o.uuid = k.id offset 0
    ) o
    where not is_noted_whole(side.center_id, 'order')
    on conflict (center_id, transaction_id, kind, id) do update set
      columns = with_texts(c.columns, excluded.columns);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION changes_of_sheets_on_wall()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into changes (center_id, kind, id, operation, columns, session_ids, during)
  select n.center_id, 'sheet', n.day::text, 'changed', '{}', '{}', '{}' from new_rows n
  on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION name_ways(name text)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
declare
  plain text;
  marked text;
  way text;
  written text;
  ways text[] := '{}';
  kept text[] := '{}';
begin
  if octet_length(name) = length(name) then return ways; end if;
  plain := replace(normalize(name, NFKC), '|', ' ');

  -- Croatian and Serbian: dj where đ cannot be typed
  if plain ~ '[đĐ]' then ways := ways || replace(replace(plain, 'đ', 'dj'), 'Đ', 'dj'); end if;

  if plain ~ '[\u0370-\u03ff\u1f00-\u1fff]' then
    marked := translate(normalize(plain, NFKD), 'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩς', 'αβγδεζηθικλμνξοπρστυφχψωσ');
    -- Two vowels, not a digraph: an accent on the first one, or a diaeresis.
    if marked like '%υ%' then
      marked := regexp_replace(marked, '([αεηο])[\u0300\u0301\u0342]υ', '\1y', 'g');
      marked := regexp_replace(marked, 'υ[\u0300\u0301\u0342]?\u0308', 'y', 'g');
    end if;
    plain := replace(regexp_replace(marked, '[\u0300-\u036f]+', '', 'g'), 'ου', 'ou');
    plain := replace(replace(replace(plain, 'γγ', 'nγ'), 'γξ', 'nξ'), 'γχ', 'nχ');
    if plain like '%μπ%' then
      plain := regexp_replace(plain, '(?<![α-ωa-z])μπ|μπ(?![α-ωa-z])', 'b', 'g');
    end if;
    -- ELOT 743 (ISO 843, UN, BGN/PCGN since 1996)
    way := plain;
    if plain like '%υ%' then
      way := regexp_replace(way, '([αεη])υ(?![αβγδεζηιλμνορυωa-z])', '\1f', 'g');
      way := regexp_replace(way, '([αεη])υ', '\1v', 'g');
    end if;
    ways := ways || way;
    -- BGN/PCGN before 1996, by the sound of γκ, μπ and ντ
    if way like '%γκ%' then way := replace(regexp_replace(way, '(?<![α-ωa-z])γκ', 'g', 'g'), 'γκ', 'nk'); end if;
    if way like '%ντ%' then way := replace(regexp_replace(way, '(?<![α-ωa-z])ντ', 'd', 'g'), 'ντ', 'nd'); end if;
    way := replace(way, 'μπ', 'mb');
    if way <> all(ways) then ways := ways || way; end if;
    -- ALA-LC, and with i for η
    way := case when plain like '%υ%' then regexp_replace(plain, '([αεη])υ', '\1u', 'g') else plain end;
    if way <> all(ways) then ways := ways || way; end if;
    way := replace(way, 'η', 'e');
    if way <> all(ways) then ways := ways || way; end if;
    -- χ is h, too
    written := array_to_string(ways, '|');
    if plain like '%χ%' then written := written || '|' || replace(written, 'χ', 'h'); end if;
    -- As `name_letters` writes them, which takes longer for text of other letters.
    ways := string_to_array(replace(replace(replace(
      translate(written, 'αβγδεζηικλμνξοπρστυφω', 'avgdeziiklmnxoprstyfo'), 'θ', 'th'), 'χ', 'ch'), 'ψ', 'ps'), '|');
  end if;

  if plain ~ '[\u0400-\u04ff]' then
    plain := translate(plain,
      'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯІЇЄҐЎЂЃЌЈЉЊЋЏЅ', 'абвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґўђѓќјљњћџѕ');
    -- BGN/PCGN for Russian; ё by it, and as it is spoken
    if plain ~ '[её]' then
      ways := ways || regexp_replace(plain, '(?<![бвгджзклмнпрстфхцчшщ])[её]', 'ye', 'g');
    end if;
    if plain like '%ё%' then
      ways := ways || replace(regexp_replace(
        regexp_replace(plain, '(?<![бвгджзклмнпрстфхцчшщ])е', 'ye', 'g'), '(?<=[жчшщ])ё', 'o', 'g'), 'ё', 'yo');
    end if;
    -- BGN/PCGN for Ukrainian
    ways := ways || translate(plain, 'гґ', 'hg');
    -- BGN/PCGN for Bulgarian, of 2013 and of 1952
    way := replace(replace(plain, 'щ', 'sht'), 'ьо', 'yo');
    ways := ways || translate(way, 'ъх', 'ah') || replace(way, 'ъ', 'u');
    -- BGN/PCGN for Serbian and Macedonian; ђ is dj and đ
    way := translate(replace(replace(plain, 'ѓ', 'gj'), 'ќ', 'kj'), 'хц', 'hc');
    ways := ways || way || replace(way, 'ђ', 'd');
    foreach way in array ways loop
      if way <> plain and way <> all(kept) then kept := kept || way; end if;
    end loop;
    written := array_to_string(kept, '|');
    ways := string_to_array(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
      replace(replace(translate(
        written, 'абвгдеёзийклмнопрстуфыэіїґўјћъь', 'abvgdeeziiklmnoprstufyeiigujc'), 'ж', 'zh'), 'х', 'kh'), 'ц', 'ts'),
        'ч', 'ch'), 'ш', 'sh'), 'щ', 'shch'), 'ю', 'yu'), 'я', 'ya'), 'є', 'ie'), 'ђ', 'dj'), 'љ', 'lj'), 'њ', 'nj'),
        'џ', 'dzh'), '|');
  end if;

  -- Hamza, vowel signs and a few letters are written or not.
  if plain ~ '[\u0620-\u06ff]' then
    ways := ways || translate(
      regexp_replace(normalize(plain, NFKD), '[\u0640\u064b-\u065f\u0670\u06d6-\u06ed]+', '', 'g'), 'ىیکةٱ', 'ييكها');
  end if;
  return ways;
end $function$;

CREATE OR REPLACE FUNCTION name_ways_joined(ways text[])
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
declare
  way text;
  written text := '';
begin
  foreach way in array ways loop
    written := written || ' ' || way;
    if way ~ '[\u0001-\u002f]' then
      written := written || ' ' || regexp_replace(
        way, '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u3020]+', '', 'g');
    end if;
  end loop;
  return left(written, 2000);
end $function$;

CREATE OR REPLACE FUNCTION name_parts(first_letters text, last_letters text, other_letters text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
declare
  words text := first_letters || ' ' || last_letters;
  consonants text;
  arabic text;
  parts text;
begin
  if first_letters like '% %' then words := words || ' ' || replace(first_letters, ' ', ''); end if;
  if last_letters like '% %' then words := words || ' ' || replace(last_letters, ' ', ''); end if;
  if words like '%  %' then words := regexp_replace(words, ' +', ' ', 'g'); end if;
  words := btrim(words);
  parts := btrim(words || ' ' || other_letters);
  parts := (case when parts like '%ph%' then parts || ' ' || replace(parts, 'ph', 'f') else parts end) || '|';

  consonants := ' ' || (case when octet_length(words) = length(words) then words
    else regexp_replace(words, '[^ ]*[^ -~][^ ]*', '', 'g') end) || ' ';
  if consonants like '%h%' then
    if consonants ~ '[td]h' then
      consonants := replace(replace(consonants, 'th', 'T'), 'dh', 'D')
        || replace(replace(consonants, 'th', 'S'), 'dh', 'Z');
    end if;
    consonants := replace(replace(replace(replace(replace(replace(
      consonants, 'kh', 'X'), 'sh', 'C'), 'ch', 'C'), 'gh', 'J'), 'zh', 'J'), 'ph', 'F');
    -- Khadija and Khadijah
    if consonants like '%h %' then consonants := consonants || replace(consonants, 'h ', ' '); end if;
  end if;
  consonants := translate(replace(replace(replace(consonants, 'dj', 'J'), 'ck', 'K'), 'x', 'KS'),
    'bpcqkgjvfszdtrlmnh', 'BBKKKJJwFSZDTRLMNH');
  consonants := replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
    consonants, 'BB', 'B'), 'KK', 'K'), 'JJ', 'J'), 'FF', 'F'), 'SS', 'S'), 'ZZ', 'Z'), 'DD', 'D'), 'TT', 'T'),
    'RR', 'R'), 'LL', 'L'), 'MM', 'M'), 'NN', 'N');
  consonants := replace(replace(replace(replace(replace(replace(replace(
    consonants, ' a', ' A'), ' e', ' A'), ' i', ' A'), ' o', ' A'), ' u', ' A'), ' y', ' Y'), ' w', ' W');
  consonants := btrim(translate(consonants, 'aeiouyw0123456789', ''));
  if consonants like '%  %' then consonants := regexp_replace(consonants, ' +', ' ', 'g'); end if;
  if consonants <> '' then parts := parts || ' ^' || replace(consonants, ' ', ' ^'); end if;

  if words ~ '[\u0620-\u06ff]' then
    arabic := ' ' || regexp_replace(regexp_replace(
      words, '[^ ]*[^ \u0600-\u06ff][^ ]*', '', 'g'), '[\u0640\u064b-\u065f\u0670\u06d6-\u06ed]+', '', 'g') || ' ';
    -- The article: written with the word, on its own, by its sound (ash-Shams), or left out.
    if arabic ~ ' (عبد)?ال..' then
      arabic := regexp_replace(arabic, ' ', '  ', 'g');
      arabic := arabic || regexp_replace(arabic, ' (عبد)?ال(?=..)', ' \1', 'g')
        || regexp_replace(arabic, ' (عبد)?ال([^ ])[^ ]+', ' ال ا\2', 'g')
        || case when arabic like '% عبدال%' then regexp_replace(arabic, ' عبدال(?=..)', ' ', 'g') else '' end;
    end if;
    arabic := translate(arabic,
      'اٱأإآعبپتطثجگغچشژحهخدضذزظرسصفڤقكکلمنويیىءةئؤ', 'aaaaaaBBTTSJJJCCJHhXDDZZZRSSFwKKKLMNwyyy');
    if arabic like '%h %' then arabic := arabic || replace(arabic, 'h ', ' '); end if;
    arabic := replace(replace(replace(replace(replace(
      arabic, 'h', 'H'), 'LL', 'L'), ' a', ' A'), ' y', ' Y'), ' w', ' W');
    arabic := btrim(regexp_replace(arabic, '[^A-Z ]+', '', 'g'));
    if arabic <> '' then parts := parts || ' ~' || regexp_replace(arabic, ' +', ' ~', 'g'); end if;
  end if;
  return parts;
end $function$;

CREATE OR REPLACE FUNCTION name_entries(center_id text, parts text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
declare
  words text := split_part(parts, '|', 1);
begin
  return center_id || '/' || replace(words, ' ', ' ' || center_id || '/') || ' '
    || center_id || '<' || replace(reverse(words), ' ', ' ' || center_id || '<')
    || replace(split_part(parts, '|', 2), ' ', ' ' || center_id);
end $function$;

CREATE OR REPLACE FUNCTION name_index(center_id text, first_name text, last_name text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE COST 500
RETURN array_to_tsvector(string_to_array(name_entries(center_id, name_sounds(name_parts("left"(name_letters("left"(COALESCE(first_name, ''::text), 100)), 200), "left"(name_letters("left"(COALESCE(last_name, ''::text), 100)), 200), CASE WHEN (concat(first_name, last_name) ~ '[^\u0001-\u010f\u0112-\u017f\u0218-\u021b]'::text) THEN name_letters((name_ways_joined(name_ways("left"(COALESCE(first_name, ''::text), 100))) || name_ways_joined(name_ways("left"(COALESCE(last_name, ''::text), 100))))) ELSE ''::text END))), ' '::text));

CREATE OR REPLACE FUNCTION name_asked(name text)
 RETURNS TABLE(at bigint, word text, is_sound boolean)
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT ROWS 4
AS $function$
  with ways as (
    select number, string_to_array(left(name_letters(way), 400), ' ') as words
    from unnest(array[left(name, 200)] || name_ways(left(name, 200))) with ordinality as w (way, number)
  ), separate as (
    select w.at, w.word, lag(w.word) over (partition by number order by w.at) as before
    from ways
    cross join unnest(words) with ordinality as w (word, at)
    where cardinality(words) = (select cardinality(words) from ways where number = 1)
  ), words as (
    select at, word from separate
    union
    -- Abd al-Rahman and Abdulrahman
    select at, before || word from separate where before = 'عبد' and word like 'ال__%'
  )
  select at, name_sounds(replace(word, 'ph', 'f')), true from words where word <> ''
  union
  select at, translate(mark, '^~', '~^'), false
  from words
  cross join string_to_table(split_part(name_parts(word, '', ''), '|', 2), ' ') as mark
  -- An article alone is not asked for.
  where length(mark) > 2 and not (word like 'ال__%' and mark ~ '^~A.$')
$function$;

CREATE OR REPLACE FUNCTION name_quoted(text_given text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN ((''''::text || replace(replace(text_given, '\'::text, '\\'::text), ''''::text, ''''''::text)) || ''''::text);

CREATE OR REPLACE FUNCTION name_query(center_id text, text_given text)
 RETURNS tsquery
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (SELECT (COALESCE(string_agg((('('::text || words.either) || ')'::text), ' & '::text), ''::text))::tsquery AS "coalesce" FROM (SELECT string_agg((name_quoted(CASE WHEN name_asked.is_sound THEN ((name_query.center_id || '/'::text) || name_asked.word) ELSE (name_query.center_id || name_asked.word) END) || CASE WHEN (name_asked.is_sound OR (length(name_asked.word) > 3)) THEN ':*'::text ELSE ''::text END), ' | '::text) AS either FROM name_asked(name_query.text_given) name_asked(at, word, is_sound) GROUP BY name_asked.at) words);

CREATE OR REPLACE FUNCTION name_near(center_id text, name text)
 RETURNS tsquery
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (WITH words AS (SELECT name_asked.at, name_asked.word, name_asked.is_sound, GREATEST(1, ((length(name_asked.word) - 1) / 2)) AS half, max(name_asked.at) OVER () AS of_all FROM name_asked(name_near.name) name_asked(at, word, is_sound)), halves AS (SELECT words.at, words.of_all, words.word, words.is_sound, CASE WHEN (words.of_all = 1) THEN GREATEST(words.half, 3) ELSE words.half END AS half FROM words WHERE (words.at <= 6)), near AS (SELECT halves.at, halves.of_all, (('('::text || string_agg(CASE WHEN halves.is_sound THEN (((name_quoted(((name_near.center_id || '/'::text) || "left"(halves.word, halves.half))) || ':* | '::text) || name_quoted(((name_near.center_id || '<'::text) || "left"(reverse(halves.word), halves.half)))) || ':*'::text) ELSE (name_quoted((name_near.center_id || halves.word)) || CASE WHEN (length(halves.word) > 3) THEN ':*'::text ELSE ''::text END) END, ' | '::text)) || ')'::text) AS query FROM halves GROUP BY halves.at, halves.of_all) SELECT (COALESCE(string_agg(either.query, ' | '::text), ''::text))::tsquery AS "coalesce" FROM (SELECT near.query FROM near WHERE (near.of_all = 1) UNION ALL SELECT ((a.query || ' & '::text) || b.query) FROM (near a JOIN near b ON ((a.at < b.at)))) either);

CREATE OR REPLACE FUNCTION name_readings(name text, consonants boolean)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN ((ARRAY[name_sounds(replace(name_letters("left"(name, 200)), 'ph'::text, 'f'::text))] || CASE WHEN (octet_length(name) = length(name)) THEN '{}'::text[] ELSE ARRAY(SELECT DISTINCT name_sounds(replace(name_letters(way.way), 'ph'::text, 'f'::text)) AS name_sounds FROM unnest(name_ways("left"(name_readings.name, 200))) way(way)) END) || CASE WHEN (consonants OR (name ~ '[\u0620-\u06ff]'::text)) THEN array_remove(ARRAY[btrim(split_part(name_parts(name_letters("left"(name, 200)), ''::text, ''::text), '|'::text, 2))], ''::text) ELSE '{}'::text[] END);

CREATE OR REPLACE FUNCTION new_pseudonym_secret()
 RETURNS bytea
 LANGUAGE sql
AS $function$
  -- 244 random bits.
  select sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
$function$;

CREATE OR REPLACE FUNCTION keep_pseudonym_secret()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.pseudonym_secret := coalesce(
    (select k.pseudonym_secret from api_keys k where k.center_id = new.center_id and k.app_id = new.app_id limit 1),
    new.pseudonym_secret,
    new_pseudonym_secret());
  return new;
end $function$;

CREATE OR REPLACE FUNCTION segment_on(segments jsonb, day text)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select s.segment
  from jsonb_array_elements(case when jsonb_typeof(segments) = 'array' then segments end) as s (segment)
  cross join lateral (select (s.segment ->> 'from') collate "C" as begins) b
  where b.begins is not null
  order by case when b.begins <= day collate "C" then b.begins end desc nulls last, b.begins
  limit 1
$function$;

CREATE OR REPLACE FUNCTION note_deliveries()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into sources (center_id, name)
  select distinct n.center_id, n.source from new_rows n
  join centers c on c.center_id = n.center_id
  on conflict do nothing;
  perform from center_revisions
  where center_id in (select center_id from new_rows) order by center_id for update;
  update center_revisions set sources_revision = sources_revision + 1
  where center_id in (select center_id from new_rows);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION note_sources()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update center_revisions set sources_revision = sources_revision + 1
  where center_id = case when tg_op = 'DELETE' then old.center_id else new.center_id end;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION name_folded(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN lower((regexp_replace(NORMALIZE("left"(name, 100), NFKD), '[\u0300-\u036f\s''`\u02b9-\u02cb\u02ee\u2018-\u201b\ua78b\ua78c.-]+'::text, ''::text, 'g'::text) COLLATE "C"));

CREATE OR REPLACE FUNCTION changes_of_contradictions()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
declare
  size bigint;
  first_center text;
  last_center text;
begin
  if tg_op = 'DELETE' then
    select count(*), min(center_id), max(center_id) into size, first_center, last_center from old_rows;
  else
    select count(*), min(center_id), max(center_id) into size, first_center, last_center from new_rows;
  end if;
  if note_by_size(size, first_center, last_center, '{contradiction}') then
    return null;
  end if;
  if tg_op = 'DELETE' then
    insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
    select o.center_id, 'contradiction', o.id, 'deleted', '{}', '{}', '{}' from old_rows o
    on conflict (center_id, transaction_id, kind, id) do update set
      operation = merged_operation(c.operation, excluded.operation);
  else
    insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
    select n.center_id, 'contradiction', n.id, case when tg_op = 'INSERT' then 'created' else 'changed' end, '{}', '{}', '{}'
    from new_rows n
    on conflict (center_id, transaction_id, kind, id) do update set
      operation = merged_operation(c.operation, excluded.operation);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION contradictions_of_deleted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  ended record;
begin
  for ended in
    select r.center_id, array_agg(distinct r.contradiction_id) as ids
    from old_rows o
    join contradiction_records r on r.center_id = o.center_id
      and r.record = tg_argv[0] || ':' || (to_jsonb(o) ->> tg_argv[1])
    group by r.center_id
  loop
    insert into changes (center_id, kind, id, operation, columns, session_ids, during)
    select distinct b.center_id, 'guest', b.id, 'changed', '{}'::text[], b.session_ids, time_span(b.start_date, b.end_date)
    from contradiction_records r
    join bookings b on b.center_id = ended.center_id and b.id = substr(r.record, 7)
    where r.center_id = ended.center_id and r.contradiction_id = any(ended.ids) and r.record like 'guest:%'
      and not is_noted_whole(ended.center_id, 'guest')
    on conflict do nothing;
    delete from contradictions where center_id = ended.center_id and id = any(ended.ids);
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION search_rests(begins text, value text)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO 'public'
AS $function$
declare
  letters text := left(name_letters(left(value, 100)), 200);
  rests text[] := '{}';
begin
  for word in 1..12 loop
    exit when length(letters) < 3;
    rests := rests || (begins || letters);
    if letters ~ '^0+[^0 ]..' then rests := rests || (begins || ltrim(letters, '0')); end if;
    exit when position(' ' in letters) = 0;
    letters := substr(letters, position(' ' in letters) + 1);
  end loop;
  return rests;
end $function$;

CREATE OR REPLACE FUNCTION number_index(center_id text, number text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT COST 500
RETURN array_to_tsvector(search_rests((center_id || '/'::text), number));

CREATE OR REPLACE FUNCTION plain_digits(written text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
begin
  if octet_length(written) = length(written) then return written; end if;
  return translate(normalize(written, NFKC),
      '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹߀߁߂߃߄߅߆߇߈߉०१२३४५६७८९০১২৩৪৫৬৭৮৯੦੧੨੩੪੫੬੭੮੯૦૧૨૩૪૫૬૭૮૯୦୧୨୩୪୫୬୭୮୯'
      '௦௧௨௩௪௫௬௭௮௯౦౧౨౩౪౫౬౭౮౯೦೧೨೩೪೫೬೭೮೯൦൧൨൩൪൫൬൭൮൯෦෧෨෩෪෫෬෭෮෯๐๑๒๓๔๕๖๗๘๙໐໑໒໓໔໕໖໗໘໙༠༡༢༣༤༥༦༧༨༩'
      '၀၁၂၃၄၅၆၇၈၉႐႑႒႓႔႕႖႗႘႙០១២៣៤៥៦៧៨៩᠐᠑᠒᠓᠔᠕᠖᠗᠘᠙᥆᥇᥈᥉᥊᥋᥌᥍᥎᥏᧐᧑᧒᧓᧔᧕᧖᧗᧘᧙᪀᪁᪂᪃᪄᪅᪆᪇᪈᪉᪐᪑᪒᪓᪔᪕᪖᪗᪘᪙'
      '᭐᭑᭒᭓᭔᭕᭖᭗᭘᭙᮰᮱᮲᮳᮴᮵᮶᮷᮸᮹᱀᱁᱂᱃᱄᱅᱆᱇᱈᱉᱐᱑᱒᱓᱔᱕᱖᱗᱘᱙꘠꘡꘢꘣꘤꘥꘦꘧꘨꘩꣐꣑꣒꣓꣔꣕꣖꣗꣘꣙꤀꤁꤂꤃꤄꤅꤆꤇꤈꤉꧐꧑꧒꧓꧔꧕꧖꧗꧘꧙'
      '꧰꧱꧲꧳꧴꧵꧶꧷꧸꧹꩐꩑꩒꩓꩔꩕꩖꩗꩘꩙꯰꯱꯲꯳꯴꯵꯶꯷꯸꯹',
    repeat('0123456789', 35));
end $function$;

CREATE OR REPLACE FUNCTION phone_digits(phone text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN COALESCE(NULLIF(replace(array_to_string(phone_keys(phone), ' '::text), '+'::text, ''::text), ''::text), ltrim(regexp_replace(plain_digits(phone), '[^0-9]+'::text, ''::text, 'g'::text), '0'::text));

CREATE OR REPLACE FUNCTION contact_index(center_id text, email text, phone text, secondary_phone text)
 RETURNS tsvector
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE COST 500
 SET search_path TO 'public'
AS $function$
declare
  entries text[] := search_rests(center_id || '@', split_part(coalesce(email, ''), '@', 1));
  digits text;
begin
  foreach digits in array string_to_array(concat_ws(' ', phone_digits(phone), phone_digits(secondary_phone)), ' ') loop
    for at in 1..length(left(digits, 20)) - 3 loop
      entries := entries || (center_id || '#' || substr(left(digits, 20), at));
    end loop;
  end loop;
  return array_to_tsvector(entries);
end $function$;

CREATE OR REPLACE FUNCTION search_query(begins text, letters text)
 RETURNS tsquery
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN CASE WHEN (length(letters) >= 3) THEN ((name_quoted((begins || letters)) || ':*'::text))::tsquery ELSE NULL::tsquery END;

CREATE OR REPLACE FUNCTION room_letters(room text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN "left"(name_letters("left"(room, 100)), 200);

CREATE OR REPLACE FUNCTION segments_index(center_id text, segments jsonb)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN ARRAY(SELECT DISTINCT ((segments_index.center_id || '/'::text) || room_letters((one.value ->> 'roomId'::text))) FROM jsonb_array_elements(segments_index.segments) one(value) WHERE ((one.value ->> 'roomId'::text) IS NOT NULL));

CREATE OR REPLACE FUNCTION note_payments(centers text[], payers text[], orders text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
  select b.center_id, 'guest', b.id, 'changed', '{guests.payments}', b.session_ids, time_span(b.start_date, b.end_date)
  from (
    select m.center_id, m.order_uuid, min(m.id) as first_id, count(distinct m.id) as guests
    from unnest(centers, payers, orders) as m (center_id, id, order_uuid)
    where m.order_uuid is not null
    group by m.center_id, m.order_uuid
  ) k
  cross join lateral (
    select * from bookings b where b.center_id = k.center_id and b.order_uuid = k.order_uuid offset 0
  ) b
  where k.guests > 1 or b.id <> k.first_id
  on conflict (center_id, transaction_id, kind, id) do update set
    columns = with_texts(c.columns, excluded.columns);
end $function$;

CREATE OR REPLACE FUNCTION add_trail_months(until timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  month timestamptz;
  next timestamptz;
  name text;
  added integer := 0;
begin
  select max(substring(pg_get_expr(c.relpartbound, c.oid) from $q$TO \('([^']+)'\)$q$)::timestamptz) into month
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'audit_entries'::regclass;
  while month <= until loop
    next := (month at time zone 'UTC' + interval '1 month') at time zone 'UTC';
    if not exists (select from audit_entries_other where at >= month and at < next) then
      name := 'audit_entries_' || to_char(month at time zone 'UTC', 'YYYY_MM');
      execute format('create table %I partition of audit_entries for values from (%L) to (%L)', name, month, next);
      execute format('alter table %I add primary key (center_id, seq)', name);
      execute format('create index on %I (center_id, at)', name);
      execute format('create index on %I (center_id, record_list) where record_list is not null', name);
      added := added + 1;
    end if;
    month := next;
  end loop;
  return added;
end $function$;

CREATE OR REPLACE FUNCTION has_moved(center text)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select exists (select from center_moves where center_id = center and state = 'moved')
$function$;

CREATE OR REPLACE FUNCTION is_closed(center text)
 RETURNS boolean
 LANGUAGE sql
AS $function$
  select exists (
    select from center_moves m
    where m.center_id = center and (m.state <> 'closing' or m.closed_until > clock_timestamp())
  )
$function$;

CREATE OR REPLACE FUNCTION refuse_moved()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform from centers where center_id = coalesce(new.center_id, old.center_id) for key share;
  if exists (
    select from center_moves where center_id = coalesce(new.center_id, old.center_id) and state = 'moved'
  ) then
    raise exception 'the center has moved to another database' using errcode = '55000';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION is_area_code(digits text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (digits ~ '^(?:(?:\+|00)[0-9]{0,8}|0(?:[1-9][0-9]{0,5})?|[1-9][0-9]{0,4})$'::text);

CREATE OR REPLACE FUNCTION text_digest(value text)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$ select sha256(convert_to(value, 'UTF8')) $function$;

CREATE OR REPLACE FUNCTION remember_booking_id()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into booking_ids_of_before (center_id, booking_id, booking)
  values (old.center_id, text_digest(old.booking_id), text_digest(old.id))
  on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION is_uuid(id text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select id ~* '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'
$function$;

CREATE OR REPLACE FUNCTION note_other_order_ids()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into other_order_ids (center_id)
  select distinct o.center_id from new_rows o
  where not is_uuid(o.uuid) and not exists (select from other_order_ids i where i.center_id = o.center_id)
  on conflict do nothing;
  return null;
end $function$;

CREATE INDEX customers_by_phone ON customers USING btree (center_id, "right"(phone_key(phone), 7)) WHERE phone IS NOT NULL;
CREATE INDEX customers_by_secondary_phone ON customers USING btree (center_id, "right"(phone_key(secondary_phone), 7)) WHERE secondary_phone IS NOT NULL;
CREATE INDEX customers_by_pin ON customers USING btree (center_id, pin_hash(pin)) WHERE pin IS NOT NULL;
CREATE INDEX customers_by_name ON customers USING gin (name_index(center_id, first_name, last_name)) WITH (fastupdate='on', gin_pending_list_limit='64');
CREATE INDEX customers_by_dob ON customers USING btree (center_id, dob, name_folded(COALESCE(last_name, first_name))) WHERE dob IS NOT NULL;
CREATE INDEX customers_by_contact ON customers USING gin (contact_index(center_id, email, phone, secondary_phone)) WITH (fastupdate='on', gin_pending_list_limit='64') WHERE COALESCE(email, phone, secondary_phone) IS NOT NULL;
CREATE INDEX bookings_by_number_part ON bookings USING gin (number_index(center_id, booking_id)) WITH (fastupdate='on', gin_pending_list_limit='64') WHERE booking_id IS NOT NULL;
CREATE INDEX orders_by_number_part ON orders USING gin (number_index(center_id, number)) WITH (fastupdate='on', gin_pending_list_limit='64') WHERE number IS NOT NULL;
CREATE INDEX bookings_by_room ON bookings USING btree (center_id, room_letters(accommodation ->> 'roomId'::text), start_date) WHERE (accommodation ->> 'roomId'::text) IS NOT NULL;
CREATE INDEX bookings_by_segment ON bookings USING gin (segments_index(center_id, acc_segments)) WITH (fastupdate='on', gin_pending_list_limit='64') WHERE acc_segments IS NOT NULL;

CREATE TRIGGER first_touch_on_delete AFTER DELETE ON centers REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('t');
CREATE TRIGGER first_touch_on_insert AFTER INSERT ON centers REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('t');
CREATE TRIGGER first_touch_on_truncate AFTER TRUNCATE ON centers FOR EACH STATEMENT EXECUTE FUNCTION note_touch('t');
CREATE TRIGGER first_touch_on_update AFTER UPDATE ON centers REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('t');
CREATE TRIGGER note_changes_on_delete AFTER DELETE ON centers REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION changes_of_everything();
CREATE TRIGGER note_changes_on_insert AFTER INSERT ON centers REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION changes_of_everything();
CREATE TRIGGER note_changes_on_truncate AFTER TRUNCATE ON centers FOR EACH STATEMENT EXECUTE FUNCTION changes_of_everything();
CREATE TRIGGER note_changes_on_update AFTER UPDATE ON centers REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION changes_of_everything();
CREATE TRIGGER first_touch_on_delete AFTER DELETE ON terms REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('f');
CREATE TRIGGER first_touch_on_insert AFTER INSERT ON terms REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('f');
CREATE TRIGGER first_touch_on_truncate AFTER TRUNCATE ON terms FOR EACH STATEMENT EXECUTE FUNCTION note_touch('f');
CREATE TRIGGER first_touch_on_update AFTER UPDATE ON terms REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('f');
CREATE TRIGGER note_changes_on_delete AFTER DELETE ON terms REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION changes_of_everything();
CREATE TRIGGER note_changes_on_insert AFTER INSERT ON terms REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION changes_of_everything();
CREATE TRIGGER note_changes_on_truncate AFTER TRUNCATE ON terms FOR EACH STATEMENT EXECUTE FUNCTION changes_of_everything();
CREATE TRIGGER note_changes_on_update AFTER UPDATE ON terms REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION changes_of_everything();
CREATE TRIGGER first_touch_on_delete AFTER DELETE ON meta_fields REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('t');
CREATE TRIGGER first_touch_on_insert AFTER INSERT ON meta_fields REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('t');
CREATE TRIGGER first_touch_on_truncate AFTER TRUNCATE ON meta_fields FOR EACH STATEMENT EXECUTE FUNCTION note_touch('t');
CREATE TRIGGER first_touch_on_update AFTER UPDATE ON meta_fields REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('t');
CREATE TRIGGER note_changes_on_delete AFTER DELETE ON meta_fields REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION changes_of_everything();
CREATE TRIGGER note_changes_on_insert AFTER INSERT ON meta_fields REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION changes_of_everything();
CREATE TRIGGER note_changes_on_truncate AFTER TRUNCATE ON meta_fields FOR EACH STATEMENT EXECUTE FUNCTION changes_of_everything();
CREATE TRIGGER note_changes_on_update AFTER UPDATE ON meta_fields REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION changes_of_everything();
CREATE TRIGGER first_touch_on_delete AFTER DELETE ON sessions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('f');
CREATE TRIGGER first_touch_on_insert AFTER INSERT ON sessions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('f');
CREATE TRIGGER first_touch_on_truncate AFTER TRUNCATE ON sessions FOR EACH STATEMENT EXECUTE FUNCTION note_touch('f');
CREATE TRIGGER first_touch_on_update AFTER UPDATE ON sessions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('f');
CREATE TRIGGER note_changes_on_delete AFTER DELETE ON sessions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION changes_of_sessions();
CREATE TRIGGER note_changes_on_insert AFTER INSERT ON sessions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION changes_of_sessions();
CREATE TRIGGER note_changes_on_truncate AFTER TRUNCATE ON sessions FOR EACH STATEMENT EXECUTE FUNCTION changes_of_everything();
CREATE TRIGGER note_changes_on_update AFTER UPDATE ON sessions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION changes_of_sessions();
CREATE TRIGGER contradictions_end AFTER DELETE ON orders REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION contradictions_of_deleted('order', 'uuid');
CREATE TRIGGER first_touch_on_delete AFTER DELETE ON orders REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('f');
CREATE TRIGGER first_touch_on_insert AFTER INSERT ON orders REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('f');
CREATE TRIGGER first_touch_on_truncate AFTER TRUNCATE ON orders FOR EACH STATEMENT EXECUTE FUNCTION note_touch('f');
CREATE TRIGGER first_touch_on_update AFTER UPDATE ON orders REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('f');
CREATE TRIGGER note_changes_on_delete AFTER DELETE ON orders REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION changes_of_orders();
CREATE TRIGGER note_changes_on_insert AFTER INSERT ON orders REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION changes_of_orders();
CREATE TRIGGER note_changes_on_truncate AFTER TRUNCATE ON orders FOR EACH STATEMENT EXECUTE FUNCTION changes_of_everything();
CREATE TRIGGER note_changes_on_update AFTER UPDATE ON orders REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION changes_of_orders();
CREATE TRIGGER note_other_order_ids AFTER INSERT ON orders REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_other_order_ids();
CREATE TRIGGER booking_sessions_delete AFTER DELETE ON customers FOR EACH ROW EXECUTE FUNCTION booking_sessions_rename();
CREATE TRIGGER booking_sessions_update AFTER UPDATE ON customers FOR EACH ROW WHEN (new.center_id IS DISTINCT FROM old.center_id OR new.id IS DISTINCT FROM old.id OR new.first_name IS DISTINCT FROM old.first_name OR new.last_name IS DISTINCT FROM old.last_name OR new.email IS DISTINCT FROM old.email) EXECUTE FUNCTION booking_sessions_rename();
CREATE TRIGGER contradictions_end AFTER DELETE ON customers REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION contradictions_of_deleted('customer', 'id');
CREATE TRIGGER first_touch_on_delete AFTER DELETE ON customers REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('f');
CREATE TRIGGER first_touch_on_insert AFTER INSERT ON customers REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('f');
CREATE TRIGGER first_touch_on_truncate AFTER TRUNCATE ON customers FOR EACH STATEMENT EXECUTE FUNCTION note_touch('f');
CREATE TRIGGER first_touch_on_update AFTER UPDATE ON customers REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('f');
CREATE TRIGGER note_changes_on_truncate AFTER TRUNCATE ON customers FOR EACH STATEMENT EXECUTE FUNCTION changes_of_everything();
CREATE TRIGGER note_changes_on_update AFTER UPDATE ON customers REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION changes_of_customers();
CREATE TRIGGER arrival_is_over BEFORE INSERT OR UPDATE OF status, booking_id, booking_number ON bookings FOR EACH ROW WHEN (new.booking_number = 0 AND (new.status <> 'arrived'::text OR new.booking_id IS NOT NULL)) EXECUTE FUNCTION arrival_is_over();
CREATE CONSTRAINT TRIGGER booking_arrived AFTER UPDATE ON bookings DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.status = 'arrived'::text AND old.status <> 'arrived'::text AND new.booking_id IS NULL AND new.booking_number IS DISTINCT FROM 0) EXECUTE FUNCTION give_booking_id();
CREATE CONSTRAINT TRIGGER booking_arrives AFTER INSERT ON bookings DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.status = 'arrived'::text AND new.booking_id IS NULL AND new.booking_number IS DISTINCT FROM 0) EXECUTE FUNCTION give_booking_id();
CREATE TRIGGER booking_id_by_hand BEFORE UPDATE OF booking_id ON bookings FOR EACH ROW WHEN (new.booking_id IS DISTINCT FROM old.booking_id) EXECUTE FUNCTION booking_id_by_hand();
CREATE TRIGGER booking_id_is_freed AFTER UPDATE ON bookings FOR EACH ROW WHEN (old.booking_id IS NOT NULL AND new.booking_id IS DISTINCT FROM old.booking_id) EXECUTE FUNCTION remember_booking_id();
CREATE TRIGGER booking_id_is_removed AFTER DELETE ON bookings FOR EACH ROW WHEN (old.booking_id IS NOT NULL) EXECUTE FUNCTION remember_booking_id();
CREATE TRIGGER booking_sessions_delete AFTER DELETE ON bookings REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION booking_sessions_delete();
CREATE TRIGGER booking_sessions_insert AFTER INSERT ON bookings REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION booking_sessions_insert();
CREATE TRIGGER booking_sessions_truncate AFTER TRUNCATE ON bookings FOR EACH STATEMENT EXECUTE FUNCTION booking_sessions_truncate();
CREATE TRIGGER booking_sessions_update AFTER UPDATE ON bookings FOR EACH ROW WHEN (new.center_id IS DISTINCT FROM old.center_id OR new.id IS DISTINCT FROM old.id OR new.session_ids IS DISTINCT FROM old.session_ids OR new.start_date IS DISTINCT FROM old.start_date OR new.end_date IS DISTINCT FROM old.end_date OR new.customer_id IS DISTINCT FROM old.customer_id OR new.role IS DISTINCT FROM old.role OR new.status IS DISTINCT FROM old.status OR new.skipping_meals IS DISTINCT FROM old.skipping_meals) EXECUTE FUNCTION booking_sessions_update();
CREATE TRIGGER contradictions_end AFTER DELETE ON bookings REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION contradictions_of_deleted('guest', 'id');
CREATE TRIGGER first_touch_on_delete AFTER DELETE ON bookings REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('f');
CREATE TRIGGER first_touch_on_insert AFTER INSERT ON bookings REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('f');
CREATE TRIGGER first_touch_on_truncate AFTER TRUNCATE ON bookings FOR EACH STATEMENT EXECUTE FUNCTION note_touch('f');
CREATE TRIGGER first_touch_on_update AFTER UPDATE ON bookings REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('f');
CREATE TRIGGER note_changes_on_delete AFTER DELETE ON bookings REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION changes_of_bookings();
CREATE TRIGGER note_changes_on_insert AFTER INSERT ON bookings REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION changes_of_bookings();
CREATE TRIGGER note_changes_on_truncate AFTER TRUNCATE ON bookings FOR EACH STATEMENT EXECUTE FUNCTION changes_of_everything();
CREATE TRIGGER note_changes_on_update AFTER UPDATE ON bookings REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION changes_of_bookings();
CREATE CONSTRAINT TRIGGER center_touched AFTER INSERT OR UPDATE OF profile ON center_touches DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION center_touched();
CREATE TRIGGER keep_pseudonym_secret BEFORE INSERT OR UPDATE OF pseudonym_secret, app_id, center_id ON api_keys FOR EACH ROW EXECUTE FUNCTION keep_pseudonym_secret();
CREATE TRIGGER refuse_moved AFTER INSERT OR DELETE OR UPDATE OF secret_hash, scopes, revoked_at, expires_at, per_hour, per_minute, allowed_addresses, allow_assistants, custom_fields, name, responsible, review_on, grants ON api_keys FOR EACH ROW EXECUTE FUNCTION refuse_moved();
CREATE TRIGGER refuse_moved AFTER INSERT OR DELETE OR UPDATE OF name, url, scopes, kinds, salt ON webhooks FOR EACH ROW EXECUTE FUNCTION refuse_moved();
CREATE TRIGGER note_deliveries AFTER INSERT ON imports REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_deliveries();
CREATE TRIGGER refuse_moved AFTER INSERT OR DELETE OR UPDATE ON links FOR EACH ROW EXECUTE FUNCTION refuse_moved();
CREATE TRIGGER refuse_moved AFTER INSERT OR DELETE OR UPDATE ON mappings FOR EACH ROW EXECUTE FUNCTION refuse_moved();
CREATE CONSTRAINT TRIGGER booking_sessions_name AFTER INSERT OR UPDATE ON booking_sessions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.first_name IS NULL AND new.last_name IS NULL) EXECUTE FUNCTION booking_sessions_name();
CREATE TRIGGER first_touch_on_insert AFTER INSERT ON sheets_on_wall REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('false');
CREATE TRIGGER first_touch_on_update AFTER UPDATE ON sheets_on_wall REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('false');
CREATE TRIGGER note_on_insert AFTER INSERT ON sheets_on_wall REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION changes_of_sheets_on_wall();
CREATE TRIGGER note_on_update AFTER UPDATE ON sheets_on_wall REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION changes_of_sheets_on_wall();
CREATE TRIGGER first_touch_on_insert AFTER INSERT ON meal_cut_offs REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('false');
CREATE TRIGGER first_touch_on_update AFTER UPDATE ON meal_cut_offs REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('false');
CREATE TRIGGER note_on_insert AFTER INSERT ON meal_cut_offs REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION changes_of_sheets_on_wall();
CREATE TRIGGER note_on_update AFTER UPDATE ON meal_cut_offs REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION changes_of_sheets_on_wall();
CREATE TRIGGER first_touch_on_insert AFTER INSERT ON sheets_acknowledged REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('false');
CREATE TRIGGER first_touch_on_update AFTER UPDATE ON sheets_acknowledged REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('false');
CREATE TRIGGER note_on_insert AFTER INSERT ON sheets_acknowledged REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION changes_of_sheets_on_wall();
CREATE TRIGGER note_on_update AFTER UPDATE ON sheets_acknowledged REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION changes_of_sheets_on_wall();
CREATE TRIGGER note_new_source AFTER INSERT ON sources FOR EACH ROW WHEN (new.schedule IS NOT NULL OR new.app_id IS NOT NULL) EXECUTE FUNCTION note_sources();
CREATE TRIGGER note_sources AFTER DELETE OR UPDATE ON sources FOR EACH ROW EXECUTE FUNCTION note_sources();
CREATE TRIGGER refuse_moved AFTER INSERT OR DELETE OR UPDATE ON sources FOR EACH ROW EXECUTE FUNCTION refuse_moved();
CREATE TRIGGER first_touch_on_delete AFTER DELETE ON contradictions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('false');
CREATE TRIGGER first_touch_on_insert AFTER INSERT ON contradictions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('false');
CREATE TRIGGER first_touch_on_update AFTER UPDATE ON contradictions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('false');
CREATE TRIGGER note_changes_on_delete AFTER DELETE ON contradictions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION changes_of_contradictions();
CREATE TRIGGER note_changes_on_insert AFTER INSERT ON contradictions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION changes_of_contradictions();
CREATE TRIGGER note_changes_on_update AFTER UPDATE ON contradictions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION changes_of_contradictions();
CREATE TRIGGER refuse_moved AFTER INSERT OR DELETE OR UPDATE ON notice_addresses FOR EACH ROW EXECUTE FUNCTION refuse_moved();
CREATE TRIGGER refuse_moved AFTER INSERT OR DELETE OR UPDATE OF name, question, times, days, destinations ON reports FOR EACH ROW EXECUTE FUNCTION refuse_moved();
CREATE TRIGGER refuse_moved AFTER INSERT OR DELETE OR UPDATE ON device_links FOR EACH ROW EXECUTE FUNCTION refuse_moved();

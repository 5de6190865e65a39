-- The whole schema. Every table has center_id first in its primary key, so that the schema can be distributed by center.
-- It replaces the migrations 0001 to 0039 (docs/architecture.md); tables, then indexes, functions and triggers.

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
  -- without the booking's number every booking of a session would get the same identifier
  booking_id_format text not null default 'YY-SN-BN'::text,
  api_access boolean not null default true,
  maximum_page_length integer not null default 100,
  meal_report_excluded_statuses text[] not null default '{cancelled,waitingList,review}'::text[],
  -- What a center says of its meals (records.md: mealRules), for the portions that the kitchen cooks; null: the defaults.
  meal_rules jsonb,
  constraint centers_pkey primary key (center_id),
  constraint centers_booking_id_format_check check (booking_id_format ~~ '%BN%'::text),
  constraint centers_booking_id_session_check check (booking_id_session = any (array['number'::text, 'name'::text])),
  constraint centers_maximum_page_length_check check (maximum_page_length >= 1),
  constraint centers_meal_rules_check check (jsonb_typeof(meal_rules) = 'object'::text)
);

create table terms (
  center_id text collate "C" not null,
  term_set text collate "C" not null,
  id text collate "C" not null,
  name text not null,
  names jsonb not null default '{}'::jsonb,
  -- What decides who eats a meal (ruling 43): the meals of a package or program, and those of a single booking. Null: all
  -- meals, and nothing of its own.
  meals text[],
  constraint terms_pkey primary key (center_id, term_set, id),
  constraint terms_meals check (meals is null or (term_set = any (array['package'::text, 'program'::text])) and meals <@ '{breakfast,lunch,dinner}'::text[]),
  constraint terms_center_id_fkey foreign key (center_id) references centers(center_id) on delete cascade deferrable initially deferred
);

create table meta_fields (
  center_id text collate "C" not null,
  key text collate "C" not null,
  label text,
  type text not null,
  owner text not null,
  constraint meta_fields_pkey primary key (center_id, key),
  constraint meta_fields_owner_check check (owner = any (array['customer'::text, 'booking'::text])),
  constraint meta_fields_type_check check (type = any (array['string'::text, 'number'::text, 'boolean'::text, 'date'::text])),
  constraint meta_fields_center_id_fkey foreign key (center_id) references centers(center_id) on delete cascade deferrable initially deferred
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
  constraint sessions_pkey primary key (center_id, id),
  constraint sessions_check check (end_date >= start_date),
  constraint sessions_end_date_check check (isfinite(end_date)),
  constraint sessions_start_date_check check (isfinite(start_date)),
  constraint sessions_center_id_fkey foreign key (center_id) references centers(center_id) on delete cascade deferrable initially deferred
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
  constraint orders_pkey primary key (center_id, uuid),
  constraint orders_created_at_check check (isfinite(created_at)),
  constraint orders_order_date_check check (isfinite(order_date)),
  constraint orders_updated_at_check check (isfinite(updated_at)),
  constraint orders_center_id_fkey foreign key (center_id) references centers(center_id) on delete cascade deferrable initially deferred
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
  constraint customers_pkey primary key (center_id, id),
  constraint customers_dob_check check (isfinite(dob)),
  constraint customers_name check (first_name is not null or last_name is not null),
  constraint customers_center_id_fkey foreign key (center_id) references centers(center_id) on delete cascade deferrable initially deferred
);

create table bookings (
  center_id text collate "C" not null,
  id text collate "C" not null,
  customer_id text collate "C" not null,
  role text not null,
  status text not null,
  start_date timestamp with time zone not null,
  end_date timestamp with time zone not null,
  -- the first one is the booking's main session
  session_ids text[] not null default '{}'::text[],
  booking_id text,
  -- set when the booking identifier was given automatically, so that one set by hand is never overwritten
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
  -- acc.* and formData.accommodationDetails (scope guests)
  accommodation jsonb,
  -- formData.medicalConditions, .observations, .mobility (scope guests.medical)
  form jsonb,
  -- medicalLetter.*, medicalData.* and the measurements (scope guests.medical)
  medical jsonb,
  -- financial.* (scope guests.financial)
  financial jsonb,
  -- custom fields (scope guests.personal)
  meta jsonb,
  meals jsonb,
  constraint bookings_pkey primary key (center_id, id),
  constraint bookings_booked_at_check check (isfinite(booked_at)),
  constraint bookings_check check (end_date >= start_date),
  constraint bookings_end_date_check check (isfinite(end_date)),
  constraint bookings_meals check (jsonb_typeof(meals) = 'array'::text),
  constraint bookings_role_check check (role = any (array['patient'::text, 'companion'::text, 'guest'::text])),
  constraint bookings_start_date_check check (isfinite(start_date)),
  constraint bookings_status_check check (status = any (array['registered'::text, 'waitingList'::text, 'review'::text, 'confirmed'::text, 'arrived'::text, 'paid'::text, 'cancelled'::text, 'voided'::text, 'registeredOnline'::text, 'offer'::text, 'departed'::text])),
  constraint bookings_center_id_customer_id_fkey foreign key (center_id, customer_id) references customers(center_id, id) deferrable initially deferred,
  constraint bookings_center_id_fkey foreign key (center_id) references centers(center_id) on delete cascade deferrable initially deferred,
  constraint bookings_center_id_order_uuid_fkey foreign key (center_id, order_uuid) references orders(center_id, uuid) deferrable initially deferred
);

create table center_revisions (
  center_id text collate "C" not null,
  revision bigint not null,
  -- the revision at which the center itself or its custom fields last changed
  profile_revision bigint not null,
  -- Tells this center's history from that of another database that has a center of the same name, for cursors.
  history_id uuid not null default gen_random_uuid(),
  constraint center_revisions_pkey primary key (center_id)
);

create table center_touches (
  center_id text collate "C" not null,
  transaction_id xid8 not null default pg_current_xact_id(),
  profile boolean not null,
  advanced boolean not null default false,
  -- the revision that the transaction saw when it first touched the center
  seen bigint,
  constraint center_touches_pkey primary key (center_id, transaction_id)
);

create table booking_counters (
  center_id text collate "C" not null,
  session_id text collate "C" not null,
  last_number integer not null,
  constraint booking_counters_pkey primary key (center_id, session_id)
);

create table api_keys (
  public_key text collate "C" not null,
  center_id text collate "C" not null,
  -- the application the key was handed to: a rotated key keeps it, and limits count by it
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
  -- Whether a key may be used to show personal and medical data to an assistant. Keys that are there may not: whoever made
  -- them was not asked.
  allow_assistants boolean not null default false,
  -- Custom fields that a key may read although it has no guests.personal: a kitchen's key shows diets and nothing else.
  custom_fields text[] not null default '{}'::text[],
  -- Keys that bring records in over HTTP: such a key reads nothing, so it has no scopes, and no other key writes.
  intake boolean not null default false,
  constraint api_keys_pkey primary key (public_key),
  constraint api_keys_per_hour_check check (per_hour >= 0),
  constraint api_keys_per_minute_check check (per_minute >= 0),
  constraint api_keys_scopes_check check ((cardinality(scopes) > 0) <> intake),
  constraint api_keys_center_id_fkey foreign key (center_id) references centers(center_id) on delete cascade
);

-- The end of each center's chain and its beginning. The row is locked by whoever adds or prunes, so that
-- several instances keep one chain without gaps.
create table audit_heads (
  center_id text collate "C" not null,
  seq bigint not null default 0,
  hash bytea not null default decode(repeat('00'::text, 32), 'hex'::text),
  -- the last entry that was pruned: what the oldest one left is chained to
  pruned_seq bigint not null default 0,
  pruned_hash bytea not null default decode(repeat('00'::text, 32), 'hex'::text),
  constraint audit_heads_pkey primary key (center_id)
);

-- Which records were read, once for all reads of the same ones: pages are read again and again, and their
-- fifty identifiers are most of what there is to write.
create table audit_record_lists (
  center_id text collate "C" not null,
  -- SHA-256 of ids
  hash bytea not null,
  -- a newline before, between and after them, so that one is found by its text
  ids text not null,
  constraint audit_record_lists_pkey primary key (center_id, hash)
);

-- One entry for reads that followed each other within a second and differ in nothing but their moment.
create table audit_entries (
  center_id text collate "C" not null,
  seq bigint not null,
  -- of the first of its reads
  at timestamp with time zone not null,
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
  -- How the reads came: null for a program's own requests. The hash of an entry takes it where there is one, so the trails
  -- that are there stay as they are.
  channel text collate "C",
  constraint audit_entries_pkey primary key (center_id, seq)
);
alter table audit_entries alter column requests set storage external;

-- One row for each commit of a center: its revision, and the transaction whose notes belong to it. Notes name the
-- transaction because the revision is known only at the commit, and rewriting them there would cost as much again.
create table change_commits (
  center_id text collate "C" not null,
  revision bigint not null,
  transaction_id xid8 not null,
  committed_at timestamp with time zone not null default clock_timestamp(),
  constraint change_commits_pkey primary key (center_id, revision)
);

create table changes (
  center_id text collate "C" not null,
  transaction_id xid8 not null default pg_current_xact_id(),
  kind text collate "C" not null,
  -- '*': more of the kind than are worth naming; whoever follows reads the kind again
  id text collate "C" not null,
  operation text collate "C" not null,
  -- what differs, as table.column; 'guests.history' and 'orders.guests' for what other rows make of it
  columns text[] not null,
  -- where a guest stood before and stands now; empty for the other kinds
  session_ids text[] not null,
  -- the time it took before and takes now: a stay, a session, the moment of an order
  during tstzmultirange not null,
  -- Noted only because it was noted by a transaction at the same time. It is not noted once more by a third one, which
  -- looks at the first one itself: else where transactions always overlap, notes would be handed on for ever.
  again boolean not null default false,
  constraint changes_pkey primary key (center_id, transaction_id, kind, id),
  constraint changes_kind_check check (kind = any (array['guest'::text, 'session'::text, 'order'::text, 'sheet'::text])),
  constraint changes_operation_check check (operation = any (array['created'::text, 'changed'::text, 'deleted'::text]))
) with (autovacuum_vacuum_scale_factor=0.05);

-- By the center's local day. Several instances add to the same rows.
create table usage_days (
  center_id text collate "C" not null,
  app_id text collate "C" not null,
  day date not null,
  -- the documented path, such as /orders/{uuid}
  endpoint text collate "C" not null,
  requests bigint not null,
  -- of these, answered with 304
  unchanged bigint not null,
  -- of these, answered with 401, 403 or 429
  refusals bigint not null,
  -- of these, answered with any other status from 400 on
  errors bigint not null,
  -- of the bodies, as they were sent
  bytes bigint not null,
  constraint usage_days_pkey primary key (center_id, app_id, day, endpoint)
);

-- The newest errors of each application. One that repeats within an hour is one row.
create table usage_errors (
  center_id text collate "C" not null,
  app_id text collate "C" not null,
  -- of the hour and of all that tells it from others
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
  -- of the last one
  request_id text collate "C" not null,
  constraint usage_errors_pkey primary key (center_id, app_id, fingerprint)
);

create table webhooks (
  center_id text collate "C" not null,
  id text collate "C" not null,
  name text not null,
  url text not null,
  -- as those of a key: they decide which kinds are told and which groups of fields are named
  scopes text[] not null,
  -- The signing secret is derived from this and the service's own key, and stored nowhere.
  salt bytea not null,
  -- tells whether the service still has the key that the secret was derived from
  secret_check bytea not null,
  -- failed: nothing was accepted for three days; gone: the receiver answered 410
  state text collate "C" not null default 'active'::text,
  created_at timestamp with time zone not null default clock_timestamp(),
  -- the place in the center's changes up to which everything was told, and its revision
  cursor text collate "C" not null,
  revision bigint not null,
  -- The message under way: so many notes after the cursor, and the place after them. A message that is sent again is
  -- the same message, so it is settled before it is sent first.
  pending_notes integer,
  pending_cursor text collate "C",
  attempts integer not null default 0,
  failing_since timestamp with time zone,
  next_attempt_at timestamp with time zone,
  delivered_at timestamp with time zone,
  -- One instance at a time sends. One that dies loses its turn when the lease ends.
  leased_by text collate "C",
  leased_until timestamp with time zone,
  turn_at timestamp with time zone,
  -- null: all kinds that the scopes open
  kinds text[],
  -- The secret before the newest one: until this moment messages carry a signature of each.
  earlier_salt bytea,
  earlier_check bytea,
  earlier_until timestamp with time zone,
  constraint webhooks_pkey primary key (center_id, id),
  constraint webhooks_kinds_check check (cardinality(kinds) > 0),
  constraint webhooks_scopes_check check (cardinality(scopes) > 0),
  constraint webhooks_state_check check (state = any (array['active'::text, 'paused'::text, 'failed'::text, 'gone'::text])),
  constraint webhooks_center_id_fkey foreign key (center_id) references centers(center_id) on delete cascade
);

-- The last attempts of each webhook.
create table webhook_deliveries (
  center_id text collate "C" not null,
  webhook_id text collate "C" not null,
  seq bigint not null generated always as identity,
  at timestamp with time zone not null default clock_timestamp(),
  message_id text collate "C" not null,
  attempt integer not null,
  entries integer not null,
  outcome text collate "C" not null,
  -- of the answer; null where there was none
  status integer,
  duration_ms integer not null,
  constraint webhook_deliveries_pkey primary key (center_id, webhook_id, seq),
  constraint webhook_deliveries_center_id_webhook_id_fkey foreign key (center_id, webhook_id) references webhooks(center_id, id) on delete cascade
);

-- Kitchen sheets: the numbers of a day as they stood when somebody took a sheet, so that two cooks hold later changes
-- against the same one. Kept for days, and a bounded number of each day.
create table meal_sheets (
  center_id text collate "C" not null,
  day date not null,
  number integer not null,
  taken_at timestamp with time zone not null,
  -- who is there for which meal, by identifier and without names
  content text not null,
  -- Stored to be printed: nothing is compared with it before somebody confirms that it is on the wall.
  proposed boolean not null default false,
  constraint meal_sheets_pkey primary key (center_id, day, number),
  constraint meal_sheets_number_check check (number >= 1),
  constraint meal_sheets_center_id_fkey foreign key (center_id) references centers(center_id) on delete cascade deferrable initially deferred
);

-- The log of imports: who brought in which files, what came of them, and between which revisions of the center. Nothing
-- of what a file holds is kept, nor its name, which may be that of a guest: a file is known by its digest.
--
-- A line is written in the transaction of its import, so that neither is there without the other; that of an import that
-- was refused follows it. Centers may come and go; their lines stay until they are pruned by age.
create table imports (
  -- '' where an import concerned no center that exists
  center_id text collate "C" not null,
  ended_at timestamp with time zone not null default clock_timestamp(),
  -- the same for all centers of one import
  id text collate "C" not null,
  way text collate "C" not null,
  -- the user of the command, or the public key
  by_user text,
  by_key text collate "C",
  -- [{"sha256", "bytes"}] of the files as they were given
  files jsonb not null,
  duration_ms integer not null,
  outcome text collate "C" not null,
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
  erased bigint not null default 0,
  constraint imports_pkey primary key (center_id, ended_at, id),
  constraint imports_outcome_check check (outcome = any (array['done'::text, 'refused'::text, 'failed'::text])),
  constraint imports_way_check check (way = any (array['command'::text, 'watch'::text, 'intake'::text]))
);

-- Links: one saved question each, answered to whoever has its address. A link stops with the keys of its application, and
-- has no scopes of its own: it reads what they may.
create table links (
  id text collate "C" not null,
  center_id text collate "C" not null,
  app_id text collate "C" not null,
  name text not null,
  -- SHA-256 of the secret half of its token, which is stored nowhere
  secret_hash bytea not null,
  -- path and query; days may be words such as today
  question text not null,
  -- null: the center's own
  language text,
  allow_sensitive boolean not null default false,
  per_hour integer not null,
  per_minute integer not null,
  allowed_addresses text[] not null default '{}'::text[],
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  constraint links_pkey primary key (id),
  constraint links_per_hour_check check (per_hour >= 1),
  constraint links_per_minute_check check (per_minute >= 1),
  constraint links_center_id_fkey foreign key (center_id) references centers(center_id) on delete cascade
);

-- Who was erased, so that an import does not bring the person back unnoticed: a digest of the customer's identifier with
-- the center's salt. Without the identifier nothing can be read from it.
create table erasures (
  center_id text collate "C" not null,
  digest bytea not null,
  -- the same for all of a center, so that many identifiers are looked up at once
  salt bytea not null,
  erased_at timestamp with time zone not null default clock_timestamp(),
  -- An import leaves the records of people who were erased out. A booking or an order may come without its customer, so
  -- digests of their identifiers are kept too, with that of the customer whom they were erased with.
  customer bytea,
  constraint erasures_pkey primary key (center_id, digest),
  constraint erasures_center_id_fkey foreign key (center_id) references centers(center_id) on delete cascade deferrable initially deferred
);

-- How new each record is that its sender gave a version: what arrives later and is older is passed over. A removed record
-- keeps its version, so that a late record does not bring it back.
create table record_versions (
  center_id text collate "C" not null,
  kind text collate "C" not null,
  -- the identifiers of the record joined by /
  key text collate "C" not null,
  version bigint not null,
  constraint record_versions_pkey primary key (center_id, kind, key),
  constraint record_versions_center_id_fkey foreign key (center_id) references centers(center_id) on delete cascade deferrable initially deferred
);

-- Answers to deliveries that went in, for whoever sends the same one again under the same Idempotency-Key.
create table intake_answers (
  center_id text collate "C" not null,
  app_id text collate "C" not null,
  -- SHA-256 of the key: what stands in it is its sender's
  delivery bytea not null,
  -- SHA-256 of the body and of what was asked of it
  body bytea not null,
  answer text not null,
  at timestamp with time zone not null default clock_timestamp(),
  constraint intake_answers_pkey primary key (center_id, app_id, delivery),
  constraint intake_answers_center_id_fkey foreign key (center_id) references centers(center_id) on delete cascade deferrable initially deferred
);

-- Mappings of the columns of spreadsheets, which an import names in place of a file.
create table mappings (
  center_id text collate "C" not null,
  name text collate "C" not null,
  -- YAML or JSON as it was written
  body text not null,
  saved_at timestamp with time zone not null default clock_timestamp(),
  -- whoever ran the command, by their name on its machine
  saved_by text not null,
  constraint mappings_pkey primary key (center_id, name),
  constraint mappings_body_check check (octet_length(body) <= 65536),
  constraint mappings_center_id_fkey foreign key (center_id) references centers(center_id) on delete cascade
);

-- Each column is that of the booking, by the same name. None that changes in place is in an index, and there is room
-- left on each page, so a change of status replaces its row where it stands and leaves nothing to vacuum.
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
  -- Null until the commit where the customer comes after the booking.
  first_name text,
  last_name text,
  email text,
  constraint booking_sessions_pkey primary key (center_id, booking_id, session_id),
  constraint booking_sessions_center_id_session_id_fkey foreign key (center_id, session_id) references sessions(center_id, id) deferrable initially deferred
) with (fillfactor=90, autovacuum_vacuum_scale_factor=0.05, autovacuum_analyze_scale_factor=0.05);

-- An erasure deletes rows, whose bytes remain in the database's files until the tables are rewritten. That happens after
-- the commit, and the process may be killed before it ends. So the erasure notes it in its transaction, and the next
-- start completes it.
create table rewrites_due (
  id bigint not null generated always as identity,
  noted_at timestamp with time zone not null default clock_timestamp(),
  constraint rewrites_due_pkey primary key (id)
);

-- Answers to actions (POST /v1/actions/<name>), for whoever sends the same one again under the same Idempotency-Key. An
-- application keeps its newest ones, for some days (src/actions/action-answers-sql.ts).
create table action_answers (
  center_id text collate "C" not null,
  app_id text collate "C" not null,
  -- SHA-256 of the key: its content belongs to the sender
  idempotency_key bytea not null,
  -- SHA-256 of the action's name and its body
  request bytea not null,
  -- null until the action has been performed, in the same transaction
  answer text,
  at timestamp with time zone not null default clock_timestamp(),
  constraint action_answers_pkey primary key (center_id, app_id, idempotency_key),
  constraint action_answers_center_id_fkey foreign key (center_id) references centers(center_id) on delete cascade deferrable initially deferred
);

-- Which kitchen sheet of a day is on the wall, as a person has confirmed it; number null: none. Later numbers are compared
-- with it on all screens. Without a row, it is the newest sheet that a program has stored by GET, as before.
create table sheets_on_wall (
  center_id text collate "C" not null,
  day date not null,
  number integer,
  confirmed_at timestamp with time zone not null,
  constraint sheets_on_wall_pkey primary key (center_id, day),
  constraint sheets_on_wall_number_check check (number >= 1),
  constraint sheets_on_wall_center_id_fkey foreign key (center_id) references centers(center_id) on delete cascade deferrable initially deferred
);

-- When a person who was erased was imported again on purpose. A copy of an earlier erasure, in the log next to the
-- database, must not erase the person once more.
create table erasures_lifted (
  center_id text collate "C" not null,
  -- of the customer, as in erasures
  digest bytea not null,
  lifted_at timestamp with time zone not null default clock_timestamp(),
  constraint erasures_lifted_pkey primary key (center_id, digest),
  constraint erasures_lifted_center_id_fkey foreign key (center_id) references centers(center_id) on delete cascade deferrable initially deferred
);

-- The server that has given the numbers of transactions in these tables. After a restore into another server they say
-- nothing: its own begin anew, and a commit whose number is noted already would go unnoticed (database/origin.ts).
create table database_origin (
  only_row boolean not null default true,
  system_identifier text not null,
  constraint database_origin_pkey primary key (only_row),
  constraint database_origin_only_row_check check (only_row)
);

-- The state of a day's meal at its cut-off: the number of the sheet that has it, and when it was stored: at the cut-off, or
-- later if the service did not run then.
create table meal_cut_offs (
  center_id text collate "C" not null,
  day date not null,
  meal text not null,
  number integer not null,
  taken_at timestamp with time zone not null,
  constraint meal_cut_offs_pkey primary key (center_id, day, meal),
  constraint meal_cut_offs_meal_check check (meal = any (array['breakfast'::text, 'lunch'::text, 'dinner'::text])),
  constraint meal_cut_offs_number_check check (number >= 1),
  constraint meal_cut_offs_center_id_fkey foreign key (center_id) references centers(center_id) on delete cascade deferrable initially deferred
);

-- Which sheet of a day has all changes that the kitchen has acknowledged; number null: none.
create table sheets_acknowledged (
  center_id text collate "C" not null,
  day date not null,
  number integer,
  acknowledged_at timestamp with time zone not null,
  constraint sheets_acknowledged_pkey primary key (center_id, day),
  constraint sheets_acknowledged_number_check check (number >= 1),
  constraint sheets_acknowledged_center_id_fkey foreign key (center_id) references centers(center_id) on delete cascade deferrable initially deferred
);

create index sessions_by_start on sessions using btree (center_id, start_date, id) include (end_date);
create index orders_by_date on orders using btree (center_id, order_date, uuid);
-- The order of a guest list (ruling 18) and its filters from the index alone.
create index bookings_by_start on bookings using btree (center_id, start_date, id) include (end_date, role, status);
-- A range query looks back 31 days along bookings_by_start; the few longer stays stand here (ruling 14).
create index bookings_long_stays on bookings using btree (center_id, end_date, start_date, id) include (role, status) where (end_date - start_date) > '31 days'::interval;
create index bookings_by_customer on bookings using btree (center_id, customer_id);
create index bookings_by_order on bookings using btree (center_id, order_uuid) where order_uuid is not null;
create index bookings_by_booking_id on bookings using btree (center_id, booking_id) where booking_id is not null;
create index center_touches_by_transaction on center_touches using btree (transaction_id);
create index api_keys_by_center on api_keys using btree (center_id, app_id);
create index audit_entries_by_time on audit_entries using btree (center_id, at);
create index audit_entries_by_record_list on audit_entries using btree (center_id, record_list) where record_list is not null;
create index change_commits_by_transaction on change_commits using btree (center_id, transaction_id);
create index change_commits_by_time on change_commits using btree (committed_at);
create index usage_days_by_day on usage_days using btree (center_id, day);
create index usage_errors_by_time on usage_errors using btree (center_id, app_id, last_at);
create index links_by_center on links using btree (center_id, app_id);
create index customers_by_email on customers using btree (center_id, lower(email collate "C")) where email is not null;
create index customers_by_internal_id on customers using btree (center_id, internal_id) where internal_id is not null;
create index orders_by_number on orders using btree (center_id, number) where number is not null;
create index orders_by_status on orders using btree (center_id, status, order_date, uuid);
create index orders_by_payment_status on orders using btree (center_id, payment_status, order_date, uuid);
create index customers_by_dob on customers using btree (center_id, dob) where dob is not null;
create index booking_sessions_by_start on booking_sessions using btree (center_id, session_id, start_date, booking_id);
create index action_answers_by_time on action_answers using btree (center_id, app_id, at);

create function booking_sessions_insert() returns trigger
language plpgsql set enable_seqscan to 'off' as $$
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
end $$;

create function booking_sessions_delete() returns trigger
language plpgsql as $$
begin
  delete from booking_sessions s
  using old_rows b
  where s.center_id = b.center_id and s.booking_id = b.id;
  return null;
end $$;

-- Only bookings whose sessions, start or key changed are written again.
create function booking_sessions_update() returns trigger
language plpgsql set enable_seqscan to 'off' as $$
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
end $$;

create function booking_sessions_truncate() returns trigger
language plpgsql as $$
begin
  -- Not truncated as well: the same statement may be doing that already.
  delete from booking_sessions;
  return null;
end $$;

create function note_touch() returns trigger
language plpgsql as $$
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
end $$;

-- As before, and each move of a revision leaves the row that its notes are found by.
create function advance_revisions(mover xid8) returns void
language plpgsql set enable_seqscan to 'off' set plan_cache_mode to 'force_generic_plan' as $$
begin
  with moved as (
    insert into center_revisions as r (center_id, revision, profile_revision)
    select center_id, 1, case when profile then 1 else 0 end
    from center_touches
    where transaction_id = mover and not advanced
    order by center_id
    on conflict (center_id) do update set
      revision = r.revision + 1,
      profile_revision = case when excluded.profile_revision = 1 then r.revision + 1 else r.profile_revision end
    returning center_id, revision
  )
  insert into change_commits (center_id, revision, transaction_id)
  select center_id, revision, mover from moved;
  if found then
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
end $$;

create function center_touched() returns trigger
language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform advance_revisions(new.transaction_id);
  else
    update center_revisions set profile_revision = revision
    where center_id = new.center_id and new.advanced;
  end if;
  return null;
end $$;

-- The identifier of booking number `number` of a session, in the center's pattern: YY the two-digit year of
-- the session's local start day, SN its number or name, BN the booking's number in it, two digits at least.
create function booking_id_text(center centers, session sessions, number integer) returns text
language sql stable as $$
  -- Each token becomes a control character first, so that a session named "BN" stays as it is.
  select replace(replace(replace(
    replace(replace(replace(center.booking_id_format, 'YY', chr(1)), 'SN', chr(2)), 'BN', chr(3)),
    chr(1), to_char(session.start_date at time zone center.timezone, 'YY')),
    chr(3), case when number < 100 then lpad(number::text, 2, '0') else number::text end),
    chr(2), case when center.booking_id_session = 'name' then session.name
      else coalesce(nullif(session.number, ''), session.name) end)
$$;

create function give_booking_id() returns trigger
language plpgsql as $$
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
    -- A number that a person set by hand on another booking is passed over.
    exit when not exists (
      select 1 from bookings where center_id = booking.center_id and booking_id = given
    );
  end loop;
  update bookings set booking_id = given, booking_number = number
  where center_id = booking.center_id and id = booking.id;
  return null;
end $$;

-- An identifier set by hand is no automatic one any more.
create function booking_id_by_hand() returns trigger
language plpgsql as $$
begin
  if new.booking_number is not distinct from old.booking_number then
    new.booking_number := null;
  end if;
  return new;
end $$;

-- Several notes of one thing in one transaction are one: what was created and changed was created, what was deleted
-- and created again was changed.
create function merged_operation(earlier text, later text) returns text
language sql immutable as $$
  select case
    when later = 'deleted' then 'deleted'
    when earlier = 'created' then 'created'
    when earlier = 'deleted' and later = 'created' then 'changed'
    when earlier = 'deleted' then 'deleted'
    else later
  end
$$;

create function with_texts(texts text[], more text[]) returns text[]
language sql immutable as $$
  select case when texts @> more then texts else texts || more end
$$;

create function time_span(first_moment timestamp with time zone, last_moment timestamp with time zone) returns tstzmultirange
language sql immutable as $$
  select tstzmultirange(tstzrange(first_moment, last_moment, '[]'))
$$;

-- How many things of a kind a commit names one by one.
create function changes_bound() returns integer
language sql immutable as $$select 1000$$;

-- Notes that kinds have moved as a whole. What was noted one by one is covered by that.
create function note_whole_kinds(centers text[], kinds text[]) returns void
language plpgsql as $$
begin
  delete from changes
  where center_id = any(centers) and transaction_id = pg_current_xact_id() and kind = any(kinds) and id <> '*';
  insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
  select center, of_kind, '*', 'changed', '{}', '{}', '{}'
  from unnest(centers) as center, unnest(kinds) as of_kind
  on conflict (center_id, transaction_id, kind, id) do update set again = false where c.again;
end $$;

create function is_noted_whole(center text, of_kind text) returns boolean
language plpgsql as $$
begin
  return exists (
    select from changes
    where center_id = center and transaction_id = pg_current_xact_id() and kind = of_kind and id = '*' and not again
  );
end $$;

-- Whether a statement that moves so many rows, of one center or several, need not be looked at: its kinds are noted
-- as a whole already, or are now, because it moves too many.
create function note_by_size(size bigint, first_center text, last_center text, kinds text[]) returns boolean
language plpgsql as $$
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
end $$;

-- Kinds of which a transaction has named too many one by one are noted as a whole.
create function bound_changes(transaction xid8, centers text[]) returns void
language plpgsql as $$
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
end $$;

-- From so many rows on a statement looks at once whether there are too many; fewer are looked at by the commit.
create function is_crowd(size bigint) returns boolean
language sql immutable as $$select size >= 100$$;

-- What differs between two rows of a table, as table.column: changed_bookings(old, new) and its like. They are made
-- from the catalogue; a migration that adds a column to one of these tables ends with this call.
create function compare_all_columns() returns void
language plpgsql as $$
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
end $$;

select compare_all_columns();

-- Besides, a single update compares its columns where the planner sees them, which costs a tenth less.
create function changes_of_bookings() returns trigger
language plpgsql set enable_seqscan to 'off' set plan_cache_mode to 'force_generic_plan' as $$
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
  end if;
  if cardinality(moved) > 0 then
    perform note_beside_bookings(centers, moved, customers, order_uuids);
  end if;
  if is_crowd(size) then
    perform bound_changes(pg_current_xact_id(), array[first_center, last_center]);
  end if;
  return null;
end $$;

-- The other stays of these customers, whose history changes, and these orders, whose guests change; the three arrays
-- belong together. Of the one stay that moved it is said already; of several, each is another one's other stay.
create function note_beside_bookings(centers text[], moved text[], customers text[], orders text[]) returns void
language plpgsql as $$
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
end $$;

create function note_orders(centers text[], uuids text[]) returns void
language plpgsql as $$
begin
  insert into changes as c (center_id, kind, id, operation, columns, session_ids, during)
  select o.center_id, 'order', o.uuid, 'changed', '{orders.guests}', '{}', time_span(o.order_date, o.order_date)
  from (select distinct m.center_id, m.uuid from unnest(centers, uuids) as m (center_id, uuid)) k
  cross join lateral (
    select * from orders o where o.center_id = k.center_id and o.uuid = k.uuid offset 0
  ) o
  on conflict (center_id, transaction_id, kind, id) do update set
    columns = with_texts(c.columns, excluded.columns);
end $$;

-- A customer has no entry of its own: it shows in its bookings, and its names in their orders. One that comes has
-- none yet, and one that goes none any more; those are noted by themselves.
create function changes_of_customers() returns trigger
language plpgsql set enable_seqscan to 'off' set plan_cache_mode to 'force_generic_plan' as $$
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
end $$;

create function changes_of_orders() returns trigger
language plpgsql set enable_seqscan to 'off' set plan_cache_mode to 'force_generic_plan' as $$
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
end $$;

-- Of a session its guests show name, start and end, and so do the other stays of the same customers.
create function changes_of_sessions() returns trigger
language plpgsql set enable_seqscan to 'off' set plan_cache_mode to 'force_generic_plan' as $$
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
end $$;

-- Names of terms, custom fields and the center's own settings can show anywhere.
create function changes_of_everything() returns trigger
language plpgsql as $$
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
end $$;

-- It holds for the arrival it was said of: one that arrives again gets an identifier like any other.
create function arrival_is_over() returns trigger
language plpgsql as $$
begin
  new.booking_number := null;
  return new;
end $$;

-- An import inserts a thousand bookings with a statement. Those of the second one were named one by one as well, and
-- taken back when the count was over the bound; now the count comes first. New rows cannot be among those that were
-- counted.
create function noted_by_name(center text, of_kind text) returns bigint
language plpgsql as $$
begin
  return (
    select count(*) from changes
    where center_id = center and transaction_id = pg_current_xact_id() and kind = of_kind
  );
end $$;

-- A phone number as it is compared: its digits, with a plus before them where it begins with a country's code. What
-- follows the first number of several, and an extension, are left out; so are the zero before an area's code and the 8
-- that Russian numbers have in its place. Null where there are fewer digits than any number has.
create function phone_key(phone text) returns text
language sql immutable parallel safe strict
return "substring"(regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(replace(phone, '(0)'::text, ''::text), '^[^0-9+]+'::text, ''::text), '([A-Za-z#;,]| / ).*$'::text, ''::text), '^\+'::text, '00'::text), '[^0-9]+'::text, ''::text, 'g'::text), '^00+'::text, '+'::text), '^(0+|8(?=[0-9]{10}$))'::text, ''::text), '^\+?[0-9]{7,}$'::text);

-- Two of them: where both name their country, they are equal; else the one ends with the other.
create function is_same_phone(a text, b text) returns boolean
language sql immutable parallel safe strict
return CASE WHEN (starts_with(a, '+'::text) AND starts_with(b, '+'::text)) THEN (a = b) WHEN (length(a) > length(b)) THEN ("right"(a, length(b)) = ltrim(b, '+'::text)) ELSE ("right"(b, length(a)) = ltrim(a, '+'::text)) END;

-- Once the marks are taken off, most names need nothing else.
create function name_letters(name text) returns text
language plpgsql immutable parallel safe strict as $$
declare
  letters text := name;
begin
  if octet_length(letters) <> length(letters) then
    letters := regexp_replace(normalize(letters, NFKD), '[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff]+', '', 'g');
  end if;
  if octet_length(letters) <> length(letters) then
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
  '[\u0001-\u002f\u003a-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u3020]+', ' ', 'g'));
end $$;

-- The same for all common ways to write one name: y, j and i are one letter, and so are w and v, and k, q and c; x is
-- ks; an e behind another vowel that stands for an umlaut, an h behind a consonant, and the second of two equal letters
-- say nothing.
create function name_sounds(letters text) returns text
language plpgsql immutable parallel safe strict as $$
begin
  return replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
    replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
    replace(replace(replace(replace(replace(replace(replace(replace(replace(translate(letters, 'yjwkq', 'iivcc'), 'x', 'cs'), 'ae', 'a'), 'oe', 'o'), 'ue', 'u'), 'bh', 'b'), 'ch', 'c'), 'dh', 'd'), 'gh', 'g')
      , 'ph', 'p'), 'rh', 'r'), 'sh', 's'), 'th', 't'), 'vh', 'v'), 'zh', 'z'), 'aa', 'a'), 'bb', 'b')
      , 'cc', 'c'), 'dd', 'd'), 'ee', 'e'), 'ff', 'f'), 'gg', 'g'), 'ii', 'i'), 'll', 'l'), 'mm', 'm')
      , 'nn', 'n'), 'oo', 'o'), 'pp', 'p'), 'rr', 'r'), 'ss', 's'), 'tt', 't'), 'uu', 'u'), 'vv', 'v')
      , 'zz', 'z');
end $$;

-- A personal number as it is compared: the SHA-256 of its letters and digits, in capitals, so that who asks may send
-- that alone.
create function pin_hash(pin text) returns text
language sql immutable parallel safe strict
return encode(sha256(convert_to(upper((regexp_replace(pin, '[^A-Za-z0-9]+'::text, ''::text, 'g'::text) COLLATE "C")), 'UTF8'::name)), 'hex'::text);

-- Of a customer who is deleted or has another identifier now, bookings may be left until the commit. A booking that another
-- transaction gives to somebody else meanwhile has lost these rows, and got new ones with that name.
create function booking_sessions_rename() returns trigger
language plpgsql set enable_seqscan to 'off' as $$
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
end $$;

-- By then the booking may be somebody else's.
create function booking_sessions_name() returns trigger
language plpgsql set enable_seqscan to 'off' as $$
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
end $$;

-- Called at the commit, while the revision is locked, so that everything that committed before is seen. Which columns
-- the rows show of this transaction is what it has noted, or what has no note of its own: a customer without stays, and
-- what came or went.
create function note_side_by_side(mover xid8) returns void
language plpgsql set enable_seqscan to 'off' set plan_cache_mode to 'force_generic_plan' as $$
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
      select unnest('{guests.history,orders.uuid,sessions.id}'::text[]));
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
end $$;

create function changes_of_sheets_on_wall() returns trigger
language plpgsql as $$
begin
  insert into changes (center_id, kind, id, operation, columns, session_ids, during)
  select n.center_id, 'sheet', n.day::text, 'changed', '{}', '{}', '{}' from new_rows n
  on conflict do nothing;
  return null;
end $$;

-- The other ways to write a name in Latin letters, next to `name_letters`; none for ASCII. Each has the words of the
-- name in the same order. Letters that all tables write alike are written as by `name_letters`; spellings that `name_sounds`
-- makes equal, such as yu and iu, or kh and ch, are written once.
create function name_ways(name text) returns text[]
language plpgsql immutable parallel safe strict as $$
declare
  plain text;
  marked text;
  way text;
  written text;
  ways text[] := '{}';
begin
  if octet_length(name) = length(name) then return ways; end if;
  plain := replace(normalize(name, NFKC), '|', ' ');

  -- Croatian and Serbian: dj where đ cannot be typed
  if plain ~ '[đĐ]' then ways := ways || replace(replace(plain, 'đ', 'dj'), 'Đ', 'dj'); end if;

  if plain ~ '[\u0370-\u03ff\u1f00-\u1fff]' then
    marked := translate(normalize(plain, NFKD), 'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩς', 'αβγδεζηθικλμνξοπρστυφχψωσ');
    -- Two vowels, not a digraph: an accent on the first one, or a diaeresis.
    marked := regexp_replace(marked, '([αεηο])[\u0300\u0301\u0342]υ', '\1y', 'g');
    marked := regexp_replace(marked, 'υ[\u0300\u0301\u0342]?\u0308', 'y', 'g');
    plain := replace(regexp_replace(marked, '[\u0300-\u036f]+', '', 'g'), 'ου', 'ou');
    plain := replace(replace(replace(plain, 'γγ', 'nγ'), 'γξ', 'nξ'), 'γχ', 'nχ');
    plain := regexp_replace(plain, '(?<![α-ωa-z])μπ|μπ(?![α-ωa-z])', 'b', 'g');
    -- ELOT 743 (ISO 843, UN, BGN/PCGN since 1996)
    way := regexp_replace(plain, '([αεη])υ(?![αβγδεζηιλμνορυωa-z])', '\1f', 'g');
    way := regexp_replace(way, '([αεη])υ', '\1v', 'g');
    ways := ways || way;
    -- BGN/PCGN before 1996, by the sound of γκ, μπ and ντ
    way := replace(regexp_replace(way, '(?<![α-ωa-z])γκ', 'g', 'g'), 'γκ', 'nk');
    way := replace(regexp_replace(way, '(?<![α-ωa-z])ντ', 'd', 'g'), 'ντ', 'nd');
    ways := ways || replace(way, 'μπ', 'mb');
    -- ALA-LC, and with i for η
    way := regexp_replace(plain, '([αεη])υ', '\1u', 'g');
    ways := ways || way || translate(way, 'η', 'e');
    -- χ is h, too
    written := array_to_string(ways, '|');
    if plain like '%χ%' then written := written || '|' || replace(written, 'χ', 'h'); end if;
    -- As `name_letters` writes them, which takes longer for text of other letters.
    ways := string_to_array(replace(replace(replace(
      translate(written, 'αβγδεζηικλμνξορστυφω', 'avgdeziiklmnxorstyfo'), 'θ', 'th'), 'χ', 'ch'), 'ψ', 'ps'), '|');
  end if;

  if plain ~ '[\u0400-\u04ff]' then
    plain := translate(plain,
      'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯІЇЄҐЎЂЃЌЈЉЊЋЏЅ', 'абвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґўђѓќјљњћџѕ');
    -- BGN/PCGN for Russian; ё by it, and as it is spoken
    way := regexp_replace(plain, '(?<![бвгджзклмнпрстфхцчшщ])[её]', 'ye', 'g');
    ways := ways || way;
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
    written := array_to_string(array(select distinct one from unnest(ways) as one where one <> plain), '|');
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
end $$;

-- The words of all ways, and the words of each way written as one.
create function name_ways_joined(ways text[]) returns text
language plpgsql immutable parallel safe strict as $$
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
end $$;

-- What somebody is found by: each word of the names, and several written as one; a ph is an f too, but what was typed up
-- to its p begins with the p. Behind | are the consonants of each word, in capital letters, which `name_sounds` does not
-- change: ^ of a name in Latin letters, ~ of one in Arabic letters. The two are only compared with each other.
--
-- Consonants that are written in one way in Arabic names, or in several, are one: p is b, q and c are k, g, gh and dj
-- are j, ch is sh. A vowel at the beginning is A, however it is written; others, y and w within a word are left out.
create function name_parts(first_letters text, last_letters text, other_letters text) returns text
language plpgsql immutable parallel safe strict as $$
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
end $$;

-- Each word with its center before it, because the index has no columns but this one; and once more from its end (behind
-- a <), for names of which only the beginning is written wrongly.
create function name_entries(center_id text, parts text) returns text
language plpgsql immutable parallel safe strict as $$
declare
  words text := split_part(parts, '|', 1);
begin
  return center_id || '/' || replace(words, ' ', ' ' || center_id || '/') || ' '
    || center_id || '<' || replace(reverse(words), ' ', ' ' || center_id || '<')
    || replace(split_part(parts, '|', 2), ' ', ' ' || center_id);
end $$;

-- Names are cut, because a longer one than the index takes would be an error of whoever writes it.
create function name_index(center_id text, first_name text, last_name text) returns tsvector
language sql immutable parallel safe cost 500
return array_to_tsvector(string_to_array(name_entries(center_id, name_sounds(name_parts("left"(name_letters("left"(COALESCE(first_name, ''::text), 100)), 200), "left"(name_letters("left"(COALESCE(last_name, ''::text), 100)), 200), CASE WHEN (concat(first_name, last_name) ~ '[^\u0001-\u010f\u0112-\u017f\u0218-\u021b]'::text) THEN name_letters((name_ways_joined(name_ways("left"(COALESCE(first_name, ''::text), 100))) || name_ways_joined(name_ways("left"(COALESCE(last_name, ''::text), 100))))) ELSE ''::text END))), ' '::text));

-- The words of a text, each with all that it may be stored as: `at` is its position, `word` what the index has (`sound`),
-- or the consonants of the other script with their mark.
create function name_asked(name text) returns table (at bigint, word text, is_sound boolean)
language sql immutable parallel safe strict rows 4 as $$
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
$$;

-- Text in the quotes of a query.
create function name_quoted(text_given text) returns text
language sql immutable parallel safe strict
return ((''''::text || replace(replace(text_given, '\'::text, '\\'::text), ''''::text, ''''''::text)) || ''''::text);

-- Those who have names that begin with all words of a text; nobody where it has no letter or digit. Two consonants are a
-- whole name.
create function name_query(center_id text, text_given text) returns tsquery
language sql immutable parallel safe strict
return (SELECT (COALESCE(string_agg((('('::text || words.either) || ')'::text), ' & '::text), ''::text))::tsquery AS "coalesce" FROM (SELECT string_agg((name_quoted(CASE WHEN name_asked.is_sound THEN ((name_query.center_id || '/'::text) || name_asked.word) ELSE (name_query.center_id || name_asked.word) END) || CASE WHEN (name_asked.is_sound OR (length(name_asked.word) > 3)) THEN ':*'::text ELSE ''::text END), ' | '::text) AS either FROM name_asked(name_query.text_given) name_asked(at, word, is_sound) GROUP BY name_asked.at) words);

-- Whoever may be meant by a name with typing errors: two of its words, or its only one, are nearly there. A word with
-- one error has its first or its second half right, so it is looked for by the beginning and by the end. Six words at most
-- are looked at. Consonants have no errors.
create function name_near(center_id text, name text) returns tsquery
language sql immutable parallel safe strict
return (WITH words AS (SELECT name_asked.at, name_asked.word, name_asked.is_sound, GREATEST(1, ((length(name_asked.word) - 1) / 2)) AS half, max(name_asked.at) OVER () AS of_all FROM name_asked(name_near.name) name_asked(at, word, is_sound)), halves AS (SELECT words.at, words.of_all, words.word, words.is_sound, CASE WHEN (words.of_all = 1) THEN GREATEST(words.half, 3) ELSE words.half END AS half FROM words WHERE (words.at <= 6)), near AS (SELECT halves.at, halves.of_all, (('('::text || string_agg(CASE WHEN halves.is_sound THEN (((name_quoted(((name_near.center_id || '/'::text) || "left"(halves.word, halves.half))) || ':* | '::text) || name_quoted(((name_near.center_id || '<'::text) || "left"(reverse(halves.word), halves.half)))) || ':*'::text) ELSE (name_quoted((name_near.center_id || halves.word)) || CASE WHEN (length(halves.word) > 3) THEN ':*'::text ELSE ''::text END) END, ' | '::text)) || ')'::text) AS query FROM halves GROUP BY halves.at, halves.of_all) SELECT (COALESCE(string_agg(either.query, ' | '::text), ''::text))::tsquery AS "coalesce" FROM (SELECT near.query FROM near WHERE (near.of_all = 1) UNION ALL SELECT ((a.query || ' & '::text) || b.query) FROM (near a JOIN near b ON ((a.at < b.at)))) either);

-- A name as names are compared: its words as they sound, then the other ways to write it, then, where asked for or in
-- Arabic letters, the consonants behind their marks.
create function name_readings(name text, consonants boolean) returns text[]
language sql immutable parallel safe strict
return ((ARRAY[name_sounds(replace(name_letters("left"(name, 200)), 'ph'::text, 'f'::text))] || CASE WHEN (octet_length(name) = length(name)) THEN '{}'::text[] ELSE ARRAY(SELECT DISTINCT name_sounds(replace(name_letters(way.way), 'ph'::text, 'f'::text)) AS name_sounds FROM unnest(name_ways("left"(name_readings.name, 200))) way(way)) END) || CASE WHEN (consonants OR (name ~ '[\u0620-\u06ff]'::text)) THEN array_remove(ARRAY[btrim(split_part(name_parts(name_letters("left"(name, 200)), ''::text, ''::text), '|'::text, 2))], ''::text) ELSE '{}'::text[] END);

create index customers_by_phone on customers using btree (center_id, "right"(phone_key(phone), 7)) where phone is not null;
create index customers_by_secondary_phone on customers using btree (center_id, "right"(phone_key(secondary_phone), 7)) where secondary_phone is not null;
create index customers_by_pin on customers using btree (center_id, pin_hash(pin)) where pin is not null;
create index customers_by_name on customers using gin (name_index(center_id, first_name, last_name)) with (fastupdate='on', gin_pending_list_limit='64');

create trigger first_touch_on_delete after delete on centers referencing old table as old_rows for each statement execute function note_touch('t');
-- Not on delete: old days are pruned, which changes nothing that anybody sees.
create trigger first_touch_on_insert after insert on centers referencing new table as new_rows for each statement execute function note_touch('t');
create trigger first_touch_on_truncate after truncate on centers for each statement execute function note_touch('t');
create trigger first_touch_on_update after update on centers referencing old table as old_rows new table as new_rows for each statement execute function note_touch('t');
create trigger note_changes_on_delete after delete on centers referencing old table as old_rows for each statement execute function changes_of_everything();
create trigger note_changes_on_insert after insert on centers referencing new table as new_rows for each statement execute function changes_of_everything();
create trigger note_changes_on_truncate after truncate on centers for each statement execute function changes_of_everything();
create trigger note_changes_on_update after update on centers referencing old table as old_rows new table as new_rows for each statement execute function changes_of_everything();
create trigger first_touch_on_delete after delete on terms referencing old table as old_rows for each statement execute function note_touch('f');
-- Not on delete: old days are pruned, which changes nothing that anybody sees.
create trigger first_touch_on_insert after insert on terms referencing new table as new_rows for each statement execute function note_touch('f');
create trigger first_touch_on_truncate after truncate on terms for each statement execute function note_touch('f');
create trigger first_touch_on_update after update on terms referencing old table as old_rows new table as new_rows for each statement execute function note_touch('f');
create trigger note_changes_on_delete after delete on terms referencing old table as old_rows for each statement execute function changes_of_everything();
create trigger note_changes_on_insert after insert on terms referencing new table as new_rows for each statement execute function changes_of_everything();
create trigger note_changes_on_truncate after truncate on terms for each statement execute function changes_of_everything();
create trigger note_changes_on_update after update on terms referencing old table as old_rows new table as new_rows for each statement execute function changes_of_everything();
create trigger first_touch_on_delete after delete on meta_fields referencing old table as old_rows for each statement execute function note_touch('t');
-- Not on delete: old days are pruned, which changes nothing that anybody sees.
create trigger first_touch_on_insert after insert on meta_fields referencing new table as new_rows for each statement execute function note_touch('t');
create trigger first_touch_on_truncate after truncate on meta_fields for each statement execute function note_touch('t');
create trigger first_touch_on_update after update on meta_fields referencing old table as old_rows new table as new_rows for each statement execute function note_touch('t');
create trigger note_changes_on_delete after delete on meta_fields referencing old table as old_rows for each statement execute function changes_of_everything();
create trigger note_changes_on_insert after insert on meta_fields referencing new table as new_rows for each statement execute function changes_of_everything();
create trigger note_changes_on_truncate after truncate on meta_fields for each statement execute function changes_of_everything();
create trigger note_changes_on_update after update on meta_fields referencing old table as old_rows new table as new_rows for each statement execute function changes_of_everything();
create trigger first_touch_on_delete after delete on sessions referencing old table as old_rows for each statement execute function note_touch('f');
-- Not on delete: old days are pruned, which changes nothing that anybody sees.
create trigger first_touch_on_insert after insert on sessions referencing new table as new_rows for each statement execute function note_touch('f');
create trigger first_touch_on_truncate after truncate on sessions for each statement execute function note_touch('f');
create trigger first_touch_on_update after update on sessions referencing old table as old_rows new table as new_rows for each statement execute function note_touch('f');
create trigger note_changes_on_delete after delete on sessions referencing old table as old_rows for each statement execute function changes_of_sessions();
create trigger note_changes_on_insert after insert on sessions referencing new table as new_rows for each statement execute function changes_of_sessions();
create trigger note_changes_on_truncate after truncate on sessions for each statement execute function changes_of_everything();
create trigger note_changes_on_update after update on sessions referencing old table as old_rows new table as new_rows for each statement execute function changes_of_sessions();
create trigger first_touch_on_delete after delete on orders referencing old table as old_rows for each statement execute function note_touch('f');
-- Not on delete: old days are pruned, which changes nothing that anybody sees.
create trigger first_touch_on_insert after insert on orders referencing new table as new_rows for each statement execute function note_touch('f');
create trigger first_touch_on_truncate after truncate on orders for each statement execute function note_touch('f');
create trigger first_touch_on_update after update on orders referencing old table as old_rows new table as new_rows for each statement execute function note_touch('f');
create trigger note_changes_on_delete after delete on orders referencing old table as old_rows for each statement execute function changes_of_orders();
create trigger note_changes_on_insert after insert on orders referencing new table as new_rows for each statement execute function changes_of_orders();
create trigger note_changes_on_truncate after truncate on orders for each statement execute function changes_of_everything();
create trigger note_changes_on_update after update on orders referencing old table as old_rows new table as new_rows for each statement execute function changes_of_orders();
create trigger booking_sessions_delete after delete on customers for each row execute function booking_sessions_rename();
-- Only bookings whose sessions, start or key changed are written again.
create trigger booking_sessions_update after update on customers for each row when (new.center_id is distinct from old.center_id or new.id is distinct from old.id or new.first_name is distinct from old.first_name or new.last_name is distinct from old.last_name or new.email is distinct from old.email) execute function booking_sessions_rename();
create trigger first_touch_on_delete after delete on customers referencing old table as old_rows for each statement execute function note_touch('f');
-- Not on delete: old days are pruned, which changes nothing that anybody sees.
create trigger first_touch_on_insert after insert on customers referencing new table as new_rows for each statement execute function note_touch('f');
create trigger first_touch_on_truncate after truncate on customers for each statement execute function note_touch('f');
create trigger first_touch_on_update after update on customers referencing old table as old_rows new table as new_rows for each statement execute function note_touch('f');
create trigger note_changes_on_truncate after truncate on customers for each statement execute function changes_of_everything();
create trigger note_changes_on_update after update on customers referencing old table as old_rows new table as new_rows for each statement execute function changes_of_customers();
-- It holds for the arrival it was said of: one that arrives again gets an identifier like any other.
create trigger arrival_is_over before insert or update of status, booking_id, booking_number on bookings for each row when (new.booking_number = 0 and (new.status <> 'arrived'::text or new.booking_id is not null)) execute function arrival_is_over();
create constraint trigger booking_arrived after update on bookings deferrable initially deferred for each row when (new.status = 'arrived'::text and old.status <> 'arrived'::text and new.booking_id is null and new.booking_number is distinct from 0) execute function give_booking_id();
create constraint trigger booking_arrives after insert on bookings deferrable initially deferred for each row when (new.status = 'arrived'::text and new.booking_id is null and new.booking_number is distinct from 0) execute function give_booking_id();
-- An identifier set by hand is no automatic one any more.
create trigger booking_id_by_hand before update of booking_id on bookings for each row when (new.booking_id is distinct from old.booking_id) execute function booking_id_by_hand();
create trigger booking_sessions_delete after delete on bookings referencing old table as old_rows for each statement execute function booking_sessions_delete();
create trigger booking_sessions_insert after insert on bookings referencing new table as new_rows for each statement execute function booking_sessions_insert();
create trigger booking_sessions_truncate after truncate on bookings for each statement execute function booking_sessions_truncate();
-- Only bookings whose sessions, start or key changed are written again.
create trigger booking_sessions_update after update on bookings for each row when (new.center_id is distinct from old.center_id or new.id is distinct from old.id or new.session_ids is distinct from old.session_ids or new.start_date is distinct from old.start_date or new.end_date is distinct from old.end_date or new.customer_id is distinct from old.customer_id or new.role is distinct from old.role or new.status is distinct from old.status or new.skipping_meals is distinct from old.skipping_meals) execute function booking_sessions_update();
create trigger first_touch_on_delete after delete on bookings referencing old table as old_rows for each statement execute function note_touch('f');
-- Not on delete: old days are pruned, which changes nothing that anybody sees.
create trigger first_touch_on_insert after insert on bookings referencing new table as new_rows for each statement execute function note_touch('f');
create trigger first_touch_on_truncate after truncate on bookings for each statement execute function note_touch('f');
create trigger first_touch_on_update after update on bookings referencing old table as old_rows new table as new_rows for each statement execute function note_touch('f');
create trigger note_changes_on_delete after delete on bookings referencing old table as old_rows for each statement execute function changes_of_bookings();
create trigger note_changes_on_insert after insert on bookings referencing new table as new_rows for each statement execute function changes_of_bookings();
create trigger note_changes_on_truncate after truncate on bookings for each statement execute function changes_of_everything();
create trigger note_changes_on_update after update on bookings referencing old table as old_rows new table as new_rows for each statement execute function changes_of_bookings();
create constraint trigger center_touched after insert or update of profile on center_touches deferrable initially deferred for each row execute function center_touched();
-- By then the booking may be somebody else's.
create constraint trigger booking_sessions_name after insert or update on booking_sessions deferrable initially deferred for each row when (new.first_name is null and new.last_name is null) execute function booking_sessions_name();
-- Not on delete: old days are pruned, which changes nothing that anybody sees.
create trigger first_touch_on_insert after insert on sheets_on_wall referencing new table as new_rows for each statement execute function note_touch('false');
create trigger first_touch_on_update after update on sheets_on_wall referencing old table as old_rows new table as new_rows for each statement execute function note_touch('false');
create trigger note_on_insert after insert on sheets_on_wall referencing new table as new_rows for each statement execute function changes_of_sheets_on_wall();
create trigger note_on_update after update on sheets_on_wall referencing old table as old_rows new table as new_rows for each statement execute function changes_of_sheets_on_wall();
-- Not on delete: old days are pruned, which changes nothing that anybody sees.
create trigger first_touch_on_insert after insert on meal_cut_offs referencing new table as new_rows for each statement execute function note_touch('false');
create trigger first_touch_on_update after update on meal_cut_offs referencing old table as old_rows new table as new_rows for each statement execute function note_touch('false');
create trigger note_on_insert after insert on meal_cut_offs referencing new table as new_rows for each statement execute function changes_of_sheets_on_wall();
create trigger note_on_update after update on meal_cut_offs referencing old table as old_rows new table as new_rows for each statement execute function changes_of_sheets_on_wall();
-- Not on delete: old days are pruned, which changes nothing that anybody sees.
create trigger first_touch_on_insert after insert on sheets_acknowledged referencing new table as new_rows for each statement execute function note_touch('false');
create trigger first_touch_on_update after update on sheets_acknowledged referencing old table as old_rows new table as new_rows for each statement execute function note_touch('false');
create trigger note_on_insert after insert on sheets_acknowledged referencing new table as new_rows for each statement execute function changes_of_sheets_on_wall();
create trigger note_on_update after update on sheets_acknowledged referencing old table as old_rows new table as new_rows for each statement execute function changes_of_sheets_on_wall();

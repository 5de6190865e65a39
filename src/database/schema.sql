-- The whole schema, generated from the migrations (npm run schema). Reasons stand in migrations/*.sql.

create table schema_migrations (
  version integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint schema_migrations_pkey PRIMARY KEY (version)
);

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
  constraint centers_pkey PRIMARY KEY (center_id),
  constraint centers_booking_id_format_check CHECK (booking_id_format ~~ '%BN%'::text),
  constraint centers_booking_id_session_check CHECK (booking_id_session = ANY (ARRAY['number'::text, 'name'::text])),
  constraint centers_maximum_page_length_check CHECK (maximum_page_length >= 1)
);

create table terms (
  center_id text collate "C" not null,
  term_set text collate "C" not null,
  id text collate "C" not null,
  name text not null,
  names jsonb not null default '{}'::jsonb,
  constraint terms_pkey PRIMARY KEY (center_id, term_set, id),
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
  constraint sessions_pkey PRIMARY KEY (center_id, id),
  constraint sessions_check CHECK (end_date >= start_date),
  constraint sessions_end_date_check CHECK (isfinite(end_date)),
  constraint sessions_start_date_check CHECK (isfinite(start_date)),
  constraint sessions_center_id_fkey FOREIGN KEY (center_id) REFERENCES centers(center_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX sessions_by_start ON sessions USING btree (center_id, start_date, id) INCLUDE (end_date);

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
CREATE INDEX orders_by_date ON orders USING btree (center_id, order_date, uuid);

create table customers (
  center_id text collate "C" not null,
  id text collate "C" not null,
  first_name text not null,
  last_name text not null,
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
  constraint bookings_pkey PRIMARY KEY (center_id, id),
  constraint bookings_booked_at_check CHECK (isfinite(booked_at)),
  constraint bookings_check CHECK (end_date >= start_date),
  constraint bookings_end_date_check CHECK (isfinite(end_date)),
  constraint bookings_role_check CHECK (role = ANY (ARRAY['patient'::text, 'companion'::text, 'guest'::text])),
  constraint bookings_start_date_check CHECK (isfinite(start_date)),
  constraint bookings_status_check CHECK (status = ANY (ARRAY['registered'::text, 'waitingList'::text, 'review'::text, 'confirmed'::text, 'arrived'::text, 'paid'::text, 'cancelled'::text, 'voided'::text, 'registeredOnline'::text, 'offer'::text, 'departed'::text])),
  constraint bookings_center_id_customer_id_fkey FOREIGN KEY (center_id, customer_id) REFERENCES customers(center_id, id) DEFERRABLE INITIALLY DEFERRED,
  constraint bookings_center_id_fkey FOREIGN KEY (center_id) REFERENCES centers(center_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  constraint bookings_center_id_order_uuid_fkey FOREIGN KEY (center_id, order_uuid) REFERENCES orders(center_id, uuid) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX bookings_by_start ON bookings USING btree (center_id, start_date, id) INCLUDE (end_date, role, status);
CREATE INDEX bookings_long_stays ON bookings USING btree (center_id, end_date, start_date, id) INCLUDE (role, status) WHERE (end_date - start_date) > '31 days'::interval;
CREATE INDEX bookings_by_customer ON bookings USING btree (center_id, customer_id);
CREATE INDEX bookings_by_order ON bookings USING btree (center_id, order_uuid) WHERE order_uuid IS NOT NULL;
CREATE INDEX bookings_by_booking_id ON bookings USING btree (center_id, booking_id) WHERE booking_id IS NOT NULL;

create table booking_sessions (
  center_id text collate "C" not null,
  session_id text collate "C" not null,
  booking_id text collate "C" not null,
  "position" smallint not null,
  start_date timestamp with time zone not null,
  constraint booking_sessions_pkey PRIMARY KEY (center_id, session_id, booking_id),
  constraint booking_sessions_center_id_session_id_fkey FOREIGN KEY (center_id, session_id) REFERENCES sessions(center_id, id) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX booking_sessions_by_start ON booking_sessions USING btree (center_id, session_id, start_date, booking_id);
CREATE INDEX booking_sessions_by_booking ON booking_sessions USING btree (center_id, booking_id);

create table center_revisions (
  center_id text collate "C" not null,
  revision bigint not null,
  profile_revision bigint not null,
  constraint center_revisions_pkey PRIMARY KEY (center_id)
);

create table center_touches (
  center_id text collate "C" not null,
  transaction_id xid8 not null default pg_current_xact_id(),
  profile boolean not null,
  advanced boolean not null default false,
  constraint center_touches_pkey PRIMARY KEY (center_id, transaction_id)
);
CREATE INDEX center_touches_by_transaction ON center_touches USING btree (transaction_id);

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
  constraint api_keys_pkey PRIMARY KEY (public_key),
  constraint api_keys_per_hour_check CHECK (per_hour >= 0),
  constraint api_keys_per_minute_check CHECK (per_minute >= 0),
  constraint api_keys_scopes_check CHECK (cardinality(scopes) > 0),
  constraint api_keys_center_id_fkey FOREIGN KEY (center_id) REFERENCES centers(center_id) ON DELETE CASCADE
);
CREATE INDEX api_keys_by_center ON api_keys USING btree (center_id, app_id);

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
  constraint audit_entries_pkey PRIMARY KEY (center_id, seq)
);
CREATE INDEX audit_entries_by_time ON audit_entries USING btree (center_id, at);
CREATE INDEX audit_entries_by_record_list ON audit_entries USING btree (center_id, record_list) WHERE record_list IS NOT NULL;

CREATE OR REPLACE FUNCTION booking_sessions_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into booking_sessions (center_id, session_id, booking_id, position, start_date)
  select b.center_id, s.session_id, b.id, s.position, b.start_date
  from new_rows b, unnest(b.session_ids) with ordinality as s (session_id, position)
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
AS $function$
begin
  delete from booking_sessions s
  using old_rows o
  where s.center_id = o.center_id and s.booking_id = o.id
    and not exists (
      select 1 from new_rows n
      where n.center_id = o.center_id and n.id = o.id
        and n.session_ids = o.session_ids and n.start_date = o.start_date
    );
  insert into booking_sessions (center_id, session_id, booking_id, position, start_date)
  select n.center_id, s.session_id, n.id, s.position, n.start_date
  from new_rows n, unnest(n.session_ids) with ordinality as s (session_id, position)
  where not exists (
    select 1 from old_rows o
    where o.center_id = n.center_id and o.id = n.id
      and o.session_ids = n.session_ids and o.start_date = n.start_date
  )
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
    insert into center_touches (center_id, profile)
    select distinct center_id, is_profile from new_rows
    on conflict (center_id, transaction_id) do update set profile = true
      where excluded.profile and not center_touches.profile;
  elsif tg_op = 'DELETE' then
    insert into center_touches (center_id, profile)
    select distinct center_id, is_profile from old_rows
    on conflict (center_id, transaction_id) do update set profile = true
      where excluded.profile and not center_touches.profile;
  elsif tg_op = 'UPDATE' then
    insert into center_touches (center_id, profile)
    select center_id, is_profile
    from (select center_id from new_rows union select center_id from old_rows) as touched
    on conflict (center_id, transaction_id) do update set profile = true
      where excluded.profile and not center_touches.profile;
  else
    insert into center_touches (center_id, profile)
    select center_id, is_profile from center_revisions
    on conflict (center_id, transaction_id) do update set profile = true
      where excluded.profile and not center_touches.profile;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION advance_revisions(mover xid8)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into center_revisions as r (center_id, revision, profile_revision)
  select center_id, 1, case when profile then 1 else 0 end
  from center_touches
  where transaction_id = mover and not advanced
  order by center_id
  on conflict (center_id) do update set
    revision = r.revision + 1,
    profile_revision = case when excluded.profile_revision = 1 then r.revision + 1 else r.profile_revision end;
  if found then
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
    chr(1), to_char(session.start_date at time zone center.timezone, 'YY')),
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
    -- A number that a person set by hand on another booking is passed over.
    exit when not exists (
      select 1 from bookings where center_id = booking.center_id and booking_id = given
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

CREATE TRIGGER touch_on_delete AFTER DELETE ON centers REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('t');
CREATE TRIGGER touch_on_insert AFTER INSERT ON centers REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('t');
CREATE TRIGGER touch_on_truncate AFTER TRUNCATE ON centers FOR EACH STATEMENT EXECUTE FUNCTION note_touch('t');
CREATE TRIGGER touch_on_update AFTER UPDATE ON centers REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('t');

CREATE TRIGGER touch_on_delete AFTER DELETE ON terms REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('f');
CREATE TRIGGER touch_on_insert AFTER INSERT ON terms REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('f');
CREATE TRIGGER touch_on_truncate AFTER TRUNCATE ON terms FOR EACH STATEMENT EXECUTE FUNCTION note_touch('f');
CREATE TRIGGER touch_on_update AFTER UPDATE ON terms REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('f');

CREATE TRIGGER touch_on_delete AFTER DELETE ON meta_fields REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('t');
CREATE TRIGGER touch_on_insert AFTER INSERT ON meta_fields REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('t');
CREATE TRIGGER touch_on_truncate AFTER TRUNCATE ON meta_fields FOR EACH STATEMENT EXECUTE FUNCTION note_touch('t');
CREATE TRIGGER touch_on_update AFTER UPDATE ON meta_fields REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('t');

CREATE TRIGGER touch_on_delete AFTER DELETE ON sessions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('f');
CREATE TRIGGER touch_on_insert AFTER INSERT ON sessions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('f');
CREATE TRIGGER touch_on_truncate AFTER TRUNCATE ON sessions FOR EACH STATEMENT EXECUTE FUNCTION note_touch('f');
CREATE TRIGGER touch_on_update AFTER UPDATE ON sessions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('f');

CREATE TRIGGER touch_on_delete AFTER DELETE ON orders REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('f');
CREATE TRIGGER touch_on_insert AFTER INSERT ON orders REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('f');
CREATE TRIGGER touch_on_truncate AFTER TRUNCATE ON orders FOR EACH STATEMENT EXECUTE FUNCTION note_touch('f');
CREATE TRIGGER touch_on_update AFTER UPDATE ON orders REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('f');

CREATE TRIGGER touch_on_delete AFTER DELETE ON customers REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('f');
CREATE TRIGGER touch_on_insert AFTER INSERT ON customers REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('f');
CREATE TRIGGER touch_on_truncate AFTER TRUNCATE ON customers FOR EACH STATEMENT EXECUTE FUNCTION note_touch('f');
CREATE TRIGGER touch_on_update AFTER UPDATE ON customers REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('f');

CREATE CONSTRAINT TRIGGER booking_arrived AFTER UPDATE ON bookings DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.status = 'arrived'::text AND old.status <> 'arrived'::text AND new.booking_id IS NULL) EXECUTE FUNCTION give_booking_id();
CREATE CONSTRAINT TRIGGER booking_arrives AFTER INSERT ON bookings DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.status = 'arrived'::text AND new.booking_id IS NULL) EXECUTE FUNCTION give_booking_id();
CREATE TRIGGER booking_id_by_hand BEFORE UPDATE OF booking_id ON bookings FOR EACH ROW WHEN (new.booking_id IS DISTINCT FROM old.booking_id) EXECUTE FUNCTION booking_id_by_hand();
CREATE TRIGGER booking_sessions_delete AFTER DELETE ON bookings REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION booking_sessions_delete();
CREATE TRIGGER booking_sessions_insert AFTER INSERT ON bookings REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION booking_sessions_insert();
CREATE TRIGGER booking_sessions_truncate AFTER TRUNCATE ON bookings FOR EACH STATEMENT EXECUTE FUNCTION booking_sessions_truncate();
CREATE TRIGGER booking_sessions_update AFTER UPDATE ON bookings REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION booking_sessions_update();
CREATE TRIGGER touch_on_delete AFTER DELETE ON bookings REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('f');
CREATE TRIGGER touch_on_insert AFTER INSERT ON bookings REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('f');
CREATE TRIGGER touch_on_truncate AFTER TRUNCATE ON bookings FOR EACH STATEMENT EXECUTE FUNCTION note_touch('f');
CREATE TRIGGER touch_on_update AFTER UPDATE ON bookings REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_touch('f');

CREATE CONSTRAINT TRIGGER center_touched AFTER INSERT OR UPDATE OF profile ON center_touches DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION center_touched();

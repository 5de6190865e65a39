-- Sessions, orders, customers and their bookings (records.md). Hot columns are columns; the long tail is
-- jsonb by sensitivity, read only when a projection names it. Foreign keys are checked at commit, because
-- the records of one import come in any order.

create table sessions (
  center_id text collate "C" not null references centers on delete cascade deferrable initially deferred,
  id text collate "C" not null,
  name text not null,
  number text,
  text text,
  start_date timestamptz not null check (isfinite(start_date)),
  end_date timestamptz not null check (isfinite(end_date)),
  program_ids text[] not null default '{}',
  unit_ids text[] not null default '{}',
  primary key (center_id, id),
  check (end_date >= start_date)
);

create index sessions_by_start on sessions (center_id, start_date, id) include (end_date);

create table orders (
  center_id text collate "C" not null references centers on delete cascade deferrable initially deferred,
  uuid text collate "C" not null,
  number text,
  order_date timestamptz not null check (isfinite(order_date)),
  total_amount numeric not null,
  currency text,
  status text not null,
  payment_method text,
  payment_status text,
  billing_address jsonb,
  notes text,
  items jsonb not null default '[]',
  created_at timestamptz check (isfinite(created_at)),
  updated_at timestamptz check (isfinite(updated_at)),
  primary key (center_id, uuid)
);

create index orders_by_date on orders (center_id, order_date, uuid);

create table customers (
  center_id text collate "C" not null references centers on delete cascade deferrable initially deferred,
  id text collate "C" not null,
  first_name text not null,
  last_name text not null,
  email text,
  phone text,
  secondary_phone text,
  pin text,
  internal_id text,
  dob date check (isfinite(dob)),
  gender text,
  religion text,
  address jsonb,
  referral_type text,
  meta jsonb,
  primary key (center_id, id)
);

create table bookings (
  center_id text collate "C" not null references centers on delete cascade deferrable initially deferred,
  id text collate "C" not null,
  customer_id text collate "C" not null,
  role text not null check (role in ('patient', 'companion', 'guest')),
  status text not null check (status in (
    'registered', 'waitingList', 'review', 'confirmed', 'arrived', 'paid', 'cancelled', 'voided',
    'registeredOnline', 'offer', 'departed'
  )),
  start_date timestamptz not null check (isfinite(start_date)),
  end_date timestamptz not null check (isfinite(end_date)),
  -- the first one is the booking's main session
  session_ids text[] not null default '{}',
  booking_id text,
  -- set when the booking identifier was given automatically, so that one set by hand is never overwritten
  booking_number integer,
  booked_at timestamptz check (isfinite(booked_at)),
  created_by text,
  program_id text,
  package_id text,
  order_uuid text collate "C",
  is_order_main_guest boolean,
  doctor_name text,
  therapist_name text,
  skipping_meals jsonb not null default '{"breakfast": [], "lunch": [], "dinner": []}',
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
  primary key (center_id, id),
  check (end_date >= start_date),
  foreign key (center_id, customer_id) references customers deferrable initially deferred,
  foreign key (center_id, order_uuid) references orders deferrable initially deferred
);

-- The order of a guest list (ruling 18) and its filters from the index alone.
create index bookings_by_start on bookings (center_id, start_date, id) include (end_date, role, status);

-- A range query looks back 31 days along bookings_by_start; the few longer stays stand here (ruling 14).
create index bookings_long_stays on bookings (center_id, end_date, start_date, id) include (role, status)
  where end_date - start_date > interval '31 days';

create index bookings_by_customer on bookings (center_id, customer_id);
create index bookings_by_order on bookings (center_id, order_uuid) where order_uuid is not null;
create index bookings_by_booking_id on bookings (center_id, booking_id) where booking_id is not null;

-- Which bookings belong to a session: derived from bookings.session_ids by the triggers of 0003, so that a
-- session's page is read along one index whoever wrote the booking.
create table booking_sessions (
  center_id text collate "C" not null,
  session_id text collate "C" not null,
  booking_id text collate "C" not null,
  position smallint not null,
  start_date timestamptz not null,
  primary key (center_id, session_id, booking_id),
  foreign key (center_id, session_id) references sessions deferrable initially deferred
);

create index booking_sessions_by_start on booking_sessions (center_id, session_id, start_date, booking_id);
create index booking_sessions_by_booking on booking_sessions (center_id, booking_id);

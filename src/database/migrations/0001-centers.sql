-- A center, and the named things and custom fields it defines (records.md: center, term, metaField).
-- Every table carries center_id first in its primary key, so that the schema can be distributed by center.
-- Identifiers compare by byte (collate "C"): the same order on every platform, and the fastest one.

create table centers (
  center_id text collate "C" primary key,
  name text not null,
  address_line1 text,
  address_line2 text,
  email text,
  phone text,
  timezone text not null,
  currency text not null,
  locale text not null default 'en',
  automatic_booking_ids boolean not null default false,
  booking_id_session text not null default 'number' check (booking_id_session in ('number', 'name')),
  -- without the booking's number every booking of a session would get the same identifier
  booking_id_format text not null default 'YY-SN-BN' check (booking_id_format like '%BN%'),
  api_access boolean not null default true,
  maximum_page_length integer not null default 100 check (maximum_page_length >= 1),
  meal_report_excluded_statuses text[] not null default '{cancelled,waitingList,review}'
);

create table terms (
  center_id text collate "C" not null references centers on delete cascade deferrable initially deferred,
  term_set text collate "C" not null,
  id text collate "C" not null,
  name text not null,
  names jsonb not null default '{}',
  primary key (center_id, term_set, id)
);

create table meta_fields (
  center_id text collate "C" not null references centers on delete cascade deferrable initially deferred,
  key text collate "C" not null,
  label text,
  type text not null check (type in ('string', 'number', 'boolean', 'date')),
  owner text not null check (owner in ('customer', 'booking')),
  primary key (center_id, key)
);

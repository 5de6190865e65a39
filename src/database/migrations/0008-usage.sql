-- What each application asked for and what was refused, for whoever runs the integration. Numbers and sentences about
-- requests, never anything of what was sent in them.

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
  primary key (center_id, app_id, day, endpoint)
);

create index usage_days_by_day on usage_days (center_id, day);

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
  first_at timestamptz not null,
  last_at timestamptz not null,
  -- of the last one
  request_id text collate "C" not null,
  primary key (center_id, app_id, fingerprint)
);

create index usage_errors_by_time on usage_errors (center_id, app_id, last_at);

-- Requests that were refused for their credentials, limits or scopes, so that whoever runs the service sees guesses, a client
-- with an old key, and one that asks for more than it may. One row counts all of an hour that are alike: nobody can fill the
-- database by being refused. A row has no secret, no query, no address, and a public key only if it is that of a key.
create table refused_requests (
  -- '' where no key is known
  center_id text collate "C" not null,
  -- when the hour began
  hour timestamp with time zone not null,
  -- '' where no key is known
  public_key text collate "C" not null,
  -- the documented path
  endpoint text collate "C" not null,
  reason text collate "C" not null,
  times bigint not null,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  -- of the last request
  request_id text collate "C" not null,
  constraint refused_requests_pkey primary key (center_id, hour, public_key, endpoint, reason)
);

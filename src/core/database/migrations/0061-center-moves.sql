-- A center that moves to another database. Its row here closes it: requests get a 503, background work leaves it out, and what
-- still writes to its records or its keys is rolled back once it has moved.
-- phase: expand
-- locks: api_keys, device_links, links, mappings, notice_addresses, reports, sources, webhooks
-- reads_from: 0051
create table center_moves (
  center_id text collate "C" not null primary key,
  -- the same in both databases
  move_id uuid not null,
  -- arriving: not complete here; closing: until closed_until, and moved: here no longer
  state text collate "C" not null check (state in ('arriving', 'closing', 'moved')),
  closed_until timestamptz,
  at timestamptz not null default clock_timestamp(),
  -- moved: how many entries of the trail have moved
  trail_seq bigint,
  check ((state = 'closing') = (closed_until is not null)),
  check ((state = 'moved') = (trail_seq is not null))
);
-- With the rights of the table's owner: roles of centers' own systems were granted tables by name (docs/writing-with-sql.md). Their
-- writes must not fail because of this table, which they may not read.
create function has_moved(center text) returns boolean
language sql volatile security definer as $$
  select exists (select from center_moves where center_id = center and state = 'moved')
$$;

do $$ begin
  execute format('alter function has_moved(text) set search_path to %I, pg_temp', current_schema());
end $$;

-- Whether a center is closed here, at this moment. If the command that moves it ends early, closed_until opens it.
create function is_closed(center text) returns boolean
language sql volatile as $$
  select exists (
    select from center_moves m
    where m.center_id = center and (m.state <> 'closing' or m.closed_until > clock_timestamp())
  )
$$;

-- The last part of a move locks the center's row. A change that waits for that must see how it ended.
create function refuse_moved() returns trigger
language plpgsql as $$
begin
  perform from centers where center_id = coalesce(new.center_id, old.center_id) for key share;
  if exists (
    select from center_moves where center_id = coalesce(new.center_id, old.center_id) and state = 'moved'
  ) then
    raise exception 'the center has moved to another database' using errcode = '55000';
  end if;
  return null;
end $$;

create trigger refuse_moved after insert or delete or update of secret_hash, scopes, revoked_at, expires_at, per_hour, per_minute,
  allowed_addresses, allow_assistants, custom_fields, name, responsible, review_on, grants on api_keys
for each row execute function refuse_moved();
create trigger refuse_moved after insert or delete or update on links for each row execute function refuse_moved();
create trigger refuse_moved after insert or delete or update on device_links for each row execute function refuse_moved();
create trigger refuse_moved after insert or delete or update of name, url, scopes, kinds, salt on webhooks
for each row execute function refuse_moved();
create trigger refuse_moved after insert or delete or update of name, question, times, days, destinations on reports
for each row execute function refuse_moved();
create trigger refuse_moved after insert or delete or update on mappings for each row execute function refuse_moved();
create trigger refuse_moved after insert or delete or update on notice_addresses for each row execute function refuse_moved();
create trigger refuse_moved after insert or delete or update on sources for each row execute function refuse_moved();

-- As before, and each commit that touches a center that has moved is rolled back. It waits for the center's revision, which the
-- last part of a move locks, and the statement after that sees how it ended.
create or replace function advance_revisions(mover xid8) returns void
language plpgsql set enable_seqscan to 'off' set plan_cache_mode to 'force_generic_plan' as $$
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
end $$;

-- The sender of webhooks asked every second which of all webhooks had something to send. Now a webhook is idle once its turn
-- found nothing to send, and a look reads the webhooks that are not, those with events, and those of centers with a commit of the
-- last minute. A change of a center was stored without its time, which one column of its revision now has.
-- phase: expand
-- locks: center_revisions, webhooks
-- reads_from: 0051
alter table center_revisions add column advanced_at timestamp with time zone not null default now();
create index center_revisions_by_time on center_revisions (advanced_at);
alter table webhooks add column idle boolean not null default false;
create index webhooks_at_work on webhooks (center_id, id) where state = 'active' and not idle;

CREATE OR REPLACE FUNCTION advance_revisions(mover xid8)
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $$
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

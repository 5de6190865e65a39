with commits as (
  select revision, transaction_id, committed_at from change_commits
  where center_id = $1 and revision > $2
  order by revision limit $3
), notes as materialized (
  select m.revision, m.committed_at, c.kind, c.id, c.operation, c.columns, c.session_ids, c.during
  from (select * from commits order by revision) m
  cross join lateral (
    select * from changes c where c.center_id = $4 and c.transaction_id = m.transaction_id offset 0
  ) c
  order by m.revision, c.kind, c.id
  offset $5 limit $6
), last_commit as (
  select revision, committed_at from commits order by revision desc limit 1
)
select
  r.revision, (
    select (extract(epoch from committed_at) * 1000000)::bigint from change_commits where center_id = $7 and revision = r.revision
  ) as newest_at, r.history_id,
  (select revision from change_commits where center_id = $8 order by revision limit 1) as oldest,
  (
    select (extract(epoch from committed_at) * 1000000)::bigint from change_commits where center_id = $9 and revision = $10
  ) as place_at,
  (select revision from last_commit), (select (extract(epoch from committed_at) * 1000000)::bigint from last_commit),
  (
    select coalesce(json_agg(json_build_array(
      n.revision, (extract(epoch from n.committed_at) * 1000000)::bigint, exists (
        select from booking_sessions bs
        where bs.center_id = $11 and bs.session_id = $12 and bs.booking_id = n.id
      ),
      n.kind, n.id, n.operation, n.columns, n.session_ids,
        (select coalesce(json_agg(json_build_array(
          floor(extract(epoch from lower(d)) * 1000), ceil(extract(epoch from upper(d)) * 1000)
        )), '[]') from unnest(n.during) as d)
    ) order by n.revision, n.kind, n.id), '[]')
    from notes n
  )
from center_revisions r where r.center_id = $13
-- $1 = "c07"
-- $2 = 200
-- $3 = 1000
-- $4 = "c07"
-- $5 = 40
-- $6 = 1001
-- $7 = "c07"
-- $8 = "c07"
-- $9 = "c07"
-- $10 = 201
-- $11 = "c07"
-- $12 = "s10"
-- $13 = "c07"

select
  r.revision, (
    select (extract(epoch from committed_at) * 1000000)::bigint from change_commits where center_id = $1 and revision = r.revision
  ) as newest_at, r.history_id,
  (select revision from change_commits where center_id = $2 order by revision limit 1) as oldest,
  (
    select (extract(epoch from committed_at) * 1000000)::bigint from change_commits where center_id = $3 and revision = $4
  ) as place_at,
  (
    select count(*) > $5 or coalesce(bool_or(n.touches), false)
    from (
      select ((c.kind = $6 and (c.id = $7 or (true
        and c.session_ids && $8
        and (c.operation <> 'changed' or c.columns && $9)
      ))) or (c.kind = $10 and (c.id = $11 or (true
        and c.id = any($12)
        and (c.operation <> 'changed' or c.columns && $13)
      )))) as touches
      from change_commits m
      join changes c on c.center_id = $14 and c.transaction_id = m.transaction_id
      where m.center_id = $15 and m.revision > $16
        and c.kind = any($17)
      limit $18
    ) n
  ) as touched
from center_revisions r where r.center_id = $19
-- $1 = "c07"
-- $2 = "c07"
-- $3 = "c07"
-- $4 = 1000
-- $5 = 50000
-- $6 = "guest"
-- $7 = "*"
-- $8 = ["s10"]
-- $9 = ["bookings.status"]
-- $10 = "guest"
-- $11 = "*"
-- $12 = ["b1"]
-- $13 = ["bookings.doctor_name"]
-- $14 = "c07"
-- $15 = "c07"
-- $16 = 1000
-- $17 = ["guest"]
-- $18 = 50001
-- $19 = "c07"

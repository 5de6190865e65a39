with matched as materialized (
  select s.id as id, s.start_date from sessions s
  where s.center_id = $1 and s.start_date <= $2 and s.end_date >= $3
)
select
  (select revision from center_revisions where center_id = $4) as revision,
  s.id, s.name, s.number, s.text, (
select coalesce(
  jsonb_agg(
    jsonb_build_object('_id', listed.id, 'name', coalesce(t.names ->> $5, t.name, listed.id))
    order by listed.position
  ),
  '[]'
)
from unnest(s.program_ids) with ordinality as listed (id, position)
left join terms t on t.center_id = s.center_id and t.term_set = 'program' and t.id = listed.id) as program_ids_names, (
select coalesce(
  jsonb_agg(
    jsonb_build_object('_id', listed.id, 'name', coalesce(t.names ->> $6, t.name, listed.id))
    order by listed.position
  ),
  '[]'
)
from unnest(s.unit_ids) with ordinality as listed (id, position)
left join terms t on t.center_id = s.center_id and t.term_set = 'unit' and t.id = listed.id) as unit_ids_names, s.start_date, s.end_date, null::json as guestCounts,
  (select count(*) from matched) as total
from (select 1) as one
left join (
  select id, start_date from matched
  order by start_date, id
  limit $7 offset $8
) page on true
left join sessions s on s.center_id = $9 and s.id = page.id
order by page.start_date, page.id
-- $1 = "c07"
-- $2 = "2025-01-31T23:59:59.999Z"
-- $3 = "2025-01-01T00:00:00.000Z"
-- $4 = "c07"
-- $5 = "en"
-- $6 = "en"
-- $7 = 50
-- $8 = 0
-- $9 = "c07"

import sql, { type Sql } from 'sql-template-tag'

/**
 * The meal rules of a center and the keys of its custom fields; no row if the center does not exist. Locks the center until
 * the transaction ends. Uses primary keys.
 */
export const dietsOfCenterSql = (center: string): Sql => sql`
  select meal_rules, (
    select coalesce(json_agg(key), '[]') from meta_fields where center_id = ${center}
  ) as fields
  from centers
  where center_id = ${center}
  for no key update`

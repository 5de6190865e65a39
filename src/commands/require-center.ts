/** The center that a command names, where it has to be there before anything is done for it. */
import { type CenterRow, selectCenters } from '../centers/centers-sql.ts'
import type { Queryable } from '../database/database.ts'
import { suggest } from '../errors/suggest.ts'
import { InputError } from '../intake/input-error.ts'

const LISTED_MAX = 10

/**
 * @param database its place is named: a terminal without the setting of another looks into another database
 * @throws {InputError} with the centers that there are
 */
export async function requireCenter(
  database: Queryable & { readonly place?: string },
  center: string,
): Promise<void> {
  const rows = await database.query<CenterRow>(selectCenters())
  const ids = rows.map((row) => row.center_id)
  if (ids.includes(center)) return
  const place = database.place === undefined ? 'the database' : `the database ${database.place}`
  const close = suggest(center, ids)
  const listed = ids.slice(0, LISTED_MAX).join(', ')
  const known =
    ids.length === 0
      ? 'It has none yet'
      : `It has ${listed}${ids.length > LISTED_MAX ? ` and ${ids.length - LISTED_MAX} more` : ''}`
  throw new InputError(
    [
      `There is no center "${center}" in ${place}${close === undefined ? '.' : `; did you mean ${close}?`}`,
      `${known}. Import the center first; or, if it is in another database, name that with DATA_DIR or DATABASE_URL.`,
    ].join('\n'),
  )
}

import { DAY_MS } from '../../locale/civil.ts'
import { localDateOf } from '../../locale/zones.ts'
import { recordFields } from '../../records/intake-fields.ts'
import { FIRST_IN_RECORDS, SESSION } from '../../records/session.ts'
import { checkInterval, type JsonObject, type Kind } from './kind.ts'
import { storedFields } from './stored-fields.ts'

const fields = storedFields(recordFields(SESSION.fields), ['id'], FIRST_IN_RECORDS)

/** A dated program that guests attend. */
export const session = {
  name: 'session',
  table: 'sessions',
  key: [{ field: 'id', column: 'id' }],
  ...fields,
  columns: [...fields.columns, { name: 'start_year', type: 'integer' }],
  settle: (_before, after, zone) => noteYear(after, zone),
  check: checkInterval,
} as const satisfies Kind

/** The local year of the start, where it depends on the time zone; the database gives booking identifiers by it. */
function noteYear(row: JsonObject, zone: string): void {
  const start = Date.parse(String(row.start_date))
  const yearOf = (at: number) => new Date(at).getUTCFullYear()
  if (yearOf(start - DAY_MS) === yearOf(start + DAY_MS)) delete row.start_year
  else row.start_year = Number(localDateOf(zone, start).slice(0, 4))
}

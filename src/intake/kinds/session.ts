import { recordFields } from '../../records/intake-fields.ts'
import { FIRST_IN_RECORDS, SESSION } from '../../records/session.ts'
import { checkInterval, type Kind } from './kind.ts'
import { storedFields } from './stored-fields.ts'

/** A dated program that guests attend. */
export const session = {
  name: 'session',
  table: 'sessions',
  key: [{ field: 'id', column: 'id' }],
  ...storedFields(recordFields(SESSION.fields), ['id'], FIRST_IN_RECORDS),
  check: checkInterval,
} as const satisfies Kind

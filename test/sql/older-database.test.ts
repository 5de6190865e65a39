/** The form of a page's statement for PostgreSQL before 18, which is also run on newer versions: the same rows. */

import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { type GuestFilters, selectGuestsPage } from '../../src/core/api/guests/guests-sql.ts'
import { presenterOf } from '../../src/core/api/guests/present-guest.ts'
import { PROJECTABLE_NAMES, readProjection } from '../../src/core/api/guests/projection.ts'
import { unguessableSeparator } from '../../src/core/database/text-rows.ts'
import { type Center, centerId, readCenter } from '../../src/core/records/centers/center.ts'
import { fill } from '../routes/guests/hostile-guests.ts'
import { startTestApi } from '../support/api.ts'
import { seededRandom } from '../support/random-center.ts'
import { spa } from '../support/world.ts'

const id = centerId('spa')
const EVER = { lower: '1000-01-01T00:00:00.000Z', upper: '9999-12-31T23:59:59.999Z' }
const PROJECTIONS = [
  PROJECTABLE_NAMES,
  ['orderNumber', 'sessionInterval'],
  ['name', 'programId'],
  ['firstName', 'sessionStartDate'],
  ['medicalLetter.diagnoses'],
]
const LISTS: readonly Partial<GuestFilters>[] = [
  EVER,
  { sessionIds: ['s-1'] },
  { sessionIds: ['s-1', 's-2'] },
  { ...EVER, internalId: 'C-1' },
]

test('a center knows whether its database finds many keys together', async () => {
  const { database } = await startTestApi({ records: [spa()] })
  const [server] = await database.query<{ version: string }>(sql`
    select current_setting('server_version_num') as version`)
  const isOlder = Number(server?.version) < 180_000
  expect(await readCenter(database, id)).toMatchObject({ isInOlderDatabase: isOlder })
})

test('a page reads each row by its own key there, and reads the same', async () => {
  const { database } = await startTestApi({ records: [spa()] })
  await fill(database, id, seededRandom(18))
  const center = (await readCenter(database, id)) as Center
  const separator = unguessableSeparator()
  const page = { start: 1, length: 100 }
  for (const names of PROJECTIONS) {
    const { projection } = readProjection(names, center)
    const { selection } = presenterOf(projection)
    for (const list of LISTS) {
      const filters = { lower: undefined, upper: undefined, ...list }
      const [newer, older] = [false, true].map((isInOlderDatabase) =>
        selectGuestsPage(
          id,
          filters,
          page,
          selection,
          { language: 'ro', center: { ...center, isInOlderDatabase } },
          separator,
        ),
      )
      expect(newer!.text).toContain('center_id >= any(')
      expect(older!.text).not.toMatch(/full join|center_id >=/)
      const what = `${names} ${JSON.stringify(list)}`
      expect(await database.queryArrays(older!), what).toEqual(await database.queryArrays(newer!))
    }
  }
})

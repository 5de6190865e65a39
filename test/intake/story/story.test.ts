/** A center's export, as five programs write it, goes in with a mapping that fits on a page. */
import { Readable } from 'node:stream'
import sql from 'sql-template-tag'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../../src/core/database/database.ts'
import type { Files } from '../../../src/core/intake/lines/files.ts'
import { readFiles } from '../../../src/core/intake/lines/read-files.ts'
import { readMapping } from '../../../src/core/intake/spreadsheets/mapping/read-mapping.ts'
import { openTestDatabase } from '../../support/database.ts'
import { center, empty, importLines } from '../import-lines.ts'
import { CSV_OF, DIALECTS, type Dialect, workbookDialects } from './dialects.ts'
import { STORY_GUESTS } from './guests.ts'

let database: Database
beforeAll(async () => {
  database = await openTestDatabase()
})
beforeEach(() => empty(database))

const CENTER = `${JSON.stringify(center({ timezone: 'Europe/Berlin', currency: 'EUR' }))}\n`

async function importStory({ file, bytes, mapping }: Dialect) {
  const files: Pick<Files, 'open'> = {
    open: async (path) => Readable.from([path === file ? bytes : Buffer.from(CENTER)]),
  }
  const options = { mapping: readMapping(mapping, 'mapping.yaml') }
  const lines = await readFiles(['center.ndjson', file], files, options)
  return importLines(database, lines, { center: 'c' })
}

/** What is in the database, in the words of the story. */
const guests = () =>
  database.query(sql`
    select b.id as booking, k.first_name as "firstName", k.last_name as "lastName", k.dob::text as born,
      to_char(b.start_date at time zone 'Europe/Berlin', 'YYYY-MM-DD"T"HH24:MI') as arrival,
      to_char(b.end_date at time zone 'Europe/Berlin', 'YYYY-MM-DD"T"HH24:MI') as departure,
      coalesce(k.email, '') as email, b.accommodation->>'roomId' as room, b.status, b.role,
      (b.financial->>'total')::float8 as price, b.is_order_main_guest as "isMain", b.order_uuid as order
    from bookings b join customers k on k.center_id = b.center_id and k.id = b.customer_id
    where b.center_id = 'c' order by b.id`)

const EXPECTED = STORY_GUESTS.map((guest) => ({
  ...guest,
  arrival: `${guest.arrival}T15:00`,
  departure: `${guest.departure}T11:00`,
}))

describe.each(DIALECTS)('$name', (dialect) => {
  test('every guest is as the booking system knows them, with a mapping of under 40 lines', async () => {
    expect(dialect.mapping.trim().split('\n').length).toBeLessThan(40)
    const { summary, problems } = await importStory(dialect)
    expect(problems).toEqual([])
    expect(summary.kinds).toMatchObject({
      customer: { created: 300 },
      order: { created: 150 },
      booking: { created: 300 },
    })
    expect(await guests()).toEqual(EXPECTED)
    expect((await importStory(dialect)).summary.kinds).toMatchObject({
      customer: { created: 0, changed: 0 },
      order: { created: 0, changed: 0 },
      booking: { created: 0, changed: 0, unchanged: 300 },
    })
  })
})

describe.each(await workbookDialects())('$name', (dialect) => {
  test('the sheet has the same guests as the CSV file, with the same identifiers', async () => {
    const csv = CSV_OF[dialect.file]
    if (csv !== undefined) await importStory(csv)
    const { summary, problems } = await importStory(dialect)
    expect(problems).toEqual([])
    expect(summary.kinds).toMatchObject({
      customer: { unchanged: 300 },
      order: { unchanged: 150 },
      booking: { unchanged: 300 },
    })
    expect(await guests()).toEqual(EXPECTED)
  })
})

/** A workbook and a CSV file of 30,000 guests, opened by LibreOffice: every row is there, and every cell is what it should be. */
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { beforeAll, expect, it } from 'vitest'
import { Sojourn } from '../../../../client/src/index.ts'
import { startTestApi } from '../../../support/api.ts'
import { openedIn } from '../../../support/libreoffice.ts'
import { listen } from '../../../support/socket.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'

const GUESTS = 30_000
const QUERY = {
  startDate: '2025-01-01',
  endDate: '2025-12-31',
  project: ['id', 'firstName', 'lastName', 'phone', 'dob', 'startDate', 'financial.total'],
} as const

let folder: string
let sojourn: Sojourn
beforeAll(async () => {
  const api = await startTestApi()
  // A script may take as long as an import does.
  await api.database.runScript(`
    insert into customers (center_id, id, first_name, last_name, phone, dob)
    select 'spa', 'c-' || n, 'Ștefan', '=1+' || n, '+40722' || lpad(n::text, 6, '0'), '1980-02-03'::date
    from generate_series(1, ${GUESTS}) n;
    insert into bookings (center_id, id, customer_id, role, status, start_date, end_date, financial)
    select 'spa', 'b-' || n, 'c-' || n, 'patient', 'confirmed', '2025-03-01T14:00Z', '2025-03-08T10:00Z', '{"total": 1000.5}'
    from generate_series(1, ${GUESTS}) n`)
  sojourn = new Sojourn({
    url: `http://127.0.0.1:${await listen(api.app)}`,
    key: api.key.apiKey,
    locale: 'ro',
  })
  folder = makeTemporaryFolder()
}, 300_000)

const opened = (name: string, filter?: readonly string[]) => openedIn(folder, name, filter)

async function download(format: 'csv' | 'xlsx'): Promise<string> {
  const file = await sojourn.guests.file({ ...QUERY, format })
  expect(file.count).toBe(GUESTS)
  const name = `${format}-guests.${format}`
  await pipeline(file.body, createWriteStream(join(folder, name)))
  return name
}

const count = (text: string, what: RegExp) => text.match(what)?.length ?? 0

it('a workbook has its dates as dates, its amounts as numbers, and everything else as text', async () => {
  const [, sheet = '', ages = ''] = (await opened(await download('xlsx'))).split('<table:table ')
  expect(count(sheet, /office:value-type="date" office:date-value="2025-03-01"/g)).toBe(GUESTS)
  expect(count(sheet, /office:value-type="date" office:date-value="1980-02-03"/g)).toBe(GUESTS)
  expect(count(sheet, /office:value-type="float" office:value="1000.5"/g)).toBe(GUESTS)
  expect(count(sheet, /office:value-type="string"/g)).toBe(4 * GUESTS + QUERY.project.length)
  expect(sheet).toContain('<text:p>+40722030000</text:p>')
  expect(sheet).toContain('<text:p>Ștefan</text:p>')
  expect(sheet).not.toContain('table:formula')
  // The second sheet says how old the data is (ruling 46).
  expect(ages).toContain('_2')
}, 300_000)

it('a CSV file opens as its language has it, and runs nothing', async () => {
  // Separated by semicolons, quoted by ", UTF-8, from line 1, in Romanian, and numbers and dates found as when it is typed.
  const options = '59,34,76,1,,1048,false,true,false,false,false,-1'
  const sheet = await opened(await download('csv'), [`--infilter=Text - txt - csv (StarCalc):${options}`])
  expect(count(sheet, /<text:p>Ștefan<\/text:p>/g)).toBe(GUESTS)
  expect(count(sheet, /office:value-type="float" office:value="1000.5"/g)).toBe(GUESTS)
  expect(count(sheet, /office:value-type="date" office:date-value="2025-03-01"/g)).toBe(GUESTS)
  // The only formulas are those that the service writes: the phone numbers, each nothing but its own text, and text afterwards.
  const phone =
    /table:formula="of:=&quot;(\+40722\d{6})&quot;" office:value-type="string"[^>]*>\s*<text:p>\1<\/text:p>/g
  expect(count(sheet, phone)).toBe(GUESTS)
  expect(count(sheet, /table:formula/g)).toBe(GUESTS)
  // What somebody has written as a formula is text.
  expect(sheet).toContain('=1+30000</text:p>')
}, 300_000)

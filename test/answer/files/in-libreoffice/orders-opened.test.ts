/** The orders of a month as CSV and XLSX, opened by LibreOffice: numbers of orders keep their zeros, and columns add up. */
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { beforeAll, expect, it } from 'vitest'
import { Sojourn } from '../../../../client/src/index.ts'
import { startTestApi } from '../../../support/api.ts'
import { openedIn } from '../../../support/libreoffice.ts'
import { listen } from '../../../support/socket.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'
import { order, spa } from '../../../support/world.ts'

const NUMBERS = ['0000123', '2026-1', '12345678901234567890', '1e5', '3.10', 'A-7', '=1+1']
const ITEMS = [
  { itemId: 'i1', name: 'Stay; nine nights', quantity: 2, price: 60.25 },
  { itemId: 'i2', name: '=cmd', quantity: 0.5, price: 0.1 },
]

let folder: string
let sojourn: Sojourn
beforeAll(async () => {
  const records = NUMBERS.map((number, at) =>
    order(`order-${at}`, { number, orderDate: '2026-10-03T12:00', totalAmount: 1234.5, items: ITEMS }),
  )
  const api = await startTestApi({ records: [spa(), ...records] })
  const url = `http://127.0.0.1:${await listen(api.app)}`
  sojourn = new Sojourn({ url, key: api.key.apiKey, locale: 'ro' })
  folder = makeTemporaryFolder()
}, 300_000)

async function opened(format: 'csv' | 'xlsx', rows: 'orders' | 'items'): Promise<string> {
  const file = await sojourn.orders.file({ startDate: '2026-10-01', endDate: '2026-10-31', format, rows })
  const name = `${format}-${rows}.${format}`
  await pipeline(file.body, createWriteStream(join(folder, name)))
  // Separated by semicolons, quoted by ", UTF-8, from line 1, in Romanian, and numbers and dates found as when it is typed.
  const options = '59,34,76,1,,1048,false,true,false,false,false,-1'
  const filter = format === 'csv' ? [`--infilter=Text - txt - csv (StarCalc):${options}`] : []
  return (await openedIn(folder, name, filter)).split('<table:table ')[1] ?? ''
}

const count = (text: string, what: RegExp) => text.match(what)?.length ?? 0

it.each([
  ['csv', 'orders'],
  ['xlsx', 'orders'],
  ['csv', 'items'],
  ['xlsx', 'items'],
] as const)(
  '%s with a row for each of %s',
  async (format, rows) => {
    const sheet = await opened(format, rows)
    const each = rows === 'items' ? ITEMS.length : 1
    for (const number of NUMBERS) {
      const text = number.replaceAll(/[+.]/g, '\\$&')
      expect(count(sheet, new RegExp(`<text:p>(?:'|&apos;)?${text}</text:p>`, 'g')), number).toBe(each)
    }
    expect(count(sheet, /office:value-type="float" office:value="1234.5"/g)).toBe(NUMBERS.length)
    expect(count(sheet, /office:value-type="date" office:date-value="2026-10-03"/g)).toBeGreaterThanOrEqual(
      NUMBERS.length * each,
    )
    expect(sheet).toContain('Numărul comenzii')
    // The only formulas are texts of digits.
    expect(sheet.replaceAll(/table:formula="of:=&quot;[\d.e-]+&quot;"/g, '')).not.toContain('table:formula')
    if (rows === 'orders') return
    expect(count(sheet, /office:value-type="float" office:value="120.5"/g)).toBe(NUMBERS.length)
    expect(count(sheet, /office:value-type="float" office:value="0.05"/g)).toBe(NUMBERS.length)
    expect(sheet).toContain('<text:p>Stay; nine nights</text:p>')
  },
  300_000,
)

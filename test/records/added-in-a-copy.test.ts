/** Carries out what CONTRIBUTING.md says about fields and filters, in a copy of the source, and reads what follows. */
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')
const run = promisify(execFile)
let copy = ''

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'sojourn-copy-'))
  for (const name of ['src', 'tools', 'docs', 'client', 'package.json', 'test/support', 'README.md']) {
    cpSync(join(ROOT, name), join(copy, name), {
      recursive: true,
      filter: (file) => !file.includes('node_modules'),
    })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
})
afterAll(() => rmSync(copy, { recursive: true }))

/** Adds lines before one that is in the file once. */
function add(file: string, before: string, lines: string): void {
  const path = join(copy, file)
  const text = readFileSync(path, 'utf8')
  expect(text.split(before)).toHaveLength(2)
  writeFileSync(
    path,
    text.replace(before, () => `${lines}\n${before}`),
  )
}

/** What a program prints that runs in the copy. */
async function printed(program: string): Promise<Record<string, unknown>> {
  const { stdout } = await run(process.execPath, ['--input-type=module-typescript', '--eval', program], {
    cwd: copy,
    maxBuffer: 2 ** 24,
  })
  return JSON.parse(stdout)
}

const PLAN_OF = `
import { centerId } from './src/records/centers/center.ts'
import { readRawQuery } from './src/request/parameters.ts'
import { readMealRules } from './src/records/centers/meal-rules.ts'
import { OPERATIONS } from './src/app.ts'
import { openApiDocument } from './src/extras/openapi/document.ts'
import { clientTypes } from './tools/print-client-types.ts'
import { KINDS } from './src/intake/kinds.ts'
const center = { id: centerId('spa'), timezone: 'Europe/Bucharest', currency: 'EUR', language: 'en', maximumPageLength: 100,
  metaFields: new Map(), mealReportExcludedStatuses: [], mealRules: readMealRules(null) }
const planOf = (name, url) => OPERATIONS.find((one) => one.name === name)
  .parse({ center, language: 'en', accepts: 'json', today: '2025-01-15', query: readRawQuery(url), pathParameters: {} })
const document = openApiDocument({ operations: OPERATIONS, version: '' })
`

describe('in a copy of the source', () => {
  it('an entry makes a field of orders that is read, shown, typed, imported and exported', async () => {
    add(
      'src/records/order.ts',
      "  moment('createdAt',",
      "  asIs('salesChannel', order.column('sales_channel', value.text), { ...about('Where it was sold.'), example: 'web' }),",
    )
    const { listed, single, statement, types, record, column, cells } = await printed(`${PLAN_OF}
      import { ORDER } from './src/records/order.ts'
      const plan = planOf('listOrders', '/orders?startDate=2025-01-01&endDate=2025-01-31')
      console.log(JSON.stringify({
        listed: document.components.schemas.ListedOrder.properties.salesChannel,
        single: document.components.schemas.Order.properties.salesChannel,
        statement: plan.statement.text,
        types: clientTypes(),
        record: KINDS.order.schema.properties.salesChannel,
        column: KINDS.order.columns.find(({ name }) => name === 'sales_channel'),
        cells: ORDER.form({}).columns.map(({ name }) => name),
      }))`)
    expect(listed).toEqual({ type: ['string', 'null'] })
    expect(single).toEqual({ type: ['string', 'null'] })
    expect(statement).toContain('o.sales_channel')
    expect(types).toMatch(/salesChannel: string \| null/)
    expect(record).toMatchObject({ description: 'Where it was sold.' })
    expect(column).toEqual({ name: 'sales_channel', type: 'text', field: 'salesChannel' })
    expect(cells).toContain('salesChannel')
  })

  it('an entry makes a filter of orders', async () => {
    add(
      'src/api/orders/list-orders.ts',
      '  // Uses an index of its own.',
      `  paymentMethod: filter(
        textParameter({ description: 'Only this method.', maximum: 200 }),
        (one) => sql\`o.payment_method = \${one}\`,
      ),`,
    )
    const { statement, parameters } = await printed(`${PLAN_OF}
      const plan = planOf('listOrders', '/orders?startDate=2025-01-01&endDate=2025-01-31&paymentMethod=card')
      console.log(JSON.stringify({
        statement: plan.statement.text,
        parameters: document.paths['/orders'].get.parameters.map((one) => one.name ?? one.$ref),
      }))`)
    expect(statement).toContain('o.payment_method = $')
    expect(parameters).toContain('paymentMethod')
  })

  it('a parameter and its condition make a filter of guests that searches', async () => {
    add(
      'src/api/guests/finding.ts',
      '  internalId: textParameter({',
      "  pin: textParameter({ description: 'Only this number.', maximum: 200, personal: true }),",
    )
    add('src/api/guests/finding.ts', '    internalId,\n    arriving', '    pin: values.pin,')
    add(
      'src/api/guests/conditions-sql.ts',
      '  // Uses customers_by_internal_id.',
      `  pin: ofCustomer('customers.pin', (pin: string, center) => having(sql\`c.pin = \${pin}\`, center)),`,
    )
    const { statement, requiredScopes } = await printed(`${PLAN_OF}
      const plan = planOf('listGuests', '/guests?sessionId=s&pin=1')
      console.log(JSON.stringify({ statement: plan.statement.text, requiredScopes: plan.requiredScopes }))`)
    expect(statement).toContain('c.pin = $')
    // What a search finds is read once, for the count and the page.
    expect(statement).toContain('matched as materialized')
    expect(requiredScopes).toEqual([{ scope: 'guests.personal', what: 'pin' }])
  })
})

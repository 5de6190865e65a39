/** Carries out what CONTRIBUTING.md says about fields, filters and settings, in a copy of the source, and reads what follows. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SourceCopy } from '../support/source-copy.ts'

let copy: SourceCopy
beforeAll(() => {
  copy = new SourceCopy()
})
beforeEach(() => copy.edited.clear())
afterAll(() => copy.remove())

const PLAN_OF = `
import { centerId } from './src/core/records/centers/center.ts'
import { readRawQuery } from './src/core/request/parameters.ts'
import { readMealRules } from './src/core/records/centers/meal-rules.ts'
import { OPERATIONS } from './src/parts.ts'
import { openApiDocument } from './src/parts/openapi/document.ts'
import { clientTypes } from './tools/print-client-types.ts'
import { KINDS } from './src/core/intake/kinds.ts'
const center = { id: centerId('spa'), timezone: 'Europe/Bucharest', currency: 'EUR', language: 'en', maximumPageLength: 100,
  metaFields: new Map(), mealReportExcludedStatuses: [], mealRules: readMealRules(null) }
const planOf = (name, url) => OPERATIONS.find((one) => one.name === name)
  .parse({ center, language: 'en', accepts: 'json', today: '2025-01-15', query: readRawQuery(url), pathParameters: {} })
const document = openApiDocument({ operations: OPERATIONS, version: '' })
`

describe('in a copy of the source', () => {
  it('an entry makes a field of orders that is read, shown, typed, imported and exported', async () => {
    copy.add(
      'src/core/records/order.ts',
      "  moment('createdAt',",
      "  asIs('salesChannel', order.column('sales_channel', value.text), { ...about('Where it was sold.'), example: 'web' }),",
    )
    const { listed, single, statement, types, record, column, cells } = await copy.printed(`${PLAN_OF}
      import { ORDER } from './src/core/records/order.ts'
      const plan = planOf('listOrders', '/orders?startDate=2025-01-01&endDate=2025-01-31')
      console.log(JSON.stringify({
        listed: document.components.schemas.ListedOrder.properties.salesChannel,
        single: document.components.schemas.Order.properties.salesChannel,
        statement: plan.statement.text,
        types: clientTypes(),
        record: KINDS.order.schema.properties.salesChannel,
        column: KINDS.order.columns.find(({ name }) => name === 'sales_channel'),
        cells: ORDER.listed({}).columns.map(({ name }) => name),
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
    copy.add(
      'src/core/api/orders/list-orders.ts',
      '  // Uses an index of its own.',
      `  paymentMethod: filter(
        textParameter({ description: 'Only this method.', maximum: 200 }),
        (one) => sql\`o.payment_method = \${one}\`,
      ),`,
    )
    const { statement, parameters } = await copy.printed(`${PLAN_OF}
      const plan = planOf('listOrders', '/orders?startDate=2025-01-01&endDate=2025-01-31&paymentMethod=card')
      console.log(JSON.stringify({
        statement: plan.statement.text,
        parameters: document.paths['/orders'].get.parameters.map((one) => one.name ?? one.$ref),
      }))`)
    expect(statement).toContain('o.payment_method = $')
    expect(parameters).toContain('paymentMethod')
  })

  it('a parameter and its condition make a filter of guests that searches', async () => {
    copy.add(
      'src/core/api/guests/guest-filters.ts',
      '  internalId: textParameter({',
      "  pin: textParameter({ description: 'Only this number.', maximum: 200, personal: true }),",
    )
    copy.add('src/core/api/guests/guest-filters.ts', '    internalId,\n    arriving', '    pin: values.pin,')
    copy.add(
      'src/core/api/guests/conditions-sql.ts',
      '  // Uses customers_by_internal_id.',
      `  pin: ofCustomer('customers.pin', (pin: string, center) => having(sql\`c.pin = \${pin}\`, center)),`,
    )
    const { statement, requiredScopes } = await copy.printed(`${PLAN_OF}
      const plan = planOf('listGuests', '/guests?sessionId=s&pin=1')
      console.log(JSON.stringify({ statement: plan.statement.text, requiredScopes: plan.requiredScopes }))`)
    expect(statement).toContain('c.pin = $')
    // What a search finds is read once, for the count and the page.
    expect(statement).toContain('matched as materialized')
    expect(requiredScopes).toEqual([{ scope: 'guests.personal', what: 'pin' }])
  })

  it('an entry makes a setting, with its help, its page, its default and its errors', async () => {
    copy.add(
      'src/core/config/env.ts',
      '  databaseUrl: secret(',
      "  tea: setting('TEA', wholeNumber({ from: 1, to: 9 }), '3', 'Cups of tea'),",
    )
    const { page, given, left, wrong } = await copy.printed(`
      import { readConfig } from './src/core/config/config.ts'
      import { settingsPage } from './src/core/config/settings-page.ts'
      const wrong = () => { try { readConfig({ TEA: '10' }) } catch (error) { return error.message } }
      console.log(JSON.stringify({
        page: settingsPage(), given: readConfig({ TEA: '7' }).tea, left: readConfig({}).tea, wrong: wrong() }))`)
    expect([...copy.edited]).toHaveLength(1)
    expect(page).toMatch(/`TEA` \| `3` \| a whole number from 1 to 9 \| Cups of tea/)
    expect([given, left]).toEqual([7, 3])
    expect(wrong).toContain('TEA')
  })

  it('a folder, and a line in each list, make a part with an action and a command', async () => {
    copy.create(
      'src/parts/towels/count-towels.ts',
      `/** \`POST /actions/count-towels\`: how many towels were handed out. */
import { defineAction } from '../../core/request/action.ts'
import { textField } from '../../core/request/action-body.ts'
import { object, text } from '../../core/request/object-schema.ts'

export const countTowels = defineAction({
  name: 'count-towels',
  summary: 'Count towels',
  description: 'Says how many towels were handed out.',
  scope: 'meals',
  body: { towels: textField('How many.', 10) },
  response: object({ towels: text() }),
  example: { body: { towels: '3' }, answer: { towels: '3' } },
  perform: async ({ body: { towels } }) => ({ answer: { towels }, facts: { towels } }),
})
`,
    )
    copy.create(
      'src/parts/towels/part.ts',
      `import type { Part } from '../../core/part.ts'
import { countTowels } from './count-towels.ts'

/** Towels, and how many were handed out. */
export const towels: Part = {
  name: 'towels',
  actions: [countTowels],
}
`,
    )
    copy.create(
      'src/parts/towels/commands/towels.ts',
      `/** \`sojourn towels\`: how many towels there are. */
import { Command } from 'commander'

export const towelsCommand = (): Command => new Command('towels').description('count towels')
`,
    )
    copy.add(
      'src/parts.ts',
      "import { usage } from './parts/usage/part.ts'",
      "import { towels } from './parts/towels/part.ts'",
    )
    copy.add('src/parts.ts', '  usage,', '  towels,')
    copy.add(
      'src/commands.ts',
      '  migrate: async ()',
      "  towels: async () => (await import('./parts/towels/commands/towels.ts')).towelsCommand,",
    )
    expect(copy.edited.size).toBe(5)
    const { path, commands, folder } = await copy.printed(`${PLAN_OF}
      import { ACTIONS } from './src/parts.ts'
      import { commandPaths, describeProgram } from './src/describe-program.ts'
      import { FOLDERS } from './tools/folders.ts'
      const described = openApiDocument({ operations: OPERATIONS, actions: ACTIONS, version: '' })
      console.log(JSON.stringify({
        path: Object.keys(described.paths).find((one) => one.includes('count-towels')),
        commands: commandPaths(await describeProgram()).map((words) => words.join(' ')),
        folder: FOLDERS['parts/towels'],
      }))`)
    expect(path).toMatch(/\/actions\/count-towels$/)
    expect(commands).toContain('towels')
    expect(folder).toEqual({ what: 'Towels, and how many were handed out', mayImport: ['core', 'documents'] })
  })

  it('catalogues and an entry of the languages make a language', async () => {
    // Estonian, with the words of Finnish.
    copy.create('src/core/locale/labels/et.json', copy.read('src/core/locale/labels/fi.json'))
    copy.add('src/core/locale/languages.ts', "  'sv',\n  'fi',", "  'et',")
    copy.create('src/core/locale/questions/et.json', copy.read('src/core/locale/questions/fi.json'))
    for (const file of ['src/core/locale/field-labels.json', 'src/core/locale/order-labels.json']) {
      const labels: Record<string, Record<string, string>> = JSON.parse(copy.read(file))
      for (const one of Object.values(labels)) one.et = one.fi ?? ''
      copy.replace(file, JSON.stringify(labels))
    }
    expect(copy.edited.size).toBe(5)
    const { label, field, read, languages } = await copy.printed(`
      import { labelOf } from './src/core/locale/labels.ts'
      import { fieldLabel } from './src/core/locale/field-labels.ts'
      import { parseLanguage } from './src/core/locale/languages.ts'
      import { openApiDocument } from './src/parts/openapi/document.ts'
      import { OPERATIONS } from './src/parts.ts'
      const document = openApiDocument({ operations: OPERATIONS, version: '' })
      console.log(JSON.stringify({
        label: labelOf('et', 'role', 'patient'), field: fieldLabel('firstName', 'et'), read: parseLanguage('et-EE'),
        languages: document.components.schemas.Me.properties.languages }))`)
    expect([label, field, read]).toEqual(['Potilas', 'Etunimi', 'et'])
    expect(JSON.stringify(languages)).toContain('"et"')
  })
})

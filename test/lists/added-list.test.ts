/** Carries out what CONTRIBUTING.md says about lists, in a copy of the source: a list like that of rooms takes five files. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newPostgresDatabase } from '../support/database.ts'
import { SourceCopy } from '../support/source-copy.ts'

let copy: SourceCopy
beforeAll(() => {
  copy = new SourceCopy()
})
afterAll(() => copy.remove())

const RECORD = `/** A day on which guests arrive. */
import { asItIs, type Field, field } from './fields/field.ts'
import { DAY } from './fields/value-kinds.ts'
import { defineRecord } from './record.ts'

const about = (description: string) => ({ scope: 'arrivals', group: 'Arrivals', description }) as const
const columns = ['bookings.start_date', 'bookings.status']
const FIELDS: readonly Field[] = [
  field('day', {
    ...about('The day.'),
    ...{ schema: { ...DAY, description: 'the day' }, example: '2025-01-06', isAlwaysThere: true },
    ...{ sources: [{ from: 'made', name: 'day', columns }], show: asItIs },
  }),
  field('guests', {
    ...about('How many arrive.'),
    ...{ schema: { type: 'integer' }, example: 1, isAlwaysThere: true },
    ...{ sources: [{ from: 'made', name: 'guests', columns }], show: asItIs },
  }),
]
export const ARRIVAL = defineRecord({
  ...{ name: 'Arrival', kind: 'guest', table: 'arrivals', alias: 'a', key: 'day', during: ['day', 'day'] },
  fields: FIELDS,
})
`

const STATEMENTS = `/** The statements of GET /arrivals. */
import sql, { raw, type Sql } from 'sql-template-tag'
import type { CenterId } from '../../core/records/centers/center.ts'
import type { MadeValues } from '../../core/records/record.ts'
import type { Bounds } from '../../core/request/bounds.ts'
import type { Page } from '../../core/request/paging.ts'

export const VALUES: MadeValues = { day: raw('a.day'), guests: raw('a.guests') }

export interface Asked {
  readonly center: CenterId
  readonly zone: string
  readonly bounds: Bounds
}

const days = ({ center, zone, bounds: { lower, upper } }: Asked): Sql => sql${'`'}
  select to_char(b.start_date at time zone \${zone}, 'YYYY-MM-DD') as day, count(*)::int as guests
  from bookings b
  where b.center_id = \${center} and b.start_date between \${lower} and \${upper}
  group by 1${'`'}
const revision = ({ center }: Asked): Sql => sql${'`'}(select revision from center_revisions where center_id = \${center})${'`'}

export const members = (asked: Asked) => ({ listed: sql${'`'}select day as id, day from (\${days(asked)}) a${'`'}, order: raw('l.day') })
export const selectPage = (asked: Asked, { start, length }: Page, values: Sql): Sql => sql${'`'}
  with days as (\${days(asked)})
  select \${revision(asked)} as revision, \${values}, (select count(*)::int from days) as total
  from (select 1) as one
  left join (select * from days order by day limit \${length} offset \${(start - 1) * length}) a on true
  order by a.day${'`'}
export const selectAll = (asked: Asked, values: Sql): Sql => sql${'`'}
  select \${revision(asked)} as revision, \${values} from (\${days(asked)}) a order by a.day${'`'}
`

const LIST = `/** ${'`'}GET /arrivals${'`'}: the days on which guests arrive. */
import { listOperation } from '../../core/lists/list-operation.ts'
import { fileOf, presentPage } from '../../core/lists/shown-records.ts'
import { ARRIVAL } from '../../core/records/arrival.ts'
import { spanOf } from '../../core/request/bounds.ts'
import { dateParameter } from '../../core/request/parameter-kinds.ts'
import { members, selectAll, selectPage, VALUES } from './arrivals-sql.ts'

export const listArrivals = listOperation({
  name: 'listArrivals',
  summary: 'List arrivals',
  description: 'The days on which guests arrive, and how many.',
  ...{ path: '/arrivals', scope: 'arrivals', record: ARRIVAL, dependsOn: [], hasPages: true, followsChanges: false },
  parameters: {
    startDate: dateParameter({ description: 'First day. Required.' }),
    endDate: dateParameter({ description: 'Last day. Required.' }),
  },
  shows: {},
  needsDates: true,
  read: (_, { center, language }) => ({
    requiredScopes: [],
    problems: [],
    plan({ bounds, page }) {
      const asked = { center: center.id, zone: center.timezone, bounds }
      const records = { record: ARRIVAL, form: ARRIVAL.listed({}), context: { center, language } }
      const values = ARRIVAL.select(language, VALUES)
      const dependencies = [{ kind: ARRIVAL.kind, during: spanOf(bounds), columns: records.form.readColumns }]
      return {
        normal: [bounds, page],
        dependencies,
        pageDependencies: () => dependencies,
        members: () => members(asked),
        statement: selectPage(asked, page, values),
        present: (found) => presentPage(records, found, page),
        file: (file) => fileOf(records, file, selectAll(asked, values)),
      }
    },
  }),
})
`

const PART = `import type { Part } from '../../core/part.ts'
import { listArrivals } from './list-arrivals.ts'

/** The days on which guests arrive. */
export const arrivals: Part = { name: 'arrivals', operations: () => [listArrivals] }
`

/** Starts the service of the copy with four guests of two centers, and reads the new list. */
const READ = `
import { randomBytes } from 'node:crypto'
import { createKey } from './src/core/access/keys/create-key.ts'
import { buildApp } from './src/app.ts'
import { OPERATIONS } from './src/parts.ts'
import { openPostgres } from './src/core/database/postgres/postgres.ts'
import { importRecords } from './src/core/intake/import-records.ts'
import { openApiDocument } from './src/parts/openapi/document.ts'
import { FOLDERS } from './tools/folders.ts'
import { clientTypes } from './tools/print-client-types.ts'
import { guest, lodge, spa } from './test/support/world.ts'

const { POSTGRES: connectionString } = process.env
const database = openPostgres({ connection: { connectionString }, poolSize: 3, purpose: 'command' })
const stay = (id, startDate, more) => guest(id, { startDate, endDate: '2025-01-20T10:00', ...more })
const records = [
  spa(),
  lodge(),
  ...stay('a', '2025-01-06T14:00'),
  ...stay('b', '2025-01-06T15:00'),
  ...stay('c', '2025-01-09T14:00'),
  ...stay('d', '2025-01-07T14:00', { centerId: 'lodge' }),
]
const lines = records.map((record, at) => ({ file: 'test', line: at + 1, text: JSON.stringify(record) }))
const { applied } = await importRecords(database, lines)
if (!applied) throw new Error('the records were refused')
const app = await buildApp({ database, logLevel: 'silent' })
const keyFor = async (scopes) =>
  (await createKey(database, { centerId: 'spa', name: 'test', scopes }, { random: randomBytes, now: Date.now() })).apiKey
const key = await keyFor(['arrivals'])
const get = (url, more = {}, one = key) =>
  app.inject({ url, headers: { authorization: 'Bearer ' + one, ...more } })
const url = '/v1/arrivals?startDate=2025-01-01&endDate=2025-01-31'
const page = await get(url + '&length=1')
const refused = await get(url, {}, await keyFor(['rooms']))
const document = openApiDocument({ operations: OPERATIONS, version: '' })
console.log(JSON.stringify({
  page: page.json(),
  link: page.headers.link,
  file: (await get(url + '&format=csv')).body,
  refused: [refused.statusCode, refused.json().error.code],
  again: (await get(url + '&length=1', { 'if-none-match': page.headers.etag })).statusCode,
  schema: document.components.schemas.Arrival,
  example: document.paths['/arrivals'].get.responses[200].content['application/json'].example,
  tag: document.tags.find(({ name }) => name === 'arrivals'),
  reference: (await app.inject('/docs')).body.match(/data-path="\\/arrivals"[^>]*/)?.[0],
  types: clientTypes(),
  folder: FOLDERS['parts/arrivals']?.what,
}))
await app.close()
await database.close()
`

it('a record, its statements, the list, its part, its scope, and a line in parts.ts are all that is written', async () => {
  copy.create('src/core/records/arrival.ts', RECORD)
  copy.create('src/parts/arrivals/arrivals-sql.ts', STATEMENTS)
  copy.create('src/parts/arrivals/list-arrivals.ts', LIST)
  copy.create('src/parts/arrivals/part.ts', PART)
  copy.add('src/parts.ts', 'import { changes }', "import { arrivals } from './parts/arrivals/part.ts'")
  copy.add('src/parts.ts', '  search,\n  contradictions,', '  arrivals,')
  copy.add('src/core/access/keys/scopes.ts', "  'rooms',\n  'contradictions',", "  'arrivals',")
  copy.add(
    'src/core/access/keys/scopes.ts',
    "  rooms: 'the rooms of a day",
    "  arrivals: 'how many guests arrive on each day',",
  )
  expect(copy.edited.size).toBe(6)

  const shown = await copy.printed(READ, { POSTGRES: await newPostgresDatabase() })
  expect(shown.page).toEqual({ data: [{ day: '2025-01-06', guests: 2 }], total: 2 })
  expect(shown.link).toContain('rel="next"')
  expect(String(shown.file).replace(/^\u{feff}/u, '')).toBe('day,guests\r\n2025-01-06,2\r\n2025-01-09,1\r\n')
  expect(shown.refused).toEqual([403, 'FORBIDDEN'])
  expect(shown.again).toBe(304)
  expect(shown.schema).toMatchObject({ properties: { day: { type: 'string', description: 'the day' } } })
  expect(shown.example).toEqual({ data: [{ day: '2025-01-06', guests: 1 }], total: 1 })
  expect(shown.tag).toEqual({ name: 'arrivals', description: 'How many guests arrive on each day.' })
  expect(shown.reference).toContain('data-method="arrivals.all" data-each="arrival"')
  expect(shown.types).toMatch(/readonly arrivals: List<Queries\[.listArrivals.\], ArrivalPage>/)
  expect(shown.folder).toBe('The days on which guests arrive')
})

/**
 * What the document says of a query value, held to what the service takes: a proxy that validates by the document
 * must not refuse what the service would answer.
 */
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormatsModule from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { PROJECTABLE_NAMES } from '../../src/core/api/guests/projection.ts'
import { listEntries } from '../../src/core/request/parameters.ts'
import { EXAMPLE_CURSOR } from '../../src/parts/openapi/examples.ts'
import { OPERATIONS } from '../../src/parts.ts'

// The package's types describe its CommonJS form, whose default export is one level deeper.
const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default

// Proxies read the text of a query as the schema's type.
const ajv = new Ajv2020({ strict: false, coerceTypes: 'array' })
addFormats(ajv)

const DAYS = ['2025-01-15', '2024-02-29', '0001-01-01', '9999-12-31']
const OFFSETS = ['', 'Z', 'z', '+02:00', '-0330', '+02', ' 02:00']
const MOMENTS = ['T08:00', 't08:00:00', 'T08:00:00.123', 'T23:59:59.123456789', 'T24:00'].flatMap((time) =>
  OFFSETS.map((offset) => `2025-01-15${time}${offset}`),
)

/** Of every kind; each parameter takes some of them. */
const VALUES = [
  ...DAYS,
  ...MOMENTS,
  'session-08',
  'a',
  'A_.:-z',
  'x'.repeat(64),
  'a,b,c',
  'patient',
  'registeredOnline',
  '1',
  '0',
  '100',
  '999999999',
  'true',
  'false',
  'True',
  'TRUE',
  'firstName',
  'endDate',
  '-startDate,status',
  'address.city,meta.shoeSize',
  EXAMPLE_CURSOR,
  'guests,orders',
  'overlappingStays,roomOverfull',
  'high,low',
  'valid,open',
  'partlyPaid,open',
  'items',
  'csv',
  'shown',
  'comma',
  'sjn_app_h2pMSS0L1KpjLDc4',
  '1767225600000000.12',
]
const WRONG = ['2025-02-30', '15.01.2025', 'now', 'x'.repeat(65), 'a/b', '-1', '1.5', 'yes', 'patients', '']

const isFieldName = (text: string) => text.startsWith('meta.') || PROJECTABLE_NAMES.includes(text)

const parameters = OPERATIONS.flatMap(({ name: operation, parameters: table }) =>
  Object.entries(table).map(([name, parameter]) => [`${operation} ${name}`, parameter] as const),
)

describe.each(parameters)('%s', (name, { list, schema, read }) => {
  const { examples, ...described } = schema
  const validate = ajv.compile(described)
  const texts = (value: string) => (list ? listEntries([value]) : [value])
  const isDescribed = (value: string) => validate({ value: list ? texts(value) : value }.value)
  const isTaken = (value: string) =>
    // Names of fields are judged with the center's own, after the parameters were read.
    name.endsWith(' project') ? texts(value).every(isFieldName) : 'value' in read(texts(value))

  it('is described so that whatever the service takes is allowed', () => {
    const taken = VALUES.filter(isTaken)
    expect(taken).not.toEqual([])
    expect(taken.filter((value) => !isDescribed(value))).toEqual([])
  })

  it('is described so that what nobody takes is not allowed', () => {
    for (const value of WRONG.filter((one) => !isTaken(one) && one !== '')) {
      expect(isDescribed(value), value).toBe(false)
    }
  })
})

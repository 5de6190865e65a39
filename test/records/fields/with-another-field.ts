/**
 * A program of its own, because the registry is read when modules are loaded: adds one entry to a file of the registry,
 * then writes where it appears. `added-field.test.ts` reads that.
 */
import { centerId } from '../../../src/core/records/centers/center.ts'
import { readMealRules } from '../../../src/core/records/centers/meal-rules.ts'
import { readOrderRules } from '../../../src/core/records/centers/order-rules.ts'
import { medical } from '../../../src/core/records/fields/field.ts'
import { measurementFields } from '../../../src/core/records/fields/measurement-fields.ts'
import { asIs } from '../../../src/core/records/fields/shown.ts'
import { booking } from '../../../src/core/records/fields/source.ts'
import { value } from '../../../src/core/records/fields/value-kinds.ts'

const stored = booking.json('medical', 'waist', value.number)
const about = { ...medical('Measurements', 'Waist in centimetres.'), example: 84 }
Array.prototype.push.call(measurementFields, asIs('waist', stored, about))

const { OPERATIONS } = await import('../../../src/parts.ts')
const { openApiDocument } = await import('../../../src/parts/openapi/document.ts')
const { KINDS } = await import('../../../src/core/intake/kinds.ts')
const { listFields } = await import('../../../src/core/api/me/list-fields.ts')
const { listGuests } = await import('../../../src/core/api/guests/list-guests.ts')
const { readRawQuery } = await import('../../../src/core/request/parameters.ts')
const { toolsOf } = await import('../../../src/parts/assistants/tools.ts')
const { BLOCKS } = await import('../../../tools/docs/pages.ts')
const { clientTypes } = await import('../../../tools/print-client-types.ts')

const context = {
  center: {
    id: centerId('spa'),
    name: 'Spa',
    addressLine1: null,
    addressLine2: null,
    email: null,
    phone: null,
    timezone: 'Europe/Bucharest',
    currency: 'EUR',
    language: 'en',
    maximumPageLength: 100,
    pseudonymousReads: false,
    mealReportExcludedStatuses: [],
    mealRules: readMealRules(null),
    automaticBookingIds: false,
    contradictionKinds: {},
    orderRules: readOrderRules(null),
    metaFields: new Map(),
  },
  key: {
    publicKey: 'p',
    appId: 'a',
    name: 'all',
    scopes: ['guests', 'guests.medical'],
    quotas: { perMinute: 0, perHour: 0 },
    allowedAddresses: [],
    customFields: [],
    expiresAt: null,
  },
  language: 'en',
  pseudonyms: null,
  today: '2025-01-15',
  accepts: 'json',
  pathParameters: {},
} as const

const listed = listFields.parse({ ...context, query: new Map() })
const guests = listGuests.parse({ ...context, query: readRawQuery('/guests?sessionId=s&project=waist') })
const answer = 'present' in listed ? listed.present([]) : {}
const body = 'body' in answer ? String(answer.body) : ''
const document = openApiDocument({ operations: OPERATIONS, version: '' })

process.stdout.write(
  JSON.stringify({
    pages: Object.entries(BLOCKS)
      .filter(([, print]) => /\bwaist\b/.test(print()))
      .map(([name]) => name),
    listed: JSON.parse(body).data.find(({ name }: { name: string }) => name === 'waist'),
    openApi: document,
    clientTypes: clientTypes(),
    tool: toolsOf(JSON.parse(JSON.stringify(document))).find(({ name }) => name === 'listGuests'),
    statement: 'statement' in guests ? guests.statement?.text : undefined,
    requiredScopes: guests.requiredScopes,
    record: KINDS.booking.schema,
  }),
)

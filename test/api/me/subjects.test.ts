/**
 * What a key says that its holder sees, against what all of its requests return. Each subject has a value that occurs
 * nowhere else.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { PRESETS, type Preset, type Scope, WITH_DIETS } from '../../../src/core/access/keys/scopes.ts'
import { SUBJECTS, type Subject } from '../../../src/core/access/keys/subjects.ts'
import { SHOWN_BY, subjectOf } from '../../../src/core/api/me/subjects.ts'
import { GUEST_FIELDS } from '../../../src/core/records/fields/guest-fields.ts'
import { ACTIONS, OPERATIONS } from '../../../src/parts.ts'
import { actionHeaders } from '../../support/action-requests.ts'
import { startTestApi, type TestApi, type TestKey } from '../../support/api.ts'
import { mayAsk, urlOf } from '../../support/operation-requests.ts'
import { guest, metaField, order, session, spa, type TestRecord, term } from '../../support/world.ts'

const ORDER = '3b0d5c1e-7d1c-4b8f-9a53-52b3b8f0a9d1'

const center = (fields: object = {}): TestRecord =>
  spa({
    mealRules: {
      mealTimes: { breakfast: '08:00', lunch: '12:00', dinner: '18:30' },
      mealEnds: { lunch: '13:00' },
      dietFields: [{ field: 'food' }],
    },
    ...fields,
  })

const records = (): TestRecord[] => [
  metaField('food'),
  metaField('hobby'),
  term('room', 'r-1', 'Roomplanted'),
  term('program', 'p-1', 'Programplanted'),
  session('s-1', '2025-01-06T12:00', '2025-01-16T12:00', { name: 'Sessionplanted' }),
  order(ORDER, {
    number: 'Numberplanted',
    items: [{ itemId: 'i-1', name: 'Itemplanted', quantity: 1, price: 10 }],
  }),
  ...guest(
    'b-1',
    {
      startDate: '2025-01-07T13:37',
      endDate: '2025-01-15T10:00',
      sessionIds: ['s-1'],
      orderUuid: ORDER,
      programId: 'p-1',
      acc: { roomId: 'r-1' },
      doctorName: 'Doctorplanted',
      skippingMeals: { lunch: ['2025-01-11'] },
      medicalLetter: { diagnoses: 'Diagnosisplanted' },
      financial: { deposit: { amount: 10, notes: 'Depositplanted' } },
    },
    {
      firstName: 'Nameplanted',
      lastName: 'Nameplanted',
      email: 'contactplanted@mail.example',
      pin: 'Pinplanted',
      address: { street: 'Streetplanted' },
      meta: { food: 'Foodplanted', hobby: 'Hobbyplanted' },
    },
  ),
]

/** How an answer shows a subject. Subjects that are no values are what is answered at all. */
const EVIDENCE: Readonly<Record<Subject, RegExp>> = {
  names: /nameplanted/i,
  contact: /contactplanted/,
  // By local time, and by UTC.
  stays: /13:37|T11:37/,
  rooms: /Roomplanted/,
  programs: /Programplanted/,
  staff: /Doctorplanted/,
  sessions: /Sessionplanted/,
  portions: /"portions":[1-9]|"(?:breakfast|lunch|dinner)":[1-9]/,
  skippedMeals: /"lunch":\["[^"]*11|"skips":\["lunch"\]|2025-01-11[^{}]*"lunch":1/,
  diets: /Foodplanted/,
  personal: /Pinplanted/,
  address: /Streetplanted/,
  customFields: /Hobbyplanted/,
  medical: /Diagnosisplanted/,
  orderNumbers: /Numberplanted/,
  orders: /Itemplanted/,
  payments: /Depositplanted/,
  paid: /project=paid /,
  contradictions: /^\/v1\/contradictions\b/,
  sources: /^\/v1\/sources\b/,
  sheets: /^\/v1\/actions\/store-sheet /,
  administration: /^\/v1\/administration\/keys\b/,
}

let api: TestApi
let permitting: TestApi
beforeAll(async () => {
  const now = '2025-01-10T09:00:00Z'
  api = await startTestApi({ records: [center(), ...records()], now })
  permitting = await startTestApi({ records: [center({ pseudonymousReads: true }), ...records()], now })
})

/** Asks for everything that a key with these scopes may ask for. @returns the answers, each after its URL */
async function answersTo(of: TestApi, key: TestKey, scopes: readonly Scope[]): Promise<string[]> {
  const urls = OPERATIONS.filter((operation) => mayAsk(operation, scopes)).flatMap((operation) => {
    const flags = Object.keys(operation.parameters).filter((name) => name.startsWith('include'))
    const values = operation.name === 'getOrder' ? { uuid: ORDER } : {}
    const url = urlOf(operation, undefined, values)
    const join = url.includes('?') ? '&' : '?'
    return [
      url,
      `${url}${join}${flags.map((flag) => `${flag}=true`).join('&')}`,
      ...flags.map((flag) => `${url}${join}${flag}=true`),
    ]
  })
  urls.push('/v1/search?q=nameplanted', '/v1/guests/match?sessionId=s-1&name=Nameplanted')
  const asker = of.as(key)
  const { data: fields } = (await asker.get('/v1/fields')).body
  const project = (names: unknown) => `/v1/guests?startDate=2025-01-01&endDate=2025-01-31&project=${names}`
  const readable = fields.filter((field) => field.readable).map(({ name }) => name)
  const other = fields.filter((field) => !field.readable).map(({ name }) => name)
  urls.push(project(readable.join(',')), ...['paid', ...other].map(project))
  const answers: string[] = []
  for (const url of urls) {
    const { status, text } = await asker.get(url)
    if (status === 200) answers.push(`${url} ${text}`)
  }
  const stored = await asker.request(
    'POST',
    '/v1/actions/store-sheet',
    actionHeaders(),
    JSON.stringify({ day: '2025-01-10' }),
  )
  if (stored.status === 200) answers.push(`/v1/actions/store-sheet ${stored.text}`)
  // What it says of itself names the subjects.
  return answers.filter((answer) => !/^\/v1\/(?:me|fields|usage)\b/.test(answer))
}

const EVERY_PRESET = Object.entries(PRESETS).flatMap(([name, scopes]: [string, readonly Scope[]]) =>
  WITH_DIETS.includes(name)
    ? [
        { name, scopes, customFields: [] },
        { name: `${name} with diets`, scopes, customFields: ['food'] },
      ]
    : [{ name, scopes, customFields: [] as string[] }],
)

describe.each(EVERY_PRESET)('a key of the preset $name', ({ name, scopes, customFields }) => {
  it('sees what it says, and does not see what it says, in every answer that it gets', async () => {
    const isAlsoPermitted: Preset = 'laboratory'
    for (const of of name === isAlsoPermitted ? [api, permitting] : [api]) {
      const key = await of.createKey({ scopes, customFields })
      const answers = await answersTo(of, key, scopes)
      const shown = SUBJECTS.filter((subject) => answers.some((answer) => EVIDENCE[subject].test(answer)))
      const { sees, seesNot } = (await of.as(key).get('/v1/me')).body.key as {
        sees: Subject[]
        seesNot: Subject[]
      }
      expect({ sees, seesNot }).toEqual({
        sees: shown,
        seesNot: SUBJECTS.filter((subject) => !shown.includes(subject)),
      })
    }
  })
})

it('a key of the laboratory sees medical data only in a center that permits reading under pseudonyms', async () => {
  const sees = async (of: TestApi) => {
    const key = await of.createKey({ scopes: PRESETS.laboratory })
    return ((await of.as(key).get('/v1/me')).body.key as { sees: Subject[] }).sees
  }
  expect([await sees(api), await sees(permitting)]).toEqual([['sessions'], ['sessions', 'medical']])
})

describe('the subjects', () => {
  it('have every operation and action with a scope, unless it is of the administration', () => {
    const scoped = OPERATIONS.filter(({ scope }) => scope !== 'any' && scope !== 'administration')
    expect(scoped.map(({ name }) => name).filter((name) => !Object.hasOwn(SHOWN_BY, name))).toEqual([])
    const known = [...OPERATIONS, ...ACTIONS].map(({ name }) => name)
    expect(Object.keys(SHOWN_BY).filter((name) => !known.includes(name))).toEqual([])
  })

  it('have every field of a guest', () => {
    for (const field of GUEST_FIELDS) expect([null, ...SUBJECTS]).toContain(subjectOf(field))
  })
})

/** Rulings 5 to 7: what a key may read. Made from the registry and the operations, so that none is forgotten. */
import { beforeAll, describe, expect, it } from 'vitest'
import { SCOPES, type Scope } from '../../src/core/access/keys/scopes.ts'
import { GUEST_FIELDS } from '../../src/core/records/fields/guest-fields.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { OPERATION_RECORDS, OPERATION_REQUESTS } from '../support/operations.ts'
import { metaField, spa } from '../support/world.ts'

/** Ruling 6, written out by hand: what the registry says is held to this. */
const SCOPE_OF: [RegExp, Scope][] = [
  [
    /^(pin|internalId|customerId|dob|age|birthDateDuringStay|gender|religion|address\..*|referralType|meta\..*)$/,
    'guests.personal',
  ],
  [/^formData\.(medicalConditions|observations|mobility)$/, 'guests.medical'],
  [/^(medicalLetter|medicalData)\..*$/, 'guests.medical'],
  [/^(idealWeight|idealCirc|weight1|weight2|height|bmi1|bmi2)$/, 'guests.medical'],
  [/^financial\..*$/, 'guests.financial'],
  [/^paid$/, 'guests.paid'],
]
const scopeOf = (name: string): Scope => SCOPE_OF.find(([pattern]) => pattern.test(name))?.[1] ?? 'guests'
const NAMES = [
  ...GUEST_FIELDS.map((field) => field.name),
  'financial.deposit',
  'financial.fullPayment',
  'meta.shoeSize',
]

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ records: [spa(), ...OPERATION_RECORDS, metaField('shoeSize')] })
})
/** Those that a key needs a scope for. */
const SCOPED_REQUESTS = OPERATION_REQUESTS.filter(({ scope }) => scope !== 'any')
/** Answers in groups, each with a scope of its own: refused only to a key without all of them. */
const IN_GROUPS: Readonly<Record<string, readonly Scope[]>> = { search: ['guests', 'orders'] }
const WHOLE_REQUESTS = SCOPED_REQUESTS.filter(({ name }) => !Object.hasOwn(IN_GROUPS, name))
const GROUPED_REQUESTS = SCOPED_REQUESTS.flatMap(({ name, path, url }) => {
  const groups = IN_GROUPS[name]
  return groups === undefined ? [] : [{ path, forms: [url, url.slice(3)], groups }]
})
const keyWith = async (...scopes: Scope[]) => api.as(await api.createKey({ scopes }))

describe('200', () => {
  it.each(SCOPED_REQUESTS)('ruling 6: the scope $scope alone opens $path', async ({ url, scope }) => {
    expect((await (await keyWith(scope as Scope)).get(url)).status).toBe(200)
  })
  it('ruling 6: guests alone reads every field that ruling 6 gives it, and the default ones', async () => {
    const asker = await keyWith('guests')
    const names = NAMES.filter((name) => scopeOf(name) === 'guests')
    expect((await asker.get(`/v1/guests?sessionId=s1&project=${names}`)).status).toBe(200)
    expect((await asker.get('/v1/guests?sessionId=s1')).status).toBe(200)
  })
  it.each(['guests.personal', 'guests.medical', 'guests.financial'] as const)(
    'ruling 6: guests with %s reads every field of it',
    async (scope) => {
      const asker = await keyWith('guests', scope)
      const names = NAMES.filter((name) => scopeOf(name) === scope)
      expect(names.length).toBeGreaterThan(5)
      expect((await asker.get(`/v1/guests?sessionId=s1&project=${names}`)).status).toBe(200)
    },
  )
  it.each(GROUPED_REQUESTS)(
    'ruling 6: with one of $groups, $path withholds the groups of the others, and says so',
    async ({ forms, groups }) => {
      for (const held of groups) {
        const asker = await keyWith(...SCOPES.filter((known) => known === held || !groups.includes(known)))
        for (const form of forms) {
          const { status, text } = await asker.get(form)
          expect(status).toBe(200)
          const body: Record<string, unknown> = JSON.parse(text)
          const others = groups.filter((group) => group !== held)
          expect(body.withheld).toEqual(others.map((group) => ({ group, scopes: [group] })))
          expect(body[held]).toHaveProperty('total')
          for (const group of others) expect(body[group]).toBeNull()
        }
      }
    },
  )
  it('ruling 6: a cached answer is no way around a scope', async () => {
    const all = await keyWith(...SCOPES)
    const few = await keyWith('guests')
    const url = '/v1/guests?sessionId=s1&project=pin'
    const first = await all.get(url)
    expect(first.status).toBe(200)
    expect((await few.get(url)).status).toBe(403)
    expect((await few.get(url, { 'if-none-match': String(first.headers.etag) })).status).toBe(403)
  })
})

describe('403', () => {
  it.each(GROUPED_REQUESTS)(
    'ruling 6: without all of $groups, $path is refused though all others are held',
    async ({ forms, groups }) => {
      const asker = await keyWith(...SCOPES.filter((known) => !groups.includes(known)))
      for (const form of forms) {
        const answer = await asker.get(form)
        expect(answer.status).toBe(403)
        expect(answer.body.error.code).toBe('FORBIDDEN')
        for (const scope of groups) expect(answer.body.error.message).toContain(scope)
        expect(answer.headers['www-authenticate']).toMatch(/error="insufficient_scope"/)
        expect(answer.body).not.toHaveProperty('withheld')
      }
    },
  )
  it.each(WHOLE_REQUESTS)(
    'ruling 6: without $scope, $path is refused though all others are held',
    async ({ url, scope }) => {
      const asker = await keyWith(...SCOPES.filter((known) => known !== scope))
      for (const form of [url, url.slice(3)]) {
        const answer = await asker.get(form)
        expect(answer.status).toBe(403)
        expect(answer.body.error.code).toBe('FORBIDDEN')
        expect(answer.body.error.message).toContain(`scope ${scope}`)
        expect(answer.headers['www-authenticate']).toMatch(/error="insufficient_scope"/)
      }
    },
  )
  it.each(NAMES.filter((name) => scopeOf(name) !== 'guests'))(
    'ruling 6: %s is refused to a key without its scope, never left out',
    async (name) => {
      const scope = scopeOf(name)
      const asker = await keyWith(...SCOPES.filter((known) => known !== scope))
      const answer = await asker.get(`/v1/guests?sessionId=s1&project=firstName,${name}`)
      expect(answer.status).toBe(403)
      expect(answer.body.error.message).toContain(name)
      expect(answer.body.error.message).toContain(`scope ${scope}`)
      expect(answer.body).not.toHaveProperty('data')
    },
  )
  it('ruling 5: the message names every scope and what needed it', async () => {
    const asker = await keyWith('guests')
    const answer = await asker.get(
      '/v1/guests?sessionId=s1&project=firstName,pin,height&project=financial.total',
    )
    expect(answer.status).toBe(403)
    for (const text of [
      'pin',
      'guests.personal',
      'height',
      'guests.medical',
      'financial.total',
      'guests.financial',
    ]) {
      expect(answer.body.error.message).toContain(text)
    }
    expect(answer.body.error.message).not.toContain('firstName')
  })
  it('ruling 7: a scope is judged before parameters', async () => {
    const sessions = await keyWith('sessions')
    for (const url of [
      '/v1/guests',
      '/v1/guests?colour=red',
      '/v1/orders',
      '/v1/orders/nothing',
      '/v1/guests/meal-skipping-report',
    ]) {
      expect((await sessions.get(url)).status, url).toBe(403)
    }
    const guests = await keyWith('guests')
    expect((await guests.get('/v1/guests?project=pin,nonsense&start=0')).status).toBe(403)
    expect((await guests.get('/v1/guests?project=meta.unknown')).status).toBe(403)
    expect((await guests.get('/v1/guests?sessionId=s1&project=medicalLetter')).status).toBe(403)
  })
  it('ruling 7: within its scopes a key’s unknown fields are parameters, and a 400', async () => {
    const guests = await keyWith('guests')
    expect((await guests.get('/v1/guests?sessionId=s1&project=nonsense')).status).toBe(400)
  })
})

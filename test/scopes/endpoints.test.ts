/** Who may read what (ruling 6): endpoint × scope × preset, made from the route table. All cells. */
import { beforeAll, describe, expect, it } from 'vitest'
import { PRESETS, SCOPES, type Scope } from '../../src/core/access/keys/scopes.ts'
import { GUEST_FIELDS } from '../../src/core/records/fields/guest-fields.ts'
import type { Operation } from '../../src/core/request/operation.ts'
import { OPERATIONS } from '../../src/parts.ts'
import { startTestApi, type TestApi, type TestKey } from '../support/api.ts'
import {
  fullQuery,
  lookedFor,
  mayAsk,
  plainQuery,
  SCOPED_OPERATIONS,
  SHARED_OPERATIONS,
  scopesFor,
  urlOf,
  urlsOf,
} from '../support/operation-requests.ts'
import { twinCenters } from '../support/twin-centers.ts'

let api: TestApi

/** Each single scope, each preset, and all but one: every way a key can be right or wrong by one scope. */
const KEYS: Readonly<Record<string, readonly Scope[]>> = {
  ...Object.fromEntries(SCOPES.map((scope) => [`only ${scope}`, [scope]])),
  ...Object.fromEntries(SCOPES.map((scope) => [`all but ${scope}`, SCOPES.filter((one) => one !== scope)])),
  ...Object.fromEntries(Object.entries(PRESETS).map(([name, scopes]) => [`the preset ${name}`, scopes])),
}
const EVERY_KEY = Object.entries(KEYS)

/** Ruling 6, by the interface's own paths: what the routes say of themselves is held to this. */
const RULING_6: Readonly<Record<string, Operation['scope']>> = {
  '/guests': 'guests',
  '/guests/meal-skipping-report': 'meals',
  '/meals/portions': 'meals',
  '/meals/sheets/{day}': 'meals',
  '/guests/arrivals.ics': 'any',
  '/sessions.ics': 'sessions',
  '/guests/match': 'guests',
  '/search': 'any',
  '/orders': 'orders',
  '/orders/{uuid}': 'orders',
  '/orders/control': 'orders',
  '/sessions': 'sessions',
  '/rooms': 'rooms',
  '/contradictions': 'contradictions',
  '/changes': 'any',
  '/sources': 'sources',
  '/administration/keys': 'administration',
  '/administration/devices': 'administration',
  '/administration/settings': 'administration',
  '/administration/links': 'administration',
  '/administration/sources': 'administration',
  '/administration/reports': 'administration',
  '/administration/webhooks': 'administration',
  '/administration/reads': 'administration',
  '/usage': 'any',
  '/me': 'any',
  '/fields': 'any',
}

const keys = new Map<string, TestKey>()

beforeAll(async () => {
  api = await startTestApi({ records: twinCenters() })
  for (const [name, scopes] of EVERY_KEY) keys.set(name, await api.createKey({ scopes }))
})

describe('ruling 6: each endpoint is open to the keys that have its scope, and to no other', () => {
  it.each(EVERY_KEY)('to a key with %s', async (name, scopes) => {
    const asker = api.as(keys.get(name))
    for (const operation of OPERATIONS) {
      const may = mayAsk(operation, scopes)
      const needed = operation.scope === 'any' ? (operation.oneOf ?? []) : [operation.scope]
      for (const url of urlsOf(operation)) {
        for (const method of ['GET', 'HEAD']) {
          const answer = await asker.request(method, url)
          expect(answer.status, `${method} ${url}`).toBe(may ? 200 : 403)
          if (may) continue
          expect(answer.headers['www-authenticate']).toBe(
            `Bearer realm="sojourn", error="insufficient_scope", scope="${needed.join(' ')}"`,
          )
          if (method === 'HEAD') continue
          expect(answer.body.error).toEqual({
            code: 'FORBIDDEN',
            message: `This key does not have a required scope: ${needed.map((scope) => `GET ${operation.paths[0]} needs the scope ${scope}`).join('; ')}.`,
            requestId: answer.headers['x-request-id'],
            docs: '/docs/guide/errors#forbidden',
          })
        }
      }
    }
  })

  it('by the scope that the ruling gives it', () => {
    expect(Object.fromEntries(OPERATIONS.map(({ paths, scope }) => [paths[0], scope]))).toEqual(RULING_6)
  })

  it.each(EVERY_KEY)('with both schemes alike, for a key with %s', async (name) => {
    const key = keys.get(name)
    for (const operation of OPERATIONS) {
      const url = urlOf(operation)
      const three = await api.as(key).get(url)
      const bearer = await api.as(undefined).get(url, key?.bearer)
      expect(bearer.status, url).toBe(three.status)
    }
  })
})

describe.each(SCOPED_OPERATIONS)('ruling 7: %s', (_, operation) => {
  const wrong = `${new URLSearchParams(plainQuery(operation))}&nonsense=1`

  it('answers 401 before 403, 403 before 400, and 403 before 404', async () => {
    const other = SCOPES.find((scope) => scope !== operation.scope) as Scope
    const lesser = api.as(await api.createKey({ scopes: [other] }))
    const [missing, without] = badRequests(operation)
    for (const url of [urlOf(operation, wrong), missing, without]) {
      if (url === undefined) continue
      expect((await api.as(undefined).get(url)).status, url).toBe(401)
      expect((await lesser.get(url)).status, url).toBe(403)
      expect([400, 404], url).toContain((await api.get(url)).status)
    }
  })

  it('says the same to a key without its scope, whatever is asked', async () => {
    const other = SCOPES.find((scope) => scope !== operation.scope) as Scope
    const lesser = api.as(await api.createKey({ scopes: [other] }))
    const bodies = new Set<string>()
    // What `project` names is named in the refusal; nothing else is.
    const { project, ...query } = fullQuery(operation)
    for (const url of [
      urlOf(operation),
      urlOf(operation, query),
      urlOf(operation, wrong),
      ...badRequests(operation),
    ]) {
      const answer = await lesser.get(url)
      bodies.add(answer.text.replaceAll(String(answer.headers['x-request-id']), ''))
      expect(answer.headers.etag).toBeUndefined()
    }
    expect(bodies.size).toBe(1)
  })
})

describe.each(SCOPED_OPERATIONS)('ruling 6: an answer of %s that is cached', (_, operation) => {
  const url = urlOf(operation, fullQuery(operation))
  const other = SCOPES.find((scope) => !scope.startsWith(operation.scope)) as Scope

  it('goes to no key without the scope: not whole, not as 304, not by HEAD', async () => {
    const lesser = api.as(await api.createKey({ scopes: [other] }))
    const full = await api.get(url)
    expect(full.status).toBe(200)
    for (const headers of [
      {},
      { 'if-none-match': String(full.headers.etag) },
      { 'if-none-match': '*' },
      { 'accept-encoding': 'gzip' },
    ]) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await lesser.request(method, url, headers)
        expect(answer.status).toBe(403)
        expect(answer.headers).not.toHaveProperty('etag')
        expect(answer.headers).not.toHaveProperty('link')
      }
    }
  })

  it('is not spoilt by a key that was refused first', async () => {
    const asked = urlOf(operation)
    const lesser = api.as(await api.createKey({ scopes: [other] }))
    expect((await lesser.get(asked)).status).toBe(403)
    const full = await api.get(asked)
    expect(full.status).toBe(200)
    expect((await lesser.get(asked, { 'if-none-match': String(full.headers.etag) })).status).toBe(403)
    expect((await api.get(asked, { 'if-none-match': String(full.headers.etag) })).status).toBe(304)
  })
})

describe.each(SHARED_OPERATIONS)('ruling 6: an answer of %s', (_, operation) => {
  it('is the same for every key that may ask', async () => {
    const answers = await Promise.all(
      [scopesFor(operation), SCOPES].map(async (scopes) => {
        const asker = api.as(await api.createKey({ scopes }))
        return asker.get(urlOf(operation))
      }),
    )
    expect(answers[0]?.status).toBe(200)
    expect(answers[0]?.headers.etag).toBe(answers[1]?.headers.etag)
    expect(answers[0]?.text).toBe(answers[1]?.text)
  })
})

describe('ruling 6: filters stay usable and reveal nothing', () => {
  const scopes = new Map<string, string>(GUEST_FIELDS.map(({ name, scope }) => [name, scope]))
  const guarded = OPERATIONS.flatMap((operation) =>
    Object.entries(lookedFor(operation))
      .filter(([name]) => (scopes.get(name) ?? 'guests') !== 'guests')
      .map(([name, value]) => [name, operation, value] as const),
  )

  it('a parameter that asks about what needs a further scope is one of those below', () => {
    const fields = [...scopes].filter(([, scope]) => scope !== 'guests').map(([name]) => name.toLowerCase())
    for (const { name, parameters } of OPERATIONS) {
      for (const parameter of Object.keys(parameters)) {
        const isField = fields.some((field) => field.split('.').includes(parameter.toLowerCase()))
        expect(
          guarded.some(([one, operation]) => one === parameter && operation.name === name),
          `${name} ${parameter}`,
        ).toBe(isField)
      }
    }
  })

  it.each(guarded)(
    '%s needs the scope of its field, whether it is sent right or wrong',
    async (name, operation, value) => {
      const lesser = api.as(await api.createKey({ scopes: scopesFor(operation) }))
      for (const sent of [value, 'nobody', '', '\0']) {
        const url = urlOf(operation, { ...plainQuery(operation), [name]: sent })
        const answer = await lesser.get(url)
        expect(answer.status).toBe(403)
        expect(answer.text).toContain(`${name} needs the scope ${scopes.get(name)}`)
        expect([200, 400]).toContain((await api.get(url)).status)
      }
    },
  )

  it.each(SHARED_OPERATIONS)(
    'every parameter of %s but project needs no scope beyond the endpoint’s',
    async (_, operation) => {
      const { project, ...query } = fullQuery(operation)
      const url = urlOf(operation, query)
      const lesser = api.as(await api.createKey({ scopes: scopesFor(operation) }))
      const [little, all] = [await lesser.get(url), await api.get(url)]
      expect(little.status).toBe(200)
      expect(little.text).toBe(all.text)
    },
  )
})

const NOTHING_REQUIRED = ['listContradictions', 'listKeys', 'listDevices', 'listLinks']

/** Requests that are wrong in another way: nothing required is sent, and what the path names does not exist. */
function badRequests(operation: Operation): string[] {
  // A calendar needs no parameters.
  if (operation.type !== undefined) return []
  // Nor does a list of everything.
  if (Object.keys(operation.parameters).length === 0) return []
  // Nor do the rooms, which are those of today.
  if (operation.name === 'listRooms') return []
  if (NOTHING_REQUIRED.includes(operation.name)) return []
  const nothing = Object.fromEntries(
    Object.keys(operation.pathParameters ?? {}).map((name) => [name, 'nothing']),
  )
  return Object.keys(nothing).length === 0 ? [urlOf(operation, '')] : [urlOf(operation, '', nothing)]
}

/** What an answer depends on: an operation is given the facts that it names, and what is retained is named by them. */
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { SCOPES } from '../../src/core/access/keys/scopes.ts'
import { defineOperation, type Facts, type Operation, type Plan } from '../../src/core/request/operation.ts'
import { OPERATIONS } from '../../src/parts.ts'
import { startTestApi, type TestApi, type TestKey } from '../support/api.ts'
import { spa } from '../support/world.ts'
import { type Instance, startInstance } from './instances.ts'

const MIDNIGHT = Date.parse('2025-01-12T22:00:00Z')

let api: TestApi
let now = MIDNIGHT - 1

beforeAll(async () => {
  api = await startTestApi()
})

/** An operation that reads nothing and shows all that it was given. */
function echoOf<const Fact extends keyof Facts = never>(name: string, dependsOn: readonly Fact[]) {
  return defineOperation<Fact>({
    name,
    summary: name,
    description: name,
    paths: [`/${name}`],
    scope: 'any',
    formats: ['csv'],
    dependsOn,
    parameters: {},
    response: { type: 'object' },
    parse: ({ center, query, pathParameters, ...facts }) => echoed(facts),
  })
}

const echoed = (facts: Partial<Facts>): Plan => ({
  requiredScopes: [],
  normalForm: '[]',
  statement: undefined,
  dependencies: [],
  present: () => ({ body: JSON.stringify(facts), revision: undefined, records: { count: 0, ids: [] } }),
})

const start = (key: TestKey, ...operations: readonly Operation[]) =>
  startInstance(api, key, { operations: [...OPERATIONS, ...operations], clock: () => now })

const asKey = (instance: Instance, key: TestKey) => (headers?: Record<string, string>) =>
  instance.get('/v1/mine', { ...key.headers, ...headers })

describe('an answer that depends on the key', () => {
  const me = echoOf('mine', ['key'])

  it('is each key’s own, read first and cached', async () => {
    const keys = [await api.createKey({ scopes: ['meals'] }), await api.createKey({ scopes: ['orders'] })]
    const instance = await start(api.key, me)
    for (const round of ['read first', 'cached']) {
      for (const key of keys) {
        const answer = await asKey(instance, key)()
        expect(answer.status, round).toBe(200)
        expect(JSON.parse(answer.text), round).toEqual({
          key: {
            publicKey: key.publicKey,
            appId: key.appId,
            name: 'test',
            scopes: [key === keys[0] ? 'meals' : 'orders'],
            quotas: { perMinute: 0, perHour: 0 },
            customFields: [],
            allowedAddresses: [],
            expiresAt: null,
          },
        })
      }
    }
  })

  it('has a tag of its own for each key', async () => {
    const [one, two] = [await api.createKey(), await api.createKey()]
    const instance = await start(api.key, me)
    const { etag = '' } = (await asKey(instance, one)()).headers
    expect((await asKey(instance, one)({ 'if-none-match': etag })).status).toBe(304)
    expect((await asKey(instance, two)({ 'if-none-match': etag })).status).toBe(200)
  })

  it('changes with the key, though nothing of the center did', async () => {
    const key = await api.createKey({ scopes: ['meals'] })
    const instance = await start(api.key, me)
    const before = await asKey(instance, key)()
    await api.database.query(
      sql`update api_keys set scopes = '{meals,orders}' where public_key = ${key.publicKey}`,
    )
    const after = await asKey(instance, key)({ 'if-none-match': before.headers.etag ?? '' })
    expect(after.status).toBe(200)
    expect(JSON.parse(after.text)).toMatchObject({ key: { scopes: ['meals', 'orders'] } })
  })
})

describe('an operation is given', () => {
  /** The same request, with another value of the fact. */
  const OTHERS: Readonly<Record<keyof Facts, (instance: Instance) => ReturnType<Instance['get']>>> = {
    key: async (instance) => instance.get('/v1/echo', (await api.createKey()).headers),
    limits: async (instance) => instance.get('/v1/echo', (await api.createKey({ perMinute: 5 })).headers),
    today: (instance) => {
      now = MIDNIGHT
      return instance.get('/v1/echo')
    },
    language: (instance) => instance.get('/v1/echo', { 'x-locale': 'ro' }),
    pseudonyms: async (instance) => {
      await api.load([spa({ pseudonymousReads: true })])
      const key = await api.createKey({ scopes: ['guests.medical'] })
      return instance.get('/v1/echo', key.headers)
    },
    customFields: async (instance) =>
      instance.get('/v1/echo', (await api.createKey({ scopes: ['meals'] })).headers),
    accepts: (instance) => instance.get('/v1/echo', { accept: 'text/csv' }),
  }

  it.each(Object.keys(OTHERS) as (keyof Facts)[])('%s where it depends on it, alone', async (fact) => {
    now = MIDNIGHT - 1
    const instance = await start(api.key, echoOf('echo', [fact]))
    const answers = [await instance.get('/v1/echo'), await OTHERS[fact](instance)]
    for (const { text } of answers) expect(Object.keys(JSON.parse(text))).toEqual([fact])
    expect(answers[0]?.text).not.toBe(answers[1]?.text)
    expect(answers[0]?.headers.etag).not.toBe(answers[1]?.headers.etag)
  })

  it('nothing where it depends on nothing, and one answer is everybody’s', async () => {
    now = MIDNIGHT - 1
    const instance = await start(api.key, echoOf('echo', []))
    const answers = [await instance.get('/v1/echo')]
    for (const other of Object.values(OTHERS)) answers.push(await other(instance))
    expect(new Set(answers.map(({ text }) => text))).toEqual(new Set(['{}']))
    expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(1)
  })

  it('no fact that it does not name, though it reaches for it, which does not compile', async () => {
    const reaching = defineOperation({
      ...echoOf('echo', []),
      dependsOn: ['today'],
      // @ts-expect-error the key is left out of dependsOn
      parse: ({ key, today }) => echoed({ key, today }),
    })
    const answer = await (await start(api.key, reaching)).get('/v1/echo')
    expect(Object.keys(JSON.parse(answer.text))).toEqual(['today'])
  })
})

describe('an operation that every key may ask', () => {
  it.each(SCOPES)('answers a key with %s alone', async (scope) => {
    const instance = await start(await api.createKey({ scopes: [scope] }), echoOf('echo', []))
    for (const url of ['/v1/echo', '/echo']) expect((await instance.get(url)).status).toBe(200)
  })

  it('answers nobody without a key, and takes no other method', async () => {
    const key = await api.createKey()
    const instance = await start(key, echoOf('echo', []))
    expect((await instance.get('/v1/echo', { 'x-api-secret-key': '' })).status).toBe(401)
    expect((await instance.request('POST', '/v1/echo')).status).toBe(405)
  })
})

/** Keys through the administration (rulings 48 and 49): what a key grants, what it never grants, and what is recorded. */
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { createKey } from '../../../src/core/access/keys/create-key.ts'
import { ADMINISTRATION, ORDINARY_SCOPES, type Scope } from '../../../src/core/access/keys/scopes.ts'
import { OPERATIONS } from '../../../src/parts.ts'
import { entriesOf } from '../../audit/reads.ts'
import { ACTION_NOW, actionHeaders } from '../../support/action-requests.ts'
import { type Asker, startTestApi, type TestAnswer, type TestApi, type TestKey } from '../../support/api.ts'
import { urlOf } from '../../support/operation-requests.ts'
import { twinCenters } from '../../support/twin-centers.ts'
import { LODGE } from '../../support/world.ts'

let api: TestApi
let administrator: TestKey
let by: Asker

beforeAll(async () => {
  api = await startTestApi({ records: twinCenters(), now: ACTION_NOW })
  administrator = await api.createKey({ scopes: [ADMINISTRATION] })
  by = api.as(administrator)
})

const act = (
  name: string,
  body: object,
  asker = by,
  headers: Record<string, string> = {},
): Promise<TestAnswer> =>
  asker.request('POST', `/v1/actions/${name}`, { ...actionHeaders(), ...headers }, JSON.stringify(body))

const INPUT = {
  name: 'Kitchen wall',
  scopes: ['meals', 'sessions'],
  diets: false,
  responsible: 'Doina, kitchen',
  reviewOn: '2025-12-31',
  expiresOn: null,
  allowedAddresses: [],
}
const create = (input: object = {}, asker = by) => act('create-key', { ...INPUT, ...input }, asker)
const bearer = (answer: TestAnswer) => ({ authorization: `Bearer ${String(answer.body.apiKey)}` })
/** As the list has the key of an answer. */
const keyOf = async ({ body: { publicKey } }: TestAnswer) =>
  (await keysOf(by, '?length=100')).find((key) => key.publicKey === publicKey)
const MEALS = '/v1/meals/portions?startDate=2025-01-08&endDate=2025-01-08'
const keysOf = async (asker: Asker = by, query = '') =>
  (await asker.get(`/v1/administration/keys${query}`)).body.data as unknown as Record<string, unknown>[]

describe('a key of the administration', () => {
  it('ruling 49: reads no guest, whatever it asks for', async () => {
    for (const operation of OPERATIONS) {
      if (operation.scope === ADMINISTRATION) continue
      const answer = await by.get(urlOf(operation))
      const isAboutItself = ['getMe', 'listFields', 'getUsage'].includes(operation.name)
      expect(answer.status, operation.name).toBe(isAboutItself ? 200 : 403)
    }
  })

  it.each(ORDINARY_SCOPES.filter((scope) => scope !== 'sources'))(
    'ruling 49: never has the scope %s too, however it is made',
    async (scope) => {
      const input = { centerId: 'spa', name: 'Both', scopes: [ADMINISTRATION, scope] }
      await expect(
        createKey(api.database, input, { random: (count) => new Uint8Array(count), now: 0 }),
      ).rejects.toThrow('reads no guests')
    },
  )

  it('ruling 49: no key of before has the scope, and no preset that reads guests', async () => {
    expect(ORDINARY_SCOPES).not.toContain(ADMINISTRATION)
    const [row] = await api.database.query<{ grants: string[] }>(
      sql`select grants from api_keys where public_key = ${administrator.publicKey}`,
    )
    expect(row?.grants).toEqual(ORDINARY_SCOPES.filter((scope) => scope !== 'guests.medical'))
  })
})

describe('create-key', () => {
  it('ruling 48: makes a key that works, shows its secrets once, and is recorded with the key that acted', async () => {
    const headers = actionHeaders()
    const first = await act('create-key', INPUT, by, headers)
    expect(first.status, first.text).toBe(200)
    expect((await api.as(undefined).get(MEALS, bearer(first))).status).toBe(200)
    const again = await act('create-key', INPUT, by, headers)
    expect(again.body).toEqual({ ...first.body, secretKey: null, apiKey: null })
    const remembered = await api.database.query(sql`select answer from action_answers`)
    expect(JSON.stringify(remembered)).not.toContain(String(first.body.secretKey))
    const entry = (await entriesOf(api.database)).find(
      ({ operation, query }) => operation === 'createKey' && query.includes(String(first.body.appId)),
    )
    expect(entry).toMatchObject({
      public_key: administrator.publicKey,
      scopes: ADMINISTRATION,
      requests: `0 200 ${first.headers['x-request-id']}`,
    })
    expect(Object.fromEntries(new URLSearchParams(entry?.query))).toMatchObject({
      appId: first.body.appId,
      name: 'Kitchen wall',
      scopes: 'meals sessions',
    })
    expect(JSON.stringify(await entriesOf(api.database))).not.toContain(String(first.body.secretKey))
    const stored = await keyOf(first)
    expect(stored).toMatchObject({
      name: 'Kitchen wall',
      responsible: 'Doina, kitchen',
      reviewOn: '2025-12-31',
      grants: [],
      status: 'active',
    })
    expect(JSON.stringify(stored)).not.toContain('sjn_sk_')
  })

  it('ruling 49: grants nothing that the key may not grant', async () => {
    const few = api.as(await keyOfFewGrants())
    expect((await create({ scopes: ['meals'] }, few)).status).toBe(200)
    for (const scopes of [['guests'], ['meals', 'guests.medical'], ORDINARY_SCOPES]) {
      const refused = await create({ scopes }, few)
      expect(refused.status).toBe(403)
      expect(refused.body.error.message).toMatch(/^This key may not grant the scope /)
    }
    expect((await create({ scopes: ['guests.medical'] })).status).toBe(403)
  })

  it.each([
    ['another key of the administration', { scopes: [ADMINISTRATION] }],
    ['one next to other scopes', { scopes: ['meals', ADMINISTRATION] }],
    ['grants', { grants: ['meals'] }],
    ['an intake key', { intake: true }],
    ['another center', { centerId: LODGE }],
    ['what assistants may read', { allowAssistants: true }],
    ['what a prototype says', JSON.parse('{"__proto__": {"scopes": ["guests"]}}')],
  ])('ruling 49: never makes %s', async (_, input) => {
    const before = (await keysOf(by, '?ended=true&length=100')).length
    const text = `${JSON.stringify(INPUT).slice(0, -1)},${JSON.stringify(input).slice(1)}`
    const answer = await by.request('POST', '/v1/actions/create-key', actionHeaders(), text)
    expect(answer.status).toBe(400)
    expect((await keysOf(by, '?ended=true&length=100')).length).toBe(before)
  })

  it('takes names as text, and refuses what has invisible characters', async () => {
    const name = '<script>alert(1)</script> "O\'Neil" & café'
    expect((await keyOf(await create({ name })))?.name).toBe(name)
    for (const one of ['a\nb', 'a\u0007', ' ', 'x'.repeat(201)]) {
      expect((await create({ name: one })).status).toBe(400)
    }
  })

  it('ends at the end of a local day, and at the longest time that a key may be valid', async () => {
    const answer = await create({ expiresOn: '2025-01-31' })
    // Bucharest is two hours before UTC.
    expect(answer.body.expiresAt).toBe('2025-01-31T22:00:00.000Z')
    expect((await create({ expiresOn: '2020-01-01' })).status).toBe(400)
    const bounded = await startTestApi({ now: ACTION_NOW, app: { keyDaysMax: 30 } })
    const key = bounded.as(await bounded.createKey({ scopes: [ADMINISTRATION] }))
    const never = await create({}, key)
    expect(never.status).toBe(400)
    expect(never.body.error.message).toContain('KEY_DAYS_MAX')
    expect((await create({ expiresOn: '2025-01-20' }, key)).status).toBe(200)
  })

  it('ruling 49: that ends gives no access that lasts longer: by new keys, links, new secrets or devices', async () => {
    const own = await startTestApi({ now: ACTION_NOW })
    const deputy = own.as(
      await own.createKey({ scopes: [ADMINISTRATION], expiresAt: '2025-01-31T12:00:00Z' }),
    )
    const lasting = await own.createKey({ scopes: ['meals'] })
    const link = {
      key: lasting.appId,
      name: 'Excel',
      query: '/meals/portions?startDate=today&endDate=today',
      language: null,
      allowedAddresses: [],
      allowSensitive: false,
    }
    const tries: [what: string, answer: TestAnswer, field: string][] = [
      ['a key without end', await create({}, deputy), 'expiresOn'],
      ['a key with a later end', await create({ expiresOn: '2025-02-01' }, deputy), 'expiresOn'],
      ['a link', await act('create-link', { ...link, expiresOn: '2025-02-01' }, deputy), 'expiresOn'],
      ['new secrets', await act('rotate-key', { key: lasting.appId, overlapHours: 0 }, deputy), 'key'],
      ['a device', await act('create-device-link', { key: lasting.appId, validMinutes: 1 }, deputy), 'key'],
    ]
    for (const [what, { status, body }, field] of tries) {
      expect(status, what).toBe(400)
      expect(body.error.details, what).toMatchObject([{ parameter: field }])
      expect(body.error.details?.[0]?.message, what).toContain('2025-01-31T12:00:00.000Z')
    }
    expect((await own.as(lasting).get(MEALS)).status).toBe(200)

    const made = await create({ expiresOn: '2025-01-31' }, deputy)
    expect(made.body.expiresAt).toBe('2025-01-31T12:00:00.000Z')
    const short = await create({ expiresOn: '2025-01-10' }, deputy)
    expect(short.body.expiresAt).toBe('2025-01-10T22:00:00.000Z')
    const rotated = await act('rotate-key', { key: String(made.body.appId), overlapHours: 0 }, deputy)
    expect(rotated.body.expiresAt, rotated.text).toBe('2025-01-31T12:00:00.000Z')
    const device = await act('create-device-link', { key: String(short.body.appId), validMinutes: 1 }, deputy)
    expect(device.status, device.text).toBe(200)
  })

  it('has an end: a center has at most a thousand keys by actions', async () => {
    const own = await startTestApi({ now: ACTION_NOW })
    await own.database.query(sql`
      insert into api_keys (center_id, public_key, app_id, name, secret_hash, scopes)
      select 'spa', 'sjn_pk_' || n, 'sjn_app_' || n, 'many', decode(repeat('00', 32), 'hex'), '{meals}'
      from generate_series(1, 1000) n`)
    const key = own.as(await own.createKey({ scopes: [ADMINISTRATION] }))
    const answer = await create({}, key)
    expect(answer.status).toBe(400)
    expect(answer.body.error.message).toMatch(/at most 1,?000 keys/)
    // The list is in pages.
    const list = await key.get('/v1/administration/keys?length=100&start=11')
    expect(list.body.total).toBe(1002)
    expect(list.body.data).toHaveLength(2)
  })
})

/** A key of the administration that may grant little. */
async function keyOfFewGrants(): Promise<TestKey> {
  const key = await api.createKey({ scopes: [ADMINISTRATION] })
  await api.database.query(sql`
    update api_keys set grants = ${['meals', 'sessions']} where public_key = ${key.publicKey}`)
  return key
}

describe('rotate-key, describe-key and revoke-key', () => {
  const ofScopes = (scopes: readonly Scope[], more: object = {}) => api.createKey({ scopes, ...more })

  it('rotates: new secrets work, the old ones until the overlap ends, what it may read stays', async () => {
    const old = await ofScopes(['meals'])
    const answer = await act('rotate-key', { key: old.appId, overlapHours: 0 })
    expect(answer.status, answer.text).toBe(200)
    expect((await api.as(undefined).get(MEALS, bearer(answer))).status).toBe(200)
    expect((await api.as(old).get(MEALS)).status).toBe(401)
  })

  it('ruling 49: rotates no key that reads more than it may grant, and revokes it all the same', async () => {
    for (const scopes of [['guests.medical'], ['guests', 'guests.medical']] as const) {
      const doctor = await ofScopes(scopes)
      const refused = await act('rotate-key', { key: doctor.appId, overlapHours: 24 })
      expect(refused.status).toBe(403)
      expect(refused.text).not.toContain('sjn_sk_')
      expect((await act('revoke-key', { key: doctor.publicKey })).body).toMatchObject({ revoked: 1 })
      expect((await api.as(doctor).get('/v1/me')).status).toBe(401)
    }
    // A custom field is of guests.personal.
    const diets = await ofScopes(['meals'], { customFields: ['shared'] })
    expect(
      (await act('rotate-key', { key: diets.appId, overlapHours: 1 }, api.as(await keyOfFewGrants()))).status,
    ).toBe(403)
    expect((await act('rotate-key', { key: diets.appId, overlapHours: 1 })).status).toBe(200)
  })

  it.each(['rotate-key', 'describe-key', 'revoke-key'])(
    'ruling 49: %s changes no key of the administration, not even its own',
    async (name) => {
      const other = await ofScopes([ADMINISTRATION])
      const more = {
        'rotate-key': { overlapHours: 1 },
        'describe-key': { responsible: null, reviewOn: null },
        'revoke-key': {},
      }[name]
      for (const key of [other.appId, other.publicKey, administrator.appId]) {
        const answer = await act(name, { key, ...more })
        expect(answer.status).toBe(403)
      }
      expect((await api.as(other).get('/v1/me')).status).toBe(200)
    },
  )

  it('rotates no intake key, and revokes it', async () => {
    const intake = await api.createKey({ intake: true })
    expect((await act('rotate-key', { key: intake.appId, overlapHours: 1 })).status).toBe(403)
    expect((await act('revoke-key', { key: intake.appId })).body).toMatchObject({ revoked: 1 })
  })

  it('knows no key of another center, by whatever name', async () => {
    const theirs = await api.createKey({ center: LODGE, scopes: ['meals'] })
    const unknown = 'sjn_app_0000000000000000'
    const answers: TestAnswer[] = []
    for (const key of [theirs.appId, theirs.publicKey, unknown]) {
      answers.push(
        await act('revoke-key', { key }),
        await act('rotate-key', { key, overlapHours: 0 }),
        await act('describe-key', { key, responsible: 'Me', reviewOn: null }),
      )
    }
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]))
    expect(new Set(answers.map(({ body }) => body.error.message)).size).toBe(1)
    expect((await api.as(theirs).get(MEALS)).status).toBe(200)
    const names = await keysOf(by, '?ended=true&length=100')
    expect(names.some(({ appId }) => appId === theirs.appId)).toBe(false)
  })

  it('takes no secret in place of a name, and stores none', async () => {
    const key = await ofScopes(['meals'])
    for (const secret of [key.secretKey, key.apiKey]) {
      const answer = await act('revoke-key', { key: secret })
      expect([400, 404]).toContain(answer.status)
      expect(answer.text).not.toContain(secret)
    }
  })

  it('describes the keys of an application, which changes nothing that they read', async () => {
    const key = await ofScopes(['meals'])
    await act('rotate-key', { key: key.appId, overlapHours: 1 })
    const answer = await act('describe-key', { key: key.appId, responsible: ' Ana ', reviewOn: '2025-06-30' })
    expect(answer.body).toEqual({ appId: key.appId, reviewOn: '2025-06-30' })
    const own = (await keysOf(by, '?length=100')).filter(({ appId }) => appId === key.appId)
    expect(own).toHaveLength(2)
    for (const one of own)
      expect(one).toMatchObject({ responsible: 'Ana', reviewOn: '2025-06-30', scopes: ['meals'] })
    // A rotation keeps it.
    const rotated = await act('rotate-key', { key: key.appId, overlapHours: 1 })
    expect(await keyOf(rotated)).toMatchObject({ appId: key.appId, responsible: 'Ana' })
  })

  it('stops an application: its requests are refused from the next one on', async () => {
    const key = await ofScopes(['meals'])
    expect((await api.as(key).get(MEALS)).status).toBe(200)
    expect((await act('revoke-key', { key: key.appId })).body).toMatchObject({ revoked: 1 })
    expect((await api.as(key).get(MEALS)).status).toBe(401)
    expect((await act('revoke-key', { key: key.appId })).body).toMatchObject({ revoked: 0 })
    expect((await keysOf(by, '?length=100')).some(({ appId }) => appId === key.appId)).toBe(false)
    const ended = await keysOf(by, '?ended=true&length=100')
    expect(ended.find(({ appId }) => appId === key.appId)).toMatchObject({ status: 'revoked' })
  })

  it('a key of the administration that was revoked acts no more, and neither does an assistant', async () => {
    const gone = await ofScopes([ADMINISTRATION])
    await api.database.query(sql`update api_keys set revoked_at = now() where public_key = ${gone.publicKey}`)
    expect((await create({}, api.as(gone))).status).toBe(401)
    const answer = await by.get('/v1/administration/keys', { 'sojourn-channel': 'assistant' })
    expect(answer.status).toBe(403)
  })
})

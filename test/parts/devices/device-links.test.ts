/** One-time links that hand a key to a device: what they show, and that they work once, for one key, and for its center. */
import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { createDeviceLink } from '../../../src/core/access/keys/device-links.ts'
import { startTestApi, type TestApi, type TestCenter, type TestKey } from '../../support/api.ts'
import { everyText } from '../../support/every-text.ts'
import { stay } from '../../support/world.ts'

const NOW = Date.parse('2025-01-10T12:00:00Z')
const MINUTE = 60_000
const WEEK = '/v1/meals/portions?startDate=2025-01-06&endDate=2025-01-12'
const LOOK = '/v1/device-link'
const USE = '/v1/actions/sign-in-device'

let api: TestApi
let other: TestCenter
let now = NOW
beforeAll(async () => {
  api = await startTestApi({
    clock: () => now,
    records: stay('a', '2025-01-09', '2025-01-11'),
    app: { failedCredentialsPerMinute: 1_000_000 },
  })
  other = await api.newCenter(stay('theirs', '2025-01-09', '2025-01-11'))
})

async function linkTo(key: Pick<TestKey, 'publicKey'>, centerId = 'spa', validMs?: number) {
  return api.database.transaction((tx) =>
    createDeviceLink(
      tx,
      { centerId, publicKey: key.publicKey, intake: false },
      { random: randomBytes, now, ...(validMs === undefined ? {} : { validMs }) },
    ),
  )
}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const look = (token: string) => api.as(undefined).get(LOOK, bearer(token))
let uses = 0
const use = (token: string, headers: Record<string, string> = {}, body = '{}') =>
  api.as(undefined).request(
    'POST',
    USE,
    {
      ...bearer(token),
      'content-type': 'application/json',
      'idempotency-key': `use-${++uses}`,
      ...headers,
    },
    body,
  )
const asks = (apiKey: unknown, url = WEEK) => api.as(undefined).get(url, bearer(String(apiKey)))
const kitchen = () => api.createKey({ scopes: ['meals', 'sessions'] })

describe('a link', () => {
  it('says what the device will see, as often as it is opened, and changes nothing', async () => {
    const key = await kitchen()
    const { token } = await linkTo(key)
    for (let times = 0; times < 5; times += 1) {
      const { status, body, headers } = await look(token)
      expect([status, headers['cache-control']]).toEqual([200, 'private, no-store'])
      expect(body).toEqual({
        name: 'test',
        center: { name: expect.any(String), language: expect.any(String), timezone: expect.any(String) },
        scopes: ['meals', 'sessions'],
        customFields: [],
        sees: ['names', 'stays', 'rooms', 'programs', 'sessions', 'portions', 'skippedMeals'],
        seesNot: expect.arrayContaining(['contact', 'diets', 'medical', 'orders', 'sheets']),
        expiresAt: new Date(now + 15 * MINUTE).toISOString(),
        keyExpiresAt: null,
      })
    }
    // Opened by a program that follows links, it has not been used.
    expect((await use(token)).status).toBe(200)
  })

  it('gives the device a key of its own, once, which reads what the link said and can be revoked', async () => {
    const key = await kitchen()
    const { token } = await linkTo(key)
    const used = await use(token)
    expect(used.status).toBe(200)
    expect(used.headers['cache-control']).toBe('private, no-store')
    const { apiKey } = used.body
    expect((await asks(apiKey)).status).toBe(200)
    expect((await asks(apiKey, '/v1/guests?startDate=2025-01-06&endDate=2025-01-12')).status).toBe(403)
    // The secret that the key had before is no longer valid.
    expect((await api.as(key).get(WEEK)).status).toBe(401)
    const again = await use(token)
    expect([again.status, again.body.error.code]).toEqual([410, 'GONE'])
    expect(again.body.error.message).toContain('used already')
    expect((await look(token)).status).toBe(410)
    expect((await asks(apiKey)).status).toBe(200)
    await api.database.runScript(
      `update api_keys set revoked_at = now() where public_key = '${key.publicKey}'`,
    )
    expect((await asks(apiKey)).status).toBe(401)
  })

  it('is used once by many at the same time', async () => {
    const { token } = await linkTo(await kitchen())
    const answers = await Promise.all(Array.from({ length: 8 }, () => use(token)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410, 410, 410, 410, 410, 410])
    const apiKey = answers.find(({ status }) => status === 200)?.body.apiKey
    expect((await asks(apiKey)).status).toBe(200)
  })

  it('gives the key again to the same request, if its answer was lost, for ten minutes and until the key is used', async () => {
    const { token } = await linkTo(await kitchen())
    const same = { 'idempotency-key': 'the-same' }
    const [lost, late] = await Promise.all([use(token, same), use(token, same)])
    now += 9 * MINUTE
    const again = await use(token, same)
    expect([lost.status, late.status, again.status]).toEqual([200, 200, 200])
    // Whichever of the answers arrives, it has the secret that works.
    expect([late.body.apiKey, again.body.apiKey]).toEqual([lost.body.apiKey, lost.body.apiKey])
    now += 2 * MINUTE
    expect((await use(token, same)).status).toBe(410)
    expect((await asks(lost.body.apiKey)).status).toBe(200)
    now = NOW
  })

  it('is not answered again with a secret that a later link of the key has replaced', async () => {
    const key = await kitchen()
    const { token } = await linkTo(key)
    const same = { 'idempotency-key': 'of-the-first' }
    expect((await use(token, same)).status).toBe(200)
    const second = await use((await linkTo(key)).token)
    expect((await use(token, same)).status).toBe(410)
    expect((await asks(second.body.apiKey)).status).toBe(200)
  })

  it('ends after a quarter of an hour, or the time that it was made for', async () => {
    const { token } = await linkTo(await kitchen())
    const { token: longer } = await linkTo(await kitchen(), 'spa', 120 * MINUTE)
    now += 15 * MINUTE
    const late = await use(token)
    expect([late.status, late.body.error.message]).toEqual([
      410,
      expect.stringContaining('The time for using'),
    ])
    expect((await look(token)).status).toBe(410)
    expect((await use(longer)).status).toBe(200)
    now = NOW
  })

  it.each([
    ['was revoked', 'revoked_at = now()'],
    ['has expired', "expires_at = '2025-01-01T00:00:00Z'"],
  ])('ends with its key, which %s', async (_, set) => {
    const key = await kitchen()
    const { token } = await linkTo(key)
    await api.database.runScript(`update api_keys set ${set} where public_key = '${key.publicKey}'`)
    for (const answer of [await look(token), await use(token)]) {
      expect([answer.status, answer.body.error.message]).toEqual([
        410,
        expect.stringContaining('The key of this link'),
      ])
    }
  })

  it('is replaced by the next one of its key', async () => {
    const key = await kitchen()
    const { token: first } = await linkTo(key)
    now += MINUTE
    const { token: second } = await linkTo(key)
    expect((await use(first)).status).toBe(410)
    expect((await use(second)).status).toBe(200)
    now = NOW
  })

  it('signs out the device that had the key before, only when it is used', async () => {
    const key = await kitchen()
    const { body } = await use((await linkTo(key)).token)
    const { token } = await linkTo(key)
    expect((await asks(body.apiKey)).status).toBe(200)
    const next = await use(token)
    expect((await asks(body.apiKey)).status).toBe(401)
    expect((await asks(next.body.apiKey)).status).toBe(200)
  })

  it('cannot be made for a key of another center, that has ended, for intake, or for too long', async () => {
    const key = await kitchen()
    await expect(linkTo(key, other.id)).rejects.toThrow()
    await expect(linkTo(key, 'spa', 8 * 24 * 60 * MINUTE)).rejects.toThrow('at most 7 days')
    const revoked = await api.createKey({ scopes: ['meals'], revokedAt: '2025-01-01T00:00:00Z' })
    await expect(linkTo(revoked)).rejects.toThrow('was revoked or has expired')
    const making = { random: randomBytes, now }
    await expect(
      api.database.transaction((tx) =>
        createDeviceLink(tx, { centerId: 'spa', publicKey: key.publicKey, intake: true }, making),
      ),
    ).rejects.toThrow('reads nothing')
  })

  it('belongs to the center of its key', async () => {
    const { token } = await linkTo(other.key, other.id)
    const { apiKey } = (await use(token)).body
    const answer = await asks(apiKey, '/v1/guests?startDate=2025-01-06&endDate=2025-01-12')
    expect(answer.text).not.toContain('"a"')
    expect(answer.body.total).toBe(1)
    const entries = await api.database.query<{ center_id: string; app_id: string }>(sql`
      select center_id, app_id from audit_entries where operation = 'signInDevice' and public_key = ${other.key.publicKey}`)
    expect(entries).toEqual([{ center_id: other.id, app_id: other.key.appId }])
  })
})

describe('what is no link', () => {
  it('is the same 404 for all that was altered or guessed, and changes nothing', async () => {
    const key = await kitchen()
    const { token } = await linkTo(key)
    const { token: another } = await linkTo(await kitchen())
    const wrong = [
      '',
      'x',
      token.slice(0, -1),
      `${token}0`,
      token.toLowerCase(),
      // The identifier of one with the secret of the other.
      token.slice(0, 25) + another.slice(25),
      key.apiKey,
      'a'.repeat(90),
    ]
    for (const text of wrong) {
      for (const answer of [await look(text), await use(text)]) {
        expect([text.slice(0, 20), answer.status, answer.body.error.code]).toEqual([
          text.slice(0, 20),
          404,
          'NOT_FOUND',
        ])
      }
    }
    expect((await use(token)).status).toBe(200)
  })

  it('is no key either, and a key is no link', async () => {
    const key = await kitchen()
    const { token } = await linkTo(key)
    expect((await asks(token)).status).toBe(401)
    expect((await api.as(key).get(LOOK)).status).toBe(404)
  })

  it('is limited by network', async () => {
    const few = await startTestApi({
      now: new Date(NOW).toISOString(),
      app: { failedCredentialsPerMinute: 3 },
    })
    const guess = async () => (await few.as(undefined).get(LOOK, bearer('sjn_once_x'))).status
    expect([await guess(), await guess(), await guess(), await guess()]).toEqual([404, 404, 404, 429])
  })

  it('is limited by network also with a link that is right', async () => {
    const many = await startTestApi({ now: new Date(NOW).toISOString() })
    const { token } = await many.database.transaction((tx) =>
      createDeviceLink(
        tx,
        { centerId: 'spa', publicKey: many.key.publicKey, intake: false },
        { random: randomBytes, now: NOW },
      ),
    )
    const statuses = new Set<number>()
    for (let times = 0; times < 70; times += 1)
      statuses.add((await many.as(undefined).get(LOOK, bearer(token))).status)
    expect([...statuses]).toEqual([200, 429])
  })
})

describe('a request that uses a link', () => {
  const REFUSED: [string, Record<string, string>, string, number][] = [
    ['of a page of another origin', { origin: 'https://elsewhere.example' }, '{}', 403],
    ['of a sandboxed page', { origin: 'null' }, '{}', 403],
    ['that is a form', { 'content-type': 'application/x-www-form-urlencoded' }, '', 400],
    ['with something in its body', {}, '{"scopes":["guests.medical"]}', 400],
    ['that is too long', {}, `{}${' '.repeat(5000)}`, 400],
    ['without an Idempotency-Key that is one', { 'idempotency-key': 'a b' }, '{}', 400],
  ]
  it.each(REFUSED)('%s is refused, and the link can still be used', async (_, headers, body, status) => {
    const { token } = await linkTo(await kitchen())
    expect((await use(token, headers, body)).status).toBe(status)
    expect((await use(token)).status).toBe(200)
  })

  it('by GET, or with the token in the URL, is refused', async () => {
    const { token } = await linkTo(await kitchen())
    expect((await api.as(undefined).get(USE, bearer(token))).status).toBe(405)
    expect((await api.as(undefined).get(`${LOOK}?link=${token}`)).status).toBe(400)
    expect((await use(token)).status).toBe(200)
  })

  it('from an address that its key does not allow is refused', async () => {
    const key = await kitchen()
    const { token } = await linkTo(key)
    await api.database.runScript(
      `update api_keys set allowed_addresses = '{192.0.2.0/24}' where public_key = '${key.publicKey}'`,
    )
    expect([(await look(token)).status, (await use(token)).status]).toEqual([403, 403])
  })

  it('leaves the secrets of the link and of the key nowhere in the database, and is in the trail', async () => {
    const key = await kitchen()
    const { link, token } = await linkTo(key)
    const { apiKey } = (await use(token)).body
    const text = await everyText(api.database)
    for (const secret of [token.slice(25), String(apiKey).slice(30)]) expect(text).not.toContain(secret)
    const lines = text.split('\n').filter((line) => line.includes(link.id))
    // The trail has the entry in its table of the month as well.
    const tables = lines.map((line) => line.split(' ')[0] ?? '')
    expect(tables.filter((table) => !table.startsWith('audit_entries'))).toEqual(['device_links'])
    expect(tables).toContain('audit_entries')
  })
})

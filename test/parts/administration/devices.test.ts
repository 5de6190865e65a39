/** Devices through the administration (rulings 48 and 49): a key is handed out by a link, which is listed and revoked. */
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { ADMINISTRATION, GRANTED_BY_DEFAULT } from '../../../src/core/access/keys/scopes.ts'
import { entriesOf } from '../../audit/reads.ts'
import { actionHeaders } from '../../support/action-requests.ts'
import { type Asker, startTestApi, type TestAnswer, type TestApi } from '../../support/api.ts'
import { everyText } from '../../support/every-text.ts'
import { twinCenters } from '../../support/twin-centers.ts'
import { LODGE } from '../../support/world.ts'

const MEALS = '/v1/meals/portions?startDate=2025-01-08&endDate=2025-01-08'

let api: TestApi
let by: Asker
let now = Date.parse('2025-01-08T06:00:00Z')
beforeAll(async () => {
  api = await startTestApi({ records: twinCenters(), clock: () => now })
  by = api.as(await api.createKey({ scopes: [ADMINISTRATION] }))
})

const act = (
  name: string,
  body: object,
  asker = by,
  headers: Record<string, string> = {},
): Promise<TestAnswer> =>
  asker.request('POST', `/v1/actions/${name}`, { ...actionHeaders(), ...headers }, JSON.stringify(body))
const handOut = (key: string, asker = by, headers: Record<string, string> = {}) =>
  act('create-device-link', { key, validMinutes: 15 }, asker, headers)
const devices = async (query = '', asker = by) =>
  (await asker.get(`/v1/administration/devices${query}`)).body.data as unknown as Record<string, unknown>[]
const statusOf = async (link: unknown, query = '?ended=true&length=100') =>
  (await devices(query)).find(({ id }) => id === link)?.status
const tokenOf = ({ body }: TestAnswer) => String(body.url).split('link=')[1] ?? ''
const use = (token: string) =>
  api
    .as(undefined)
    .request(
      'POST',
      '/v1/actions/sign-in-device',
      { ...actionHeaders(), authorization: `Bearer ${token}` },
      '{}',
    )
const asks = (apiKey: unknown) => api.as(undefined).get(MEALS, { authorization: `Bearer ${String(apiKey)}` })

describe('a key of the administration', () => {
  it('hands a key to a device by a link that works once, sees that it was used, and revokes the key', async () => {
    const key = await api.createKey({ scopes: ['meals', 'sessions'] })
    const headers = actionHeaders()
    const made = await handOut(key.publicKey, by, headers)
    expect(made.status, made.text).toBe(200)
    expect(made.body).toMatchObject({
      publicKey: key.publicKey,
      expiresAt: '2025-01-08T06:15:00.000Z',
      url: expect.stringMatching(/^\/console#\/device\?link=sjn_once_\w+$/),
    })
    // The link is stored nowhere: not for a repetition, and not in the trail.
    const again = await handOut(key.publicKey, by, headers)
    expect(again.body).toEqual({ ...made.body, url: null })
    const everything = JSON.stringify(await everyText(api.database))
    expect(everything).toContain(made.body.link)
    expect(everything).not.toContain(tokenOf(made))
    const entry = (await entriesOf(api.database)).find(({ operation }) => operation === 'createDeviceLink')
    expect(Object.fromEntries(new URLSearchParams(entry?.query))).toMatchObject({
      link: made.body.link,
      publicKey: key.publicKey,
      scopes: 'meals sessions',
    })

    expect(await statusOf(made.body.link, '')).toBe('waiting')
    expect((await api.as(key).get(MEALS)).status).toBe(200)
    const used = await use(tokenOf(made))
    expect(used.status, used.text).toBe(200)
    expect(await statusOf(made.body.link, '')).toBe('used')
    expect((await asks(used.body.apiKey)).status).toBe(200)
    // The device that had the key before is signed out, and the link works no more.
    expect((await api.as(key).get(MEALS)).status).toBe(401)
    expect((await use(tokenOf(made))).status).toBe(410)

    expect((await act('revoke-key', { key: key.publicKey })).body.revoked).toBe(1)
    expect((await asks(used.body.apiKey)).status).toBe(401)
    expect([await statusOf(made.body.link, ''), await statusOf(made.body.link)]).toEqual([undefined, 'ended'])
  })

  it('revokes a link that nobody has used; the key stays as it is', async () => {
    const key = await api.createKey({ scopes: ['meals'] })
    const made = await handOut(key.publicKey)
    const { link } = made.body
    expect((await act('revoke-device-link', { link })).body).toEqual({ link, revoked: true })
    expect((await act('revoke-device-link', { link })).body).toEqual({ link, revoked: false })
    expect((await use(tokenOf(made))).status).toBe(410)
    expect(await statusOf(link)).toBe('expired')
    expect((await api.as(key).get(MEALS)).status).toBe(200)
    expect((await entriesOf(api.database)).map(({ operation }) => operation)).toContain('revokeDeviceLink')
  })

  it('makes links that end after their time; a new one ends those before it', async () => {
    const key = await api.createKey({ scopes: ['meals'] })
    const [first, second] = [await handOut(key.appId), await handOut(key.appId)]
    expect([await statusOf(first.body.link), await statusOf(second.body.link)]).toEqual([
      'expired',
      'waiting',
    ])
    expect((await use(tokenOf(first))).status).toBe(410)
    now += 15 * 60_000
    expect(await statusOf(second.body.link)).toBe('expired')
    expect((await use(tokenOf(second))).status).toBe(410)
  })

  it.each([0, 10_081, 1.5, '15', null])('gives no link for %j minutes', async (validMinutes) => {
    const key = await api.createKey({ scopes: ['meals'] })
    expect((await act('create-device-link', { key: key.publicKey, validMinutes })).status).toBe(400)
  })

  it('ruling 49: hands out no key that reads more than it may grant, none of the administration and none for intake', async () => {
    const doctor = await api.createKey({ scopes: ['guests', 'guests.medical'] })
    const refused = await handOut(doctor.publicKey)
    expect([refused.status, refused.body.error.code]).toEqual([403, 'FORBIDDEN'])
    const another = await api.createKey({ scopes: [ADMINISTRATION] })
    expect((await handOut(another.publicKey)).status).toBe(403)
    const intake = await api.createKey({ intake: true })
    expect((await handOut(intake.publicKey)).status).toBe(403)
    const diets = await api.createKey({ scopes: ['meals'], customFields: ['shared'] })
    const few = await api.createKey({
      scopes: [ADMINISTRATION],
      grants: GRANTED_BY_DEFAULT.filter((scope) => scope !== 'guests.personal'),
    })
    expect((await handOut(diets.publicKey, api.as(few))).status).toBe(403)
    const rows = await api.database.query(
      sql`select id from device_links where public_key = any(${[doctor, another, intake, diets].map(({ publicKey }) => publicKey)})`,
    )
    expect(rows).toEqual([])
  })

  it('knows nothing of another center', async () => {
    const theirs = await api.createKey({ center: LODGE, scopes: ['meals'] })
    const them = api.as(await api.createKey({ center: LODGE, scopes: [ADMINISTRATION] }))
    expect((await handOut(theirs.publicKey)).status).toBe(404)
    const made = await handOut(theirs.publicKey, them)
    const { link } = made.body
    expect((await act('revoke-device-link', { link })).body).toEqual({ link, revoked: false })
    expect(await statusOf(link)).toBeUndefined()
    expect((await devices('', them)).map(({ id }) => id)).toEqual([link])
    expect((await use(tokenOf(made))).status).toBe(200)
  })

  it('hands out no key that has ended', async () => {
    const key = await api.createKey({ scopes: ['meals'] })
    await act('revoke-key', { key: key.publicKey })
    const answer = await handOut(key.publicKey)
    expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining('was revoked')])
  })
})

it('the list has pages', async () => {
  const own = await startTestApi({ records: twinCenters() })
  const asker = own.as(await own.createKey({ scopes: [ADMINISTRATION] }))
  for (let n = 0; n < 3; n += 1) {
    const key = await own.createKey({ scopes: ['meals'] })
    expect((await handOut(key.publicKey, asker)).status).toBe(200)
  }
  const ids = (await devices('', asker)).map(({ id }) => id)
  const pages = await Promise.all([1, 2].map((start) => devices(`?length=2&start=${start}`, asker)))
  expect(pages.flat().map(({ id }) => id)).toEqual(ids)
  expect((await asker.get('/v1/administration/devices?length=2')).body.total).toBe(3)
})

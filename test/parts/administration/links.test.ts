/** Links through the administration (rulings 48 and 49): what they show, what they never show, and what is listed. */
import { beforeAll, describe, expect, it } from 'vitest'
import { ADMINISTRATION } from '../../../src/core/access/keys/scopes.ts'
import { entriesOf } from '../../audit/reads.ts'
import { ACTION_NOW, actionHeaders } from '../../support/action-requests.ts'
import { type Asker, startTestApi, type TestAnswer, type TestApi, type TestKey } from '../../support/api.ts'
import { everyText } from '../../support/every-text.ts'
import { twinCenters } from '../../support/twin-centers.ts'
import { LODGE } from '../../support/world.ts'

let api: TestApi
let by: Asker
let desk: TestKey
beforeAll(async () => {
  api = await startTestApi({ records: twinCenters(), now: ACTION_NOW })
  by = api.as(await api.createKey({ scopes: [ADMINISTRATION] }))
  desk = await api.createKey({ scopes: ['guests', 'guests.personal', 'meals', 'sessions'] })
})

const act = (
  name: string,
  body: object,
  asker = by,
  headers: Record<string, string> = {},
): Promise<TestAnswer> =>
  asker.request('POST', `/v1/actions/${name}`, { ...actionHeaders(), ...headers }, JSON.stringify(body))
const create = (input: object = {}, asker = by, headers: Record<string, string> = {}) =>
  act(
    'create-link',
    {
      key: desk.appId,
      name: 'Excel',
      query: '/meals/portions?startDate=today&endDate=today+6&format=csv',
      language: null,
      expiresOn: '2025-12-31',
      allowedAddresses: [],
      allowSensitive: false,
      ...input,
    },
    asker,
    headers,
  )
const list = async (query = '', asker = by) =>
  (await asker.get(`/v1/administration/links${query}`)).body.data as unknown as Record<string, unknown>[]
const statusOf = async (link: unknown) =>
  (await list('?ended=true&length=100')).find(({ id }) => id === link)?.status
const open = ({ body }: TestAnswer) => api.as(undefined).get(String(body.url))

describe('links of the administration', () => {
  it('answer a saved query for anybody who has the URL, are listed without it, and are revoked', async () => {
    const headers = actionHeaders()
    const made = await create({}, by, headers)
    expect(made.status, made.text).toBe(200)
    expect(made.body).toMatchObject({
      expiresAt: '2025-12-31T22:00:00.000Z',
      remarks: [],
      url: expect.stringMatching(/^\/links\/sjn_url_\w+$/),
    })
    expect((await create({}, by, headers)).body).toEqual({ ...made.body, url: null })
    const opened = await open(made)
    expect([opened.status, opened.headers['content-type']]).toEqual([
      200,
      expect.stringContaining('text/csv'),
    ])
    const { link } = made.body
    const token = String(made.body.url).slice('/links/'.length)
    const everything = JSON.stringify(await everyText(api.database))
    expect(everything).toContain(link)
    expect(everything).not.toContain(token)
    expect(await list()).toMatchObject([
      {
        id: link,
        appId: desk.appId,
        name: 'Excel',
        query: '/meals/portions?startDate=today&endDate=today%2B6&format=csv'.replace('%2B', '+'),
        status: 'active',
        allowSensitive: false,
      },
    ])
    const entry = (await entriesOf(api.database)).find(({ operation }) => operation === 'createLink')
    expect(Object.fromEntries(new URLSearchParams(entry?.query))).toMatchObject({ link, name: 'Excel' })

    expect((await act('revoke-link', { link })).body).toEqual({ link, revoked: 1 })
    expect((await act('revoke-link', { link })).body).toEqual({ link, revoked: 0 })
    expect((await open(made)).status).toBe(404)
    expect(await list()).toEqual([])
    expect(await statusOf(link)).toBe('revoked')
  })

  it('show no personal data unless that is said, and their list never shows whom they search for', async () => {
    const query = '/guests?startDate=2025-01-01&endDate=2025-01-31&project=dob&q=Popescu'
    const refused = await create({ query })
    expect(refused.status).toBe(400)
    expect(refused.body.error.details?.map(({ parameter }) => parameter)).toEqual(['query'])
    const made = await create({ query, allowSensitive: true })
    expect(made.status, made.text).toBe(200)
    expect(made.body.remarks).not.toEqual([])
    const listed = (await list()).find(({ id }) => id === made.body.link)
    expect(listed).toMatchObject({ allowSensitive: true })
    expect(listed?.query).toContain('q=(hidden)')
    expect((await by.get('/v1/administration/links')).text).not.toContain('Popescu')
    const trail = JSON.stringify(await entriesOf(api.database))
    expect(trail).not.toContain('Popescu')
    await act('revoke-link', { link: made.body.link })
  })

  it.each([
    ['/nothing', 'query'],
    ['/search?q=x', 'query'],
    ['/administration/keys', 'query'],
    ['/orders?startDate=today&endDate=today', 'query'],
    ['/meals/portions?startDate=tomorow&endDate=today', 'query'],
  ])('do not show %s', async (query, parameter) => {
    const answer = await create({ query })
    expect(answer.status).toBe(400)
    expect(answer.body.error.details?.map((one) => one.parameter)).toEqual([parameter])
  })

  it('are refused in an unknown language, and for a day that has passed', async () => {
    const language = await create({ language: 'tlh' })
    expect(language.body.error.details?.map(({ parameter }) => parameter)).toEqual(['language'])
    expect((await create({ expiresOn: '2025-01-07' })).status).toBe(400)
  })

  it('ruling 49: read nothing that the key may not grant, and are none of a key of the administration', async () => {
    const doctor = await api.createKey({ scopes: ['guests', 'guests.medical', 'meals'] })
    expect((await create({ key: doctor.appId })).status).toBe(403)
    const another = await api.createKey({ scopes: [ADMINISTRATION] })
    expect((await create({ key: another.appId })).status).toBe(403)
    const intake = await api.createKey({ intake: true })
    expect((await create({ key: intake.appId })).status).toBe(400)
    expect(await list('?ended=true&length=100')).toHaveLength(2)
  })

  it('of another center are unknown, and stay', async () => {
    const theirs = await api.createKey({ center: LODGE, scopes: ['meals'] })
    const them = api.as(await api.createKey({ center: LODGE, scopes: [ADMINISTRATION] }))
    expect((await create({ key: theirs.appId })).status).toBe(404)
    const made = await create({ key: theirs.appId }, them)
    const { link } = made.body
    for (const id of [link, theirs.appId])
      expect((await act('revoke-link', { link: id })).body).toEqual({ link: id, revoked: 0 })
    expect((await open(made)).status).toBe(200)
    expect((await list('', them)).map(({ id }) => id)).toEqual([link])
    expect(await statusOf(link)).toBeUndefined()
  })

  it('stop with their key, which the list says', async () => {
    const key = await api.createKey({ scopes: ['meals'] })
    const made = await create({ key: key.appId })
    await act('revoke-key', { key: key.appId })
    expect((await open(made)).status).toBe(404)
    expect((await list()).map(({ status }) => status)).toEqual(['stopped'])
  })
})

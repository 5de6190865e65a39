/** Webhooks through the administration (rulings 48 and 49): where messages may be sent, what of, and how a test ends. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADMINISTRATION } from '../../../src/core/access/keys/scopes.ts'
import { ACTION_APP, actionHeaders } from '../../support/action-requests.ts'
import { type Asker, startTestApi, type TestAnswer, type TestApi } from '../../support/api.ts'
import { twinCenters } from '../../support/twin-centers.ts'
import { LODGE } from '../../support/world.ts'

let api: TestApi
let by: Asker
let receiver: Server
let url: string
const received: { readonly headers: NodeJS.Dict<string | string[]>; readonly body: string }[] = []
let status = 204

beforeAll(async () => {
  receiver = createServer((request, response) => {
    let body = ''
    request.on('data', (piece) => {
      body += String(piece)
    })
    request.on('end', () => {
      received.push({ headers: request.headers, body })
      response.writeHead(status).end()
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  // A server that listens has an address and a port.
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  api = await startTestApi({
    records: twinCenters(),
    app: { ...ACTION_APP, webhooksAllowedAddresses: ['127.0.0.1'] },
  })
  by = api.as(await api.createKey({ scopes: [ADMINISTRATION] }))
})
afterAll(() => receiver?.close())

const act = (
  name: string,
  body: object,
  asker = by,
  headers: Record<string, string> = {},
): Promise<TestAnswer> =>
  asker.request('POST', `/v1/actions/${name}`, { ...actionHeaders(), ...headers }, JSON.stringify(body))
const add = (input: object = {}, asker = by) =>
  act('add-webhook', { name: 'Lab', url, scopes: ['guests'], ...input }, asker)
const list = async (asker = by) =>
  (await asker.get('/v1/administration/webhooks')).body.data as unknown as Record<string, unknown>[]

describe('webhooks of the administration', () => {
  it('are added, tested and removed; the receiver gets one signed test message', async () => {
    const headers = actionHeaders()
    const input = { name: 'Lab', url, scopes: ['guests'] }
    const added = await act('add-webhook', input, by, headers)
    expect(added.status, added.text).toBe(200)
    expect(added.body.secret).toMatch(/^whsec_/)
    const { webhook } = added.body
    expect((await act('add-webhook', input, by, headers)).body).toEqual({ webhook, secret: null })
    expect((await list()).map(({ id }) => id)).toEqual([webhook])
    expect(JSON.stringify(await list())).not.toContain('whsec_')

    const before = received.length
    const testHeaders = actionHeaders()
    const tested = await act('test-webhook', { webhook }, by, testHeaders)
    expect(tested.body).toEqual({ webhook, outcome: 'delivered', status: 204 })
    expect(received).toHaveLength(before + 1)
    expect(received.at(-1)?.headers['webhook-signature']).toMatch(/^v1,/)
    expect(JSON.parse(received.at(-1)?.body ?? '')).toMatchObject({ type: 'test', data: {} })
    // A repetition sends nothing.
    expect((await act('test-webhook', { webhook }, by, testHeaders)).body).toEqual({
      webhook,
      outcome: null,
      status: null,
    })
    expect(received).toHaveLength(before + 1)
    status = 500
    expect((await act('test-webhook', { webhook })).body).toMatchObject({ outcome: 'refused', status: 500 })
    status = 204

    expect((await act('remove-webhook', { webhook })).body).toEqual({ webhook, removed: true })
    expect((await act('remove-webhook', { webhook })).body).toEqual({ webhook, removed: false })
    expect((await act('test-webhook', { webhook })).status).toBe(404)
    expect(await list()).toEqual([])
  })

  it.each([
    'http://10.0.0.1/hook',
    'https://10.0.0.1/hook',
    'https://169.254.169.254/latest',
    'https://[::1]/hook',
    'https://2130706434/hook',
    'ftp://example.org/',
    'https://anna:secret@example.org/',
    'file:///etc/passwd',
    'nonsense',
  ])('are not sent to %s', async (target) => {
    const answer = await add({ url: target })
    expect(answer.status).toBe(400)
    expect(answer.body.error.details?.map(({ parameter }) => parameter)).toEqual(['url'])
    expect(await list()).toEqual([])
  })

  it('ruling 49: are notified of nothing that the key may not grant', async () => {
    expect((await add({ scopes: ['guests', 'guests.medical'] })).status).toBe(403)
    expect((await add({ scopes: [ADMINISTRATION] })).status).toBe(400)
    expect(await list()).toEqual([])
  })

  it('have a limit: ten of a center', async () => {
    const own = await startTestApi({ app: { ...ACTION_APP, webhooksAllowedAddresses: ['127.0.0.1'] } })
    const key = own.as(await own.createKey({ scopes: [ADMINISTRATION] }))
    for (let n = 0; n < 10; n += 1) expect((await add({}, key)).status).toBe(200)
    expect((await add({}, key)).status).toBe(400)
    expect(await list(key)).toHaveLength(10)
  })

  it('of another center are unknown, and stay', async () => {
    const theirs = api.as(await api.createKey({ center: LODGE, scopes: [ADMINISTRATION] }))
    const { webhook } = (await add({}, theirs)).body
    const before = received.length
    expect((await act('test-webhook', { webhook })).status).toBe(404)
    expect((await act('remove-webhook', { webhook })).body).toEqual({ webhook, removed: false })
    expect(received).toHaveLength(before)
    expect(await list()).toEqual([])
    expect((await list(theirs)).map(({ id }) => id)).toEqual([webhook])
    await act('remove-webhook', { webhook }, theirs)
  })

  it('need the key of the service: without it, the answer says which setting is missing', async () => {
    const bare = await startTestApi()
    const answer = await add({}, bare.as(await bare.createKey({ scopes: [ADMINISTRATION] })))
    expect(answer.status).toBe(400)
    expect(answer.body.error.message).toContain('WEBHOOKS_KEY')
  })
})

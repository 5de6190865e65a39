/** `sojourn mcp`: an assistant starts it, and asks a service over HTTP with it. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { freePort } from '../../support/free-port.ts'
import { TOOL_OPERATIONS } from '../../support/operation-requests.ts'
import { sojourn } from '../../support/run-sojourn.ts'
import { listen } from '../../support/socket.ts'
import { twinCenters } from '../../support/twin-centers.ts'
import { overStdio, PROTOCOLS } from './assistant.ts'

let api: TestApi
let url: string

beforeAll(async () => {
  api = await startTestApi({ records: twinCenters() })
  url = `http://127.0.0.1:${await listen(api.app)}`
})

describe('sojourn mcp', () => {
  it.each(PROTOCOLS)('asks with the key that it is given, with the protocol %j', async (mode) => {
    const key = await api.createKey({ scopes: ['guests', 'guests.personal', 'orders'] })
    const assistant = await overStdio({ SOJOURN_URL: `${url}/v1/`, SOJOURN_KEY: key.apiKey }, mode)
    const readable = TOOL_OPERATIONS.filter(({ scope }) => ['any', 'guests', 'orders'].includes(scope))
    expect(await assistant.tools()).toEqual(readable.map(({ name }) => name))
    expect(assistant.client.getInstructions()).toContain('sojourn://fields')

    const { texts } = await assistant.call('listGuests', {
      sessionId: 's-1',
      project: ['name', 'status'],
      locale: 'ro',
    })
    const answer = await api.get('/v1/guests?sessionId=s-1&project=name,status', { 'x-locale': 'ro' })
    expect(texts[0]).toBe(answer.text)
    expect((await assistant.call('listGuests', { sessionId: 's-1', length: 1 })).texts[1]).toContain(
      'start=2',
    )

    const held = await assistant.call('listGuests', { sessionId: 's-1', project: 'dob' })
    expect(held.isError).toBe(true)
    expect(held.texts[0]).toContain('--allow-assistants')
    expect(await assistant.read('sojourn://scopes')).toMatchObject({ key: { scopes: ['guests', 'orders'] } })
    const long = await assistant.call('listGuests', { sessionId: 's-1', locale: 'ro\r\nx: 1' })
    expect(long.texts).toEqual(['locale must be a language tag such as en or pt-BR.'])
  })

  it('says what is wrong with a key and with an address, and goes on', async () => {
    const wrong = await overStdio({ SOJOURN_URL: url, SOJOURN_KEY: 'sjn_key_nonsense' })
    await expect(wrong.tools()).rejects.toThrow('Valid credentials are required.')
    const { texts, isError } = await wrong.call('listGuests', { sessionId: 's-1' })
    expect(isError).toBe(true)
    expect(texts[0]).toContain('UNAUTHORIZED')

    const nowhere = `http://127.0.0.1:${await freePort()}`
    const alone = await overStdio({ SOJOURN_URL: nowhere, SOJOURN_KEY: api.key.apiKey })
    const sentence = `${nowhere} does not answer (ECONNREFUSED). Check SOJOURN_URL, and that the service runs.`
    await expect(alone.tools()).rejects.toThrow(sentence)
    expect(await alone.call('listGuests')).toEqual({ texts: [sentence], isError: true })
  })

  it.each([
    [{}, 'SOJOURN_KEY is not set. '],
    [{ SOJOURN_KEY: 'sjn_key_x', SOJOURN_URL: 'nonsense' }, 'SOJOURN_URL, "nonsense", is not an address'],
    [
      { SOJOURN_KEY: 'sjn_key_x', SOJOURN_URL: 'file:///etc' },
      'SOJOURN_URL, "file:///etc", is not an address',
    ],
  ])('does not begin with %j', async (env, sentence) => {
    const { code, stdout, stderr } = await sojourn(['mcp'], env)
    expect(code).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toContain(sentence)
  })
})

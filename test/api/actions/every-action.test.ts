/** What holds for every action, made from the list of actions (rulings 48 and 49). */
import { readFileSync } from 'node:fs'
import sql from 'sql-template-tag'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SCOPES } from '../../../src/core/access/keys/scopes.ts'
import { actionId, actionPath } from '../../../src/core/request/action.ts'
import { openApiDocument } from '../../../src/parts/openapi/document.ts'
import { ACTIONS, OPERATIONS } from '../../../src/parts.ts'
import { entriesOf, readsInTrail } from '../../audit/reads.ts'
import {
  ACTION_APP,
  ACTION_NOW,
  actionBody,
  actionHeaders,
  addSubjects,
  EVERY_ACTION,
  OF_ONE_CENTER,
  removeAdded,
  scopesOfAction,
  sendAction,
} from '../../support/action-requests.ts'
import { namedParameters, startTestApi, type TestApi } from '../../support/api.ts'
import { schemaChecker } from '../../support/json-schema.ts'
import { twinCenters } from '../../support/twin-centers.ts'
import { LODGE } from '../../support/world.ts'

const FRIEND = 'https://desk.example.org'
const TABLES = ['customers', 'bookings', 'sessions', 'orders', 'terms'] as const

const VALUES = [null, true, 0, -1, 1.5, 1e300, '', 'x', '2025-02-30', [], {}, '\u0000', 'x'.repeat(1000)]

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({
    records: twinCenters(),
    now: ACTION_NOW,
    app: { ...ACTION_APP, corsOrigins: [FRIEND], publicUrl: 'https://sojourn.example.org' },
  })
  await addSubjects(api.database)
})

const json = openApiDocument({ operations: OPERATIONS, actions: ACTIONS, version: '' })
// The document is plain JSON; this is the part of OpenAPI that is looked at.
const document = json as unknown as {
  paths: Record<string, { post?: { requestBody: { content: Record<string, { schema: object }> } } }>
}

beforeEach(() => removeAdded(api.database))

describe.each(EVERY_ACTION)('%s', (_, action) => {
  const path = `/v1${actionPath(action)}`
  const send = (
    ...more: Parameters<typeof sendAction> extends [unknown, unknown, ...infer Rest] ? Rest : never
  ) => sendAction(api, action, ...more)

  it('ruling 48: answers as its description says, and changes no record', async () => {
    const rows = () =>
      Promise.all(
        TABLES.map((table) =>
          api.database.query(sql`select ${table} as name, count(*)::integer as rows, max(xmin::text::bigint) as moved
            from ${{ customers: sql`customers`, bookings: sql`bookings`, sessions: sql`sessions`, orders: sql`orders`, terms: sql`terms` }[table]}
            group by 1`),
        ),
      )
    const before = await rows()
    const answer = await send()
    expect(answer.status, answer.text).toBe(200)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.headers['cache-control']).toBe('private, no-cache')
    expect(schemaChecker(document)(answerSchema(), answer.body)).toEqual([])
    expect(await rows()).toEqual(before)
  })
  const answerSchema = () => `${actionId(action)[0]?.toUpperCase()}${actionId(action).slice(1)}Answer`

  it('ruling 1: has one address with and without /v1, and with a slash at the end', async () => {
    for (const url of [path, `${path}/`, actionPath(action), `${actionPath(action)}/`]) {
      const answer = await api.request('POST', url, actionHeaders(), actionBody(action))
      expect(answer.status, url).toBe(200)
    }
  })

  it('ruling 48: takes only POST, and says so after authentication', async () => {
    for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const answer = await api.request(method, path)
      expect(answer.status, method).toBe(405)
      expect(answer.headers.allow, method).toBe('POST')
      expect((await api.as(undefined).request(method, path)).status, method).toBe(401)
    }
  })

  it('ruling 49: needs its own scope, which no other scope replaces', async () => {
    const without = api.as(await api.createKey({ scopes: SCOPES.filter((scope) => scope !== action.scope) }))
    const refused = await sendAction(without, action)
    expect(refused.status).toBe(403)
    expect(refused.body.error.message).toBe(
      `This key does not have a required scope: POST ${actionPath(action)} needs the scope ${action.scope}.`,
    )
    const only = api.as(await api.createKey({ scopes: scopesOfAction(action) }))
    expect((await sendAction(only, action)).status).toBe(200)
  })

  it('ruling 7: checks credentials, then the scope, then everything else', async () => {
    const nonsense = { headers: { 'content-type': 'text/plain', 'idempotency-key': ' ' }, body: '{' }
    expect((await sendAction(api.as(undefined), action, nonsense)).status).toBe(401)
    const without = api.as(await api.createKey({ scopes: ['meals'] }))
    expect((await sendAction(without, action, nonsense)).status).toBe(403)
    expect((await send(nonsense)).status).toBe(400)
    const limited = api.as(await api.createKey({ perMinute: 1 }))
    expect((await sendAction(limited, action)).status).toBe(200)
    const refused = await sendAction(limited, action, nonsense)
    expect(refused.status).toBe(429)
    expect(refused.headers['retry-after']).toMatch(/^\d+$/)
  })

  it('ruling 48: takes a key as Bearer or three headers, and in no other form', async () => {
    const bearer = await api
      .as(undefined)
      .request('POST', path, { ...actionHeaders(), ...api.key.bearer }, actionBody(action))
    expect(bearer.status).toBe(200)
    const basic = Buffer.from(`${api.key.apiKey}:`).toString('base64')
    for (const headers of [{ authorization: `Basic ${basic}` }, { cookie: `key=${api.key.apiKey}` }]) {
      const answer = await api
        .as(undefined)
        .request('POST', path, { ...actionHeaders(), ...headers }, actionBody(action))
      expect(answer.status).toBe(401)
    }
    const intake = api.as(await api.createKey({ intake: true }))
    expect((await sendAction(intake, action)).status).toBe(403)
  })

  it('ruling 48: refuses pages of other origins, and no page of its own', async () => {
    for (const origin of [
      'https://evil.example',
      'null',
      'https://sojourn.example.org.evil.example',
      'http://sojourn.example.org',
      'nonsense',
      '',
    ]) {
      const answer = await send({ headers: { origin } })
      expect(answer.status, origin).toBe(403)
    }
    // `inject` asks localhost:80.
    for (const origin of [
      FRIEND,
      'https://sojourn.example.org',
      'http://localhost',
      'https://localhost:80',
    ]) {
      const answer = await send({ headers: { origin } })
      expect(answer.status, origin).toBe(200)
    }
  })

  it('ruling 48: tells pages of allowed origins before they send, and others nothing', async () => {
    const preflight = (origin: string) =>
      api.as(undefined).request('OPTIONS', path, {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization, content-type, idempotency-key',
      })
    const { status, headers } = await preflight(FRIEND)
    expect(status).toBe(204)
    expect(headers['access-control-allow-origin']).toBe(FRIEND)
    expect(headers['access-control-allow-methods']).toBe('POST')
    for (const name of ['authorization', 'content-type', 'idempotency-key'])
      expect(String(headers['access-control-allow-headers']).toLowerCase()).toContain(name)
    expect(headers['access-control-allow-credentials']).toBeUndefined()
    expect((await preflight('https://evil.example')).headers['access-control-allow-origin']).toBeUndefined()
    expect((await send({ headers: { origin: FRIEND } })).headers['access-control-expose-headers']).toContain(
      'Idempotency-Replayed',
    )
  })

  it('refuses assistants, whatever the key allows', async () => {
    const allowed = api.as(await api.createKey({ allowAssistants: true }))
    const answer = await sendAction(allowed, action, { headers: { 'sojourn-channel': 'assistant' } })
    expect(answer.status).toBe(403)
    expect(answer.body.error.message).toMatch(/^Assistants may not perform actions/)
  })

  it('ruling 48: takes no body of another type', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=latin1',
      'application/jsonp',
      '',
    ]) {
      const answer = await send({ headers: { 'content-type': type } })
      expect([type, answer.status, ...namedParameters(answer)]).toEqual([type, 400, 'Content-Type'])
    }
  })

  it('takes JSON with its charset', async () => {
    for (const type of ['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])
      expect((await send({ headers: { 'content-type': type } })).status).toBe(200)
  })

  it('ruling 8: says every problem of a request in one answer', async () => {
    const answer = await api.request(
      'POST',
      `${path}?day=2025-01-01`,
      { 'content-type': 'application/json' },
      '{"dya": 1}',
    )
    expect(answer.status).toBe(400)
    expect(namedParameters(answer)).toEqual(['Idempotency-Key', 'day', 'body', ...Object.keys(action.body)])
  })

  it('refuses a body that is no object of its fields', async () => {
    for (const body of [
      '',
      '[]',
      'null',
      '"day"',
      '1',
      '{',
      '{"a":1}{',
      '\u0000',
      '[{}]',
      '{"__proto__":{}}',
      '{"constructor":1}',
    ]) {
      const answer = await send({ body })
      expect(answer.status, body).toBe(400)
      expect(namedParameters(answer), body).toContain('body')
    }
  })

  it('refuses a value in each field that does not take it, and never fails', async () => {
    const whole = JSON.parse(actionBody(action))
    for (const name of Object.keys(action.body)) {
      for (const value of VALUES) {
        const answer = await send({ body: JSON.stringify({ ...whole, [name]: value }) })
        expect([200, 400, 404], `${name} ${JSON.stringify(value)}: ${answer.text}`).toContain(answer.status)
        if (answer.status === 400) expect(namedParameters(answer)).toEqual([name])
      }
    }
  })

  it('refuses each missing field and each unknown one', async () => {
    const whole: Record<string, unknown> = JSON.parse(actionBody(action))
    for (const name of Object.keys(action.body)) {
      const { [name]: _, ...rest } = whole
      expect(namedParameters(await send({ body: JSON.stringify(rest) }))).toEqual([name])
    }
    const answer = await send({ body: JSON.stringify({ ...whole, extra: 1 }) })
    expect(answer.status).toBe(400)
    expect(answer.body.error.message).toMatch(/^There is no field "extra"; the fields are /)
  })

  it('ruling 48: the same Idempotency-Key and body get the same answer, and are performed once', async () => {
    const headers = actionHeaders()
    const first = await send({ headers })
    const entries = await entriesOf(api.database)
    const again = await send({ headers })
    expect([first.status, again.status]).toEqual([200, 200])
    const secrets = Object.fromEntries((action.once ?? []).map((name) => [name, null]))
    expect(again.text).toBe(JSON.stringify({ ...JSON.parse(first.text), ...secrets }))
    expect(first.headers['idempotency-replayed']).toBeUndefined()
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(await entriesOf(api.database)).toEqual(entries)
  })

  it('ruling 48: the same Idempotency-Key with another body or action is refused', async () => {
    const headers = actionHeaders()
    await send({ headers })
    const other = await send({ headers, body: `${actionBody(action)} ` })
    expect(other.status).toBe(422)
    expect(other.body.error.code).toBe('IDEMPOTENCY_KEY_REUSED')
    // The next one of the list, so each is once the one and once the other.
    const [, another] =
      EVERY_ACTION[(EVERY_ACTION.findIndex(([, one]) => one === action) + 1) % EVERY_ACTION.length]!
    expect((await sendAction(api, another, { headers, body: actionBody(action) })).status).not.toBe(200)
  })

  it('ruling 48: an Idempotency-Key is missing, too long or unreadable', async () => {
    const { 'idempotency-key': _, ...without } = actionHeaders()
    const missing = await api.request('POST', path, without, actionBody(action))
    expect(missing.status).toBe(400)
    expect(missing.body.error.message).toMatch(/^The header Idempotency-Key is missing/)
    for (const key of ['', 'a b', 'x'.repeat(256), 'é'])
      expect(namedParameters(await send({ headers: { 'idempotency-key': key } }))).toEqual([
        'Idempotency-Key',
      ])
    expect((await send({ headers: { 'idempotency-key': action.name.padEnd(255, 'x') } })).status).toBe(200)
  })

  it('ruling 48: an action that was refused is not remembered', async () => {
    const headers = actionHeaders()
    expect((await send({ headers, body: '{}' })).status).toBe(400)
    expect((await send({ headers })).status).toBe(200)
  })

  it('ruling 48: keys of other applications and centers are others', async () => {
    const headers = actionHeaders()
    const lodge = api.as(await api.createKey({ center: LODGE }))
    const colleague = api.as(await api.createKey())
    await send({ headers })
    for (const asker of [lodge, colleague]) {
      const answer = await sendAction(asker, action, { headers })
      expect(answer.status).toBe(200)
      expect(answer.headers['idempotency-replayed']).toBeUndefined()
    }
  })

  it('ruling 48: has one entry in the audit trail, with key, scope and request', async () => {
    const before = (await readsInTrail(api.database)).length
    const key = await api.createKey({ scopes: scopesOfAction(action) })
    const answer = await sendAction(api.as(key), action)
    const entries = (await entriesOf(api.database)).filter(({ public_key }) => public_key === key.publicKey)
    expect(entries).toHaveLength(1)
    expect(entries[0]).toMatchObject({
      app_id: key.appId,
      operation: actionId(action),
      scopes: action.scope,
      requests: `0 200 ${answer.headers['x-request-id']}`,
    })
    expect((await readsInTrail(api.database)).length).toBe(before + 1)
    const [used] = await api.database.query<{ used: boolean }>(
      sql`select last_used_at is not null as used from api_keys where public_key = ${key.publicKey}`,
    )
    expect(used?.used).toBe(true)
  })

  it('is described with its body, its answer and examples that are true', () => {
    const described = document.paths[actionPath(action)]?.post
    expect(described).toMatchObject({ operationId: actionId(action), 'x-sojourn-scope': action.scope })
    const reading = action.read(JSON.stringify(action.example.body))
    expect('problems' in reading ? reading.problems : []).toEqual([])
    expect(schemaChecker(document)(answerSchema(), action.example.answer)).toEqual([])
    const page = readFileSync(new URL('../../../docs/actions.md', import.meta.url), 'utf8')
    expect(page).toContain(`POST /v1${actionPath(action)}`)
  })
})

it('another center does not learn what an action names, and changes nothing of it', async () => {
  const fresh = await startTestApi({ records: twinCenters(), now: ACTION_NOW, app: ACTION_APP })
  await addSubjects(fresh.database)
  // What one action makes, another one names.
  for (const [, action] of EVERY_ACTION) await sendAction(fresh, action)
  const lodge = fresh.as(await fresh.createKey({ center: LODGE }))
  // A key is named by others, so its end comes last.
  const named = EVERY_ACTION.filter(([, { name }]) => OF_ONE_CENTER[name] !== undefined).toSorted(
    ([, one], [, other]) => Number(one.name === 'revoke-key') - Number(other.name === 'revoke-key'),
  )
  const statuses = async (one: Parameters<typeof sendAction>[0]) => {
    const answers: [name: string, status: number][] = []
    for (const [name, action] of named) {
      const answer = await sendAction(one, action, { body: JSON.stringify(OF_ONE_CENTER[action.name]) })
      answers.push([name, answer.status])
    }
    return answers
  }
  expect(named.length).toBeGreaterThan(10)
  expect(await statuses(lodge)).toEqual(named.map(([name]) => [name, 404]))
  expect(await statuses(fresh)).toEqual(named.map(([name]) => [name, 200]))
})

describe('paths without an action', () => {
  it.each([
    '/v1/actions',
    '/v1/actions/',
    '/v1/actions/confirm-shet',
    '/v1/actions/confirm-sheet/1',
    '/v1/actions/__proto__',
  ])('ruling 48: %s is a 404, whatever the method', async (url) => {
    for (const method of ['GET', 'POST', 'PUT'])
      expect((await api.request(method, url, actionHeaders(), '{}')).status).toBe(404)
  })

  it('suggests an action that is close', async () => {
    const { body } = await api.request('GET', '/v1/actions/confirm-shet')
    expect(body.error.message).toContain('Did you mean /v1/actions/confirm-sheet?')
  })
})

import { beforeAll, expect, test } from 'vitest'
import type { KeyWithSecrets } from '../../src/core/access/keys/key.ts'
import type { Link } from '../../src/parts/links/link.ts'
import { CENTER, type Env, json, sojourn, startCommands } from './sojourn.ts'

let env: Env
let appId: string
beforeAll(async () => {
  env = { ...(await startCommands()).env, PUBLIC_URL: 'https://sojourn.example.com' }
  await json(['import', '-'], env, CENTER)
  const key = ['keys', 'create', '--center', 'fjord', '--name', 'Kitchen', '--preset', 'kitchen']
  appId = (await json<KeyWithSecrets>(key, env)).appId
})

const QUESTION = '/meals/portions?startDate=today&endDate=today+6&format=csv'
const create = (...args: string[]) =>
  json<Link & { url: string }>(
    ['links', 'create', QUESTION, '--key', appId, '--name', 'Tablet', ...args],
    env,
  )

test('create prints the address once, list and show never', async () => {
  const made = await create('--language', 'no', '--per-hour', '60', '--allow', '::1')
  expect(made).toEqual({
    id: expect.stringMatching(/^sjn_link_\w{16}$/),
    url: expect.stringMatching(/\/links\/sjn_url_\w{54}$/),
    centerId: 'fjord',
    appId,
    name: 'Tablet',
    question: '/meals/portions?startDate=today&endDate=today+6&format=csv',
    language: 'no',
    allowSensitive: false,
    limits: { perMinute: 20, perHour: 60 },
    allowedAddresses: ['::1'],
    status: 'active',
    createdAt: expect.any(String),
    expiresAt: expect.any(String),
    revokedAt: null,
    requests: 0,
    lastUsed: null,
  })
  expect(Date.parse(made.expiresAt) - Date.parse(made.createdAt)).toBe(90 * 86_400_000)
  const { url, ...shown } = made
  expect(await json(['links', 'show', made.id], env)).toEqual([shown])
  expect(await json(['links', 'list', '--center', 'fjord'], env)).toContainEqual(shown)
  for (const args of [['list'], ['show', made.id], ['list', '--json']]) {
    const { stdout } = await sojourn(['links', ...args], env)
    expect(stdout).toContain(made.id)
    expect(stdout).not.toContain(url.slice(-38))
  }
})

test('a question without parameters is stored and shown as its path alone', async () => {
  const made = await json<Link>(['links', 'create', '/v1/fields/?', '--key', appId, '--name', 'Fields'], env)
  expect(made.question).toBe('/fields')
})

test('create says for people what to do with the address, and that fixed days stay as they are', async () => {
  const question = '/sessions?startDate=2026-01-01&endDate=2026-01-31'
  const { stdout } = await sojourn(['links', 'create', question, '--key', appId, '--name', 'Desk'], env)
  expect(stdout).toContain('shown only once')
  expect(stdout).toContain('The days of this query are fixed.')
})

test('revoke revokes one link, or all of an application', async () => {
  const [one, other] = [await create(), await create()]
  expect(await json(['links', 'revoke', one.id], env)).toEqual({ revoked: [one.id] })
  expect((await sojourn(['links', 'revoke', one.id], env)).stdout).toContain('Nothing to do')
  const { revoked } = await json<{ revoked: string[] }>(['links', 'revoke', appId], env)
  expect(revoked).toContain(other.id)
  expect(revoked).not.toContain(one.id)
  const statuses = (await json<Link[]>(['links', 'show', appId], env)).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set(['revoked']))
  const [shown] = await json<Link[]>(['links', 'show', one.id], env)
  expect(Date.parse(shown?.revokedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(one.createdAt))
})

test.each([
  ['an address', () => ['revoke', 'https://example.com/links/sjn_url_x'], 'is not the id of a link'],
  ['a link that is not there', () => ['show', 'sjn_link_0000000000000000'], 'There is no link for'],
  [
    'a question that is none',
    () => ['create', '/nothing', '--key', appId, '--name', 'x'],
    'is no path of the interface',
  ],
  [
    'a question that the key may not ask',
    () => ['create', '/orders?startDate=today&endDate=today', '--key', appId, '--name', 'x'],
    'needs the scope orders',
  ],
  [
    'an end that has gone',
    () => ['create', QUESTION, '--key', appId, '--name', 'x', '--expires', '2020-01-01'],
    'already be expired',
  ],
  [
    'no key',
    () => ['create', QUESTION, '--key', 'sjn_app_0000000000000000', '--name', 'x'],
    'There is no key',
  ],
])('%s is refused in one sentence', async (_, args, sentence) => {
  const ran = await sojourn(['links', ...args()], env)
  expect(ran.code).toBe(1)
  expect(ran.stderr).toContain(sentence)
})

test('an address given in place of an id is not repeated', async () => {
  const { url } = await create()
  const ran = await sojourn(['links', 'revoke', url], env)
  expect(ran.code).toBe(1)
  expect(ran.stderr).toContain('which is secret')
  expect(ran.stderr).not.toContain(url.slice(-38))
})

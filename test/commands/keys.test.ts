import { beforeAll, describe, expect, test } from 'vitest'
import type { Key, KeyWithSecrets } from '../../src/core/access/keys/key.ts'
import type { TrailRead } from '../../src/core/audit/list-reads.ts'
import { CENTER, type Env, json, sojourn, startCommands } from './sojourn.ts'

let env: Env
beforeAll(async () => {
  env = (await startCommands()).env
  await json(['import', '-'], env, CENTER)
})

const create = (...args: string[]) =>
  json<KeyWithSecrets>(['keys', 'create', '--center', 'fjord', '--name', 'Lab', ...args], env)

describe('create', () => {
  test('--json prints the key with its secrets', async () => {
    const key = await create(
      '--scopes',
      'guests,meals',
      '--per-hour',
      '0',
      '--per-minute',
      '7',
      '--allow',
      '::1',
      '--allow-assistants',
    )
    expect(key).toEqual({
      appId: expect.stringMatching(/^sjn_app_\w{16}$/),
      publicKey: expect.stringMatching(/^sjn_pk_\w{28}$/),
      secretKey: expect.stringMatching(/^sjn_sk_\w{38}$/),
      apiKey: expect.stringMatching(/^sjn_key_\w{60}$/),
      centerId: 'fjord',
      name: 'Lab',
      scopes: ['guests', 'meals'],
      limits: { perHour: 0, perMinute: 7 },
      allowedAddresses: ['::1'],
      allowAssistants: true,
      intake: false,
      customFields: [],
      grants: [],
      responsible: null,
      reviewOn: null,
      status: 'active',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
    })
  })

  test('for people prints the secrets once and says so', async () => {
    const args = ['keys', 'create', '--center', 'fjord', '--name', 'Lab', '--preset', 'kitchen']
    const { stdout } = await sojourn(args, env)
    const secret = /secretKey +(\S+)/.exec(stdout)?.[1]
    const appId = /appId +(\S+)/.exec(stdout)?.[1]
    expect(stdout).toContain('shown only once')
    expect(stdout).toContain('scopes     meals, sessions, meals.confirm\n')
    const shown = await sojourn(['keys', 'show', appId ?? ''], env)
    expect(shown.stdout).toContain(appId)
    expect(shown.stdout).not.toContain(secret)
  })

  test('an end is a day of the center', async () => {
    const key = await create('--preset', 'finance', '--expires', '2099-07-31')
    expect(key).toMatchObject({
      scopes: ['guests', 'guests.financial', 'sessions', 'orders', 'contradictions', 'guests.paid'],
      expiresAt: '2099-07-31T22:00:00.000Z',
    })
  })

  test.each([
    ['neither scopes nor preset', [], 'Give either --scopes'],
    ['both', ['--scopes', 'meals', '--preset', 'kitchen'], 'either --scopes'],
    ['no such preset', ['--preset', 'kitchn'], 'everything. Did you mean kitchen?'],
    ['no such scope', ['--scopes', 'guests.medica'], 'administration. Did you mean guests.medical?'],
    ['no range', ['--preset', 'kitchen', '--allow', 'here'], '"here" is not an address or a range'],
    ['no end', ['--preset', 'kitchen', '--expires', 'soon'], '"soon" is not an expiry'],
    [
      'no such center',
      ['--preset', 'kitchen', '--center', 'fjor'],
      'There is no center "fjor". Did you mean fjord?',
    ],
  ])('refuses %s', async (_, args, sentence) => {
    const ran = await sojourn(['keys', 'create', '--center', 'fjord', '--name', 'Lab', ...args], env)
    // What is wrong with the command line itself is reported as that.
    const code = ran.stderr.includes('--help') ? 2 : 1
    expect(ran).toMatchObject({ code, stdout: '' })
    expect(ran.stderr).toContain(sentence)
  })
})

test('list, show, rotate and revoke, as JSON and for people', async () => {
  const key = await create('--preset', 'medical')
  const rotated = await json<KeyWithSecrets & { replaces: unknown[] }>(
    ['keys', 'rotate', key.publicKey, '--overlap', '2h'],
    env,
  )
  expect(rotated).toMatchObject({ appId: key.appId, replaces: [{ publicKey: key.publicKey }] })

  const listed = await json<Key[]>(['keys', 'list', '--center', 'fjord'], env)
  expect(listed.map((one) => one.publicKey)).toEqual(
    expect.arrayContaining([key.publicKey, rotated.publicKey]),
  )
  const table = (await sojourn(['keys', 'list'], env)).stdout
  expect(table).toContain(key.publicKey)
  expect(table + JSON.stringify(listed)).not.toContain(key.secretKey)

  expect(await sojourn(['keys', 'revoke', key.appId], env)).toMatchObject({
    code: 0,
    stdout: 'Revoked 2 keys.\n',
  })
  expect((await sojourn(['keys', 'revoke', key.appId], env)).stdout).toContain('is already revoked')
  const shown = await json<Key[]>(['keys', 'show', key.appId], env)
  expect(shown.map((one) => one.status)).toEqual(['revoked', 'revoked'])
  expect((await sojourn(['keys', 'rotate', key.appId], env)).stderr).toContain('no active key')
})

test('create, rotate and revoke each leave an entry in the audit trail, without a secret', async () => {
  const key = await create('--preset', 'kitchen')
  const next = await json<KeyWithSecrets>(['keys', 'rotate', key.appId], env)
  await sojourn(['keys', 'revoke', key.appId], env)
  // Nothing was left to revoke, so nothing was done.
  await sojourn(['keys', 'revoke', key.appId], env)
  const text = (await sojourn(['audit', 'list', '--center', 'fjord', '--json'], env)).stdout
  const acts = (JSON.parse(text) as TrailRead[]).filter(({ filters }) => filters.appId === key.appId)
  const application = { appId: key.appId, name: 'Lab' }
  const keys = [key.publicKey, next.publicKey]
  expect(acts).toMatchObject([
    { operation: 'revokeKey', filters: { ...application, publicKeys: expect.any(String) } },
    {
      operation: 'rotateKey',
      filters: { ...application, publicKey: next.publicKey, replaces: key.publicKey },
    },
    { operation: 'createKey', filters: { ...application, publicKey: key.publicKey } },
  ])
  expect(`${acts[0]?.filters.publicKeys}`.split(',').sort()).toEqual(keys.sort())
  for (const act of acts) {
    expect(act).toMatchObject({
      key: { name: 'command line', appId: '', publicKey: '' },
      scopes: ['meals', 'sessions', 'meals.confirm'],
      records: 0,
    })
  }
  for (const secret of [key.secretKey, key.apiKey, next.secretKey, next.apiKey]) {
    expect(text).not.toContain(secret)
  }
  const listed = await sojourn(['audit', 'list', '--endpoint', 'rotateKey', '--csv'], env)
  expect(listed.stdout).toContain(next.publicKey)
  expect(await sojourn(['audit', 'verify', '--center', 'fjord'], env)).toMatchObject({ code: 0 })
})

test('the preset of the kitchen reads the diets of the center, and prints which', async () => {
  const records = [
    {
      kind: 'center',
      id: 'fjell',
      name: 'Fjell',
      timezone: 'Europe/Oslo',
      currency: 'NOK',
      mealRules: {
        dietFields: [{ field: 'nuts', allergies: ['nuts'] }, { field: 'plan' }],
      },
    },
    { kind: 'metaField', centerId: 'fjell', key: 'nuts', type: 'string', of: 'customer' },
    { kind: 'metaField', centerId: 'fjell', key: 'plan', type: 'boolean', of: 'booking' },
    { kind: 'metaField', centerId: 'fjell', key: 'shoeSize', type: 'number', of: 'customer' },
  ]
  await json(['import', '-'], env, records.map((record) => JSON.stringify(record)).join('\n'))
  const kitchen = ['keys', 'create', '--center', 'fjell', '--name', 'Kitchen', '--preset', 'kitchen']
  const fieldsOf = async (...args: string[]) =>
    (await json<{ customFields: string[] }>([...kitchen, ...args], env)).customFields
  expect(await fieldsOf()).toEqual(['nuts', 'plan'])
  expect(await fieldsOf('--meta', 'shoeSize,nuts')).toEqual(['nuts', 'plan', 'shoeSize'])
  expect(await fieldsOf('--no-diets')).toEqual([])
  expect(await fieldsOf('--no-diets', '--meta', 'plan')).toEqual(['plan'])

  const printed = async (...args: string[]) => (await sojourn([...kitchen, ...args], env)).stdout
  const granted = await printed()
  expect(granted).toContain('Diets that this key may read: meta.nuts, meta.plan.')
  expect(granted).not.toContain('may not read')
  const without = await printed('--no-diets')
  expect(without).toContain('Diets that this key may not read: meta.nuts, meta.plan.')
  expect(without).toContain('say so at the top')
  expect(without).not.toContain('Diets that this key may read')
  const other = await sojourn([...kitchen.slice(0, -1), 'finance', '--no-diets'], env)
  expect(other.code).toBe(2)
  expect(other.stderr).toContain('--no-diets is only for --preset kitchen')
})

test('what a key may do besides reading is in the trail: assistants, sending records, custom fields', async () => {
  const field = '{"kind":"metaField","centerId":"fjord","key":"diet","type":"string","of":"booking"}'
  await json(['import', '-'], env, field)
  const factsOf = async (...args: string[]) => {
    const { appId, publicKey } = await create(...args)
    const acts = await json<TrailRead[]>(['audit', 'list', '--endpoint', 'createKey'], env)
    const { name, ...facts } = acts.find(({ filters }) => filters.appId === appId)?.filters ?? {}
    expect(facts).toMatchObject({ appId, publicKey })
    return Object.fromEntries(
      Object.entries(facts).filter(([fact]) => !['appId', 'publicKey', 'user', 'machine'].includes(fact)),
    )
  }
  expect(await factsOf('--preset', 'kitchen')).toEqual({})
  expect(await factsOf('--preset', 'kitchen', '--allow-assistants')).toEqual({ assistants: 'allowed' })
  expect(await factsOf('--preset', 'kitchen', '--meta', 'diet')).toEqual({ meta: 'diet' })
  expect(await factsOf('--intake')).toEqual({ intake: 'allowed' })
})

test('usage of an application without requests, of days that are none, and as JSON', async () => {
  const { appId } = await create('--preset', 'kitchen')
  const usage = (...args: string[]) => sojourn(['keys', 'usage', appId, ...args], env)
  expect(await usage('--from', '2026-03-01', '--to', '2026-03-31')).toMatchObject({
    code: 0,
    stdout: 'No requests from 2026-03-01 to 2026-03-31.\n',
  })
  expect(await json(['keys', 'usage', appId, '--to', '2026-03-31'], env)).toEqual({
    startDate: '2026-03-02',
    endDate: '2026-03-31',
    days: [],
    errors: [],
  })
  expect((await usage('--from', '2026-02-30')).stderr).toContain('--from takes a day that exists')
  const { code, stderr } = await usage('--from', '2026-04-01', '--to', '2026-03-31')
  expect([code, stderr]).toEqual([2, expect.stringContaining('--from 2026-04-01 is after --to 2026-03-31.')])
})

test('a key that does not exist, or is a secret, is one sentence', async () => {
  for (const command of ['show', 'usage', 'revoke', 'rotate']) {
    const ran = await sojourn(['keys', command, 'sjn_app_0000000000000000'], env)
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(ran.stderr).toBe('There is no key sjn_app_0000000000000000; "sojourn keys list" lists all keys.\n')
  }
  const { apiKey } = await create('--preset', 'kitchen')
  const ran = await sojourn(['keys', 'show', apiKey], env)
  expect(ran.stderr).toContain('This is a secret')
  expect(ran.stderr).not.toContain(apiKey)
})

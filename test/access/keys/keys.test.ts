import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { beforeEach, describe, expect, test } from 'vitest'
import { scopesMissing } from '../../../src/core/access/keys/contradiction-scopes.ts'
import { createKey, type KeyMaking, type NewKey } from '../../../src/core/access/keys/create-key.ts'
import { readDietFields } from '../../../src/core/access/keys/diet-fields.ts'
import { KeyError } from '../../../src/core/access/keys/key.ts'
import { listKeys } from '../../../src/core/access/keys/list-keys.ts'
import { revokeKey } from '../../../src/core/access/keys/revoke-key.ts'
import { rotateKey } from '../../../src/core/access/keys/rotate-key.ts'
import { PRESETS, presetOf, SCOPES, type Scope } from '../../../src/core/access/keys/scopes.ts'
import { showKey } from '../../../src/core/access/keys/show-key.ts'
import { hashSecret, parseSecretKey } from '../../../src/core/access/keys/token.ts'
import type { Database } from '../../../src/core/database/database.ts'
import { NoSuchCenter } from '../../../src/core/errors/no-such-center.ts'
import { centerIds } from '../../../src/core/records/centers/centers-sql.ts'
import { CONTRADICTION_KINDS } from '../../../src/core/records/centers/contradiction-kinds.ts'
import { readMealRules } from '../../../src/core/records/centers/meal-rules.ts'
import { openTestDatabase } from '../../support/database.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const now = Date.parse('2026-03-01T10:00:00Z')
const making = { random: randomBytes, now }

let database: Database
beforeEach(async () => {
  database = await openTestDatabase()
  for (const id of ['fjord', 'delta']) {
    await database.query(sql`
      insert into centers (center_id, name, timezone, currency) values (${id}, ${id}, 'Europe/Oslo', 'NOK')`)
  }
})

const create = (input: Partial<NewKey> = {}, at = now) =>
  createKey(
    database,
    { centerId: 'fjord', name: 'Lab', scopes: ['guests'], ...input },
    { ...making, now: at },
  )

describe('create', () => {
  test('gives the key with its secrets, and keeps only their hash', async () => {
    const key = await create({ scopes: ['orders', 'guests', 'orders'], perHour: 0, perMinute: 7 })
    expect(key).toMatchObject({
      centerId: 'fjord',
      name: 'Lab',
      scopes: ['guests', 'orders'],
      limits: { perHour: 0, perMinute: 7 },
      allowedAddresses: [],
      allowAssistants: false,
      intake: false,
      customFields: [],
      status: 'active',
      createdAt: '2026-03-01T10:00:00.000Z',
      expiresAt: null,
    })
    const [stored] = await database.query(sql`select * from api_keys where center_id = 'fjord'`)
    expect(stored).toMatchObject({
      public_key: key.publicKey,
      app_id: key.appId,
      per_hour: 0,
      created_at: now,
    })
    const secret = parseSecretKey(key.secretKey) ?? ''
    expect(Buffer.from((stored as { secret_hash: Uint8Array }).secret_hash)).toEqual(hashSecret(secret))
    expect(JSON.stringify(stored)).not.toContain(secret)
  })

  test('keeps allowed addresses and an end', async () => {
    const key = await create({ allowedAddresses: ['10.0.0.0/8', '::1', '10.0.0.0/8'], expiresAt: now + DAY })
    expect(key).toMatchObject({
      allowedAddresses: ['10.0.0.0/8', '::1'],
      expiresAt: '2026-03-02T10:00:00.000Z',
    })
    expect(await showKey(database, key.publicKey, { now })).toEqual([
      expect.objectContaining({
        allowedAddresses: ['10.0.0.0/8', '::1'],
        expiresAt: '2026-03-02T10:00:00.000Z',
      }),
    ])
  })

  test.each([
    ['a center that does not exist', { centerId: 'fjor' }, 'There is no center "fjor". Did you mean fjord?'],
    ['a center far from any', { centerId: 'x'.repeat(30) }, 'there are delta and fjord'],
    ['no name', { name: ' ' }, 'A key needs a name'],
    ['a name over lines', { name: 'a\nb' }, 'may not contain control characters'],
    ['no scope', { scopes: [] }, 'at least one scope'],
    ['an unknown scope', { scopes: ['guest'] }, 'There is no scope "guest"; the scopes are'],
    ['half a request', { perHour: 0.5 }, 'whole number from 0 (no limit)'],
    ['a limit beyond the database', { perMinute: 2 ** 40 }, 'whole number from 0 (no limit)'],
    ['a range that is none', { allowedAddresses: ['10.0.0.0/33'] }, '"10.0.0.0/33" is not an address'],
    ['an end in the past', { expiresAt: now }, 'already be expired'],
    ['an intake key that reads', { intake: true }, 'A key for intake cannot read'],
    [
      'one that reads a custom field',
      { intake: true, scopes: [], customFields: ['diet'] },
      'A key for intake cannot read',
    ],
    [
      'one for assistants',
      { intake: true, scopes: [], allowAssistants: true },
      'A key for intake cannot read',
    ],
  ])('refuses %s', async (_, input, message) => {
    const failure = create(input)
    await expect(failure).rejects.toThrow(message)
    expect(await listKeys(database, { now })).toEqual([])
  })

  test('suggests a center from a bounded number of them, in order', async () => {
    expect(await database.query(centerIds(1))).toEqual([{ center_id: 'delta' }])
  })
})

describe('list and show', () => {
  test('a center at a time, or all, without secrets', async () => {
    const first = await create()
    const second = await create({ name: 'Kitchen' }, now + 1)
    const other = await create({ centerId: 'delta' })
    const names = async (centerId?: string) =>
      (await listKeys(database, { centerId, now })).map((key) => key.publicKey)
    expect(await names('fjord')).toEqual([first.publicKey, second.publicKey])
    expect(await names()).toEqual([other.publicKey, first.publicKey, second.publicKey])
    const listed = JSON.stringify(await listKeys(database, { now }))
    for (const { secretKey, apiKey } of [first, second, other]) {
      expect(listed).not.toContain(secretKey)
      expect(listed).not.toContain(apiKey)
    }
  })

  test('a center that does not exist is an error, not an empty list', async () => {
    await expect(listKeys(database, { centerId: 'nowhere', now })).rejects.toThrow(NoSuchCenter)
  })

  test('a key is active until the millisecond it expires at', async () => {
    const { publicKey } = await create({ expiresAt: now + HOUR })
    const status = async (at: number) => (await showKey(database, publicKey, { now: at }))[0]?.status
    expect(await status(now + HOUR - 1)).toBe('active')
    expect(await status(now + HOUR)).toBe('expired')
  })

  test('a typing error, a secret and an unknown key are distinguished', async () => {
    const { secretKey, apiKey, publicKey } = await create()
    await expect(showKey(database, `${publicKey}x`, { now })).rejects.toThrow('typing error')
    for (const secret of [secretKey, apiKey]) {
      const failure = showKey(database, secret, { now })
      await expect(failure).rejects.toThrow('This is a secret')
      await expect(failure).rejects.not.toThrow(secret)
    }
    await expect(showKey(database, 'sjn_app_0000000000000000', { now })).rejects.toThrow('There is no key')
  })
})

describe('revoke', () => {
  test('one key by its public key, all of an application by its appId', async () => {
    const key = await create()
    const newer = await rotateKey(database, key.appId, { ...making, now: now + 1, overlapMs: DAY })
    const one = await revokeKey(database, key.publicKey, { now: now + 2 })
    expect(one.revoked).toBe(1)
    expect((await showKey(database, newer.publicKey, { now: now + 3 }))[0]?.status).toBe('active')

    const all = await revokeKey(database, key.appId, { now: now + 4 })
    expect(all.revoked).toBe(1)
    expect(all.keys.map((k) => [k.publicKey, k.status, k.revokedAt])).toEqual([
      [newer.publicKey, 'revoked', '2026-03-01T10:00:00.004Z'],
      [key.publicKey, 'revoked', '2026-03-01T10:00:00.002Z'],
    ])
  })

  test('twice is no error and changes nothing', async () => {
    const key = await create()
    await revokeKey(database, key.appId, { now })
    expect(await revokeKey(database, key.appId, { now: now + 1 })).toMatchObject({
      revoked: 0,
      keys: [{ revokedAt: '2026-03-01T10:00:00.000Z' }],
    })
  })
})

describe('rotate', () => {
  test('same application, new halves; the old ones work until the overlap ends', async () => {
    const key = await create({ perMinute: 5, allowedAddresses: ['::1'], allowAssistants: true })
    const rotated = await rotateKey(database, key.publicKey, { ...making, now: now + HOUR, overlapMs: DAY })
    expect(rotated).toMatchObject({
      appId: key.appId,
      name: 'Lab',
      scopes: ['guests'],
      limits: { perMinute: 5, perHour: 1000 },
      allowedAddresses: ['::1'],
      allowAssistants: true,
      intake: false,
      expiresAt: null,
      createdAt: '2026-03-01T11:00:00.000Z',
      replaces: [{ publicKey: key.publicKey, expiresAt: '2026-03-02T11:00:00.000Z' }],
    })
    expect(rotated.publicKey).not.toBe(key.publicKey)
    expect(rotated.secretKey).not.toBe(key.secretKey)
    const statuses = async (at: number) =>
      (await showKey(database, key.appId, { now: at })).map((k) => k.status)
    expect(await statuses(now + HOUR + DAY - 1)).toEqual(['active', 'active'])
    expect(await statuses(now + HOUR + DAY)).toEqual(['active', 'expired'])
  })

  test('an overlap of nothing ends the old key at once; one that ends sooner keeps its end', async () => {
    const key = await create({ expiresAt: now + 2 * HOUR })
    const second = await rotateKey(database, key.appId, { ...making, now: now + HOUR, overlapMs: DAY })
    expect(second.replaces).toEqual([{ publicKey: key.publicKey, expiresAt: '2026-03-01T12:00:00.000Z' }])
    const third = await rotateKey(database, key.appId, { ...making, now: now + HOUR + 1, overlapMs: 0 })
    expect(third.replaces.map((old) => old.publicKey).sort()).toEqual(
      [key.publicKey, second.publicKey].sort(),
    )
    const active = (await showKey(database, key.appId, { now: now + HOUR + 1 })).filter(
      (k) => k.status === 'active',
    )
    expect(active.map((k) => k.publicKey)).toEqual([third.publicKey])
  })

  test('a key made for 90 days gets 90 days again, or what is asked for', async () => {
    const key = await create({ expiresAt: now + 90 * DAY })
    const rotated = await rotateKey(database, key.appId, { ...making, now: now + 80 * DAY, overlapMs: DAY })
    expect(rotated.expiresAt).toBe(new Date(now + 170 * DAY).toISOString())
    const input = { overlapMs: DAY, expiresAt: now + 100 * DAY }
    const again = await rotateKey(database, key.appId, { ...making, now: now + 81 * DAY, ...input })
    expect(again.expiresAt).toBe(new Date(now + 100 * DAY).toISOString())
  })

  test('an application without a key in force has nothing to rotate', async () => {
    const key = await create()
    await revokeKey(database, key.appId, { now })
    await expect(rotateKey(database, key.appId, { ...making, overlapMs: 0 })).rejects.toThrow('no active key')
  })

  test('several at once leave one chain, each old key ended', async () => {
    const key = await create()
    const options = (index: number) => ({ ...making, now: now + index, overlapMs: DAY })
    const rotated = await Promise.all(
      [1, 2, 3].map((index) => rotateKey(database, key.appId, options(index))),
    )
    const keys = await showKey(database, key.appId, { now: now + 10 })
    expect(keys).toHaveLength(4)
    expect(new Set(rotated.map((one) => one.publicKey)).size).toBe(3)
    expect(keys.filter((one) => one.expiresAt === null)).toHaveLength(1)
  })

  test('a revocation of the application at the same time leaves no key in force', async () => {
    for (let round = 0; round < 5; round += 1) {
      const key = await create()
      const rotations = [1, 2, 3].map((index) =>
        rotateKey(database, key.appId, { ...making, now: now + index, overlapMs: DAY }),
      )
      const revoking = revokeKey(database, key.appId, { now: now + 4 })
      const outcomes = await Promise.allSettled(rotations)
      await revoking
      // One that comes later finds no active key, and says so.
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(KeyError)
      }
      const keys = await showKey(database, key.appId, { now: now + 5 })
      expect(keys.map(({ status }) => status)).toEqual(keys.map(() => 'revoked'))
    }
  })
})

test('what cannot be noted in the trail is not done', async () => {
  const key = await create()
  const noted = { ...making, now: now + 1, note: () => Promise.reject(new Error('the trail is full')) }
  const input = { centerId: 'fjord', name: 'Lab', scopes: ['guests'] }
  await expect(createKey(database, input, noted)).rejects.toThrow('the trail is full')
  await expect(rotateKey(database, key.appId, { ...noted, overlapMs: 0 })).rejects.toThrow()
  await expect(revokeKey(database, key.appId, noted)).rejects.toThrow()
  const shown = await listKeys(database, { now: now + 2 })
  expect(shown).toMatchObject([{ publicKey: key.publicKey, status: 'active', expiresAt: null }])
})

test('the trail records what a new key may do beyond reading', async () => {
  const reported: unknown[] = []
  const note: KeyMaking['note'] = async (_, operation, key, filters) => {
    expect(filters).toMatchObject({ publicKey: key.publicKey })
    const { publicKey, ...rest } = filters
    reported.push([operation, rest])
  }
  await database.query(sql`
    insert into meta_fields (center_id, key, label, type, owner) values
      ('fjord', 'shoe', 'Shoe', 'string', 'booking'), ('fjord', 'tea', 'Tea', 'string', 'booking')`)
  const inputs: Partial<NewKey>[] = [
    {},
    { allowAssistants: true },
    { intake: true, scopes: [] },
    { customFields: ['shoe', 'tea'] },
  ]
  for (const input of inputs) {
    await createKey(
      database,
      { centerId: 'fjord', name: 'Lab', scopes: ['guests'], ...input },
      { ...making, note },
    )
  }
  expect(reported).toEqual([
    ['createKey', {}],
    ['createKey', { assistants: 'allowed' }],
    ['createKey', { intake: 'allowed' }],
    ['createKey', { meta: 'shoe,tea' }],
  ])
})

test('every preset is a set of scopes, and everything is all of them', () => {
  for (const scopes of Object.values(PRESETS)) {
    expect(SCOPES).toEqual(expect.arrayContaining([...scopes]))
    expect(new Set(scopes).size).toBe(scopes.length)
  }
  expect(PRESETS.everything).toEqual(
    SCOPES.filter((scope) => scope !== 'administration' && scope !== 'rights'),
  )
  expect(PRESETS.kitchen).toEqual(['meals', 'sessions', 'meals.confirm'])
  for (const preset of ['kitchen', 'wall', 'finance', 'desk', 'office'] as const) {
    expect(PRESETS[preset]).not.toContain('guests.medical')
  }
})

test('a preset also has the name that it had before', () => {
  expect(['reception', 'medical', 'administration', 'kitchen', 'toString', ''].map(presetOf)).toEqual([
    'desk',
    'doctor',
    'administration',
    'kitchen',
    undefined,
    undefined,
  ])
})

const WITH_DIET = readMealRules({ dietFields: [{ field: 'diet' }] })

test('a preset has the scope of contradictions only if it reads the fields of some of them', () => {
  const readable = (scopes: readonly Scope[]) =>
    CONTRADICTION_KINDS.filter(
      (kind) => scopesMissing(kind, { scopes, customFields: [] }, { mealRules: WITH_DIET }).length === 0,
    ).length
  const having = Object.entries<readonly Scope[]>(PRESETS).filter(([, scopes]) =>
    scopes.includes('contradictions'),
  )
  expect(having.map(([name, scopes]) => [name, readable(scopes)])).toEqual([
    ['desk', 8],
    ['doctor', 7],
    ['finance', 10],
    ['office', 13],
    ['everything', 13],
  ])
})

test('the diets of a center are those of its rules that are custom fields of text or yes and no, in their order', async () => {
  expect(await readDietFields(database, 'none')).toEqual({ fields: [], undefinedFields: [] })
  expect(await readDietFields(database, 'fjord')).toEqual({ fields: [], undefinedFields: [] })
  for (const [key, type] of [
    ['nuts', 'string'],
    ['plan', 'boolean'],
    ['shoes', 'number'],
    ['other', 'string'],
  ] as const) {
    await database.query(sql`
      insert into meta_fields (center_id, key, type, owner) values ('fjord', ${key}, ${type}, 'customer')`)
  }
  // As the center's own system may have written them.
  const rules = { dietFields: ['plan', 'shoes', 'nuts', 'gone', 'plan'].map((field) => ({ field })) }
  await database.query(
    sql`update centers set meal_rules = ${JSON.stringify(rules)}::jsonb where center_id = 'fjord'`,
  )
  expect(await readDietFields(database, 'fjord')).toEqual({
    fields: ['plan', 'nuts'],
    undefinedFields: ['shoes', 'gone'],
  })
})

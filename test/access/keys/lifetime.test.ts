/** The longest time for which a new key may be valid (KEY_DAYS_MAX). */

import { randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { createKey } from '../../../src/core/access/keys/create-key.ts'
import type { KeyWithSecrets } from '../../../src/core/access/keys/key.ts'
import { CENTER, type Env, json, sojourn, startCommands } from '../../commands/sojourn.ts'

let env: Env
let endless: KeyWithSecrets
const CREATE = ['keys', 'create', '--center', 'fjord', '--name', 'Lab', '--preset', 'medical']

beforeAll(async () => {
  const started = await startCommands({ KEY_DAYS_MAX: '90' })
  env = started.env
  await json(['import', '-'], env, CENTER)
  // As one that was created before the setting.
  const input = { centerId: 'fjord', name: 'Wall', scopes: ['meals'] }
  endless = await createKey(started.database, input, { random: randomBytes, now: Date.now() })
})

const SENTENCE = 'A key may be valid for at most 90 days (KEY_DAYS_MAX), and this one would'

test.each([
  ['create', () => CREATE, 'never expire'],
  ['create with a later end', () => [...CREATE, '--expires', '91d'], 'expire on 2'],
  ['create of an intake key', () => [...CREATE.slice(0, -2), '--intake'], 'never expire'],
  ['rotate of a key without an end', () => ['keys', 'rotate', endless.publicKey], 'never expire'],
  [
    'rotate with a later end',
    () => ['keys', 'rotate', endless.publicKey, '--expires', '1000d'],
    'expire on 2',
  ],
] as const)('a key without an end, or with a later one, is refused, in %s', async (_, args, end) => {
  const before = await sojourn(['keys', 'list', '--json'], env)
  const ran = await sojourn(args(), env)
  expect([ran.code, ran.stdout]).toEqual([1, ''])
  expect(ran.stderr).toContain(`${SENTENCE} ${end}`)
  expect(ran.stderr).toContain('--expires 90d')
  expect((await sojourn(['keys', 'list', '--json'], env)).stdout).toBe(before.stdout)
})

test('a key of at most that time is created and rotated', async () => {
  const key = await json<KeyWithSecrets>([...CREATE, '--expires', '90d'], env)
  expect(Date.parse(key.expiresAt ?? '') - Date.parse(key.createdAt)).toBe(90 * 86_400_000)
  const rotated = await json<KeyWithSecrets>(['keys', 'rotate', key.publicKey], env)
  expect(Date.parse(rotated.expiresAt ?? '') - Date.parse(rotated.createdAt)).toBe(90 * 86_400_000)
})

test('keys that exist do not change', async () => {
  expect(await json(['keys', 'show', endless.publicKey], env)).toEqual([
    expect.objectContaining({ status: 'active', expiresAt: null }),
  ])
})

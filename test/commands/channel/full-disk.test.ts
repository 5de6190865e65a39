/** Commands on an embedded database whose disk is full. */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openEmbedded } from '../../../src/database/embedded.ts'
import { entriesOf } from '../../audit/reads.ts'
import { makeLink } from '../../extras/links/make-link.ts'
import { importAll } from '../../intake/import-lines.ts'
import { startTestApi } from '../../support/api.ts'
import { afterwards } from '../../support/database.ts'
import { sojourn } from '../../support/run-sojourn.ts'
import { spa } from '../../support/world.ts'
import { newFolder } from '../sojourn.ts'
import { startChannel } from './channel.ts'

const MB = 1024 * 1024

/** A service whose disk a test fills. */
async function startWorld() {
  const folder = join(newFolder(), 'database')
  const reserve = `${folder}.reserve`
  const state = { freeMb: 500 }
  const reservedBytes = () => statSync(reserve, { throwIfNoEntry: false })?.size ?? 0
  const database = await openEmbedded({ folder, freeBytes: () => state.freeMb * MB - reservedBytes() })
  afterwards(() => database.close())
  const api = await startTestApi({ database, records: [spa()] })
  const { env } = await startChannel({ inFrontOf: () => database })
  const run = (...args: string[]) => sojourn(args, env)
  // Only the reserve is left.
  const fill = () => {
    expect(existsSync(reserve)).toBe(true)
    state.freeMb = 32
  }
  return { run, api, database, fill, reserve, state }
}

it('revoke keys and links on a full disk, with their entries in the trail, and change nothing else', async () => {
  const { run, api, database, fill, reserve, state } = await startWorld()
  const key = await api.createKey({ scopes: ['sessions'] })
  const question = '/v1/sessions?startDate=2025-01-01&endDate=2025-01-31'
  const { link } = await makeLink(database, { key: api.key.publicKey, question }, Date.now())
  fill()
  expect((await api.as(key).get('/v1/me')).status).toBe(200)
  expect(await run('keys', 'revoke', key.publicKey)).toMatchObject({ code: 0, stdout: 'Revoked 1 key.\n' })
  expect((await api.as(key).get('/v1/me')).status).toBe(401)
  expect(existsSync(reserve)).toBe(false)
  expect(await run('keys', 'create', '--center', 'spa', '--name', 'Lab', '--scopes', 'guests')).toMatchObject(
    {
      code: 1,
      stderr: expect.stringContaining('is full'),
    },
  )
  expect(await run('links', 'revoke', link.id)).toMatchObject({ code: 0 })
  const acts = (await entriesOf(database)).map(({ operation }) => operation)
  expect(acts).toEqual(expect.arrayContaining(['revokeKey', 'revokeLink']))
  // Without the reserve, everything else waits for space for a new one.
  await expect(importAll(database, [spa({ name: 'Later' })])).rejects.toThrow('is full')
  state.freeMb = 500
  expect(await importAll(database, [spa({ name: 'Later' })])).toMatchObject({ summary: { applied: true } })
  expect(existsSync(reserve)).toBe(true)
})

it('that only read work on a full disk', async () => {
  const { run, fill } = await startWorld()
  fill()
  expect(await run('keys', 'list')).toMatchObject({ code: 0, stdout: expect.stringContaining('spa') })
})

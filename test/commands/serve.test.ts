import { createServer } from 'node:net'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { KeyWithSecrets } from '../../src/core/access/keys/key.ts'
import { newPostgresDatabase } from '../support/database.ts'
import { CENTER, databaseSettings, type Env, json, sojourn, startServe, startSojourn } from './sojourn.ts'

let env: Env
beforeAll(async () => {
  env = await databaseSettings()
})

const sessionsOf = (address: string) => `${address}/v1/sessions?startDate=2026-01-01&endDate=2026-12-31`

const newKey = () =>
  json<KeyWithSecrets>(
    ['keys', 'create', '--center', 'fjord', '--name', 'Lab', '--preset', 'everything'],
    env,
  )

const bearer = ({ apiKey }: KeyWithSecrets) => ({ headers: { authorization: `Bearer ${apiKey}` } })

describe('while the service runs', () => {
  test('records and keys come in, a key is taken back, and each holds from the next request on', async () => {
    const { address } = await startServe(env)
    await json(['import', '-'], env, CENTER)
    const key = await newKey()
    const answer = await fetch(sessionsOf(address), bearer(key))
    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      { total: 1, data: [{ name: 'Spring' }] },
    ])

    const deleted = '{"kind":"session","centerId":"fjord","id":"spring","deleted":true}'
    await json(['import', '-'], env, deleted)
    expect(await (await fetch(sessionsOf(address), bearer(key))).json()).toMatchObject({ total: 0 })

    await json(['keys', 'revoke', key.appId], env)
    expect((await fetch(sessionsOf(address), bearer(key))).status).toBe(401)
  })
})

test('OPERATIONS_PORT has the metrics and the health, PORT has no metrics then, and both end together', async () => {
  const { address, child, ended, until } = await startServe({ ...env, OPERATIONS_PORT: '0' })
  const [, operations = ''] = await until(/Metrics and health are on (http:\S+)\s/)
  expect(new URL(operations).port).not.toBe(new URL(address).port)
  const metrics = await fetch(`${operations}/metrics`)
  expect([metrics.status, await metrics.text()]).toEqual([
    200,
    expect.stringContaining('sojourn_requests_total'),
  ])
  expect((await fetch(`${operations}/health/ready`)).status).toBe(200)
  expect((await fetch(sessionsOf(operations))).status).toBe(404)
  expect((await fetch(`${address}/metrics`)).status).toBe(404)
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 0, stderr: '' })
  await expect(fetch(operations)).rejects.toThrow()
})

describe('one sentence and code 1', () => {
  test('where the port is in use, before the database is touched', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void other.close())
    const address = other.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const { ended } = startSojourn(['serve'], { ...env, PORT: String(port) })
    expect(await ended).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `Port ${port} on 127.0.0.1 is already in use; choose another one with PORT, such as PORT=${port + 1}.\n`,
    })
  })

  test('if the host is no address of this machine', async () => {
    const { ended } = startSojourn(['serve'], { ...env, PORT: '0', HOST: '192.0.2.7' })
    expect(await ended).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('HOST, 192.0.2.7, is not an address'),
    })
  })

  test('where migrations are pending; --migrate applies them', async () => {
    const DATABASE_URL = await newPostgresDatabase('empty')
    const { ended } = startSojourn(['serve'], { DATABASE_URL, PORT: '0' })
    expect(await ended).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('sojourn serve --migrate'),
    })
    const { address } = await startServe({ DATABASE_URL }, ['serve', '--migrate'])
    expect((await fetch(`${address}/health/ready`)).status).toBe(200)
    expect(await sojourn(['keys', 'list'], { DATABASE_URL })).toMatchObject({ code: 0 })
  })
})

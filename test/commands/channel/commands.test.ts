/** Every command works the same while the service has the data. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import sql from 'sql-template-tag'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { KeyWithSecrets } from '../../../src/access/keys/key.ts'
import { GrantedFiles } from '../../../src/commands/channel/granted-files.ts'
import type { Database } from '../../../src/database/database.ts'
import { localFiles } from '../../../src/intake/files.ts'
import { emptyDatabase } from '../../support/database.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { CENTER, json, sojourn } from '../sojourn.ts'
import { startChannel } from './channel.ts'

let env: { DATA_DIR: string }
let database: Database
beforeAll(async () => {
  ;({ env, database } = await startChannel())
})
beforeEach(() => emptyDatabase(database))

const centers = async () =>
  (await database.query<{ center_id: string }>(sql`select center_id from centers order by 1`)).map(
    (row) => row.center_id,
  )

function temporaryFile(name: string, content: string | Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'sojourn-channel-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

describe('export', () => {
  test('tells its progress on the terminal of who typed it', async () => {
    await json(['import', '-'], env, CENTER)
    const args = ['export', '--output', join(makeTemporaryFolder(), 'records.ndjson')]
    const ran = await sojourn(args, env, { terminals: ['stderr'] })
    expect(ran).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('Exporting: 2 records'),
    })
    expect((await sojourn(args, env)).stderr).toMatch(/^Exported 2 records to [^\n]+\n$/)
  })
})

describe('import', () => {
  test('from standard input', async () => {
    const ran = await sojourn(['import', '-'], env, { stdin: CENTER })
    expect(ran).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('Imported 2 records') })
    expect(await centers()).toEqual(['fjord'])
  })

  test('from files that this process reads, gzipped or not, of many pieces', async () => {
    const customers = Array.from({ length: 3000 }, (_, at) =>
      JSON.stringify({
        kind: 'customer',
        centerId: 'fjord',
        id: `c${at}`,
        firstName: 'Ana',
        lastName: 'Pop',
      }),
    ).join('\n')
    const files = [
      temporaryFile('center.ndjson.gz', gzipSync(CENTER)),
      temporaryFile('all.ndjson', `${customers}\n`),
    ]
    expect(await json(['import', ...files], env)).toMatchObject({ applied: true, lines: 3002 })
    expect(await database.query(sql`select count(*) as n from customers`)).toEqual([{ n: 3000 }])
  })

  test('says what is wrong with each line, and ends with 1', async () => {
    const file = temporaryFile('bad.ndjson', `${CENTER}{"kind"\n`)
    const ran = await sojourn(['import', file], env)
    expect(ran).toMatchObject({ code: 1, stderr: `${file}:3: is not JSON (at character 8)\n` })
    expect(ran.stdout).toContain('Nothing was imported: 1 of 3 records is invalid (1 problem).')
    expect(await centers()).toEqual([])
  })

  test('writes the rejects file here, for its owner only', async () => {
    const file = temporaryFile('bad.ndjson', `${CENTER}{"kind"\n`)
    const ran = await sojourn(['import', '--skip-invalid', file], env)
    expect(ran).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Correct it in bad.ndjson.rejects.ndjson'),
    })
    expect(readFileSync(`${file}.rejects.ndjson`, 'utf8')).toContain('"line":3')
    expect(statSync(`${file}.rejects.ndjson`).mode & 0o777).toBe(0o600)
  })

  test('leaves no rejects file where nothing went in', async () => {
    const broken = gzipSync(`x\n${CENTER}`).subarray(0, -10)
    const file = temporaryFile('cut.ndjson.gz', broken)
    const ran = await sojourn(['import', '--skip-invalid', file], env)
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('damaged or truncated') })
    expect(existsSync(`${file}.rejects.ndjson`)).toBe(false)
  })

  test('a file that is missing is reported as before', async () => {
    const ran = await sojourn(['import', '/nowhere/x.ndjson'], env)
    expect(ran).toEqual({ code: 1, stdout: '', stderr: '/nowhere/x.ndjson: there is no such file\n' })
  })
})

test('keys are made, listed, shown, rotated and revoked', async () => {
  await json(['import', '-'], env, CENTER)
  const key = await json<KeyWithSecrets>(
    ['keys', 'create', '--center', 'fjord', '--name', 'Lab', '--preset', 'kitchen'],
    env,
  )
  expect(key.apiKey).toMatch(/^sjn_/)
  expect((await sojourn(['keys', 'list'], env)).stdout).toContain(key.publicKey)
  expect(await json(['keys', 'show', key.publicKey], env)).toMatchObject([{ appId: key.appId }])
  expect(await json(['keys', 'rotate', key.appId], env)).toMatchObject({ appId: key.appId })
  expect(await json(['keys', 'revoke', key.appId], env)).toMatchObject({ revoked: 2 })
  expect(await sojourn(['keys', 'show', 'sjn_app_none'], env)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('sjn_app_none'),
  })
})

test('bookings are numbered', async () => {
  await json(['import', '-'], env, CENTER)
  const numbered = '{"kind":"center","id":"fjord","automaticBookingIds":true}'
  await json(['import', '-'], env, numbered)
  expect(await json(['bookings', 'number', '--session', 'spring'], env)).toMatchObject({ changes: [] })
  const ran = await sojourn(['bookings', 'number', '--session', 'autumn'], env)
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('autumn') })
})

test('the trail is listed and verified', async () => {
  await json(['import', '-'], env, CENTER)
  await json(['keys', 'create', '--center', 'fjord', '--name', 'Lab', '--preset', 'kitchen'], env)
  const newest = ['audit', 'list', '--center', 'fjord', '--limit', '1']
  expect(await json(newest, env)).toMatchObject([{ operation: 'createKey' }])
  expect(await sojourn(['audit', 'verify'], env)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^fjord: .*; no problems found\.$/m),
  })
})

test('migrate has nothing to do', async () => {
  expect(await json(['migrate'], env)).toEqual({ engine: database.engine, applied: [] })
})

test('a command line that is wrong never gets there', async () => {
  expect(await sojourn(['keys', 'list', '--centre', 'x'], env)).toMatchObject({ code: 2, stdout: '' })
})

test('several at once each get their own output', async () => {
  await json(['import', '-'], env, CENTER)
  const names = ['a', 'b', 'c', 'd']
  const keys = await Promise.all(
    names.map((name) =>
      json<KeyWithSecrets>(['keys', 'create', '--center', 'fjord', '--name', name, '--scopes', 'meals'], env),
    ),
  )
  expect(keys.map((key) => key.name)).toEqual(names)
})

test('a folder whose path is too long for a socket is reached all the same', async () => {
  const dataDir = join(makeTemporaryFolder(), 'a'.repeat(120), 'b'.repeat(120))
  const { env } = await startChannel({ dataDir })
  expect(await json(['import', '-'], env, CENTER)).toMatchObject({ applied: true })
})

test('the service may have only those files read and made that the command line names', async () => {
  const secret = temporaryFile('secret', 'x')
  const files = new GrantedFiles(localFiles(Readable.from([])), { read: ['-'], write: ['/tmp/rejects'] })
  for (const [op, file] of [
    ['read', secret],
    ['read', '/tmp/rejects'],
    ['create', secret],
    ['append', '-'],
  ] as const) {
    await expect(files.answer({ op, file }, Buffer.alloc(0))).rejects.toThrow(
      `${file} is not among the files of this command`,
    )
  }
  expect(readFileSync(secret, 'utf8')).toBe('x')
})

test('a file that is being made when its command ends is taken away too', async () => {
  const folder = makeTemporaryFolder()
  const rejects = join(folder, 'rejects')
  const files = new GrantedFiles(localFiles(Readable.from([])), { write: [rejects] })
  const making = files.answer({ op: 'create', file: rejects }, Buffer.alloc(0))
  await files.close()
  await making
  expect(readdirSync(folder)).toEqual([])
})

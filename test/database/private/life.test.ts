/** Who needs the database of a folder starts its server; who ends last stops it, however the others ended. */
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type PrivateServer, usePrivateServer } from '../../../src/core/database/private/private-server.ts'
import { isServing, readPidFile, signal } from '../../../src/core/database/private/server-process.ts'
import { CENTER, json, newFolder, sojourn, startServe, startSojourn } from '../../commands/sojourn.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

vi.setConfig({ testTimeout: 300_000 })

const pidOf = (folder: string) => readPidFile(folder)?.pid ?? 0
const ended = (folder: string) => expect.poll(() => isServing(folder)).toBe(false)

describe('the server of a folder', () => {
  test('is started by a command, and stopped by it', async () => {
    const folder = newFolder()
    expect(await sojourn(['import', '-'], { DATA_DIR: folder }, { stdin: CENTER })).toMatchObject({ code: 0 })
    expect(isServing(folder)).toBe(false)
    expect(readPidFile(folder)).toBeUndefined()
    const [last] = readFileSync(join(folder, 'postgres.log'), 'utf8').trimEnd().split('\n').slice(-1)
    expect(last).toContain('database system is shut down')
  })

  test('is shared: the first to end leaves it to the others, and the last one stops it', async () => {
    const folder = newFolder()
    const first = await usePrivateServer(folder)
    const second = await usePrivateServer(folder)
    const pid = pidOf(folder)
    await first.close()
    expect([isServing(folder), pidOf(folder)]).toEqual([true, pid])
    const client = new pg.Client({ ...second.connection })
    await client.connect()
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await client.end()
    await second.close()
    expect(isServing(folder)).toBe(false)
  })

  test('is one for twenty commands at once, also of a new folder, and none fails', async () => {
    const folder = join(makeTemporaryFolder(), 'new')
    const env = { DATA_DIR: folder }
    const runs = await Promise.all(
      Array.from({ length: 20 }, () => sojourn(['import', '-'], env, { stdin: CENTER })),
    )
    expect(
      runs.map(({ code, stderr }) => [code, stderr.replace(/^Creating a new database.*\n/, '')]),
    ).toEqual(runs.map(() => [0, '']))
    expect(isServing(folder)).toBe(false)
    expect(await json(['centers', 'list'], env)).toHaveLength(1)
  })

  test('goes on when a command is killed, and the next one stops it', async () => {
    const folder = newFolder()
    const env = { DATA_DIR: folder }
    const service = await startServe(env)
    const pid = pidOf(folder)
    service.child.kill('SIGKILL')
    await service.ended
    expect([isServing(folder), pidOf(folder)]).toEqual([true, pid])
    expect(await json(['centers', 'list'], env)).toEqual([])
    expect(isServing(folder)).toBe(false)
  })

  test('that is killed is started again; until then, the service answers 503, and nothing is lost', async () => {
    const folder = newFolder()
    const env = { DATA_DIR: folder }
    const service = await startServe(env)
    await json(['import', '-'], env, CENTER)
    const before = pidOf(folder)
    signal(before, 'SIGKILL')
    const statuses = new Set<number>()
    await expect
      .poll(async () => {
        const { status, headers } = await fetch(`${service.address}/health/ready`)
        statuses.add(status)
        if (status === 503) expect(headers.get('retry-after')).not.toBeNull()
        return status === 200 && pidOf(folder) !== before && isServing(folder)
      })
      .toBe(true)
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([])
    expect(service.output()).toContain('The database server has ended; it is being started again.')
    expect(await json(['centers', 'list'], env)).toHaveLength(1)
    service.child.kill('SIGTERM')
    expect(await service.ended).toMatchObject({ code: 0 })
    await ended(folder)
  })

  test('is reached in a path that is too long for a socket, with spaces, umlauts and what a shell would carry out', async () => {
    const folder = join(makeTemporaryFolder(), `${'Gästehaus am See '.repeat(9)}'"$(exit 1)\``)
    const env = { DATA_DIR: folder }
    expect(Buffer.byteLength(folder)).toBeGreaterThan(150)
    expect(await sojourn(['import', '-'], env, { stdin: CENTER })).toMatchObject({ code: 0 })
    expect(await json(['centers', 'list'], env)).toHaveLength(1)
    expect(isServing(folder)).toBe(false)
  })

  test('is reached by its owner alone, and not over a network', async () => {
    const folder = newFolder()
    const server = await usePrivateServer(folder)
    onTestFinished(() => server.close())
    const cluster = join(folder, 'postgres')
    expect(statSync(cluster).mode & 0o777).toBe(0o700)
    expect(statSync(join(cluster, '.s.PGSQL.5432')).mode & 0o077).toBe(0)
    expect(statSync(join(folder, 'postgres.log')).mode & 0o777).toBe(0o600)
    const client = new pg.Client({ ...server.connection })
    await client.connect()
    const show = async (name: string) => (await client.query(`show ${name}`)).rows[0]?.[name]
    expect(await show('listen_addresses')).toBe('')
    expect(await show('fsync')).toBe('on')
    expect(await show('data_checksums')).toBe('on')
    // The service has the rights of the owner of its tables, as on a server, and no more.
    const { rows } = await client.query(
      'select rolsuper, rolcreaterole from pg_roles where rolname = current_user',
    )
    expect(rows).toEqual([{ rolsuper: false, rolcreaterole: false }])
    await client.end()
  })

  test('writes nothing personal to its messages, and few of them', async () => {
    const folder = newFolder()
    const log = join(folder, 'postgres.log')
    writeFileSync(log, `${'x'.repeat(2_000_000)}\n`)
    const server = await usePrivateServer(folder)
    const client = new pg.Client({ ...server.connection })
    await client.connect()
    await client.query('create table guests (name text primary key)')
    await client.query("insert into guests values ('Ana Pop')")
    for (const wrong of ["insert into guests values ('Ana Pop')", "select 'Ana Pop'::int", 'select Ana_Pop'])
      await client.query(wrong).catch(() => {})
    await client.query('select $1::int', ['Ana Pop']).catch(() => {})
    await client.end()
    await server.close()
    const text = readFileSync(log, 'utf8')
    expect(text).toContain('database system is ready')
    expect(text).not.toMatch(/Ana/i)
    expect(text.length).toBeLessThan(10_000)
  })

  test('of a folder that was moved after a kill is started where it is now', async () => {
    const folder = newFolder()
    const service = await startServe({ DATA_DIR: folder })
    await json(['import', '-'], { DATA_DIR: folder }, CENTER)
    service.child.kill('SIGKILL')
    signal(pidOf(folder), 'SIGKILL')
    await service.ended
    await ended(folder)
    const moved = `${folder}-moved`
    renameSync(folder, moved)
    expect(await json(['centers', 'list'], { DATA_DIR: moved })).toHaveLength(1)
    expect(existsSync(folder)).toBe(false)
    renameSync(moved, folder)
  })
})

describe('where there are no Unix sockets', () => {
  const newNetworkFolder = async () => {
    const folder = join(makeTemporaryFolder(), 'data')
    await (await usePrivateServer(folder, { isBySocket: false })).close()
    return folder
  }
  const withPassword = (server: PrivateServer, password: string) => {
    const url = new URL(server.connection.connectionString)
    url.password = password
    return new pg.Client({ connectionString: url.href, ssl: false })
  }

  test('the server is reached at 127.0.0.1, with a password that only its owner can read', async () => {
    const folder = join(makeTemporaryFolder(), 'data')
    const server = await usePrivateServer(folder, { isBySocket: false })
    onTestFinished(() => server.close())
    const cluster = join(folder, 'postgres')
    const password = join(cluster, 'sojourn.password')
    expect(statSync(password).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder).filter((name) => name.includes('password'))).toEqual([])
    expect(readdirSync(cluster).filter((name) => name.startsWith('.s.PGSQL'))).toEqual([])
    const client = withPassword(server, readFileSync(password, 'latin1'))
    await client.connect()
    const { rows } = await client.query(
      "select current_setting('listen_addresses') as address, current_setting('password_encryption') as password, rolsuper from pg_roles where rolname = current_user",
    )
    expect(rows).toEqual([{ address: '127.0.0.1', password: 'scram-sha-256', rolsuper: false }])
    await client.end()
    for (const wrong of ['', 'wrong', 'sojourn'])
      await expect(withPassword(server, wrong).connect()).rejects.toThrow(/password/)
    expect(readFileSync(join(folder, 'postgres.log'), 'utf8')).not.toContain(readFileSync(password, 'latin1'))
  })

  test('a service and commands share it, it is started again at its port, and the last one stops it', async () => {
    const folder = await newNetworkFolder()
    const env = { DATA_DIR: folder }
    const service = await startServe(env)
    await json(['import', '-'], env, CENTER)
    const before = readPidFile(folder)
    signal(before?.pid ?? 0, 'SIGKILL')
    await expect
      .poll(async () => [
        pidOf(folder) !== before?.pid,
        (await fetch(`${service.address}/health/ready`)).status,
      ])
      .toEqual([true, 200])
    expect(readPidFile(folder)?.port).toBe(before?.port)
    expect(await json(['centers', 'list'], env)).toHaveLength(1)
    service.child.kill('SIGTERM')
    expect(await service.ended).toMatchObject({ code: 0 })
    expect(isServing(folder)).toBe(false)
  })

  test('another program that has the port of a killed server gets no password, and the server another port', async () => {
    const folder = await newNetworkFolder()
    const first = await usePrivateServer(folder)
    const { pid, port } = readPidFile(folder) ?? { pid: 0, port: 0 }
    signal(pid, 'SIGKILL')
    await ended(folder)
    await first.close()
    let asked = 0
    const other = createServer((socket) => {
      asked += 1
      socket.end()
    })
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
    onTestFinished(() => void other.close())
    const second = await usePrivateServer(folder)
    expect(readPidFile(folder)?.port).not.toBe(port)
    expect(asked).toBe(0)
    await second.close()
  })
})

test('a command waits for another one that starts the server, and is interrupted at once', async () => {
  const folder = newFolder()
  const service = await startServe({ DATA_DIR: folder })
  const waiting = startSojourn(['import', '-'], { DATA_DIR: folder }, { stdin: 'pipe' })
  await expect.poll(() => json(['status'], { DATA_DIR: folder })).toMatchObject({ otherProcesses: 2 })
  waiting.child.kill('SIGINT')
  expect(await waiting.ended).toMatchObject({ code: 130, stderr: 'Interrupted. Nothing was imported.\n' })
  service.child.kill('SIGTERM')
  await service.ended
  await ended(folder)
})

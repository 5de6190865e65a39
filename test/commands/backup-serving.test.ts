/** Backups of a folder that a service uses: reads and writes go on, memory is flat, and a process that is killed leaves no backup. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import type { KeyWithSecrets } from '../../src/core/access/keys/key.ts'
import { openDatabase } from '../../src/core/database/open.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { CENTER, type Env, json, newFolder, sojourn, startServe, startSojourn } from './sojourn.ts'

// A machine that is busy with something else copies slowly.
vi.setConfig({ testTimeout: 300_000 })

const MB = 1024 * 1024

/** A folder with a center and so many megabytes of customers, of which nothing can be compressed to nothing. */
async function largeFolder(megabytes: number): Promise<Env> {
  const env = { DATA_DIR: newFolder() }
  expect(await sojourn(['import', '-'], env, { stdin: CENTER })).toMatchObject({ code: 0 })
  const place = { dataDir: env.DATA_DIR, databaseUrl: undefined, databasePoolSize: 1 }
  const database = await openDatabase(place, { purpose: 'command' })
  await database.runScript(
    `insert into customers (center_id, id, first_name, last_name, address)
      select 'fjord', 'c' || n, 'A', 'B',
        jsonb_build_object('notes', (select string_agg(md5((n * 40 + i)::text), '') from generate_series(1, 40) i))
      from generate_series(1, ${Math.round((megabytes * MB) / 1330)}) n`,
  )
  await database.close()
  return env
}

const newFile = () => join(makeTemporaryFolder(), 'backup.zst')

/** Waits until something of the backup has been written. */
async function begun(file: string): Promise<void> {
  await expect
    .poll(() =>
      readdirSync(dirname(file)).some(
        (name) => name.endsWith('.part') && statSync(join(dirname(file), name)).size > 0,
      ),
    )
    .toBe(true)
}

/** The most memory that a process has had, in bytes. */
function peakOf(pid: number): number {
  const [, kb] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kb) * 1024
}

test('reads and imports are answered while a large backup is made, in flat memory', async () => {
  const env = await largeFolder(120)
  const service = await startServe({ ...env, ANSWER_CACHE_MB: '0' })
  const key = await json<KeyWithSecrets>(
    [
      'keys',
      'create',
      '--center',
      'fjord',
      '--name',
      'Lab',
      '--scopes',
      'sessions',
      '--per-minute',
      '0',
      '--per-hour',
      '0',
    ],
    env,
  )
  const read = async () => {
    const answer = await fetch(`${service.address}/v1/sessions?startDate=2026-01-01&endDate=2026-12-31`, {
      headers: { authorization: `Bearer ${key.apiKey}` },
    })
    return { status: answer.status, text: await answer.text() }
  }
  expect(await read()).toMatchObject({ status: 200, text: expect.stringContaining('Spring') })
  const before = peakOf(service.pid)

  const file = newFile()
  const backup = startSojourn(['backup', file], env)
  await begun(file)
  const statuses: number[] = []
  let isOver = false
  void backup.ended.then(() => {
    isOver = true
  })
  const renamed = CENTER.replace('Spring', 'Later')
  expect(await sojourn(['import', '-'], env, { stdin: renamed })).toMatchObject({ code: 0 })
  expect(isOver).toBe(false)
  while (!isOver) {
    statuses.push((await read()).status)
    await wait(20)
  }
  expect(await backup.ended).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('read the file again to verify it'),
  })
  expect(statuses.length).toBeGreaterThan(10)
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(peakOf(service.pid) - before).toBeLessThan(100 * MB)
  expect(readdirSync(dirname(file))).toEqual(['backup.zst'])

  const restored = join(makeTemporaryFolder(), 'restored')
  expect(await sojourn(['restore', file], { DATA_DIR: restored })).toMatchObject({ code: 0 })
  expect(await sojourn(['audit', 'verify'], { DATA_DIR: restored })).toMatchObject({ code: 0 })
  // The service goes on with its own folder.
  expect(await read()).toMatchObject({ status: 200, text: expect.stringContaining('Later') })
})

test('a command that is killed leaves no backup, and the service makes the next one', async () => {
  const env = await largeFolder(40)
  const service = await startServe(env)
  const file = newFile()
  const killed = startSojourn(['backup', file], env)
  await begun(file)
  killed.child.kill('SIGKILL')
  await killed.ended
  expect(existsSync(file)).toBe(false)

  const interrupted = newFile()
  const stopped = startSojourn(['backup', interrupted], env)
  await begun(interrupted)
  stopped.child.kill('SIGINT')
  expect(await stopped.ended).toMatchObject({ code: 130 })
  expect(readdirSync(dirname(interrupted))).toEqual([])

  const next = await startSojourn(['backup', file], env).ended
  expect(next).toMatchObject({ code: 0 })
  expect(existsSync(file)).toBe(true)
  service.child.kill('SIGTERM')
  await service.ended
})

test('two at once are both complete', async () => {
  const env = await largeFolder(10)
  await startServe(env)
  const [file, other] = [newFile(), newFile()]
  const both = await Promise.all([file, other].map((path) => startSojourn(['backup', path], env).ended))
  expect(both.map(({ code }) => code)).toEqual([0, 0])
})

test('a service that is killed does not end a backup, and loses nothing', async () => {
  const env = await largeFolder(40)
  const service = await startServe(env)
  const file = newFile()
  const backup = startSojourn(['backup', file], env)
  await begun(file)
  service.child.kill('SIGKILL')
  expect(await backup.ended).toMatchObject({ code: 0 })
  expect((await sojourn(['export'], env)).stdout).toContain('Spring')
})

test('a file that was made meanwhile is not replaced', async () => {
  const env = await largeFolder(1)
  const file = newFile()
  const [one, two] = [startSojourn(['backup', file], env), startSojourn(['backup', file], env)]
  const codes = [(await one.ended).code, (await two.ended).code]
  expect(codes.toSorted()).toEqual([0, 1])
  expect(readdirSync(dirname(file))).toEqual(['backup.zst'])
})

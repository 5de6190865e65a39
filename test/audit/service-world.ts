/** The service as a process, over a data folder of its own: for tests of how it ends. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished } from 'vitest'
import { createKey } from '../../src/core/access/keys/create-key.ts'
import type { Database } from '../../src/core/database/database.ts'
import { openDatabase } from '../../src/core/database/open.ts'
import { importRecords } from '../../src/core/intake/import-records.ts'
import { SOJOURN } from '../support/command.ts'
import { guest, session, spa } from '../support/world.ts'
import { problemsOf, readsInTrail } from './reads.ts'

/** The service as a user runs it, over a data folder of its own, which is ours while it does not run. */
export async function startServiceWorld() {
  const folder = mkdtempSync(join(tmpdir(), 'sojourn-crash-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))

  const withDatabase = async <T>(work: (database: Database) => Promise<T>): Promise<T> => {
    const database = await openDatabase(
      { databaseUrl: undefined, dataDir: folder, databasePoolSize: 2 },
      { purpose: 'command' },
    )
    try {
      return await work(database)
    } finally {
      await database.close()
    }
  }

  const apiKey = await withDatabase(async (database) => {
    const records = [
      spa(),
      session('s1', '2025-01-10T08:00', '2025-01-20T08:00'),
      ...Array.from({ length: 40 }, (_, index) => guest(`b${index}`, { sessionIds: ['s1'] })).flat(),
    ]
    const lines = records.map((record, at) => ({ file: 'test', line: at + 1, text: JSON.stringify(record) }))
    const { applied } = await importRecords(database, lines, { onProblem: () => {} })
    expect(applied).toBe(true)
    const input = { centerId: 'spa', name: 'Load', scopes: ['guests'], perMinute: 0, perHour: 0 }
    const key = await createKey(database, input, { random: randomBytes, now: Date.now() })
    return key.apiKey
  })

  const { PATH, HOME } = process.env
  const env = {
    PATH,
    HOME,
    PORT: '0',
    DATA_DIR: folder,
  }
  const serve = async (): Promise<{ child: ChildProcess; port: number }> => {
    const child = spawn(process.execPath, [...SOJOURN, 'serve'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    for await (const line of createInterface(child.stdout)) {
      const port = /listens on http:\/\/[^ ]*:(\d+)/.exec(line)?.[1]
      if (port !== undefined) {
        child.stdout.resume()
        return { child, port: Number(port) }
      }
    }
    throw new Error('the service did not start')
  }

  /** The requests in the trail, which is whole. */
  const trail = () =>
    withDatabase(async (database) => {
      expect(await problemsOf(database)).toEqual([])
      const reads = await readsInTrail(database)
      return reads.map(({ requestId }) => requestId)
    })

  return { serve, trail, apiKey, folder, withDatabase }
}

import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { listReads } from '../../src/audit/list-reads.ts'
import type { Database } from '../../src/database/database.ts'
import { openDatabase } from '../../src/database/open.ts'
import { importRecords } from '../../src/intake/import-records.ts'
import { createKey } from '../../src/keys/create-key.ts'
import { SOJOURN } from '../support/command.ts'
import { newPostgresDatabase, testEngine } from '../support/database.ts'
import { guest, session, spa } from '../support/world.ts'
import { problemsOf } from './reads.ts'

/** The service as a user runs it, over a data place of its own, which is ours while it does not run. */
async function startWorld() {
  const folder = mkdtempSync(join(tmpdir(), 'sojourn-crash-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const databaseUrl = testEngine() === 'postgres' ? await newPostgresDatabase() : undefined

  const withDatabase = async <T>(work: (database: Database) => Promise<T>): Promise<T> => {
    const database = await openDatabase(
      { databaseUrl, dataDir: folder, databasePoolSize: 2 },
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
    const wish = { centerId: 'spa', name: 'Load', scopes: ['guests'], perMinute: 0, perHour: 0 }
    const key = await createKey(database, wish, { random: randomBytes, now: Date.now() })
    return key.apiKey
  })

  const { PATH, HOME } = process.env
  const env = {
    PATH,
    HOME,
    PORT: '0',
    DATA_DIR: folder,
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
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
      const reads = await Array.fromAsync(listReads(database, everything))
      return reads.map(({ requestId }) => requestId)
    })

  return { serve, trail, apiKey }
}

const everything = {
  center: undefined,
  key: undefined,
  operations: undefined,
  guest: undefined,
  since: undefined,
  until: undefined,
}

describe('a service that is killed while it answers', () => {
  it('has all but the last second of its reads in the trail, and the trail is whole', async () => {
    const { serve, trail, apiKey } = await startWorld()
    const { child, port } = await serve()
    const agent = new Agent({ keepAlive: true, maxSockets: 20 })
    onTestFinished(() => agent.destroy())
    const answered: { requestId: string; at: number }[] = []
    let killedAt = Number.POSITIVE_INFINITY
    let slowestMs = 0
    const ask = (path: string) =>
      new Promise<void>((resolve) => {
        const headers = { authorization: `Bearer ${apiKey}` }
        const begun = performance.now()
        httpRequest({ port, agent, path, headers }, (answer) => {
          answer.resume()
          answer.on('end', () => {
            if (answer.statusCode === 200) {
              answered.push({ requestId: String(answer.headers['x-request-id']), at: performance.now() })
              slowestMs = Math.max(slowestMs, performance.now() - begun)
            }
            resolve()
          })
          answer.on('error', () => resolve())
        })
          .on('error', () => resolve())
          .end()
      })
    const load = Array.from({ length: 20 }, async (_, connection) => {
      for (let round = 0; performance.now() < killedAt; round++) {
        await ask(`/v1/guests?sessionId=s1&length=${1 + ((connection + round) % 40)}`)
      }
    })
    await new Promise((resolve) => setTimeout(resolve, 3000))
    await vi.waitFor(() => expect(answered.length).toBeGreaterThan(200), { timeout: 60_000 })
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    killedAt = performance.now()
    await Promise.all([ended, ...load])

    const inTrail = new Set(await trail())
    const missing = answered.filter(({ requestId }) => !inTrail.has(requestId))
    const oldest = Math.max(0, ...missing.map(({ at }) => killedAt - at))
    // A machine so busy that an answer takes a second takes one for the writing too.
    expect(oldest).toBeLessThan(1000 + slowestMs)

    // The next one goes on with the same trail.
    const next = await serve()
    await new Promise<void>((resolve) => {
      const headers = { authorization: `Bearer ${apiKey}` }
      httpRequest({ port: next.port, path: '/v1/guests?sessionId=s1', headers }, (answer) => {
        answer.resume().on('end', resolve)
      }).end()
    })
    const end = once(next.child, 'exit')
    next.child.kill('SIGTERM')
    await end
    expect(await trail()).toHaveLength(inTrail.size + 1)
  }, 120_000)
})

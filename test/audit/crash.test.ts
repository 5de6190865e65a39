import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { newPostgresDatabase, testEngine } from '../support/database.ts'
import { guest, session, spa } from '../support/world.ts'

const MAIN = new URL('../../src/main.ts', import.meta.url).pathname

/** The command over a data place of its own, as a user runs it. */
async function startSojourn() {
  const folder = mkdtempSync(join(tmpdir(), 'sojourn-crash-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const url = testEngine() === 'postgres' ? await newPostgresDatabase() : undefined
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, PORT: '0', DATA_DIR: folder, ...(url === undefined ? {} : { DATABASE_URL: url }) }
  const run = (args: readonly string[], input = '') => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
      env,
      input,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    })
    return { status, stdout, stderr }
  }
  const records = [
    spa(),
    session('s1', '2025-01-10T08:00', '2025-01-20T08:00'),
    ...Array.from({ length: 40 }, (_, index) => guest(`b${index}`, { sessionIds: ['s1'] })).flat(),
  ]
  const imported = run(['import'], records.map((record) => JSON.stringify(record)).join('\n'))
  expect(imported.status, imported.stderr).toBe(0)
  const limits = ['--per-minute', '0', '--per-hour', '0']
  const made = run([
    'keys',
    'create',
    '--center',
    'spa',
    '--name',
    'Load',
    '--preset',
    'everything',
    '--json',
    ...limits,
  ])
  expect(made.status, made.stderr).toBe(0)
  const { apiKey } = JSON.parse(made.stdout)

  const serve = async (): Promise<{ child: ChildProcess; port: number }> => {
    const child = spawn(process.execPath, [MAIN, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
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
  return { run, serve, apiKey: String(apiKey) }
}

describe('a service that is killed while it answers', () => {
  it('has all but the last second of its reads in the trail, and the trail is whole', async () => {
    const { run, serve, apiKey } = await startSojourn()
    const { child, port } = await serve()
    const agent = new Agent({ keepAlive: true, maxSockets: 20 })
    onTestFinished(() => agent.destroy())
    const answered: { requestId: string; at: number }[] = []
    let killedAt = Number.POSITIVE_INFINITY
    const ask = (path: string) =>
      new Promise<void>((resolve) => {
        const headers = { authorization: `Bearer ${apiKey}` }
        httpRequest({ port, agent, path, headers }, (answer) => {
          answer.resume()
          answer.on('end', () => {
            if (answer.statusCode === 200) {
              answered.push({ requestId: String(answer.headers['x-request-id']), at: performance.now() })
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
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    killedAt = performance.now()
    await Promise.all([ended, ...load])

    const verified = run(['audit', 'verify'])
    expect(verified.stdout).toContain('the trail is as it was written')
    expect(verified.status, verified.stderr).toBe(0)
    const listed = run(['audit', 'list', '--json'])
    const inTrail = new Set(JSON.parse(listed.stdout).map((read: { requestId: string }) => read.requestId))
    expect(answered.length).toBeGreaterThan(100)
    const missing = answered.filter(({ requestId }) => !inTrail.has(requestId))
    const oldest = Math.max(0, ...missing.map(({ at }) => killedAt - at))
    expect(oldest).toBeLessThan(1000)

    // The next one goes on with the same trail; while it runs, the commands ask it.
    const next = await serve()
    const before = inTrail.size
    await new Promise<void>((resolve) => {
      const headers = { authorization: `Bearer ${apiKey}` }
      httpRequest({ port: next.port, path: '/v1/guests?sessionId=s1', headers }, (answer) => {
        answer.resume().on('end', resolve)
      }).end()
    })
    const end = once(next.child, 'exit')
    next.child.kill('SIGTERM')
    await end
    const after = JSON.parse(run(['audit', 'list', '--json']).stdout)
    expect(after).toHaveLength(before + 1)
    expect(run(['audit', 'verify']).status).toBe(0)
  })
})

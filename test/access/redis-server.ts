/** A Redis (or Valkey) of this machine's own on a free loopback port, for the tests only. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@redis/client'
import { freePort } from '../support/free-port.ts'

export interface RedisServer {
  readonly url: string
  /** Stops it; what it counted is gone. */
  stop(): Promise<void>
  /** Starts it again on the same port. */
  start(): Promise<void>
  /** Keeps connections open and answers nothing, as a store beyond a broken network does. */
  freeze(): void
  thaw(): void
}

const NAMES = ['redis-server', 'valkey-server']

/** The server program of this machine, or undefined. */
export const redisProgram = NAMES.find((name) => spawnSync(name, ['--version']).status === 0)

if (redisProgram === undefined) {
  process.stderr.write(
    '\nWARNING: THE TESTS OF LIMITS IN REDIS DID NOT RUN: neither redis-server nor valkey-server is installed.\n\n',
  )
}

export async function startRedis(): Promise<RedisServer> {
  if (redisProgram === undefined) throw new Error('no redis-server on this machine')
  const program = redisProgram
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'sojourn-redis-'))
  let child: ChildProcess | undefined
  const kill = () => {
    child?.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  process.on('exit', kill)

  const start = async () => {
    child = spawn(
      program,
      ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder],
      { stdio: 'ignore' },
    )
    await answers(port)
  }
  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    async stop() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
    freeze: () => child?.kill('SIGSTOP'),
    thaw: () => child?.kill('SIGCONT'),
  }
}

async function answers(port: number): Promise<void> {
  const redis = createClient({ socket: { host: '127.0.0.1', port, reconnectStrategy: 20 } })
  redis.on('error', () => {})
  await redis.connect()
  redis.destroy()
}

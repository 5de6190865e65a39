/**
 * A separate process between the tests and their PostgreSQL server. When the tests' process ends, for any reason, the
 * channel to it closes; the guardian then stops the server and deletes its folder.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import type { SystemUser } from './postgres-binaries.ts'

export interface GuardianSettings {
  readonly file: string
  readonly args: readonly string[]
  /** Deleted at the end. */
  readonly folder: string
  readonly user?: SystemUser | undefined
}

export type GuardianMessage = { readonly ready: true } | { readonly failed: string }

const settings = JSON.parse(process.argv[2] ?? '') as GuardianSettings
let server: ChildProcess | undefined

async function start(): Promise<GuardianMessage> {
  const child = spawn(settings.file, settings.args, {
    cwd: settings.folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    ...settings.user,
  })
  server = child
  const { promise, resolve } = Promise.withResolvers<GuardianMessage>()
  let said = ''
  child.on('error', (error) => resolve({ failed: error.message }))
  child.on('exit', () => resolve({ failed: said.trim() }))
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-10_000)
    if (/ready to accept (?:read-only )?connections/.test(said)) resolve({ ready: true })
  })
  return promise
}

/** `SIGQUIT` stops it at once, without writing anything more. */
async function stop(signal: 'SIGQUIT' | 'SIGINT'): Promise<void> {
  if (server === undefined || server.exitCode !== null || server.signalCode !== null) return
  const ended = once(server, 'exit')
  server.kill(process.platform === 'win32' ? 'SIGTERM' : signal)
  await ended
}

async function end(): Promise<void> {
  await stop('SIGQUIT')
  rmSync(settings.folder, { recursive: true, force: true, maxRetries: 5 })
  process.exit()
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end)
process.on('disconnect', end)
process.on('message', async () => {
  await stop('SIGINT')
  process.send?.(await start())
})

process.send?.(await start())

/** The `sojourn` command under test: within this process, or as a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { inject } from 'vitest'
import type { ControlGroup } from '../../bench/support/control-group.ts'
import type { Database } from '../../src/core/database/database.ts'
import { openPostgres } from '../../src/core/database/postgres/postgres.ts'
import { stopServer } from '../../src/core/database/private/server-process.ts'
import { SOJOURN } from '../support/command.ts'
import { afterwards, newPostgresDatabase } from '../support/database.ts'
import { type Ran, sojourn } from '../support/run-sojourn.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

export { type Ran, sojourn }

export type Env = Readonly<Record<string, string>>

/** Settings that name a clean, migrated database of the tests' server. */
export async function databaseSettings(): Promise<Env> {
  // The folder holds what waits for the database, and the log of erasures, which other tests must not see.
  return { DATABASE_URL: await newPostgresDatabase(), DATA_DIR: makeTemporaryFolder() }
}

/** The same, for a test that also looks into the database. */
export async function startCommands(settings: Env = {}): Promise<{ env: Env; database: Database }> {
  const env = await databaseSettings()
  const connection = { connectionString: env.DATABASE_URL ?? '' }
  const database = openPostgres({ connection, poolSize: 2, purpose: 'command' })
  afterwards(() => database.close())
  return { env: { ...settings, ...env }, database }
}

/** A folder with a database of this version's schema, in a tenth of the time that making one takes. */
export function newFolder(): string {
  const folder = makeTemporaryFolder()
  cpSync(inject('folderTemplate'), folder, { recursive: true })
  // A test may have killed the last process that used it.
  afterwards(() => stopServer(folder))
  return folder
}

/** Backs up a folder. @returns the file */
export async function newBackup(folder: string): Promise<string> {
  const file = join(makeTemporaryFolder(), 'backup.zst')
  const ran = await sojourn(['backup', file], { DATA_DIR: folder })
  if (ran.code !== 0) throw new Error(`no backup was made: ${ran.stderr}`)
  return file
}

/** Like `sojourn`, of a command that succeeds: what it printed, read as JSON. */
export async function json<T>(args: readonly string[], env: Env, stdin?: string): Promise<T> {
  const ran = await sojourn([...args, '--json'], env, stdin === undefined ? {} : { stdin })
  if (ran.code !== 0) throw new Error(`sojourn ${args.join(' ')} failed: ${ran.stderr}`)
  return JSON.parse(ran.stdout) as T
}

export interface SojournProcess {
  readonly child: ChildProcess
  readonly pid: number
  /** What it has printed so far, on both streams. */
  output(): string
  /** The first match in what it prints; fails where it ends or a minute passes without one. */
  until(pattern: RegExp): Promise<RegExpExecArray>
  readonly ended: Promise<Ran & { readonly signal: NodeJS.Signals | null }>
}

/** Starts a command as a process of its own, which does not outlive the test. */
export function startSojourn(
  args: readonly string[],
  env: Env,
  options: { stdin?: 'pipe'; group?: ControlGroup | undefined } = {},
): SojournProcess {
  return startProcess([...SOJOURN, ...args], env, options)
}

/** Starts Node with arguments. Its environment is what is given and nothing of ours. */
export function startProcess(
  args: readonly string[],
  env: Env,
  { stdin = 'ignore', group }: { stdin?: 'ignore' | 'pipe'; group?: ControlGroup | undefined } = {},
): SojournProcess {
  // The shell enters the group before it becomes the program, so that everything it takes is counted.
  const [program, before] =
    group === undefined
      ? [process.execPath, []]
      : ['/bin/sh', ['-c', `echo $$ > ${group.processes} && exec "$0" "$@"`, process.execPath]]
  const child = spawn(program, [...before, ...args], { env, stdio: [stdin, 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (bytes) => {
    stdout += String(bytes)
  })
  child.stderr?.on('data', (bytes) => {
    stderr += String(bytes)
  })
  let isOver = false
  const ended = new Promise<Ran & { signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      isOver = true
      resolve({ code: code ?? -1, signal, stdout, stderr })
    })
  })
  afterwards(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const output = () => stdout + stderr
  return {
    child,
    pid: child.pid ?? 0,
    output,
    ended,
    async until(pattern) {
      const end = performance.now() + 60_000
      while (true) {
        const found = pattern.exec(output())
        if (found !== null) return found
        if (isOver || performance.now() > end) throw new Error(`never ${pattern} in: ${output()}`)
        await wait(20)
      }
    },
  }
}

/** Starts the service on a free port and gives its address. */
export async function startServe(env: Env, args: readonly string[] = ['serve'], group?: ControlGroup) {
  const service = startSojourn(args, { PORT: '0', LOG_LEVEL: 'error', ...env }, { group })
  const [, address = ''] = await service.until(/listens on (http:\S+)\s/)
  return { ...service, address }
}

/** Two records: a center, and a session in it. */
export const CENTER = [
  { kind: 'center', id: 'fjord', name: 'Fjord', timezone: 'Europe/Oslo', currency: 'NOK' },
  {
    kind: 'session',
    centerId: 'fjord',
    id: 'spring',
    name: 'Spring',
    startDate: '2026-03-01',
    endDate: '2026-03-10',
  },
]
  .map((record) => `${JSON.stringify(record)}\n`)
  .join('')

/** The `sojourn` command under test: within this process, or as a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { inject } from 'vitest'
import type { ControlGroup } from '../../bench/support/control-group.ts'
import { SOJOURN } from '../support/command.ts'
import { afterwards, newPostgresDatabase, testEngine } from '../support/database.ts'
import { type Ran, sojourn } from '../support/run-sojourn.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

export { type Ran, sojourn }

export type Env = Readonly<Record<string, string>>

/** Settings that name a clean, migrated database of the engine whose half of the run this is. */
export async function databaseSettings(): Promise<Env> {
  return testEngine() === 'postgres'
    ? // The folder holds what waits for the database, and the log of erasures, which other tests must not see.
      { DATABASE_URL: await newPostgresDatabase(), DATA_DIR: makeTemporaryFolder() }
    : { DATA_DIR: newFolder() }
}

/** An embedded folder with this version's schema, in a tenth of the time that making one takes. */
export function newFolder(): string {
  const folder = makeTemporaryFolder()
  cpSync(inject('embeddedFolder'), join(folder, 'database'), { recursive: true })
  return folder
}

/** Backs up a folder. @returns the file */
export async function newBackup(folder: string): Promise<string> {
  const file = join(makeTemporaryFolder(), 'backup.tar.gz')
  const ran = await sojourn(['backup', '--no-verify', file], { DATA_DIR: folder })
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

/** The process of a private server: its settings, start and end. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { clusterOf, LOG_FILE } from './cluster.ts'
import { type Programs, programFile } from './programs.ts'
import { commandAs, type Runner } from './runner.ts'

/** A part of the name of the socket. */
export const PORT = 5432

/** Nobody reaches it but by the socket in its folder, which has mode 0700. */
const BY_SOCKET = {
  listen_addresses: '',
  unix_socket_directories: '.',
  unix_socket_permissions: '0700',
  port: PORT,
}

const SETTINGS: Readonly<Record<string, string | number>> = {
  // Small enough for 384 MB of memory, with as many connections as commands and services may need.
  shared_buffers: '32MB',
  max_connections: 200,
  work_mem: '4MB',
  maintenance_work_mem: '32MB',
  huge_pages: 'off',
  jit: 'off',
  max_worker_processes: 2,
  max_parallel_workers: 0,
  max_logical_replication_workers: 0,
  autovacuum_max_workers: 1,
  // A container's /dev/shm may be small, or missing.
  ...(process.platform !== 'win32' && { dynamic_shared_memory_type: 'mmap' }),
  // Nobody follows its log.
  wal_level: 'minimal',
  max_wal_senders: 0,
  max_wal_size: '256MB',
  // An erasure removes the files of the log that may have the person; a recycled one would keep its content.
  wal_recycle: 'off',
  // Messages of failed statements quote values, so none is logged; starts, ends and crashes are.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_parameter_max_length: 0,
  log_parameter_max_length_on_error: 0,
  log_checkpoints: 'off',
  log_autovacuum_min_duration: -1,
  lc_messages: 'C',
  timezone: 'UTC',
}

/** Settings that older servers do not have. */
const SINCE_18 = { io_method: 'sync' }

const LOG_BYTES_MAX = 1_000_000
const LOG_BYTES_SHOWN = 2000

export interface Started {
  readonly child: ChildProcess
  /** bytes of messages from before, in the file */
  readonly logged: number
}

/** Windows finds its own libraries by these. */
const inherited = () =>
  process.platform === 'win32'
    ? { SystemRoot: process.env.SystemRoot, TEMP: process.env.TEMP, TMP: process.env.TMP }
    : {}

/**
 * Starts the server; it goes on when this process ends.
 * @param network where it listens; undefined for a socket in its folder
 */
export function startServer(
  dataDir: string,
  programs: Programs,
  runner: Runner,
  network: { readonly host: string; readonly port: number } | undefined,
  isDiscarded = false,
): Started {
  const settings = {
    ...SETTINGS,
    ...(network
      ? { listen_addresses: network.host, unix_socket_directories: '', port: network.port }
      : BY_SOCKET),
    ...(programs.major >= 18 && SINCE_18),
    ...(isDiscarded && { fsync: 'off' }),
  }
  const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const file = programFile(programs.folder, 'postgres')
  // Another user cannot go through DATA_DIR, which has a link to the files.
  const cluster = realpathSync(clusterOf(dataDir))
  const { command, args, options } = commandAs(runner, file, ['-D', cluster, ...given])
  const log = openSync(join(dataDir, LOG_FILE), 'a', 0o600)
  try {
    if (fstatSync(log).size > LOG_BYTES_MAX) ftruncateSync(log)
    const logged = fstatSync(log).size
    const child = spawn(command, args, {
      ...options,
      cwd: cluster,
      // In a group of its own, so that Ctrl-C in a terminal ends the command, and the server after it.
      detached: true,
      stdio: ['ignore', log, log],
      env: { ...inherited(), PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    })
    child.unref()
    return { child, logged }
  } finally {
    closeSync(log)
  }
}

/** Why a server has ended, as far as its last messages say, in one line. @param logged bytes of messages from before its start */
export function lastMessages(dataDir: string, logged: number): string {
  try {
    const file = openSync(join(dataDir, LOG_FILE), 'r')
    try {
      const { size } = fstatSync(file)
      const bytes = Buffer.alloc(Math.min(size - logged, LOG_BYTES_SHOWN))
      readSync(file, bytes, 0, bytes.length, size - bytes.length)
      const lines = bytes
        .toString('utf8')
        .split('\n')
        .map((line) => line.replace(/^\S+ \S+ UTC \[\d+\] /, '').trim())
        .filter((line) => line !== '')
      // After the cause come lines of what ended because of it.
      const causes = lines.filter((line) => /^(?:FATAL|PANIC): /.test(line))
      return (causes.length > 0 ? causes : lines).slice(-3).join('; ')
    } finally {
      closeSync(file)
    }
  } catch {
    return 'it printed nothing'
  }
}

export interface PidFile {
  readonly pid: number
  /** the folder of the files as it was called when the server started */
  readonly original: string
  /** undefined while it starts */
  readonly port: number | undefined
}

/** `postmaster.pid`; undefined if there is none. */
export function readPidFile(dataDir: string): PidFile | undefined {
  try {
    const lines = readFileSync(join(clusterOf(dataDir), 'postmaster.pid'), 'utf8').split('\n')
    const pid = Number(lines[0])
    return pid > 0 ? { pid, original: lines[1] ?? '', port: Number(lines[3]) || undefined } : undefined
  } catch {
    return undefined
  }
}

const POLL_MS = 10

/**
 * Ends the server: its connections are closed and what is committed is written. Resolves when it has ended.
 * @param programs those that can stop it without a signal, which on Windows ends a process at once
 */
export async function stopServer(dataDir: string, programs?: Programs): Promise<void> {
  const { pid } = readPidFile(dataDir) ?? {}
  if (pid === undefined) return
  if (process.platform === 'win32' && programs !== undefined) {
    spawnSync(programFile(programs.folder, 'pg_ctl'), ['stop', '--mode=fast', '-D', clusterOf(dataDir)])
  } else if (!signal(pid, 'SIGINT')) return
  while (readPidFile(dataDir)?.pid === pid && isServing(dataDir)) await pause(POLL_MS)
}

/** @returns whether there is such a process */
export function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/**
 * Whether the process of `postmaster.pid` is a server of this folder. After a restart of the machine, its number may be another
 * program's. A process that has ended and was not reaped does not count: a container's first process may never do that.
 */
export function isServing(dataDir: string): boolean {
  const { pid } = readPidFile(dataDir) ?? {}
  if (pid === undefined || !signal(pid, 0)) return false
  if (process.platform !== 'linux') return true
  try {
    return statSync(`/proc/${pid}/cwd`).ino === statSync(clusterOf(dataDir)).ino
  } catch {
    return false
  }
}

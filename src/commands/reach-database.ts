/** Gives a command its database: opens it, or connects to the service that has it. */
import type { Socket } from 'node:net'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import { FolderInUse, ownerOf } from '../database/folder-lock.ts'
import { CannotOpen, type OpenedDatabase, type OpenOptions, openDatabase } from '../database/open.ts'
import { connectTo } from './channel/channel-socket.ts'

/** A service owns the folder and listens for commands. */
export interface ServiceReached {
  readonly socket: Socket
  /** `Process 123` */
  readonly owner: string
  readonly folder: string
}

// A command waits for another command to end, and for a service to start, and does not fail at once.
const DEADLINE_MS = 15_000
const RETRY_MS = 100

/** @throws {CannotOpen} also if the folder's owner accepts no connection */
export async function reachDatabase(
  config: Config,
  options: Pick<
    OpenOptions,
    'migrate' | 'ifNew' | 'asItIs' | 'leavesRewrites' | 'onCreating' | 'onTrying' | 'onChange'
  >,
  signal: AbortSignal,
): Promise<{ database: OpenedDatabase } | ServiceReached> {
  const folder = resolve(config.dataDir)
  const end = performance.now() + DEADLINE_MS
  while (true) {
    signal.throwIfAborted()
    try {
      return { database: await openDatabase(config, { purpose: 'command', ...options }) }
    } catch (error) {
      if (!(error instanceof FolderInUse)) throw error
      const owner = ownerOf(error.pid)
      const socket = await connectUnlessAway(folder, owner)
      if (socket !== undefined) return { socket, owner, folder }
      if (performance.now() > end) throw notReached(folder, owner)
      await wait(RETRY_MS, undefined, { signal })
    }
  }
}

/** Undefined if no process listens: the owner is a service that starts or ends, or another command. */
async function connectUnlessAway(folder: string, owner: string): Promise<Socket | undefined> {
  try {
    return await connectTo(folder)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ENOTDIR') return undefined
    const reason = code === 'EACCES' || code === 'EPERM' ? 'run this command as the same user' : String(code)
    throw new CannotOpen(`${owner} serves the database folder ${folder} and cannot be reached: ${reason}.`)
  }
}

const notReached = (folder: string, owner: string) =>
  new CannotOpen(
    `${owner} is using the database folder ${folder} and does not accept commands; try again when it has ended.`,
  )

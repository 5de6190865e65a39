/**
 * Where the service listens for commands: on a socket in a folder that only the owner of the data may enter. On
 * Windows, on a named pipe with a random name, which is written into that folder.
 */
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { connect, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const FOLDER = 'channel'
const SOCKET = 'socket'
const PIPE_NAME = 'pipe'

/** Linux allows 107 bytes, macOS 103. */
const SOCKET_PATH_BYTES_MAX = 103

const usesPipes = process.platform === 'win32'

/** The folder of the channel, next to the data, with permissions for its owner only. */
export const channelFolder = (dataDir: string) => join(dataDir, FOLDER)

/**
 * Creates the folder. The caller holds the lock of the data, so an existing folder was left by a process that has
 * ended.
 */
export function makeChannelFolder(dataDir: string): string {
  const folder = channelFolder(dataDir)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { mode: 0o700 })
  return folder
}

/** All users share one namespace of pipes, so the name is a secret. */
export const newPipeName = () => `\\\\.\\pipe\\sojourn-${randomBytes(16).toString('hex')}`

/** Starts listening in `folder`. */
export async function listenIn(folder: string, server: Server): Promise<void> {
  if (usesPipes) {
    const name = newPipeName()
    await listening(server, name)
    writeFileSync(join(folder, PIPE_NAME), name, { mode: 0o600 })
    return
  }
  await withShortPath(folder, (short) => listening(server, join(short, SOCKET)))
  chmodSync(join(folder, SOCKET), 0o600)
}

/**
 * Connects to the service that has the data.
 * @throws a system error: ENOENT or ECONNREFUSED if no process listens, EACCES if this user may not connect
 */
export async function connectTo(dataDir: string): Promise<Socket> {
  const folder = channelFolder(dataDir)
  if (usesPipes) return connected(readFileSync(join(folder, PIPE_NAME), 'utf8'))
  return withShortPath(folder, (short) => connected(join(short, SOCKET)))
}

/**
 * Calls `use` with a path to the folder that is short enough for a socket's name. If the folder's own path is too long,
 * this is a link to it in a private folder, which is removed afterwards.
 */
async function withShortPath<T>(folder: string, use: (path: string) => Promise<T>): Promise<T> {
  if (Buffer.byteLength(join(folder, SOCKET)) <= SOCKET_PATH_BYTES_MAX) return use(folder)
  const place = mkdtempSync(join(tmpdir(), 'sojourn-'))
  const link = join(place, 'c')
  symlinkSync(folder, link)
  try {
    return await use(link)
  } finally {
    unlinkSync(link)
    rmSync(place, { recursive: true })
  }
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function connected(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      resolve(socket)
    })
  })
}

/**
 * Where the service listens for commands: a socket in a folder that only the owner of the data may enter; on
 * Windows a named pipe whose name nobody can guess, written into that folder.
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

/** Linux takes 107 bytes, macOS 103. */
const SOCKET_PATH_BYTES_MAX = 103

const usesPipes = process.platform === 'win32'

/** The folder of the channel beside the data, with rights for its owner only. */
export const channelFolder = (dataDir: string) => join(dataDir, FOLDER)

/** Makes the folder anew: whoever calls this holds the lock of the data, so what is there is left over. */
export function makeChannelFolder(dataDir: string): string {
  const folder = channelFolder(dataDir)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { mode: 0o700 })
  return folder
}

/** Pipes of all users stand in one place, so the name is a secret. */
export const newPipeName = () => `\\\\.\\pipe\\sojourn-${randomBytes(16).toString('hex')}`

/** Listens in `folder`. */
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
 * @throws a system error: ENOENT and ECONNREFUSED where nobody listens, EACCES where this user may not
 */
export async function connectTo(dataDir: string): Promise<Socket> {
  const folder = channelFolder(dataDir)
  if (usesPipes) return connected(readFileSync(join(folder, PIPE_NAME), 'utf8'))
  return withShortPath(folder, (short) => connected(join(short, SOCKET)))
}

/**
 * Calls `use` with a path to the folder that a socket's name fits behind: where the folder's own is too long, that
 * of a link to it in a private folder, which goes when `use` has ended.
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

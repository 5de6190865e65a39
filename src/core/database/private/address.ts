/**
 * How the private server is reached: by a socket in the folder of its files, which has mode 0700. Where there are no Unix sockets, at
 * 127.0.0.1 with a random password, which is in that folder.
 */
import { closeSync, constants, mkdtempSync, openSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clusterOf, PASSWORD_FILE } from './cluster.ts'
import { PORT, readPidFile } from './server-process.ts'

/** as PostgreSQL names it */
export const SOCKET = `.s.PGSQL.${PORT}`
/** A socket's path has at most 107 bytes, on macOS 103; data folders have long names. */
const BYTES_MAX = 103

export const HOST = '127.0.0.1'

export interface Address {
  /** an address, or for a socket a short path of its folder, for as long as it is open */
  readonly host: string
  readonly port: number
  /** undefined for a socket */
  readonly password?: string
  close(): void
}

/** @returns undefined if the server has a port of the network, and does not run */
export function openAddress(dataDir: string): Address | undefined {
  const password = passwordOf(dataDir)
  if (password === undefined) return { ...openSocketFolder(clusterOf(dataDir)), port: PORT }
  const port = readPidFile(dataDir)?.port
  return port === undefined ? undefined : { host: HOST, port, password, close() {} }
}

/** @returns undefined if the server has a socket */
export function passwordOf(dataDir: string): string | undefined {
  try {
    return readFileSync(join(clusterOf(dataDir), PASSWORD_FILE), 'latin1')
  } catch {
    return undefined
  }
}

function openSocketFolder(cluster: string): Pick<Address, 'host' | 'close'> {
  if (Buffer.byteLength(join(cluster, SOCKET)) <= BYTES_MAX) return { host: cluster, close() {} }
  if (process.platform === 'linux') {
    const folder = openSync(cluster, constants.O_RDONLY | constants.O_DIRECTORY)
    return { host: `/proc/self/fd/${folder}`, close: () => closeSync(folder) }
  }
  const own = mkdtempSync(join(tmpdir(), 'sojourn-'))
  const link = join(own, 's')
  symlinkSync(cluster, link)
  return { host: link, close: () => rmSync(own, { recursive: true, force: true }) }
}

/**
 * The port for a server that is to start: the one that it had when it was killed, because those who used it then expect it there.
 * @param isExpected whether no other port will do
 * @throws if another program has the port that is expected
 */
export async function portFor(dataDir: string, isExpected: boolean): Promise<number> {
  const before = readPidFile(dataDir)?.port
  if (before === undefined) return freePort(0)
  try {
    return await freePort(before)
  } catch (error) {
    if (isExpected) throw error
    return freePort(0)
  }
}

/** @throws if another program has it */
const freePort = (wanted: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen({ host: HOST, port: wanted }, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : wanted))
    })
  })

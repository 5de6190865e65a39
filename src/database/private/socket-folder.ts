/** The path of a socket has at most 107 bytes, and data folders have long names. */
import { closeSync, constants, mkdtempSync, openSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const SOCKET = '.s.PGSQL.5432'
const BYTES_MAX = 103

export interface SocketFolder {
  /** a short path of the folder, for as long as it is open */
  readonly path: string
  close(): void
}

export function openSocketFolder(cluster: string): SocketFolder {
  if (Buffer.byteLength(join(cluster, SOCKET)) <= BYTES_MAX) return { path: cluster, close() {} }
  if (process.platform === 'linux') {
    const folder = openSync(cluster, constants.O_RDONLY | constants.O_DIRECTORY)
    return { path: `/proc/self/fd/${folder}`, close: () => closeSync(folder) }
  }
  const own = mkdtempSync(join(tmpdir(), 'sojourn-'))
  const link = join(own, 's')
  symlinkSync(cluster, link)
  return { path: link, close: () => rmSync(own, { recursive: true, force: true }) }
}

/** The ports that the service listens on: whether they are free, and their addresses. */
import { createServer, type Server } from 'node:net'
import type { Config } from '../config/config.ts'
import { CommandError } from './context.ts'

/** Checks that the port is free before the database is opened, which may take seconds. */
export async function checkPort({ host, port }: Pick<Config, 'host' | 'port'>): Promise<void> {
  const probe = createServer()
  await listenOn(probe, { host, port })
  await new Promise((resolve) => probe.close(resolve))
}

/** @throws CommandError with the reason, and the setting to change */
export async function listenOn(server: Server, where: Wanted): Promise<void> {
  const { host, port } = where
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen({ host, port }, resolve)
    })
  } catch (error) {
    throw explainPort(error, where)
  }
}

/** A sentence that says why the port cannot be used, and which setting to change. */
export function explainPort(error: unknown, { host, port, setting = 'PORT' }: Wanted): Error {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'EADDRINUSE': {
      const other = port < 65_535 ? port + 1 : port - 1
      return new CommandError(
        `Port ${port} on ${host} is already in use; choose another one with ${setting}, such as ${setting}=${other}.`,
      )
    }
    case 'EACCES':
      return new CommandError(
        `This user may not listen on port ${port}; choose another one with ${setting}, such as ${setting}=8080.`,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return new CommandError(`HOST, ${host}, is not an address of this machine; HOST=127.0.0.1 always is.`)
    default:
      return error instanceof Error ? error : new Error(String(error))
  }
}

/** An address to listen on, and the setting that defines it. */
interface Wanted extends Pick<Config, 'host' | 'port'> {
  readonly setting?: string
}

/** The address to open. If the service listens on all networks, this is the local machine. */
export function addressOf(server: Server): string {
  const at = server.address()
  return at === null || typeof at === 'string' ? String(at) : addressAt(at.address, at.port)
}

/** The URL for a browser on this machine if the service listens on `host`. */
export function addressAt(host: string, port: number): string {
  const name = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (host.includes(':') ? `[${host}]` : host)
  return `http://${name}:${port}`
}

/** As whom the private server runs. PostgreSQL refuses to run as root. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

/**
 * - `self`: as the user of this process.
 * - `namespace`: root, who is another user in a user namespace of Linux. The files remain root's.
 * - `user`: an unprivileged user, for root where namespaces are not permitted (in most containers).
 */
export type Runner =
  | { readonly kind: 'self' | 'namespace' }
  | { readonly kind: 'user'; readonly name: string; readonly uid: number; readonly gid: number }

/** Root's folders are closed to others, so data and programs of another user are here. */
export const SHARED_FOLDER = '/var/lib/sojourn'

const AS_ANOTHER = ['--user', '--map-user=1000', '--map-group=1000', '--']

/** @returns undefined if this is root, and there is no way to be somebody else */
export function findRunner(isPermitted = mayHaveNamespaces): Runner | undefined {
  if (process.getuid?.() !== 0) return { kind: 'self' }
  if (isPermitted()) return { kind: 'namespace' }
  return unprivilegedUser()
}

const mayHaveNamespaces = () =>
  process.platform === 'linux' &&
  spawnSync('unshare', [...AS_ANOTHER, 'true'], { timeout: 30_000 }).status === 0

export function unprivilegedUser(): Extract<Runner, { kind: 'user' }> | undefined {
  const users = existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8').split('\n') : []
  for (const name of ['sojourn', 'postgres', 'nobody']) {
    const [, , uid, gid] = users.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    if (uid !== undefined && gid !== undefined) {
      return { kind: 'user', name, uid: Number(uid), gid: Number(gid) }
    }
  }
  return undefined
}

/** How a program is started as the runner. */
export function commandAs(runner: Runner, file: string, args: readonly string[]) {
  if (runner.kind === 'namespace')
    return { command: 'unshare', args: [...AS_ANOTHER, file, ...args], options: {} }
  const options = runner.kind === 'user' ? { uid: runner.uid, gid: runner.gid } : {}
  return { command: file, args: [...args], options }
}

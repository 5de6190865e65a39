/** As whom the private server runs. PostgreSQL refuses to run as root. */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, type Stats } from 'node:fs'
import { dirname } from 'node:path'

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

/**
 * Who runs the server of a folder.
 * @param owner who owns its files; undefined if there are none yet
 * @param mayMap whether root may be another user in a namespace; tests replace it
 * @returns undefined if this is root, and there is no way to be somebody else
 */
export function findRunner(
  folder: string,
  owner: Pick<Stats, 'uid' | 'gid'> | undefined,
  mayMap: (folder: string) => boolean = mayHaveNamespace,
): Runner | undefined {
  if (process.getuid?.() !== 0) return { kind: 'self' }
  if (owner !== undefined && owner.uid !== 0)
    return { kind: 'user', name: String(owner.uid), uid: owner.uid, gid: owner.gid }
  if (mayMap(folder)) return { kind: 'namespace' }
  return owner === undefined ? unprivilegedUser() : undefined
}

/** Root in a namespace is permitted in the folders of root alone. */
const mayHaveNamespace = (folder: string) =>
  process.platform === 'linux' &&
  spawnSync('unshare', [...AS_ANOTHER, 'test', '-w', folder], { timeout: 30_000 }).status === 0

export function unprivilegedUser(): Extract<Runner, { kind: 'user' }> | undefined {
  const users = existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8').split('\n') : []
  for (const name of ['sojourn', 'postgres', 'nobody']) {
    const [, , uid, gid] = users.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    if (uid === undefined || gid === undefined) continue
    const user = { kind: 'user', name, uid: Number(uid), gid: Number(gid) } as const
    if (mayBecome(user)) return user
  }
  return undefined
}

/** A container may have taken the right to change its user from root, or may have no other user. */
function mayBecome(user: Runner): boolean {
  const { command, args, options } = commandAs(user, 'true', [])
  const { error } = spawnSync(command, args, { ...options, cwd: '/', timeout: 30_000 })
  return !(error !== undefined && 'code' in error && ['EPERM', 'EINVAL'].includes(String(error.code)))
}

/** Whether the runner reaches what is in a folder. */
export function mayPass(folder: string, runner: Runner): boolean {
  const { command, args, options } = commandAs(runner, 'test', ['-x', folder])
  return spawnSync(command, args, { ...options, cwd: '/', timeout: 30_000 }).status === 0
}

/** Creates a folder that everybody may pass, whatever the mask of the process is. */
export function makePublicFolder(folder: string): void {
  if (existsSync(folder)) return
  makePublicFolder(dirname(folder))
  mkdirSync(folder)
  chmodSync(folder, 0o755)
}

/** How a program is started as the runner. */
export function commandAs(runner: Runner, file: string, args: readonly string[]) {
  if (runner.kind === 'namespace')
    return { command: 'unshare', args: [...AS_ANOTHER, file, ...args], options: {} }
  const options = runner.kind === 'user' ? { uid: runner.uid, gid: runner.gid } : {}
  return { command: file, args: [...args], options }
}

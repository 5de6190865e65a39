/** Finds PostgreSQL servers for the tests: the one that folders have, and others. */
import { chmodSync, cpSync, existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  findPrograms,
  installedFolders,
  linkLibraries,
  type Programs,
  versionOf,
} from '../../src/core/database/private/programs.ts'
import { type Runner, unprivilegedUser } from '../../src/core/database/private/runner.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

export interface PostgresBinaries extends Programs {
  readonly found: true
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

/** Finds a server that runs on this machine, or why there is none. */
export function findPostgres(): PostgresBinaries | PostgresMissing {
  const runner = runnerOfTests()
  if (runner === undefined) {
    return { found: false, reason: 'this is root, and there is no user "nobody" to run it as' }
  }
  const programs = findPrograms(runner, publicFolder())
  if ('missing' in programs) return { found: false, reason: programs.missing }
  return { ...programs, found: true, user: userOf(runner) }
}

/** The servers that are installed on this machine, as a distribution builds them; none if no user can run one. */
export const installedServers = (): PostgresBinaries[] => serversAt(installedFolders())

/**
 * The servers among the packages of a folder: those whose names begin with `postgresql-`. None on a platform that the
 * packages are not for.
 */
export function serversIn(modules: string): PostgresBinaries[] {
  if (!existsSync(modules)) return []
  const names = readdirSync(modules).filter((name) => name.startsWith('postgresql-'))
  return names.flatMap((name) => {
    const native = join(modules, name, 'native')
    const folders = linkLibraries(native) ? [join(native, 'bin')] : []
    // A private home is closed to the other user.
    const [own] = serversAt(folders)
    return own === undefined ? serversAt([join(copyOf(native), 'bin')]) : [own]
  })
}

/** A copy of a packaged server, whose files a test may change. */
export function copyOfServer(server: PostgresBinaries): PostgresBinaries & { readonly native: string } {
  const native = copyOf(dirname(server.folder))
  return { ...server, native, folder: join(native, 'bin') }
}

function serversAt(folders: readonly string[]): PostgresBinaries[] {
  const runner = runnerOfTests()
  if (runner === undefined) return []
  return folders.flatMap((folder) => {
    const programs = versionOf(folder, runner)
    return typeof programs === 'string' ? [] : [{ ...programs, found: true, user: userOf(runner) } as const]
  })
}

/** Servers of tests run in folders that this user can reach, also where root may be somebody else in a namespace. */
const runnerOfTests = (): Runner | undefined =>
  process.getuid?.() === 0 ? unprivilegedUser() : { kind: 'self' }

const userOf = (runner: Runner): SystemUser | undefined =>
  runner.kind === 'user' ? { uid: runner.uid, gid: runner.gid } : undefined

function publicFolder(): string {
  const folder = makeTemporaryFolder()
  chmodSync(folder, 0o755)
  return folder
}

function copyOf(native: string): string {
  const copy = join(publicFolder(), 'native')
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  linkLibraries(copy)
  return copy
}

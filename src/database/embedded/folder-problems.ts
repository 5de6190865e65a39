/** Why a folder cannot be opened as an embedded database, in sentences that say how to go on. */
import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The major version of the engine's data files. */
export const POSTGRES_VERSION = '18'

const OPENED = [
  'owner.lock',
  'database',
  'database/PG_VERSION',
  'database/global/pg_control',
  'database/pg_wal',
]

/** @returns a sentence naming a folder or file that this user cannot write to; undefined if there is none */
export function writeProblem(dataDir: string): string | undefined {
  for (const path of [existing(dataDir), ...OPENED.map((name) => join(dataDir, name))]) {
    try {
      if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      if (code === 'EROFS') {
        return `DATA_DIR, ${dataDir}, is on a read-only file system, and the embedded database writes to its folder; make it writable, or set DATA_DIR to a copy of it elsewhere.`
      }
      return `This user may not write to ${path}; run the command as the user that the files belong to, or set DATA_DIR to another folder.`
    }
  }
  return undefined
}

/** The folder itself, or its nearest existing ancestor. */
function existing(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existing(dirname(folder))
}

/** Whether the path is a file or inside one. Taking the lock reports that. */
export const isInFile = (dataDir: string): boolean => !statSync(existing(dataDir)).isDirectory()

/** Whether there is no database yet, so that a new one can be created. */
export function isNewFolder(dataDir: string): boolean {
  const folder = join(dataDir, 'database')
  return !existsSync(folder) || (statSync(folder).isDirectory() && readdirSync(folder).length === 0)
}

/**
 * @returns a sentence if the files are not a database or belong to another version of PostgreSQL; otherwise undefined
 */
export function versionProblem(dataDir: string): string | undefined {
  const found = versionIn(dataDir)
  if (found === POSTGRES_VERSION) return undefined
  if (found === undefined)
    return damage(dataDir, 'its folder "database" has no PG_VERSION that could be read')
  return `The embedded database in ${dataDir} is one of PostgreSQL ${found}, and this version of Sojourn uses PostgreSQL ${POSTGRES_VERSION}. Export it with the version of Sojourn that made it ("sojourn export --keys --output all.ndjson.gz"), and import that into another folder ("sojourn import --keys all.ndjson.gz").`
}

function versionIn(dataDir: string): string | undefined {
  try {
    return /^(\d+)\n?$/.exec(readFileSync(join(dataDir, 'database', 'PG_VERSION'), 'latin1'))?.[1]
  } catch {
    return undefined
  }
}

/**
 * The sentence for a folder that the engine cannot open.
 * @param reason why the engine cannot open it
 */
export function damage(dataDir: string, reason: string): string {
  return /allocate|out of memory|memory limit/i.test(reason)
    ? `There is too little memory to open the embedded database in ${dataDir}: ${reason}.`
    : `The embedded database in ${dataDir} is damaged: ${reason}. Restore a copy of the folder, or set DATA_DIR to another folder and import your last "sojourn export" into that.`
}

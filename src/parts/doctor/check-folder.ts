/** DATA_DIR: whether its rights, its disk and its file system are fit for the data. */
import { lstatSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { shellWord } from '../../core/command-line/words.ts'
import type { Config } from '../../core/config/config.ts'
import { formerProblem, isInFile, isNewFolder, writeProblem } from '../../core/database/private/cluster.ts'
import { freeBytesOf } from '../../core/database/private/disk-space.ts'
import { notChecked, notOk, ok, type Result } from './result.ts'

type Place = Pick<Config, 'dataDir' | 'databaseUrl'>

/** Folders in DATA_DIR that contain personal data, and the log of erasures. */
const INSIDE = ['postgres', 'audit-waiting', 'intake-waiting', 'report-copies']

/** Why this user cannot open the folder as a database; undefined if nothing is known that prevents it. */
export function folderProblem({ dataDir, databaseUrl }: Place): Result | undefined {
  const folder = resolve(dataDir)
  if (isInFile(folder)) {
    return notOk('folder', `DATA_DIR, ${folder}, is a file or is in one.`, 'Set DATA_DIR to a folder.')
  }
  const problem = writeProblem(folder)
  if (problem !== undefined) {
    return notOk('folder', `This user cannot write to ${folder}.`, problem)
  }
  if (databaseUrl !== undefined) return undefined
  const former = formerProblem(folder)
  if (former !== undefined)
    return notOk('folder', `The database in ${folder} cannot be opened by this version.`, former)
  if (isNewFolder(folder)) {
    return notOk(
      'folder',
      `There is no database in ${folder}.`,
      'Set DATA_DIR to the folder that has one, or DATABASE_URL to a PostgreSQL database; "sojourn import" creates a new one.',
    )
  }
  return undefined
}

export function checkFolder(place: Place): Result[] {
  const folder = resolve(place.dataDir)
  const problem = folderProblem(place)
  if (problem !== undefined) return [problem]
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found === undefined) return [ok('folder', `${folder} does not exist yet; the service creates it.`)]
  const open = process.platform === 'win32' ? [] : openFolders(folder)
  if (open.length > 0) return open
  const own = process.getuid?.()
  if (own !== undefined && own !== 0 && found.uid !== own) {
    return [
      notOk(
        'folder',
        `${folder} belongs to another user (${found.uid}).`,
        `Run "chown -R USER ${shellWord(folder)}" with the user of the service.`,
      ),
    ]
  }
  return [ok('folder', `${folder} may be read and written by its owner alone.`)]
}

/** The folder itself protects what is in it. If it is open, what is in it may be open too. */
function openFolders(folder: string): Result[] {
  const { mode } = statSync(folder)
  if ((mode & 0o077) === 0) return []
  const inside = INSIDE.filter((name) => {
    const entry = lstatSync(join(folder, name), { throwIfNoEntry: false })
    return entry !== undefined && (entry.mode & 0o077) !== 0
  })
  const also = inside.length === 0 ? '' : ` Its folders ${inside.join(', ')} are open too.`
  return [
    notOk(
      'folder',
      `Other users of this machine may look into ${folder} (mode ${(mode & 0o777).toString(8)}).${also}`,
      `Run "chmod -R go= ${shellWord(folder)}".`,
    ),
  ]
}

const MB = 1024 * 1024

/** Each process reserves so much in DATA_DIR for reads that are not in the trail yet. */
const WAITING_BYTES = 8 * MB

/** The log of the private server may take so much before a checkpoint. */
const LOG_BYTES = 256 * MB

/** @param freeBytes of the file system of a folder; tests replace it */
export async function checkDisk(
  { dataDir, databaseUrl }: Place,
  freeBytes: (folder: string) => Promise<number> = freeBytesOf,
): Promise<Result[]> {
  const folder = resolve(dataDir)
  const isFolder = databaseUrl === undefined
  const server = isFolder
    ? []
    : [
        notChecked(
          'disk',
          'A PostgreSQL server does not tell how much space its disk has.',
          'Watch the disk of the server there.',
        ),
      ]
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) {
    return [notChecked('disk', `${folder} does not exist yet.`), ...server]
  }
  const free = await freeBytes(folder)
  const shown = `${Math.floor(free / MB)} MB are free on the disk of ${folder}`
  const scarce = isFolder ? 4 * LOG_BYTES : 8 * WAITING_BYTES
  if (free >= scarce) return [ok('disk', `${shown}.`), ...server]
  const effect = isFolder
    ? 'without space the database refuses what is written, and reads are refused soon after that'
    : 'reads that are not in the audit trail yet wait there, and are refused when there is no space'
  return [
    notOk('disk', `Only ${shown}; ${effect}.`, 'Free some space, or move DATA_DIR to a larger disk.'),
    ...server,
  ]
}

/** Types of file systems, as `statfs` returns them, that lose their files. */
const LOST: ReadonlyMap<number, string> = new Map([
  [0x01021994, 'in memory (tmpfs): a restart of the machine loses everything'],
  [0x858458f6, 'in memory (ramfs): a restart of the machine loses everything'],
  [0x794c7630, 'in the layer of a container (overlayfs): removing the container loses everything'],
])
/** File systems of other machines, whose locks and fsync depend on how they are mounted. */
const REMOTE: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x65735546, 'FUSE'],
])

/**
 * Whether the file system of DATA_DIR keeps what was synced to it.
 * @param typeOf the type of the file system of a folder; tests replace it
 */
export async function checkFileSystem(
  { dataDir }: Place,
  typeOf: (folder: string) => Promise<number> = async (folder) => (await statfs(folder)).type,
): Promise<Result[]> {
  const folder = resolve(dataDir)
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) {
    return [notChecked('fsync', `${folder} does not exist yet.`)]
  }
  const type = await typeOf(folder)
  const lost = LOST.get(type)
  if (lost !== undefined) {
    return [
      notOk('fsync', `${folder} is ${lost}.`, 'Set DATA_DIR to a folder on a disk, or mount a volume there.'),
    ]
  }
  const remote = REMOTE.get(type)
  if (remote !== undefined) {
    return [
      notChecked(
        'fsync',
        `${folder} is on ${remote}, where locks and fsync depend on how it is mounted.`,
        'Use a local disk.',
      ),
    ]
  }
  return [ok('fsync', `${folder} is on a disk, and every commit is synced to it.`)]
}

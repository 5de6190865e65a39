/** `sojourn restore`: makes an embedded database of a backup, in an empty folder. */
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { Command } from 'commander'
import { readConfig } from '../config/config.ts'
import { syncFolder } from '../database/embedded/durable-files.ts'
import { syncAll } from '../database/embedded/new-folder.ts'
import { FolderInUse, lockFolder, ownerOf } from '../database/folder-lock.ts'
import { DATA } from '../database/open.ts'
import { systemMessage } from '../database/system-message.ts'
import { visible } from '../errors/visible.ts'
import { ERASURE_LOG } from '../extras/data-rights/erasure-log.ts'
import { cannotOpen } from '../intake/read-bytes.ts'
import type { BackupContents } from './backup/contents.ts'
import { unpackBackup, verifyUnpacked } from './backup/open-backup.ts'
import { ON_A_SERVER } from './backup.ts'
import { type CommandContext, CommandError } from './context.ts'
import { counted } from './words.ts'

export function restoreCommand(context: CommandContext): Command {
  return new Command('restore')
    .description('restore a backup of the embedded database into an empty DATA_DIR')
    .argument('<file>', 'a file that "sojourn backup" made')
    .addHelpText(
      'after',
      `
Stop the service first. DATA_DIR must not exist, or be empty except for the log of erasures (erasures.ndjson): nothing is
replaced. The backup is unpacked there under another name, opened and compared with what it says of itself, and only then gets
its name. A backup that was changed or cut off is refused, and changes nothing.

The database is then that of the moment of the backup. Clients that have followed changes further get a 410 and read again,
and the audit trail ends where it ended then. The next "sojourn serve" applies migrations of this version, and erases again
who was erased since, if DATA_DIR has the log of erasures.

Examples:
  $ mv /var/lib/sojourn /var/lib/sojourn.old
  $ DATA_DIR=/var/lib/sojourn sojourn restore /backup/sojourn-2026-05-14.tar.gz
  $ cp -p /var/lib/sojourn.old/erasures.ndjson /var/lib/sojourn/
`,
    )
    .action((file: string) => restore(context, file))
}

async function restore(context: CommandContext, file: string): Promise<void> {
  const { databaseUrl, dataDir } = readConfig(context.env)
  if (databaseUrl !== undefined) throw new CommandError(ON_A_SERVER)
  requireReadable(file)
  const folder = resolve(dataDir)
  const isNew = requireEmpty(folder)
  const lock = lockEmpty(folder)
  const draft = join(folder, DRAFT)
  let contents: BackupContents
  let isDone = false
  try {
    requireEmpty(folder)
    contents = await unpackBackup(file, draft, context.interrupts())
    await verifyUnpacked(draft, contents)
    await syncAll(draft)
    renameSync(draft, join(folder, DATA))
    syncFolder(folder)
    isDone = true
  } finally {
    rmSync(draft, { recursive: true, force: true })
    rmSync(`${draft}.reserve`, { force: true })
    lock.release()
    if (!isDone && isNew) removeEmpty(folder)
  }
  const { at, sojourn, contents: has } = contents
  context.stderr.write(
    `Restored the database of ${at} (Sojourn ${sojourn}) into ${folder}: ${counted(has.centers, 'center')}, ${counted(has.bookings, 'booking')}, ${counted(has.orders, 'order')}, ${counted(has.audit_entries, 'entry', 'entries')} of the audit trail.\n${existsSync(join(folder, ERASURE_LOG)) ? '' : `If people were erased since, put the newest ${ERASURE_LOG} into the folder before you start the service.\n`}`,
  )
}

const DRAFT = `${DATA}.restored`

/** Files of the lock, and what a disk of its own has. */
const IGNORED: readonly string[] = ['owner.lock', 'owner.pid', 'lost+found', ERASURE_LOG]

function requireReadable(file: string): void {
  try {
    accessSync(file, constants.R_OK)
  } catch (error) {
    throw new CommandError(`${cannotOpen(file, error)}.`)
  }
}

/** @returns whether the folder does not exist @throws {CommandError} if it has something that a restore could replace */
function requireEmpty(folder: string): boolean {
  if (!existsSync(folder)) return true
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch (error) {
    throw new CommandError(`DATA_DIR, ${folder}, cannot be used: ${systemMessage(error)}.`)
  }
  const found = names.filter((name) => !IGNORED.includes(name))
  if (found.length > 0) {
    throw new CommandError(
      `DATA_DIR, ${folder}, is not empty (it has ${visible(found[0] ?? '')}). Move it away, or set DATA_DIR to another folder. Nothing was changed.`,
    )
  }
  return false
}

function lockEmpty(folder: string) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return lockFolder(folder)
  } catch (error) {
    if (error instanceof FolderInUse) {
      throw new CommandError(`${ownerOf(error.pid)} is using the folder ${folder}. Nothing was changed.`)
    }
    const hint = existsSync(folder) ? '' : ' Make the folder for that user first.'
    throw new CommandError(`DATA_DIR, ${folder}, cannot be used: ${systemMessage(error)}.${hint}`)
  }
}

function removeEmpty(folder: string): void {
  try {
    rmSync(join(folder, 'owner.lock'), { force: true })
    rmdirSync(folder)
  } catch {
    // Somebody has put something there.
  }
}

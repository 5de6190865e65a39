/** `sojourn backup`: copies the embedded database into one file, also while the service uses it. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { access, constants, mkdir, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Command } from 'commander'
import { type Config, readConfig } from '../config/config.ts'
import { type Database, DatabaseUnavailable } from '../database/database.ts'
import { syncFolder } from '../database/embedded/durable-files.ts'
import { systemMessage } from '../database/system-message.ts'
import { visible } from '../errors/visible.ts'
import { giveName } from '../files/give-name.ts'
import type { BackupContents } from './backup/contents.ts'
import { removeLeftovers } from './backup/leftovers.ts'
import { unpackBackup, verifyUnpacked } from './backup/open-backup.ts'
import { writeBackup } from './backup/write-backup.ts'
import { type CommandContext, CommandEnded, CommandError, withDatabase } from './context.ts'
import { reachDatabase } from './reach-database.ts'
import { counted } from './words.ts'

interface Options {
  readonly verify: boolean
}

export function backupCommand(context: CommandContext): Command {
  return new Command('backup')
    .description('copy the embedded database into one file, also while the service uses it')
    .argument('<file>', 'the backup, a compressed tar archive; it must not exist yet')
    .option(
      '--no-verify',
      'do not open the copy to compare it; without this, there must be space for it unpacked',
    )
    .addHelpText(
      'after',
      `
The backup is the database as of one moment, and reads and writes go on while it is made. It is written next to the file, with
rights for its owner alone, opened in a folder next to it, compared with the database (numbers of records, revisions, heads of
the audit trails), and only then gets its name. A backup that fails leaves no file.

It contains everything of the database, with personal and medical data: protect it like the database. It does not contain
settings, the log of erasures (DATA_DIR/erasures.ndjson), copies of reports, and reads that wait to be written to the trail.

With PostgreSQL, use pg_dump or base backups: see docs/deployment.md (Backups).

Examples:
  $ sojourn backup /backup/sojourn-2026-05-14.tar.gz
  $ sojourn restore /backup/sojourn-2026-05-14.tar.gz
`,
    )
    .action((file: string, options: Options) => backUp(context, file, options))
}

export const ON_A_SERVER =
  'DATABASE_URL is set, and this command is for the embedded database. Back up a PostgreSQL server with pg_dump or base backups, and restore it with pg_restore: see docs/deployment.md (Backups, Restore).'

async function backUp(context: CommandContext, file: string, { verify }: Options): Promise<void> {
  if (context.service !== undefined) {
    await withDatabase(context, (database) => write(context, database, file), { files: { write: [file] } })
    return
  }
  const config = readConfig(context.env)
  if (config.databaseUrl !== undefined) throw new CommandError(ON_A_SERVER)
  await requireNew(file)
  const began = performance.now()
  // Made under this name, so that the file has its own only when it is complete and verified.
  const draft = `${file}.${process.pid}-${randomBytes(4).toString('hex')}.unverified`
  const left = await removeLeftovers(dirname(resolve(file)), context.now())
  if (left > 0)
    context.stderr.write(`Removed ${counted(left, 'copy', 'copies')} of backups that did not end.\n`)
  try {
    await make(context, config, draft)
    if (verify) await verifyFile(draft, context.interrupts())
    const { size } = await stat(draft)
    await nameIt(draft, file)
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    context.stderr.write(
      `Backed up ${resolve(config.dataDir)} to ${file} (${counted(Math.ceil(size / 1_000_000), 'MB', 'MB')}) in ${seconds} s${verify ? ', and opened the copy to verify it' : '; it was not verified'}.\nIt contains personal and medical data: protect it like the database. Copy erasures.ndjson of DATA_DIR too.\n`,
    )
  } finally {
    await rm(draft, { force: true })
  }
}

async function requireNew(file: string): Promise<void> {
  if (existsSync(file)) {
    throw new CommandError(
      `${visible(file)} exists already; name another file, or remove it first. Nothing was changed.`,
    )
  }
  const folder = dirname(resolve(file))
  if (!existsSync(folder)) throw new CommandError(`There is no folder ${visible(folder)}.`)
  try {
    await access(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new CommandError(
      `The folder ${visible(folder)} cannot be written to: ${systemMessage(error)}. Name a file in a folder of that user.`,
    )
  }
}

/** Writes the draft: by the service that has the folder, or by this process. */
async function make(context: CommandContext, config: Config, draft: string): Promise<void> {
  const signal = context.interrupts()
  const reached = await reachDatabase(config, { ifNew: 'refuse', asItIs: true }, signal)
  if ('owner' in reached) {
    const { runInService } = await import('./channel/run-in-service.ts')
    const args = ['backup', '--no-verify', '--', draft]
    const code = await runInService(reached, { ...context, args }, signal, {
      files: { write: [draft] },
      outcomes: { nothing: 'No backup was made.', unknown: 'No backup was made.' },
    })
    if (code !== 0) throw new CommandEnded(code)
    return
  }
  try {
    await write(context, reached.database, draft)
  } finally {
    await reached.database.close()
  }
}

async function write(context: CommandContext, database: Database, path: string): Promise<BackupContents> {
  const { files, now } = context
  if (database.copyFiles === undefined) throw new CommandError(ON_A_SERVER)
  try {
    return await writeBackup(database.copyFiles, { files, path, signal: context.interrupts(), now })
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
    throw new CommandError(`No backup was made, because ${error.message}. Run the command again.`)
  }
}

/** Unpacks the draft next to it, opens it, and removes what was unpacked. */
async function verifyFile(draft: string, signal: AbortSignal): Promise<void> {
  const folder = `${draft}.opened`
  try {
    await mkdir(folder, { mode: 0o700 })
    const data = join(folder, 'database')
    const contents = await unpackBackup(draft, data, signal)
    await verifyUnpacked(data, contents)
  } catch (error) {
    if (error instanceof CommandError) {
      throw new CommandError(`No backup was made: ${error.message.replace(/ Nothing was changed\.$/, '')}`)
    }
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function nameIt(draft: string, file: string): Promise<void> {
  const isNamed = await giveName(draft, file).catch((error: unknown) => {
    throw new CommandError(`${visible(file)} cannot be made: ${systemMessage(error)}.`)
  })
  if (!isNamed) throw new CommandError(`${visible(file)} exists already; it was made meanwhile.`)
  syncFolder(dirname(resolve(file)))
}

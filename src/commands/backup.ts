/** `sojourn backup`: copies the database into one file, also while the service uses it. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { access, constants, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Command } from 'commander'
import pg from 'pg'
import { type CommandContext, CommandError, withDatabase } from '../core/command-line/context.ts'
import { counted } from '../core/command-line/words.ts'
import { systemMessage } from '../core/database/postgres/system-message.ts'
import { visible } from '../core/errors/visible.ts'
import { giveName } from '../core/files/give-name.ts'
import { removeLeftovers } from './backup/leftovers.ts'
import { proveBackup } from './backup/read-backup.ts'
import { writeBackup } from './backup/write-backup.ts'

export function backupCommand(context: CommandContext): Command {
  return new Command('backup')
    .description('copy the database into one file, also while the service uses it')
    .argument('<file>', 'the backup, lines of text compressed with zstd; it must not exist yet')
    .addHelpText(
      'after',
      `
The backup is the database as of one moment, and reads and writes go on while it is made. It is written next to the file, with
rights for its owner alone, read again as a whole, and only then gets its name. A backup that fails leaves no file.

It contains everything of the database, with personal and medical data: protect it like the database. It does not contain
settings, the log of erasures (DATA_DIR/erasures.ndjson), copies of reports, and reads that wait to be written to the trail.

The same two commands move a database from a folder to a server, back, and to another version of PostgreSQL.

Examples:
  $ sojourn backup /backup/sojourn-2026-05-14.zst
  $ DATA_DIR=/var/lib/sojourn-new sojourn restore /backup/sojourn-2026-05-14.zst
`,
    )
    .action((file: string) => backUp(context, file))
}

async function backUp(context: CommandContext, file: string): Promise<void> {
  await requireNew(file)
  const began = performance.now()
  const { files, now } = context
  const signal = context.interrupts()
  // Made under this name, so that the file has its own only when it is complete and verified.
  const draft = `${file}.${randomBytes(4).toString('hex')}.unverified`
  const left = await removeLeftovers(dirname(resolve(file)), now())
  if (left > 0)
    context.stderr.write(`Removed ${counted(left, 'copy', 'copies')} of backups that did not end.\n`)
  try {
    const place = await withDatabase(
      context,
      async ({ connection, place }) => {
        const client = new pg.Client({ ...connection, application_name: 'backup' })
        await client.connect()
        try {
          await writeBackup(client, { files, path: draft, signal, now })
        } finally {
          await client.end()
        }
        return place
      },
      { asItIs: true, leavesRewrites: true },
    )
    const { end } = await proveBackup(draft, signal)
    const { size } = await stat(draft)
    await nameIt(draft, file)
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    const rows = Object.values(end.rows).reduce((all, count) => all + count, 0)
    context.stderr.write(
      `Backed up ${place} to ${file} (${counted(rows, 'row')}, ${counted(Math.ceil(size / 1_000_000), 'MB', 'MB')}) in ${seconds} s, and read the file again to verify it.\nIt contains personal and medical data: protect it like the database. Copy erasures.ndjson of DATA_DIR too.\n`,
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

async function nameIt(draft: string, file: string): Promise<void> {
  const isNamed = await giveName(draft, file).catch((error: unknown) => {
    throw new CommandError(`${visible(file)} cannot be made: ${systemMessage(error)}.`)
  })
  if (!isNamed) throw new CommandError(`${visible(file)} exists already; it was made meanwhile.`)
}

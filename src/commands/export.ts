/** `sojourn export`: all records of a center, in the format of the import. */
import { pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { Command } from 'commander'
import { type CommandContext, print, withDatabase } from '../core/command-line/context.ts'
import { progressOn } from '../core/command-line/progress.ts'
import { counted } from '../core/command-line/words.ts'
import { exportRecords } from '../core/intake/export/export-records.ts'
import { recordExport } from '../core/intake/export/record-export.ts'
import type { NewFile } from '../core/intake/lines/files.ts'

interface Options {
  readonly center?: string
  readonly output?: string
  readonly keys?: boolean
  readonly audit?: boolean
}

export function exportCommand(context: CommandContext): Command {
  return new Command('export')
    .description('write all records of a center, or of all centers, in the import format')
    .option('--center <id>', 'only this center')
    .option('--output <file>', 'write to this file, gzipped if its name ends in .gz (standard output)')
    .option(
      '--keys',
      'include the keys, with hashes in place of their secrets and the secrets of pseudonyms, for import --keys',
    )
    .option('--audit', 'include the audit trail with its hashes, for import --audit')
    .addHelpText(
      'after',
      `
Each center is exported as of one moment, and the export is recorded in its audit trail, with your user name and this
machine. Importing an export into an empty database restores the same records, including
booking numbers. To move a center with its keys and its audit trail, use --keys --audit and stop the service first, so that
nothing is read or written in between. An export contains personal and medical data: protect it like the database.

Examples:
  $ sojourn export --output backup.ndjson.gz
  $ sojourn export --keys --audit | DATABASE_URL=postgres://… sojourn import --keys --audit
`,
    )
    .action((options: Options) =>
      withDatabase(context, async (database) => {
        const began = performance.now()
        const count = await writeRecords(
          context,
          options,
          exportRecords(database, {
            ...options,
            beforeCenter: (center) => recordExport(database, center, options),
          }),
        )
        if (options.output === undefined) return
        const seconds = ((performance.now() - began) / 1000).toFixed(1)
        context.stderr.write(`Exported ${counted(count, 'record')} to ${options.output} in ${seconds} s.\n`)
      }),
    )
}

/** @returns the number of records */
async function writeRecords(
  context: CommandContext,
  { output }: Options,
  chunks: AsyncIterable<readonly object[]>,
): Promise<number> {
  let count = 0
  const { stderr } = context
  // If the records go to a pipe, there is no progress bar: that of the program that reads them could be on the same
  // terminal.
  const progress = stderr.isTTY && output !== undefined ? progressOn(stderr) : undefined
  const texts = async function* () {
    for await (const records of chunks) {
      count += records.length
      progress?.show({ phase: 'exporting', done: count })
      yield records.map((record) => `${JSON.stringify(record)}\n`).join('')
    }
  }
  try {
    if (output === undefined) for await (const text of texts()) await print(context, text)
    else await writeFile(context, output, texts())
    return count
  } finally {
    progress?.stop()
  }
}

async function writeFile(
  { files }: CommandContext,
  output: string,
  texts: AsyncIterable<string>,
): Promise<void> {
  const bytes = output.endsWith('.gz') ? gzipped(texts) : texts
  let file: NewFile | undefined
  try {
    for await (const piece of bytes) {
      // Created with the first record, so that a center that does not exist creates no file.
      file ??= await files.create(output)
      await file.write(piece)
    }
    file ??= await files.create(output)
    await file.keep()
  } catch (error) {
    await file?.discard()
    throw error
  }
}

/** Stops reading when the output is closed, because a read holds a connection. */
async function* gzipped(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  const gzip = createGzip()
  pipeline(Readable.from(texts), gzip, () => {})
  yield* gzip as AsyncIterable<Buffer>
}

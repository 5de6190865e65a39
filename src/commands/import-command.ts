/** The command line of `sojourn import`; import.ts runs it. */

import { stat } from 'node:fs/promises'
import { Command, InvalidArgumentError, Option } from 'commander'
import {
  type CommandContext,
  CommandEnded,
  type RunCommand,
  UsageError,
  withDatabase,
} from '../core/command-line/context.ts'
import { addToList } from '../core/command-line/scope-options.ts'
import { readSourceName } from '../core/command-line/source-name.ts'
import { STDIN } from '../core/intake/lines/files.ts'
import { type ImportCommandOptions, inputsOf } from './import-options.ts'

export function importCommand(context: CommandContext, { run }: { readonly run: RunCommand }): Command {
  return new Command('import')
    .description('import records: all of them, or none')
    .argument(
      '[file...]',
      'NDJSON, CSV, XLSX or ODS files, optionally gzipped; standard input if there are none, or for -',
    )
    .option('--center <id>', 'center for records that name none')
    .option('--kind <kind>', 'kind of the rows of a table, unless the file name says it (customers.csv)')
    .option('--format <format>', 'ndjson or csv, for files whose names do not say')
    .option('--explain', 'describe a file and propose a mapping to edit, without importing anything')
    .option('--template <kind>', 'print a template for records of a kind, without importing anything')
    .option('--example', 'with --template: filled in with an example that can be imported')
    .option('--csv', 'with --template: a CSV table instead of lines of JSON')
    .option(
      '--map <mapping>',
      'mapping of columns to fields, for tables of any layout: a file (guests.yaml), or the name of one that is saved for --center',
    )
    .option('--skip-invalid', 'import the valid records, and write the others to a rejects file')
    .option(
      '--rejects <file>',
      'file for all invalid records, with their problems: .csv, .xlsx or .ndjson (with --skip-invalid: FILE.rejects.…)',
    )
    .option('--retry <file>', 'import the records of a rejects file after you have corrected them in it')
    .option('--keys', 'also import keys, as export --keys writes them')
    .option('--audit', 'also import audit trails, as export --audit writes them, into centers without one')
    .option('--restore-erased', 'also import people who were erased; otherwise they are left out')
    .option('--refuse-erased', 'import nothing if the files contain people who were erased')
    .option(
      '--snapshot <kinds>',
      'kinds, separated by commas, of which the files contain all records of --center: records that are not in the files are removed',
      addToList,
    )
    .option('--session <id>', 'with --snapshot booking: the files contain all bookings of this session only')
    .option(
      '--remove-at-most <count>',
      'import nothing if --snapshot would remove more records (0)',
      readBound,
    )
    .option('--watch <folder>', 'import files as they arrive in a folder, until Ctrl-C')
    .option('--metrics <file>', "with --watch: metrics for Prometheus' textfile collector, NAME.prom")
    .option(
      '--delete-imported <folder>',
      'delete all files that --watch has imported in this folder, and import nothing',
    )
    .option(
      '--source <name>',
      'name of the source that delivers the files, as in sources list (command, watch)',
      readSourceName,
    )
    .addOption(new Option('--watched').hideHelp())
    .addOption(new Option('--file-time <ms>').argParser(Number).hideHelp())
    .option('--dry-run', 'report what would change, and change nothing')
    .option(
      '--json',
      'print the summary as JSON, with the first 1,000 records that were created, changed or removed, and the causes of what was refused',
    )
    .addHelpText(
      'after',
      `
--watch imports a file when it has not changed for a second, in the order of the names, and moves it with its report to
done/ or failed/ in the folder. Files in done/ are deleted after WATCHED_FILES_DAYS; what was not imported stays. It
ignores names that begin with a dot or ~$ or end with .part or .tmp, Thumbs.db and desktop.ini. Corrected rejects are
imported as with --retry.

Examples:
  $ sojourn import center.ndjson bookings.ndjson.gz
  $ sojourn import --center resort customers.csv
  $ sojourn import --template customer --csv > customers.csv
  $ sojourn import --explain guests.csv > guests.yaml
  $ sojourn import --center resort --map guests.yaml guests.csv
  $ sojourn import --center resort --snapshot booking --remove-at-most 20 bookings.ndjson
  $ sojourn import --center resort --watch /srv/from-booking-system
  $ sojourn import --center resort --map guests.yaml --skip-invalid guests.csv
  $ sojourn import --center resort --map guests.yaml --retry guests.csv.rejects.csv
  $ zcat old.ndjson.gz | sojourn import --skip-invalid --rejects bad.ndjson
`,
    )
    .action(async (files: string[], options: ImportCommandOptions) => {
      if (options.explain) return (await import('./explain-file.ts')).explainFile(context, files)
      if (options.template !== undefined) {
        if (files.length > 0) throw new UsageError('--template takes no files.')
        const { printTemplate } = await import('./import-template.ts')
        return printTemplate(context, { ...options, template: options.template })
      }
      if (options.example || options.csv) {
        throw new UsageError(`--${options.csv ? 'csv' : 'example'} goes with --template.`)
      }
      if (options.watch !== undefined) {
        const { watchFolder } = await import('./import-watch.ts')
        return watchFolder(context, run, files, options)
      }
      if (options.deleteImported !== undefined) {
        const { deleteAllImported } = await import('./import-watch.ts')
        return deleteAllImported(context, files, options)
      }
      if (options.metrics !== undefined) throw new UsageError('--metrics goes with --watch alone.')
      const { checkOptions, runImport } = await import('./import.ts')
      // Before a database is opened or created.
      checkOptions(inputsOf(files, options), context.stdin, options)
      const fileTime = await fileTimeOf(files, options)
      const dated = fileTime === undefined ? options : { ...options, fileTime }
      await withDatabase(
        context,
        async (database, { dataDir }) => {
          const lifts = options.restoreErased === true
          const signal = context.interrupts()
          if (!options.dryRun && !lifts)
            await context.parts.keepErasureLog?.(context, database, dataDir, { signal })
          const code = await runImport({ ...context, database }, files, dated)
          if (!options.dryRun)
            await context.parts.keepErasureLog?.(context, database, dataDir, { lifts, signal })
          if (code !== 0) throw new CommandEnded(code)
        },
        {
          ifNew: options.dryRun ? 'try' : 'create',
          outcomes: {
            nothing: 'Nothing was imported.',
            unknown:
              'The records may have been imported. Run it again: importing the same records twice changes nothing.',
          },
        },
      )
    })
}

/** When the newest file was written. */
async function fileTimeOf(
  files: readonly string[],
  options: ImportCommandOptions,
): Promise<number | undefined> {
  if (options.fileTime !== undefined) return options.fileTime
  const inputs = inputsOf(files, options).filter((file) => file !== STDIN)
  const times = await Promise.all(
    inputs.map((file) =>
      stat(file).then(
        (found) => found.mtimeMs,
        () => 0,
      ),
    ),
  )
  const newest = Math.floor(Math.max(0, ...times))
  return newest === 0 ? undefined : newest
}

function readBound(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Expected a whole number.')
}

/** How `sojourn import` is written; what it does stands in import.ts. */
import { Command } from 'commander'
import { type CommandContext, CommandEnded, withDatabase } from './context.ts'
import { type ImportCommandOptions, inputsOf, rejectsPaths } from './import-options.ts'

export function importCommand(context: CommandContext): Command {
  return new Command('import')
    .description('take records in: all of them, or none')
    .argument('[file...]', 'NDJSON or CSV, also gzipped; without one, or for -, standard input')
    .option('--center <id>', 'whose the records are that do not say')
    .option('--kind <kind>', 'what the rows of a CSV file are; its name may say it too (customers.csv)')
    .option('--format <format>', 'ndjson or csv, where a name does not tell')
    .option('--skip-invalid', 'take the good records, and write the bad ones to a rejects file')
    .option('--rejects <file>', 'where bad records go with --skip-invalid (FILE.rejects.ndjson)')
    .option('--keys', 'take keys in, as export --keys writes them')
    .option('--dry-run', 'say what would happen, and change nothing')
    .option('--json', 'the summary as JSON')
    .addHelpText(
      'after',
      `
Examples:
  $ sojourn import center.ndjson bookings.ndjson.gz
  $ sojourn import --center resort customers.csv
  $ zcat old.ndjson.gz | sojourn import --skip-invalid --rejects bad.ndjson
`,
    )
    .action((files: string[], options: ImportCommandOptions) =>
      withDatabase(
        context,
        async (database) => {
          const { runImport } = await import('./import.ts')
          const code = await runImport({ ...context, database }, files, options)
          if (code !== 0) throw new CommandEnded(code)
        },
        {
          outcomes: {
            nothing: 'Nothing was imported.',
            unknown:
              'The records may have been imported; run it again: importing the same records twice changes nothing.',
          },
          files: { read: inputsOf(files), write: rejectsPaths(files, options) },
        },
      ),
    )
}

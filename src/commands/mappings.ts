/** `sojourn mappings`: mappings of spreadsheets' columns that are stored for a center. */
import { Command } from 'commander'
import {
  type CommandContext,
  type DatabaseUse,
  print,
  printJson,
  printLines,
  UsageError,
  withDatabase,
} from '../core/command-line/context.ts'
import { tableLines } from '../core/command-line/table.ts'
import { shown } from '../core/intake/rejects/problems.ts'
import { isoMoment } from '../core/locale/dates.ts'
import { isIdentifier, isMappingName } from '../core/records/fields/values.ts'

export function mappingsCommand(context: CommandContext): Command {
  return new Command('mappings')
    .description("save mappings of a spreadsheet's columns for a center")
    .addCommand(saveCommand(context))
    .addCommand(listCommand(context))
    .addCommand(showCommand(context))
    .addCommand(removeCommand(context))
    .addHelpText(
      'after',
      `
Examples:
  $ sojourn mappings save --center resort guests guests.yaml
  $ sojourn import --center resort --map guests export.csv
`,
    )
}

const NAME = 'its name: letters, digits, - and _'
const CHANGES: DatabaseUse = {
  outcomes: {
    nothing: 'No mapping was changed.',
    unknown: 'The change may have been saved: check with "sojourn mappings list" before you run it again.',
  },
}

/** Imported on use: reading a mapping loads the schemas of all records, which other commands do not need. */
const work = () => import('../core/intake/stored-mappings.ts')

interface Options {
  readonly center: string
  readonly json?: boolean
}

/** Called before a database is opened. @throws {UsageError} */
function check(center: string | undefined, name = 'any'): void {
  if (center !== undefined && !isIdentifier(center)) {
    throw new UsageError(`--center is "${shown(center)}"; expected an identifier of A-Z a-z 0-9 _ . : -`)
  }
  if (!isMappingName(name)) {
    throw new UsageError(`The name is "${shown(name)}"; expected 1 to 64 letters, digits, - and _.`)
  }
}

function saveCommand(context: CommandContext): Command {
  return new Command('save')
    .description('save a mapping under a name, replacing one of the same name')
    .argument('<name>', NAME)
    .argument('<file>', 'YAML or JSON; - for standard input')
    .requiredOption('--center <id>', 'center that it is for')
    .addHelpText(
      'after',
      `
The mapping is checked first; each problem is shown with its line and column.

Examples:
  $ sojourn mappings save --center resort guests guests.yaml
`,
    )
    .action((name: string, file: string, { center }: Options) => {
      check(center, name)
      return withDatabase(
        context,
        async (database) => {
          const { readMappingText } = await import('./mapping-file.ts')
          const { saveMapping } = await work()
          const body = await readMappingText(file, context.files)
          await saveMapping(database, { centerId: center, name, body, user: context.user })
          await printLines(context, [
            `Saved ${name}. To use it: sojourn import --center ${center} --map ${name} FILE`,
          ])
        },
        CHANGES,
      )
    })
}

function listCommand(context: CommandContext): Command {
  return new Command('list')
    .description('list the mappings of a center, or of all centers')
    .option('--center <id>', 'only this center')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  $ sojourn mappings list --center resort\n')
    .action(({ center, json }: Partial<Options>) => {
      check(center)
      return withDatabase(context, async (database) => {
        const { listMappings } = await work()
        const rows = (await listMappings(database, center)).map((row) => ({
          center: row.center_id,
          name: row.name,
          savedAt: isoMoment(row.saved_at),
          savedBy: row.saved_by,
        }))
        if (json) return printJson(context, rows)
        if (rows.length === 0)
          return printLines(context, ['There are no mappings; save one with "sojourn mappings save".'])
        const header = ['center', 'name', 'saved (UTC)', 'by']
        const lines = rows.map((row) => [row.center, row.name, row.savedAt, row.savedBy])
        await printLines(context, tableLines([header, ...lines]))
      })
    })
}

function showCommand(context: CommandContext): Command {
  return new Command('show')
    .description('print a mapping as it was written')
    .argument('<name>', NAME)
    .requiredOption('--center <id>', 'center that it is for')
    .addHelpText('after', '\nExamples:\n  $ sojourn mappings show --center resort guests > guests.yaml\n')
    .action((name: string, { center }: Options) => {
      check(center, name)
      return withDatabase(context, async (database) => {
        const { findMapping } = await work()
        const { body } = await findMapping(database, center, name)
        await print(context, body.endsWith('\n') ? body : `${body}\n`)
      })
    })
}

function removeCommand(context: CommandContext): Command {
  return new Command('remove')
    .description('remove a mapping; records that were imported with it stay')
    .argument('<name>', NAME)
    .requiredOption('--center <id>', 'center that it is for')
    .addHelpText('after', '\nExamples:\n  $ sojourn mappings remove --center resort guests\n')
    .action((name: string, { center }: Options) => {
      check(center, name)
      return withDatabase(
        context,
        async (database) => {
          const { removeMapping } = await work()
          await removeMapping(database, center, name)
          await printLines(context, [`Removed ${name}.`])
        },
        CHANGES,
      )
    })
}

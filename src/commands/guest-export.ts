/** `sojourn guest export`. */
import { Command } from 'commander'
import { databaseNow } from '../database/clock.ts'
import { exportSubject } from '../subjects/export-subject.ts'
import { SubjectError } from '../subjects/subject.ts'
import { subjectPage } from '../subjects/subject-page.ts'
import { type CommandContext, CommandError, printJson, withDatabase } from './context.ts'
import { checkGuestOptions, customerOf, type GuestOptions, withGuestOptions } from './guest-options.ts'

interface Options extends GuestOptions {
  readonly output?: string
}

export function guestExportCommand(context: CommandContext): Command {
  return withGuestOptions(new Command('export'))
    .description('write everything that is stored about a person, and who has read it')
    .option('--output <name>', 'write NAME.json and NAME.html (JSON to standard output)')
    .addHelpText(
      'after',
      `
Examples:
  $ sojourn guest export --customer customer-0001 --output customer-0001
  $ sojourn guest export --booking 25-1-01 --center resort
`,
    )
    .action(({ output, ...guest }: Options) => {
      checkGuestOptions(guest)
      return withDatabase(
        context,
        async (database) => {
          const now = await databaseNow(database)
          const { customer, center } = await customerOf(database, guest).catch(told)
          const held = await exportSubject(database, customer, { center, now }).catch(told)
          if (output === undefined) return printJson(context, held)
          await writeFile(context, `${output}.json`, `${JSON.stringify(held, null, 2)}\n`)
          await writeFile(context, `${output}.html`, subjectPage(held))
          context.stderr.write(
            `Wrote ${output}.json and ${output}.html. They contain personal and medical data.\n`,
          )
        },
        { files: { write: output === undefined ? [] : [`${output}.json`, `${output}.html`] } },
      )
    })
}

async function writeFile({ files }: CommandContext, path: string, text: string): Promise<void> {
  const file = await files.create(path)
  try {
    await file.write(text)
    await file.keep()
  } catch (error) {
    await file.discard()
    throw error
  }
}

/** @throws {CommandError} in place of what the person's rights refuse */
export function told(error: unknown): never {
  throw error instanceof SubjectError ? new CommandError(error.message) : error
}

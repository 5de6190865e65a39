/** `sojourn guest export`. */
import { Command, InvalidArgumentError } from 'commander'
import {
  type CommandContext,
  CommandError,
  printJson,
  withDatabase,
} from '../../../core/command-line/context.ts'
import { databaseNow } from '../../../core/database/clock.ts'
import type { Database } from '../../../core/database/database.ts'
import { LANGUAGES, type Language, parseLanguage } from '../../../core/locale/languages.ts'
import { readCenter } from '../../../core/records/centers/center.ts'
import { exportSubject, type SubjectExport } from '../export-subject.ts'
import { findSubject, othersOf, SubjectError } from '../subject.ts'
import { subjectPage } from '../subject-page.ts'
import { checkGuestOptions, customerOf, type GuestOptions, withGuestOptions } from './guest-options.ts'

interface Options extends GuestOptions {
  readonly output?: string
  readonly language?: Language
}

export function guestExportCommand(context: CommandContext): Command {
  return withGuestOptions(new Command('export'))
    .description('write everything that is stored about a person, and who has read it')
    .option('--output <name>', 'write NAME.json and NAME.html (JSON to standard output)')
    .option('--language <tag>', "language of the field names in NAME.html (the center's own)", readLanguage)
    .addHelpText(
      'after',
      `
Examples:
  $ sojourn guest export --customer customer-0001 --output customer-0001
  $ sojourn guest export --booking 25-1-01 --center resort
`,
    )
    .action(({ output, language, ...guest }: Options) => {
      checkGuestOptions(guest)
      return withDatabase(context, async (database) => {
        const now = await databaseNow(database)
        const { customer, center } = await customerOf(database, guest).catch(explainRefusal)
        const held = await exportSubject(database, customer, { center, now }).catch(explainRefusal)
        if (output === undefined) return printJson(context, held)
        await writeFile(context, `${output}.json`, `${JSON.stringify(held, null, 2)}\n`)
        await writeFile(context, `${output}.html`, await pageOf(database, held, language))
        context.stderr.write(
          `Wrote ${output}.json and ${output}.html. They contain personal and medical data.\n`,
        )
      })
    })
}

async function pageOf(
  database: Database,
  held: SubjectExport,
  wanted: Language | undefined,
): Promise<string> {
  const subject = await findSubject(database, held.customerId, held.center)
  const center = await readCenter(database, subject.center)
  const form = {
    language: wanted ?? center?.language ?? 'en',
    zone: center?.timezone ?? 'UTC',
    currency: center?.currency ?? 'EUR',
    centerName: center?.name ?? held.center,
  }
  return subjectPage(held, form, await othersOf(database, subject))
}

function readLanguage(tag: string): Language {
  const language = parseLanguage(tag)
  if (language !== undefined) return language
  throw new InvalidArgumentError(`Expected one of ${LANGUAGES.join(', ')}.`)
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

/** @throws {CommandError} for a refusal by the functions of `parts/data-rights/` */
export function explainRefusal(error: unknown): never {
  throw error instanceof SubjectError ? new CommandError(error.message) : error
}

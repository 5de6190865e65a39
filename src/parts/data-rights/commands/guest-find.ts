/** `sojourn guest find`. */
import { Command, InvalidArgumentError } from 'commander'
import {
  type CommandContext,
  printJson,
  printLines,
  UsageError,
  withDatabase,
} from '../../../core/command-line/context.ts'
import { tableLines } from '../../../core/command-line/table.ts'
import { isLocalDate } from '../../../core/locale/dates.ts'
import { fullName } from '../../../core/locale/names.ts'
import { type FoundSubject, findSubjects } from '../find-subjects.ts'
import { explainRefusal } from './guest-export.ts'

interface Options {
  readonly center?: string
  readonly name?: string
  readonly dob?: string
  readonly email?: string
  readonly json?: boolean
}

export function guestFindCommand(context: CommandContext): Command {
  return new Command('find')
    .description('find the identifier of a customer by name, date of birth or e-mail address')
    .option('--name <name>', 'first and last name in any order; accents and typing errors make no difference')
    .option('--dob <day>', 'date of birth, YYYY-MM-DD', readDay)
    .option('--email <address>', 'e-mail address')
    .option('--center <id>', 'center of the customer; needed only if there are several centers')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
The audit trail says whose stays were shown (findGuest), and not who was looked for.

Examples:
  $ sojourn guest find --name "Popescu Ioana" --dob 1980-01-20
  $ sojourn guest find --email ioana@example.com --center resort
`,
    )
    .action(({ center, name, dob, email, json }: Options) => {
      if ([name, dob, email].every((value) => value === undefined || value.trim() === '')) {
        throw new UsageError('Give at least one of --name, --dob and --email.')
      }
      return withDatabase(context, async (database) => {
        const { found } = await findSubjects(database, { center, name, dob, email }).catch(explainRefusal)
        if (json) return printJson(context, found)
        if (found.length === 0) return printLines(context, ['Nobody like this.'])
        await printLines(
          context,
          tableLines([['customer', 'name', 'born', 'alike', 'stays'], ...rowsOf(found)]),
        )
      })
    })
}

/** A row for each stay, and one for a customer without stays. */
const rowsOf = (found: readonly FoundSubject[]): string[][] =>
  found.flatMap(({ customerId, firstName, lastName, dob, score, stays }) => {
    const person = [customerId, fullName(firstName, lastName), dob ?? '', `${Math.round(score * 100)} %`]
    const [first = 'none', ...others] = stays.map(
      ({ id, bookingId, arrival, departure, status }) =>
        `${arrival} to ${departure}, ${status}, booking ${bookingId === null || bookingId === id ? id : `${id} (${bookingId})`}`,
    )
    return [[...person, first], ...others.map((stay) => ['', '', '', '', stay])]
  })

function readDay(text: string): string {
  if (isLocalDate(text)) return text
  throw new InvalidArgumentError('Expected a day that exists, such as 1980-01-20.')
}

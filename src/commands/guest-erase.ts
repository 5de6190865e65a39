/** `sojourn guest erase`. */
import { Command, InvalidArgumentError } from 'commander'
import { databaseNow } from '../database/clock.ts'
import { readSpan } from '../keys/expiry.ts'
import { type Erasure, eraseSubject } from '../subjects/erase-subject.ts'
import { scrub } from '../subjects/scrub.ts'
import { type CommandContext, printJson, printLines, UsageError, withDatabase } from './context.ts'
import { told } from './guest-export.ts'
import { counted } from './words.ts'

interface Options {
  customer: string
  center?: string
  retention: number
  keepOrders?: boolean
  dryRun?: boolean
  yes?: boolean
  json?: boolean
}

/** Ten years: no law that we know of keeps invoices or medical records of adults for less than it says and longer than this. */
const RETENTION = '3653d'

export function guestEraseCommand(context: CommandContext): Command {
  return new Command('erase')
    .description('erase a person: their record and stays; orders keep their sums')
    .requiredOption('--customer <id>', 'identifier of the customer')
    .option('--center <id>', 'center of the customer; needed only if several centers have one with this id')
    .option(
      '--retention <span>',
      'refuse while orders with an address, or medical data, are younger (0 for no such law)',
      readRetention,
      readRetention(RETENTION),
    )
    .option('--keep-orders', 'leave orders as they are, with billing address and notes')
    .option('--dry-run', 'count what would be erased, and change nothing')
    .option('--yes', 'erase; without it, nothing is changed')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      `
Backups, exports and rejects files outside of the database are not touched. On PostgreSQL, the write-ahead log and its
archive keep what was deleted until they are removed.

Examples:
  $ sojourn guest erase --customer customer-0001 --dry-run
  $ sojourn guest erase --customer customer-0001 --keep-orders --retention 0 --yes
`,
    )
    .action((options: Options) => {
      if (options.yes !== true && options.dryRun !== true) {
        throw new UsageError('This cannot be undone. Look with --dry-run first, then give --yes.')
      }
      return withDatabase(
        context,
        async (database) => {
          const { customer, center, keepOrders, dryRun, retention } = options
          const now = await databaseNow(database)
          const wish = { customer, center, keepOrders, dryRun, retentionMs: retention }
          const erasure = await eraseSubject(database, wish, { random: context.random, now }).catch(told)
          const isScrubbed =
            erasure.dryRun ||
            (await scrub(database).then(
              () => true,
              () => false,
            ))
          if (options.json) return printJson(context, { ...erasure, scrubbed: !erasure.dryRun && isScrubbed })
          await printLines(context, [...erasureLines(erasure), ...(isScrubbed ? [] : [NOT_SCRUBBED])])
        },
        {
          outcomes: {
            nothing: 'Nothing was erased.',
            unknown:
              'The person may have been erased: run it again, and it says whether there is still such a customer.',
          },
        },
      )
    })
}

const NOT_SCRUBBED =
  'The deleted rows are still in the files of the database, because they could not be written anew now. They are overwritten in time; "vacuum full" does it at once.'

function erasureLines({
  center,
  customerId,
  dryRun,
  bookings,
  orders,
  kitchenSheets,
  mentions,
  digest,
}: Erasure): string[] {
  const rows = [
    `${counted(bookings, 'stay')} with all ${bookings === 1 ? 'its' : 'their'} data`,
    ...(orders.cleared === 0
      ? []
      : [`billing address and notes of ${counted(orders.cleared, 'order')}; sums and items stay`]),
    ...(kitchenSheets === 0 ? [] : [`the person’s line in ${counted(kitchenSheets, 'kitchen sheet')}`]),
  ]
  const kept = [
    ...(orders.kept === 0
      ? []
      : [`Kept: ${counted(orders.kept, 'order')} as they are, address and notes included.`]),
    ...(orders.shared === 0
      ? []
      : [`Kept: the billing address of ${counted(orders.shared, 'order')} that another guest shares.`]),
  ]
  const named = Object.entries(mentions).map(([table, count]) => `${table} (${count})`)
  return [
    `${dryRun ? 'Would erase' : 'Erased'} the customer ${customerId} of ${center}, with`,
    ...rows.map((row) => `  ${row}`),
    ...kept,
    ...(named.length === 0
      ? []
      : [
          `Other records ${dryRun ? 'would ' : ''}still name the person: ${named.join(', ')}. Only somebody who reads them can tell what to change.`,
        ]),
    ...(dryRun
      ? []
      : [`An import will refuse the customer from now on. In the trail: eraseGuest, customer=${digest}`]),
  ]
}

function readRetention(text: string): number {
  const span = readSpan(text)
  if (span === undefined) throw new InvalidArgumentError('Expected a span such as 3653d, or 0')
  return span
}

/** `sojourn guest erase`. */
import { Command, InvalidArgumentError, Option } from 'commander'
import { readSpan } from '../../../core/access/keys/expiry.ts'
import {
  type CommandContext,
  CommandError,
  printJson,
  printLines,
  UsageError,
  withDatabase,
} from '../../../core/command-line/context.ts'
import { counted } from '../../../core/command-line/words.ts'
import { databaseNow } from '../../../core/database/clock.ts'
import type { Database } from '../../../core/database/database.ts'
import { completeRewrites } from '../../../core/database/schema/rewrite-files.ts'
import { isoMoment } from '../../../core/locale/dates.ts'
import { type Erasure, eraseSubject } from '../erase-subject.ts'
import { type EarlierErasure, erasedEarlier } from '../erased-earlier.ts'
import { applyErasures, NoErasureLog, readErasureLog } from '../erasure-log.ts'
import { keepLog } from '../keep-log.ts'
import { explainRefusal } from './guest-export.ts'
import { checkGuestOptions, customerOf, type GuestOptions, withGuestOptions } from './guest-options.ts'

interface Options extends GuestOptions {
  retention: number
  keepOrders?: boolean
  dryRun?: boolean
  yes?: boolean
  json?: boolean
  again?: string
}

/** We know of no law that requires invoices or medical records of adults to be stored for longer. */
const RETENTION = '10 years'

export function guestEraseCommand(context: CommandContext): Command {
  return withGuestOptions(new Command('erase'))
    .description('erase a person with all stays; their orders keep sums and items')
    .addOption(
      new Option(
        '--retention <duration>',
        'refuse while orders with an address or notes, or medical data, are younger, such as 6y or 400d; 0 for no limit',
      )
        .argParser(readRetention)
        .default(readRetention(RETENTION), RETENTION),
    )
    .option('--keep-orders', 'leave orders unchanged, including billing address and notes')
    .option('--dry-run', 'count what would be erased, and change nothing')
    .option('--again <file>', 'erase everybody again whom a log of erasures names (erasures.ndjson)')
    .option('--yes', 'confirm; nothing is erased without it')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      `
Backups, exports and rejects files are not changed. Files that --watch has imported are deleted after WATCHED_FILES_DAYS, or
at once with "sojourn import --delete-imported FOLDER". On PostgreSQL, the write-ahead log and its archive contain the deleted
data until they are removed.

Examples:
  $ sojourn guest erase --customer customer-0001 --dry-run
  $ sojourn guest erase --customer customer-0001 --keep-orders --retention 0 --yes
  $ sojourn guest erase --again /backup/erasures.ndjson --yes
`,
    )
    .action((options: Options) => {
      if (options.yes !== true && options.dryRun !== true) {
        throw new UsageError('This cannot be undone. Check with --dry-run first, then run it with --yes.')
      }
      if (options.again !== undefined) return eraseAgain(context, options.again, options)
      checkGuestOptions(options)
      return withDatabase(
        context,
        async (database, { dataDir }) => {
          const { keepOrders, dryRun, retention } = options
          const earlier = await erasedEarlier(database, options)
          if (earlier !== undefined) return printEarlier(context, database, options, earlier)
          const { customer, center } = await customerOf(database, options).catch(explainRefusal)
          const now = await databaseNow(database)
          const input = { customer, center, keepOrders, dryRun, retentionMs: retention }
          const erasure = await eraseSubject(database, input, { random: context.random, now }).catch(
            explainRefusal,
          )
          const isScrubbed = erasure.dryRun || (await isRewritten(database))
          if (!erasure.dryRun) await keepLog(context, database, dataDir, { signal: context.interrupts() })
          if (options.json) return printJson(context, { ...erasure, scrubbed: !erasure.dryRun && isScrubbed })
          await printLines(context, [...erasureLines(erasure), ...(isScrubbed ? [] : [NOT_SCRUBBED])])
        },
        {
          outcomes: {
            nothing: 'Nothing was erased.',
            unknown: 'The person may have been erased: run the command again, which completes it.',
          },
        },
      )
    })
}

/** `--again`: after a backup was restored, or records were imported into another database. */
function eraseAgain(context: CommandContext, file: string, { yes, json, ...others }: Options): Promise<void> {
  if (others.customer !== undefined || others.booking !== undefined || others.dryRun || yes !== true)
    throw new UsageError('--again goes with --yes, and names everybody itself.')
  return withDatabase(
    context,
    async (database, { dataDir }) => {
      const bytes = await Array.fromAsync(await context.files.open(file))
      const logged = readLog(Buffer.concat(bytes).toString('utf8'), file)
      const { erased, learned } = await applyErasures(database, logged, context)
      await keepLog(context, database, dataDir, { signal: context.interrupts() })
      if (json) return printJson(context, { erased, learned })
      await printLines(context, [
        `Erased ${counted(erased, 'person', 'people')} again. ${counted(learned, 'erasure')} of ${logged.length} had not been known.`,
      ])
    },
    {
      outcomes: {
        nothing: 'Nothing was erased.',
        unknown: 'Some people may have been erased: run the command again, which completes it.',
      },
    },
  )
}

function readLog(text: string, file: string) {
  try {
    return readErasureLog(text)
  } catch (error) {
    if (error instanceof NoErasureLog)
      throw new CommandError(`${file}: ${error.message}. Nothing was erased.`)
    throw error
  }
}

const NOT_SCRUBBED =
  'The deleted rows are still in the files of the database, because the tables could not be rewritten now. Run the command again, or restart the service, to rewrite them; "sojourn status" says whether that is still to do.'

const isRewritten = (database: Database) =>
  completeRewrites(database).then(
    () => true,
    () => false,
  )

/** The command is repeated after it was interrupted, or was not sure of its end. */
async function printEarlier(
  context: CommandContext,
  database: Database,
  { json, dryRun }: Options,
  { center, erasedAt }: EarlierErasure,
): Promise<void> {
  const isScrubbed = !dryRun && (await isRewritten(database))
  const at = isoMoment(erasedAt)
  if (json) return printJson(context, { center, alreadyErased: at, scrubbed: isScrubbed })
  await printLines(context, [
    `This person was erased from ${center} already, at ${at}.`,
    ...(isScrubbed ? ['The files of the database are rewritten.'] : dryRun ? [] : [NOT_SCRUBBED]),
  ])
}

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
    ...(orders.addresses === 0 ? [] : [`the billing address of ${counted(orders.addresses, 'order')}`]),
    ...(orders.notes === 0 ? [] : [`the notes of ${counted(orders.notes, 'order')}`]),
    ...(orders.names === 0 ? [] : [`the person’s name in items of ${counted(orders.names, 'order')}`]),
    ...(kitchenSheets === 0 ? [] : [`the person’s entries in ${counted(kitchenSheets, 'kitchen sheet')}`]),
  ]
  const retained = [
    ...(orders.cleared === 0
      ? []
      : [`Retained: number, date, sums and items of ${counted(orders.cleared, 'order')}.`]),
    ...(orders.retained === 0
      ? []
      : [`Retained: ${counted(orders.retained, 'order')} unchanged, including address and notes.`]),
    ...(orders.shared === 0
      ? []
      : [`Retained: the billing address of ${counted(orders.shared, 'order')} shared with another guest.`]),
  ]
  const named = Object.entries(mentions).map(([table, count]) => `${table} (${count})`)
  return [
    `${dryRun ? 'Would erase' : 'Erased'} the customer ${customerId} of ${center}, with`,
    ...rows.map((row) => `  ${row}`),
    ...retained,
    ...(named.length === 0
      ? []
      : [
          `Other records ${dryRun ? 'would ' : ''}still name the person: ${named.join(', ')}. Read them to decide what to change.`,
        ]),
    ...(dryRun
      ? []
      : [`Imports leave this person out from now on. In the audit trail: eraseGuest, customer=${digest}`]),
  ]
}

function readRetention(text: string): number {
  const [, years] = /^(\d{1,3}) ?(?:y|years?)$/.exec(text.trim()) ?? []
  // Includes the leap days of these years.
  const span = readSpan(years === undefined ? text : `${Math.ceil(Number(years) * 365.25)}d`)
  if (span !== undefined) return span
  throw new InvalidArgumentError('Expected a duration such as 6y or 400d, or 0')
}

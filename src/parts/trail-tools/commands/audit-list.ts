/** `sojourn audit list`. */
import { Command, InvalidArgumentError } from 'commander'
import { parseAppId, parsePublicKey } from '../../../core/access/keys/token.ts'
import {
  listReads,
  type ReadsQuestion,
  TrailQuestionError,
  type TrailRead,
} from '../../../core/audit/list-reads.ts'
import { csvHeader, csvLine, tableRows } from '../../../core/audit/print-reads.ts'
import { ACTS } from '../../../core/audit/record-act.ts'
import { type ListingFacts, recordListing } from '../../../core/audit/record-listing.ts'
import {
  type CommandContext,
  CommandError,
  print,
  UsageError,
  withDatabase,
} from '../../../core/command-line/context.ts'
import { tableLines } from '../../../core/command-line/table.ts'
import { didYouMean } from '../../../core/errors/suggest.ts'
import { endOfLocalDay, startOfLocalDay } from '../../../core/locale/zones.ts'
import { actionId, actionPath } from '../../../core/request/action.ts'
import { readTime } from './audit-times.ts'

interface Options {
  readonly guest?: string
  readonly customer?: string
  readonly key?: string
  readonly endpoint?: string
  readonly since?: string
  readonly until?: string
  readonly center?: string
  readonly limit?: number
  readonly json?: boolean
  readonly csv?: boolean
}

export function auditListCommand(context: CommandContext): Command {
  return new Command('list')
    .description('list reads, newest first')
    .option('--guest <booking>', 'reads that returned this booking: its id or its booking number')
    .option('--customer <id>', 'reads that returned any booking of this customer')
    .option('--key <key>', 'reads with this key: an appId or a publicKey')
    .option(
      '--endpoint <path>',
      'reads of this endpoint, such as /guests or listGuests, or commands, such as createKey',
    )
    .option('--since <time>', 'from this time on: a day, a timestamp, or a duration ago (7d, 24h)')
    .option('--until <time>', 'up to this time: a day, a timestamp, or a duration ago')
    .option('--center <id>', 'only this center')
    .option('--limit <count>', 'at most this many reads', readCount)
    .option('--json', 'print JSON, with the identifiers of the records')
    .option('--csv', 'print CSV, with the identifiers of the records')
    .addHelpText(
      'after',
      `
Days are local days of the center. All matching reads are listed unless --limit is given.

Examples:
  $ sojourn audit list --customer c-1042 --csv > who-has-seen-my-data.csv
  $ sojourn audit list --key sjn_app_h2pMSS0L1KpjLDc4 --since 24h
  $ sojourn audit list --endpoint /orders --since 2026-01-01 --until 2026-01-31 --json
`,
    )
    .action(async (options: Options) => {
      const question = await readQuestion(context, options)
      await withDatabase(context, async (database) => {
        try {
          const isOwn = await recordListing(database, question, factsOf(options, question))
          await printReads(context, options, without(listReads(database, question), isOwn))
        } catch (error) {
          throw error instanceof TrailQuestionError ? new CommandError(error.message) : error
        }
      })
    })
}

async function* without(
  reads: AsyncIterable<TrailRead>,
  isOwn: (read: TrailRead) => boolean,
): AsyncGenerator<TrailRead> {
  for await (const read of reads) if (!isOwn(read)) yield read
}

/** A value that was typed in place of a key may be a secret, so only an identifier is recorded. */
function factsOf(
  { guest, customer, key, since, until }: Options,
  { operations }: ReadsQuestion,
): ListingFacts {
  const isKey = key !== undefined && (parseAppId(key) ?? parsePublicKey(key)) !== undefined
  return {
    ...(guest !== undefined && { of: 'guest' }),
    ...(customer !== undefined && { of: 'customer' }),
    ...(isKey && { key }),
    ...(operations !== undefined && { endpoint: operations.join(',') }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  }
}

async function readQuestion(context: CommandContext, options: Options): Promise<ReadsQuestion> {
  const { guest, customer } = options
  if (guest !== undefined && customer !== undefined) {
    throw new UsageError('Give either --guest or --customer.')
  }
  if (options.json && options.csv) throw new UsageError('Give either --json or --csv.')
  return {
    center: options.center,
    key: options.key,
    operations: options.endpoint === undefined ? undefined : [await readEndpoint(context, options.endpoint)],
    guest: guest !== undefined ? { booking: guest } : customer !== undefined ? { customer } : undefined,
    since: readTime('--since', options.since, context.now(), startOfLocalDay),
    until: readTime('--until', options.until, context.now(), endOfLocalDay),
  }
}

/** This many lines together decide how wide the columns of the table are. */
const TABLE_PIECE = 200

async function printReads(
  context: CommandContext,
  { json, csv, limit = Number.POSITIVE_INFINITY }: Options,
  reads: AsyncIterable<TrailRead>,
): Promise<void> {
  const write = (text: string) => print(context, text)
  let count = 0
  let piece: TrailRead[] = []
  const writePiece = async (isLast: boolean) => {
    const isFirst = count <= TABLE_PIECE
    if (json) {
      const items = piece.map((read) => `\n  ${JSON.stringify(read)}`).join(',')
      await write(
        `${isFirst ? '[' : piece.length > 0 ? ',' : ''}${items}${isLast ? (count > 0 ? '\n]\n' : ']\n') : ''}`,
      )
    } else if (csv) {
      await write(`${isFirst ? csvHeader : ''}${piece.map(csvLine).join('')}`)
    } else if (count === 0) {
      await write('No matching reads.\n')
    } else if (piece.length > 0) {
      await write(
        tableLines(tableRows(piece, { header: isFirst }))
          .join('\n')
          .concat('\n'),
      )
    }
    piece = []
  }
  for await (const read of reads) {
    if (count >= limit) break
    if (piece.length === TABLE_PIECE) await writePiece(false)
    piece.push(read)
    count += 1
  }
  await writePiece(true)
}

async function readEndpoint({ parts }: CommandContext, text: string): Promise<string> {
  if (ACTS.some((act) => act === text)) return text
  const endpoints = [
    ...(await parts.operations()),
    ...(await parts.actions()).map((action) => ({
      name: actionId(action),
      paths: [actionPath(action)] as const,
    })),
  ]
  const path = text
    .replace(/^(GET|POST) /, '')
    .replace(/^\/v1(?=\/)/, '')
    .replace(/:(\w+)/, '{$1}')
  const found = endpoints.find(({ name, paths }) => name === text || paths.some((one) => one === path))
  if (found !== undefined) return found.name
  const known = [...ACTS, ...endpoints.flatMap(({ name, paths }) => [paths[0], name])]
  const end = didYouMean(text, known) || `. Endpoints: ${endpoints.map(({ paths }) => paths[0]).join(', ')}.`
  throw new UsageError(`There is no such endpoint${end}`)
}

function readCount(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Expected a whole number of at least 1.')
}

/** `sojourn keys create`. */
import { Command, InvalidArgumentError } from 'commander'
import { createKey } from '../core/access/keys/create-key.ts'
import { type DietFields, readDietFields } from '../core/access/keys/diet-fields.ts'
import { readExpiry } from '../core/access/keys/expiry.ts'
import {
  INTAKE_SCOPE_HELP,
  INTAKE_SCOPES,
  PRESETS,
  SCOPE_HELP,
  WITH_DIETS,
} from '../core/access/keys/scopes.ts'
import { recordKeyAct } from '../core/audit/record-key-act.ts'
import { type CommandContext, showOnce, UsageError, withDatabase } from '../core/command-line/context.ts'
import { KEYS_CHANGE, keyLines, SECRETS_ONCE } from '../core/command-line/key-text.ts'
import { addToList, scopesOf } from '../core/command-line/scope-options.ts'
import { databaseNow } from '../core/database/clock.ts'
import { readCenterZone } from '../core/records/centers/find-center.ts'

interface Options {
  center: string
  name: string
  scopes?: string[]
  preset?: string
  meta?: string[]
  /** false for --no-diets */
  diets: boolean
  perHour?: number
  perMinute?: number
  allow?: string[]
  allowAssistants?: boolean
  intake?: boolean
  grants?: string[]
  responsible?: string
  review?: string
  expires?: string
  json?: boolean
}

export function keysCreateCommand(context: CommandContext): Command {
  return new Command('create')
    .description('create a key for a center, and print its secrets once')
    .requiredOption('--center <id>', 'center it may read')
    .requiredOption('--name <text>', 'who will use it')
    .option('--scopes <list>', 'what it may read, separated by commas', addToList)
    .option('--preset <name>', `a common set of scopes: ${Object.keys(PRESETS).join(', ')}`)
    .option(
      '--meta <list>',
      'custom fields it may read without guests.personal, separated by commas',
      addToList,
    )
    .option('--no-diets', 'with --preset kitchen or wall: leave out the diets, which it otherwise may read')
    .option('--per-hour <n>', 'requests per hour, 0 for no limit (1000)', readWholeNumber)
    .option('--per-minute <n>', 'requests per minute, 0 for no limit (100)', readWholeNumber)
    .option(
      '--allow <cidr>',
      'address or range from which it may be used; repeatable (any address)',
      addToList,
    )
    .option('--allow-assistants', 'let AI assistants read personal and medical data with it')
    .option('--intake', 'let it send records to INTAKE_PORT, and read nothing')
    .option(
      '--grants <list>',
      'with the scope administration: scopes that it may grant, separated by commas; none for none (all but guests.medical)',
      addToList,
    )
    .option('--responsible <text>', 'person who answers for it')
    .option('--review <day>', 'day by which somebody checks whether it is still required, such as 2026-12-31')
    .option(
      '--expires <end>',
      'when it expires: a duration (90d, 12h), a day or a timestamp (never, unless KEY_DAYS_MAX says otherwise)',
    )
    .option('--json', 'print the key as JSON')
    .addHelpText(
      'after',
      `
Scopes:
${Object.entries({ ...SCOPE_HELP, ...INTAKE_SCOPE_HELP })
  .map(([scope, help]) => `  ${scope.padEnd(17)} ${help}`)
  .join('\n')}

Presets:
${Object.entries(PRESETS)
  .map(([name, scopes]) => `  ${name.padEnd(17)} ${scopes.join(', ')}`)
  .join('\n')}

Examples:
  $ sojourn keys create --center resort --name "Lab" --scopes guests,guests.medical --expires 365d
  $ sojourn keys create --center resort --name "Kitchen" --preset kitchen --allow 10.0.0.0/8 --json
  $ sojourn keys create --center resort --name "Booking system" --intake
  $ sojourn keys create --center resort --name "Import page" --intake --scopes import
  $ sojourn keys create --center resort --name "Kitchen wall" --preset kitchen --expires 365d
  $ sojourn keys create --center resort --name "Anna" --scopes administration,sources --responsible "Anna, IT" --expires 365d
`,
    )
    .action((options: Options) => {
      const scopes = options.intake ? intakeScopes(options) : scopesOf(options)
      refuseDietsElsewhere(options)
      return withDatabase(
        context,
        async (database, { keyDaysMax }) => {
          const now = await databaseNow(database)
          const expiresAt =
            options.expires === undefined
              ? undefined
              : readExpiry(options.expires, { now, zone: await readCenterZone(database, options.center) })
          const diets = WITH_DIETS.includes(options.preset)
            ? await readDietFields(database, options.center)
            : NO_DIETS
          const granted = options.diets ? diets.fields : []
          await createKey(
            database,
            {
              centerId: options.center,
              name: options.name,
              scopes,
              customFields: [...(options.meta ?? []), ...granted],
              perHour: options.perHour,
              perMinute: options.perMinute,
              allowedAddresses: options.allow,
              allowAssistants: options.allowAssistants,
              intake: options.intake,
              grants: options.grants?.join() === 'none' ? [] : options.grants,
              responsible: options.responsible,
              reviewOn: options.review,
              expiresAt,
            },
            {
              random: context.random,
              now,
              daysMax: keyDaysMax,
              note: recordKeyAct,
              show: (key) =>
                showOnce(context, options, key, [
                  ...keyLines(key),
                  '',
                  ...(WITH_DIETS.includes(options.preset) ? [...dietLines(diets, key.customFields), ''] : []),
                  SECRETS_ONCE,
                ]),
            },
          )
        },
        KEYS_CHANGE,
      )
    })
}

const NO_DIETS: DietFields = { fields: [], undefinedFields: [] }

/** @throws {UsageError} */
function refuseDietsElsewhere({ preset, diets }: Options): void {
  if (diets || WITH_DIETS.includes(preset)) return
  throw new UsageError(
    '--no-diets is only for --preset kitchen and wall: other keys read the custom fields of --meta.',
  )
}

/** Says which diets the key may read, and what the kitchen's pages show without the others. */
function dietLines({ fields, undefinedFields }: DietFields, readable: readonly string[]): string[] {
  const named = (keys: readonly string[]) => keys.map((key) => `meta.${key}`).join(', ')
  const read = fields.filter((field) => readable.includes(field))
  const withheld = fields.filter((field) => !readable.includes(field))
  return [
    ...(read.length === 0 ? [] : [`Diets that this key may read: ${named(read)}.`]),
    ...(withheld.length === 0
      ? []
      : [
          `Diets that this key may not read: ${named(withheld)}. The kitchen's pages, the wall display and printouts say so at the top, show no portions for these diets, and do not say who has none.`,
        ]),
    ...(undefinedFields.length === 0
      ? []
      : [
          `The center's mealRules name diets that are no custom fields of text or yes and no: ${undefinedFields.join(', ')}. No page shows them.`,
        ]),
    ...(fields.length + undefinedFields.length === 0
      ? [
          "The center's mealRules name no dietFields, so the kitchen's pages show no diets. Create the key again once they do.",
        ]
      : []),
  ]
}

/** The scopes of a key for intake. @throws {UsageError} */
function intakeScopes({ scopes, preset, meta, allowAssistants }: Options): readonly string[] {
  const isOwn = (scopes ?? []).every((scope) => INTAKE_SCOPES.some((one) => one === scope))
  if (isOwn && preset === undefined && meta === undefined && !allowAssistants) return scopes ?? []
  throw new UsageError(
    '--intake creates a key that cannot read: remove --preset, --meta, --allow-assistants, and all --scopes but import.',
  )
}

function readWholeNumber(text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new InvalidArgumentError('Expected a whole number, 0 for no limit')
  return Number(text)
}

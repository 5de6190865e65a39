/** `sojourn keys device`: one-time links that hand a key to a device. */
import { Command } from 'commander'
import { createKey } from '../../../core/access/keys/create-key.ts'
import {
  createDeviceLink,
  DEVICE_LINK_MS,
  type DeviceLink,
  listDeviceLinks,
  revokeDeviceLink,
} from '../../../core/access/keys/device-links.ts'
import { readDietFields } from '../../../core/access/keys/diet-fields.ts'
import { readExpiry, readSpan } from '../../../core/access/keys/expiry.ts'
import { findKeys } from '../../../core/access/keys/find-keys.ts'
import { toKey } from '../../../core/access/keys/key.ts'
import { PRESETS, WITH_DIETS } from '../../../core/access/keys/scopes.ts'
import { recordAct } from '../../../core/audit/record-act.ts'
import { recordKeyAct } from '../../../core/audit/record-key-act.ts'
import {
  type CommandContext,
  printJson,
  printLines,
  showOnce,
  UsageError,
  withDatabase,
} from '../../../core/command-line/context.ts'
import { KEYS_CHANGE } from '../../../core/command-line/key-text.ts'
import { addressAt } from '../../../core/command-line/ports.ts'
import { addToList, scopesOf } from '../../../core/command-line/scope-options.ts'
import { tableLines } from '../../../core/command-line/table.ts'
import type { Config } from '../../../core/config/config.ts'
import { databaseNow } from '../../../core/database/clock.ts'
import type { Transacting } from '../../../core/database/database.ts'
import { readCenterZone } from '../../../core/records/centers/find-center.ts'
import { DEVICE_PAGE } from '../device-page.ts'
import { qrLines } from './qr-text.ts'

interface Options {
  center?: string
  name?: string
  scopes?: string[]
  preset?: string
  expires?: string
  valid?: string
  json?: boolean
}

export function keysDeviceCommand(context: CommandContext): Command {
  return new Command('device')
    .description('hand a key to a device by a link that works once, and print the link and its QR code')
    .argument(
      '[key]',
      'publicKey of a key that exists; the device that had it before is signed out when the link is used',
    )
    .option('--center <id>', 'of a new key: the center that it may read')
    .option('--name <text>', 'of a new key: which device it is')
    .option('--scopes <list>', 'of a new key: what it may read, separated by commas', addToList)
    .option('--preset <name>', `of a new key: a common set of scopes: ${Object.keys(PRESETS).join(', ')}`)
    .option(
      '--expires <end>',
      'of a new key: when it expires: a duration (90d, 12h), a day or a timestamp (never)',
    )
    .option('--valid <duration>', 'for how long the link can be used, at most 7d (15m)')
    .option('--json', 'print the link as JSON')
    .addHelpText(
      'after',
      `
The link opens the console and says what the device will see. Its button signs the device in, once. The device stays
signed in until somebody signs it out there, or revokes the key.

Examples:
  $ sojourn keys device --center resort --name "Kitchen tablet 2" --preset kitchen
  $ sojourn keys device --center resort --name "Desk" --preset desk --valid 2h
  $ sojourn keys device sjn_pk_Qx3bT0cJ7nWvK2mLrYfD8s4HgZa1
`,
    )
    .action((id: string | undefined, options: Options) => {
      const validMs = options.valid === undefined ? DEVICE_LINK_MS : (readSpan(options.valid) ?? Number.NaN)
      const made = id === undefined ? newKeyOf(options) : undefined
      if (
        id !== undefined &&
        (options.center ?? options.name ?? options.scopes ?? options.preset ?? options.expires)
      ) {
        throw new UsageError(
          'Give either a key that exists, or --center, --name and what a new key may read.',
        )
      }
      return withDatabase(
        context,
        async (database, config) => {
          const now = await databaseNow(database)
          const key =
            made === undefined
              ? toKey((await findKeys(database, id ?? ''))[0], now)
              : await createKey(
                  database,
                  {
                    ...made,
                    customFields: WITH_DIETS.includes(options.preset)
                      ? (await readDietFields(database, made.centerId)).fields
                      : [],
                    expiresAt:
                      options.expires === undefined
                        ? undefined
                        : readExpiry(options.expires, {
                            now,
                            zone: await readCenterZone(database, made.centerId),
                          }),
                  },
                  { random: context.random, now, daysMax: config.keyDaysMax, note: recordKeyAct },
                )
          await database.transaction(async (tx) => {
            const { link, token } = await createDeviceLink(tx, key, { random: context.random, now, validMs })
            await recordAct(tx, {
              center: link.centerId,
              name: 'createDeviceLink',
              facts: { link: link.id, publicKey: link.publicKey, appId: link.appId, expires: link.expiresAt },
              scopes: key.scopes,
            })
            const url = deviceUrl(config, token)
            await showOnce(context, options, { ...link, url }, [
              ...qrLines(url, context.stdout.isTTY === true),
              '',
              ...linkLines(link, url),
              '',
              URL_ONCE,
            ])
          })
        },
        KEYS_CHANGE,
      )
    })
}

export function keysDevicesCommand(context: CommandContext): Command {
  return new Command('devices')
    .description(
      'list the links that hand keys to devices, and which of them were used; never the links themselves',
    )
    .option('--center <id>', 'only this center')
    .option('--revoke <id>', 'end a link that nobody has used; its key stays as it is')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ sojourn keys devices --center resort\n  $ sojourn keys devices --revoke sjn_dev_4kT0cWb8XrEu2nLs\n',
    )
    .action(({ revoke, ...options }: { center?: string; revoke?: string; json?: boolean }) =>
      withDatabase(context, async (database) => {
        if (revoke !== undefined) return endLink(context, database, revoke, options)
        if (options.center !== undefined) await readCenterZone(database, options.center)
        const links = await listDeviceLinks(database, { centerId: options.center })
        if (options.json) return printJson(context, links)
        if (links.length > 0) return printLines(context, linkTable(links))
        await printLines(context, ['There are no links; create one with "sojourn keys device".'])
      }),
    )
}

/** Works on a full disk too. */
async function endLink(
  context: CommandContext,
  database: Transacting,
  id: string,
  { center, json }: { readonly center?: string; readonly json?: boolean },
): Promise<void> {
  const now = await databaseNow(database)
  const link = await database.transaction(
    async (tx) => {
      const ended = await revokeDeviceLink(tx, id, { now, centerId: center })
      if (ended === undefined) return undefined
      const { centerId, publicKey, appId } = ended
      const facts = { link: id, publicKey, appId }
      await recordAct(tx, { center: centerId, name: 'revokeDeviceLink', facts, scopes: [] })
      return ended
    },
    { space: 'reserve' },
  )
  if (json) return printJson(context, { revoked: link === undefined ? [] : [id] })
  await printLines(context, [
    link === undefined
      ? `Nothing to do: there is no link ${JSON.stringify(id.slice(0, 60))} that can be used.`
      : `Revoked the link ${id}. Its key stays as it is.`,
  ])
}

const URL_ONCE =
  'The link is shown only once, and works once. The first person to open it can sign in: send it as you would hand over the key itself.'

/** @throws {UsageError} */
function newKeyOf({ center, name, scopes, preset }: Options) {
  if (center === undefined || name === undefined) {
    throw new UsageError('Give a key that exists, or --center and --name for a new one.')
  }
  return {
    centerId: center,
    name,
    scopes: scopesOf({ ...(scopes && { scopes }), ...(preset === undefined ? {} : { preset }) }),
  }
}

/** The link at PUBLIC_URL, or at the address on which the service listens. */
const deviceUrl = ({ publicUrl, host, port }: Config, token: string): string =>
  `${publicUrl ?? addressAt(host, port)}${DEVICE_PAGE}${token}`

function linkLines(link: DeviceLink, url: string): string[] {
  const rows = [
    ['url', url],
    ['id', link.id],
    ['name', link.name],
    ['center', link.centerId],
    ['publicKey', link.publicKey],
    ['appId', link.appId],
    ['valid until', minute(link.expiresAt)],
  ]
  return rows.map(([label = '', value]) => `${label.padEnd(11)} ${value}`)
}

const linkTable = (links: readonly DeviceLink[]): string[] =>
  tableLines([
    ['id', 'name', 'center', 'appId', 'publicKey', 'status', 'created', 'valid until', 'used'],
    ...links.map((link) => [
      link.id,
      link.name,
      link.centerId,
      link.appId,
      link.publicKey,
      link.status,
      minute(link.createdAt),
      minute(link.expiresAt),
      link.usedAt === null ? 'never' : minute(link.usedAt),
    ]),
  ])

/** `2026-03-01 10:00 UTC` */
const minute = (iso: string) => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`

/** Adds, changes and removes webhooks for the operator. All input is checked here, whichever command it comes from. */
import type { Sql } from 'sql-template-tag'
import { checkName, checkScopes, type ShowSecret } from '../../core/access/keys/create-key.ts'
import type { Scope } from '../../core/access/keys/scopes.ts'
import { createId, type RandomBytes } from '../../core/access/keys/token.ts'
import { type ActName, recordAct } from '../../core/audit/record-act.ts'
import { readCursor } from '../../core/changes/cursor.ts'
import { selectFeedEnd } from '../../core/changes/feed-sql.ts'
import { feedEnd, readChanges } from '../../core/changes/read-feed.ts'
import type { Database, Transacting } from '../../core/database/database.ts'
import { didYouMean } from '../../core/errors/suggest.ts'
import { centerId } from '../../core/records/centers/center.ts'
import { readCenterZone } from '../../core/records/centers/find-center.ts'
import { FEED_KINDS, type FeedKind } from '../changes/change-schema.ts'
import { bodyOf } from './message.ts'
import { deriveSecret, secretCheck, secretsOf, secretText, signedHeaders } from './secrets.ts'
import type { Attempt, Send } from './send.ts'
import { type AllowsAddress, readTarget } from './target.ts'
import {
  type DeliveryRow,
  kindsOf,
  kindsReported,
  toWebhook,
  type Webhook,
  WebhookError,
  type WebhookState,
} from './webhook.ts'
import {
  deleteWebhook,
  insertWebhook,
  selectDeliveries,
  selectWebhook,
  selectWebhooks,
  setCursor,
  setSecret,
  setState,
  type WebhookRow,
} from './webhooks-sql.ts'

export interface NewWebhook {
  readonly centerId: string
  /** the receiver's name, as staff entered it */
  readonly name: string
  readonly url: string
  readonly scopes: readonly string[]
  /** kinds to send, among those that the scopes include; all of them by default */
  readonly kinds?: readonly string[] | undefined
}

export interface SecretMaking {
  readonly random: RandomBytes
  /** the value of `WEBHOOKS_KEY` */
  readonly key: string | undefined
  readonly show?: ShowSecret<WebhookWithSecret>
}

export interface WebhookMaking extends SecretMaking {
  readonly allows: AllowsAddress
  readonly hasAllowed: boolean
}

export interface WebhookWithSecret extends Webhook {
  /** for the receiver, which checks signatures with it; it is not shown again */
  readonly secret: string
}

const WEBHOOKS_MAX = 10
const SALT_BYTES = 16

/**
 * Adds a webhook, which is sent all changes from now on.
 * @throws {WebhookError | KeyError} with what is wrong with the input
 */
export async function addWebhook(
  database: Transacting,
  input: NewWebhook,
  { random, key, allows, hasAllowed, show }: WebhookMaking,
): Promise<WebhookWithSecret> {
  if (key === undefined) throw new WebhookError(NO_KEY)
  checkName(input.name, 'webhook')
  const scopes = checkFeedScopes(input.scopes)
  const kinds = checkKinds(input.kinds, scopes)
  const url = readTarget(input.url, allows, hasAllowed)
  await readCenterZone(database, input.centerId)
  const salt = random(SALT_BYTES)
  const secret = deriveSecret(key, salt)
  const newest = await newestPlace(database, input.centerId)
  const added = {
    center_id: input.centerId,
    id: createId('sjn_hook_', random),
    name: input.name.trim(),
    url,
    scopes,
    kinds,
    salt,
    secret_check: secretCheck(secret),
    ...newest,
  }
  const withSecret = (row: WebhookRow) => ({ ...toWebhook(row), secret: secretText(secret) })
  const [row] = await write(database, 'addWebhook', insertWebhook(added, WEBHOOKS_MAX), (written) =>
    show?.(withSecret(written)),
  )
  if (row === undefined) {
    throw new WebhookError(
      `A center may have at most ${WEBHOOKS_MAX} webhooks; remove one that is no longer needed.`,
    )
  }
  return withSecret(row)
}

const NO_KEY =
  'Webhooks are signed, which needs the setting WEBHOOKS_KEY: 32 random bytes in base64, such as "openssl rand -base64 32" prints. Set it for the service and for this command, and keep it: with another one every webhook needs a new secret.'

/** Scopes for data that can change. Each kind needs the scope of the same name. */
function checkFeedScopes(given: readonly string[]): Scope[] {
  const scopes = checkScopes(given)
  if (kindsOf(scopes).length > 0 || scopes.includes('sources')) return scopes
  throw new WebhookError(`A webhook needs at least one scope of ${FEED_KINDS.join(', ')}, sources.`)
}

function checkKinds(given: readonly string[] | undefined, scopes: readonly Scope[]): FeedKind[] | null {
  if (given === undefined) return null
  for (const name of given) {
    const kind = FEED_KINDS.find((known) => known === name)
    if (kind === undefined) {
      throw new WebhookError(
        `There is no kind ${JSON.stringify(name.slice(0, 60))}; the kinds are ${FEED_KINDS.join(', ')}${didYouMean(name, FEED_KINDS) || '.'}`,
      )
    }
    if (!scopes.includes(kind)) throw new WebhookError(`The kind ${kind} needs the scope ${kind}.`)
  }
  const kinds = FEED_KINDS.filter((kind) => given.includes(kind))
  if (kinds.length === 0) throw new WebhookError(`Name at least one kind of ${FEED_KINDS.join(', ')}.`)
  return kinds
}

async function newestPlace(
  database: Transacting,
  center: string,
): Promise<{ cursor: string; revision: number }> {
  const rows = await database.query(selectFeedEnd(centerId(center)))
  const newest = feedEnd(
    centerId(center),
    rows.map((row) => Object.values(row)),
  )
  if (newest.outcome !== 'read') throw new Error('a center’s newest cursor could not be read')
  return { cursor: newest.cursor, revision: newest.revision }
}

/** The webhooks of a center, or of all centers. */
export async function listWebhooks(database: Transacting, center: string | undefined): Promise<Webhook[]> {
  return (await database.query<WebhookRow>(selectWebhooks(center))).map(toWebhook)
}

export interface WebhookWithLog extends Webhook {
  /** the last attempts, newest first */
  readonly deliveries: readonly DeliveryRow[]
}

const DELIVERIES_SHOWN = 20

/** A webhook with its last deliveries. @throws {WebhookError} if there is none */
export async function showWebhook(database: Transacting, id: string): Promise<WebhookWithLog> {
  const row = await find(database, id)
  const deliveries = await database.query<DeliveryRow>(selectDeliveries(row.center_id, id, DELIVERIES_SHOWN))
  return { ...toWebhook(row), deliveries }
}

/**
 * Pauses sending, or resumes it where it stopped. A message being sent at the moment is sent again. @throws
 * {WebhookError} if there is no such webhook
 */
export async function changeState(
  database: Transacting,
  id: string,
  state: Extract<WebhookState, 'active' | 'paused'>,
): Promise<Webhook> {
  const { center_id } = await find(database, id)
  const act = state === 'active' ? 'resumeWebhook' : 'pauseWebhook'
  return changed(await write(database, act, setState(center_id, id, state)), id)
}

/** Removes a webhook. @throws {WebhookError} if there is none */
export async function removeWebhook(database: Transacting, id: string, center?: string): Promise<void> {
  const { center_id } = await find(database, id, center)
  await write(database, 'removeWebhook', deleteWebhook(center_id, id))
}

/**
 * Gives a webhook a new secret. During the overlap, its messages have a signature for each of the two secrets, so that
 * the receiver can change over at any time.
 * @param overlapMs 0 ends the old secret at once
 * @throws {WebhookError}
 */
export async function rotateWebhook(
  database: Transacting,
  id: string,
  { random, key, overlapMs, show }: SecretMaking & { readonly overlapMs: number },
): Promise<WebhookWithSecret> {
  if (key === undefined) throw new WebhookError(NO_KEY)
  const { center_id } = await find(database, id)
  const salt = random(SALT_BYTES)
  const secret = deriveSecret(key, salt)
  const other = { salt, check: secretCheck(secret), overlapSeconds: overlapMs / 1000 }
  const withSecret = (webhook: Webhook) => ({ ...webhook, secret: secretText(secret) })
  const rows = await write(database, 'rotateWebhook', setSecret(center_id, id, other), (row) =>
    show?.(withSecret(toWebhook(row))),
  )
  return withSecret(changed(rows, id))
}

/**
 * Continues from an earlier (or a later) cursor.
 * @throws {WebhookError} if changes cannot be sent from there
 */
export async function replayWebhook(
  database: Transacting & Pick<Database, 'queryArrays'>,
  id: string,
  cursor: string,
): Promise<Webhook> {
  const { center_id } = await find(database, id)
  const center = centerId(center_id)
  const feed = await readChanges(database, center, cursor, 1)
  if (feed.outcome === 'forged') {
    throw new WebhookError(
      'This is not a cursor of this center. Take the cursor of a message or of GET /changes.',
    )
  }
  if (feed.outcome === 'gone') {
    throw new WebhookError(
      'The changes after this cursor are no longer available, so they cannot be sent again.',
    )
  }
  const revision = readCursor(center, cursor)?.revision ?? 0
  return changed(await write(database, 'replayWebhook', setCursor(center_id, id, cursor, revision)), id)
}

interface TestOptions {
  readonly key: string | undefined
  readonly send: Send
  readonly now: number
  readonly random: RandomBytes
  /** only a webhook of this center */
  readonly center?: string
}

/**
 * Sends a message of the type `test` at once, whatever the webhook's state. @returns the receiver's reply
 * @throws {WebhookError}
 */
export const testWebhook = async (
  database: Transacting,
  id: string,
  options: TestOptions,
): Promise<Attempt> => (await prepareTest(database, id, options))()

/** The same in two steps: what is returned sends, and does not use the database. @throws {WebhookError} */
export async function prepareTest(
  database: Transacting,
  id: string,
  { key, send, now, random, center }: TestOptions,
): Promise<() => Promise<Attempt>> {
  const webhook = await find(database, id, center)
  if (key === undefined) throw new WebhookError(NO_KEY)
  const secrets = secretsOf(key, webhook, now)
  if (secrets === undefined) {
    throw new WebhookError(
      'This webhook’s secret was derived from another WEBHOOKS_KEY. Set that key again, or give the webhook a new secret with "sojourn webhooks rotate".',
    )
  }
  const body = bodyOf('test', now, {})
  const headers = signedHeaders(secrets, createId('msg_', random), now, body)
  return () => send({ url: webhook.url, headers, body })
}

/**
 * Runs a statement and records the action in the audit trail, both or neither. Cached answers stay current.
 * @param show is awaited for each row before it is stored
 */
function write(
  database: Transacting,
  name: ActName,
  statement: Sql,
  show?: (row: WebhookRow) => Promise<void> | undefined,
): Promise<WebhookRow[]> {
  return database.transaction(async (tx) => {
    const rows = await tx.query<WebhookRow>(statement)
    for (const row of rows) {
      // Without the path, which may contain a secret of the receiver.
      const facts = {
        webhook: row.id,
        name: row.name,
        receiver: new URL(row.url).origin,
        kinds: kindsReported(row).join(','),
      }
      await recordAct(tx, { center: row.center_id, name, facts, scopes: row.scopes })
      await show?.(row)
    }
    return rows
  })
}

async function find(database: Transacting, id: string, center?: string): Promise<WebhookRow> {
  const [row] = await database.query<WebhookRow>(selectWebhook(id, center))
  return row ?? missing(id)
}

const changed = ([row]: readonly WebhookRow[], id: string): Webhook => toWebhook(row ?? missing(id))

function missing(id: string): never {
  throw new WebhookError(
    `There is no webhook ${JSON.stringify(id.slice(0, 60))}; "sojourn webhooks list" lists all webhooks.`,
  )
}

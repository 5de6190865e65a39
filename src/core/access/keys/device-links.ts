/**
 * A one-time link hands a key to a device. The key exists from the beginning, so it is listed and can be revoked; it has
 * no secret that anybody knows. The secret is made when the link is used, and shown to the device alone. Opening a link
 * changes nothing: mail scanners open links.
 */
import { hash, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Queryable } from '../../database/database.ts'
import type { KeyMaking } from './create-key.ts'
import {
  type DeviceLinkRow,
  deviceLinkNamed,
  deviceLinksOfCenter,
  endDeviceLink,
  endDeviceLinks,
  insertDeviceLink,
  lockDeviceLink,
  markDeviceLinkUsed,
  pruneDeviceLinks,
  setSecret,
} from './device-links-sql.ts'
import { iso, KeyError } from './key.ts'
import type { Scope } from './scopes.ts'
import {
  createDeviceLinkToken,
  createSecret,
  hashSecret,
  parseDeviceLinkToken,
  type RandomBytes,
} from './token.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** Enough time to reach a tablet in another building. */
export const DEVICE_LINK_MS = 15 * MINUTE_MS
/** For a link that is sent to another place. */
export const DEVICE_LINK_MS_MAX = 7 * DAY_MS
/** How long links that have ended are listed. */
const LISTED_MS = 30 * DAY_MS
/** How long an answer that was lost can be asked for again. */
const AGAIN_MS = 10 * MINUTE_MS

export interface DeviceLink {
  readonly id: string
  readonly centerId: string
  readonly appId: string
  readonly publicKey: string
  /** of the key, which says what device it is */
  readonly name: string
  /** `ended`: its key was revoked or has expired */
  readonly status: 'waiting' | 'used' | 'expired' | 'ended'
  readonly createdAt: string
  readonly expiresAt: string
  readonly usedAt: string | null
}

/** What a device will see, before it is signed in. */
export interface DescribedLink extends DeviceLink {
  readonly center: string
  readonly language: string | null
  readonly timezone: string
  readonly scopes: readonly Scope[]
  readonly customFields: readonly string[]
  readonly allowedAddresses: readonly string[]
  readonly keyExpiresAt: string | null
  readonly apiAccess: boolean
  /** whether the center is moving to another database */
  readonly moving: boolean
}

export interface DeviceLinkMaking extends Pick<KeyMaking, 'random' | 'now'> {
  /** for how long it can be used, in milliseconds; a quarter of an hour by default */
  readonly validMs?: number | undefined
}

/**
 * Makes a link for a key. Earlier ones that were not used end. If the key was handed to another device before, that one
 * stays signed in until this link is used.
 * @param tx a transaction @returns the link, and its token, which cannot be read again later
 * @throws {KeyError} if the key is not of this center, has ended, or cannot read
 */
export async function createDeviceLink(
  tx: Queryable,
  key: { readonly centerId: string; readonly publicKey: string; readonly intake: boolean },
  { random, now, validMs = DEVICE_LINK_MS }: DeviceLinkMaking,
): Promise<{ readonly link: DeviceLink; readonly token: string }> {
  if (key.intake) throw new KeyError('A key for intake reads nothing, so no device can use it.')
  if (!(validMs > 0 && validMs <= DEVICE_LINK_MS_MAX)) {
    throw new KeyError(
      'A link for a device may be valid for at most 7 days; give a duration such as 15m or 2h.',
    )
  }
  const { centerId, publicKey } = key
  await tx.query(pruneDeviceLinks(centerId, iso(now - LISTED_MS)))
  await tx.query(endDeviceLinks(centerId, publicKey, iso(now)))
  const { id, token, secretHash } = createDeviceLinkToken(random)
  await tx.query(
    insertDeviceLink({
      center_id: centerId,
      id,
      public_key: publicKey,
      secret_hash: secretHash,
      created_at: iso(now),
      expires_at: iso(now + validMs),
    }),
  )
  const [row] = await tx.query<DeviceLinkRow>(deviceLinkNamed(id))
  if (row === undefined) throw new KeyError(`The center ${centerId} has no key ${publicKey}.`)
  if (row.key_ended) throw new KeyError(`The key ${publicKey} was revoked or has expired.`)
  return { link: toDeviceLink(row), token }
}

/**
 * Ends a link that was not used yet. The key stays as it is, and a device that has it stays signed in.
 * @returns undefined if there is no such link, or it cannot be used anyway
 */
export async function revokeDeviceLink(
  tx: Queryable,
  id: string,
  { now, centerId }: { readonly now: number; readonly centerId?: string | undefined },
): Promise<DeviceLink | undefined> {
  const [before] = await tx.query<DeviceLinkRow>(lockDeviceLink(id))
  if (before === undefined || (centerId !== undefined && before.center_id !== centerId)) return undefined
  const link = toDeviceLink(before)
  if (link.status !== 'waiting') return undefined
  await tx.query(endDeviceLink(before.center_id, id, iso(now)))
  return { ...link, status: 'expired', expiresAt: iso(now) }
}

/** The links of a center, or of all, newest first; never their tokens. */
export async function listDeviceLinks(
  database: Queryable,
  { centerId }: { readonly centerId: string | undefined },
): Promise<DeviceLink[]> {
  const rows = await database.query<DeviceLinkRow>(deviceLinksOfCenter(centerId))
  return rows.map(toDeviceLink)
}

/** Compared with the secret of an unknown link, so that a comparison always takes place. No secret has this hash. */
const NO_SECRET = Buffer.alloc(32)

/**
 * Reads what the holder of a token may know. Changes nothing.
 * @returns undefined for a token that was altered or guessed, in the same way as for one that never was
 */
export async function lookAtDeviceLink(
  database: Queryable,
  token: string,
): Promise<DescribedLink | undefined> {
  const row = await readDeviceLink(database, token, deviceLinkNamed)
  return row && describe(row)
}

export interface UsedDeviceLink {
  readonly link: DescribedLink
  /** undefined if it cannot be used; `link` says why */
  readonly apiKey: string | undefined
}

/**
 * Uses a link: its key gets a new secret. It can be used once. If the answer was lost, the same request gets the same secret for
 * ten minutes, unless the key was used or has another secret by now.
 * @param tx a transaction @param usedWith the Idempotency-Key of the request
 * @returns undefined for a token that was altered or guessed
 */
export async function useDeviceLink(
  tx: Queryable,
  token: string,
  usedWith: string,
): Promise<UsedDeviceLink | undefined> {
  const row = await readDeviceLink(tx, token, lockDeviceLink)
  if (row === undefined) return undefined
  const link = describe(row)
  if (!row.api_access) return { link, apiKey: undefined }
  const { apiKey, secretHash } = createSecret(row.public_key, secretBytes(row, token, usedWith))
  const { now } = row
  const digest = hash('sha256', usedWith, 'buffer')
  if (link.status === 'waiting') {
    await tx.query(markDeviceLinkUsed(row.center_id, row.id, iso(now), digest))
    await tx.query(setSecret(row.center_id, row.public_key, secretHash))
    return { link, apiKey }
  }
  const isAgain =
    link.status === 'used' &&
    row.used_at !== null &&
    (row.key_used_at ?? 0) < row.used_at &&
    now - row.used_at < AGAIN_MS &&
    digest.toString('hex') === row.used_with &&
    secretHash.toString('hex') === row.key_secret_hash
  return { link, apiKey: isAgain ? apiKey : undefined }
}

/**
 * The same for a repetition, so that every answer to one request has the secret that works, in whichever order they arrive.
 * It follows from the token, which is stored nowhere, and from what only the database knows.
 */
function secretBytes(row: DeviceLinkRow, token: string, usedWith: string): RandomBytes {
  const salt = Buffer.from(row.pseudonym_secret, 'hex')
  let block = 0
  return (count) => {
    block += 1
    return Buffer.from(hkdfSync('sha256', `${token} ${usedWith}`, salt, `sojourn device ${block}`, count))
  }
}

async function readDeviceLink(
  database: Queryable,
  token: string,
  select: typeof deviceLinkNamed,
): Promise<DeviceLinkRow | undefined> {
  const parsed = parseDeviceLinkToken(token)
  if (parsed === undefined) return undefined
  const [row] = await database.query<DeviceLinkRow>(select(parsed.id))
  const expected = row === undefined ? NO_SECRET : Buffer.from(row.secret_hash, 'hex')
  return timingSafeEqual(hashSecret(parsed.secret), expected) ? row : undefined
}

function toDeviceLink(row: DeviceLinkRow): DeviceLink {
  return {
    id: row.id,
    centerId: row.center_id,
    appId: row.app_id,
    publicKey: row.public_key,
    name: row.name,
    status: statusOf(row),
    createdAt: iso(row.created_at),
    expiresAt: iso(row.expires_at),
    usedAt: row.used_at === null ? null : iso(row.used_at),
  }
}

function statusOf(row: DeviceLinkRow): DeviceLink['status'] {
  if (row.key_ended) return 'ended'
  if (row.used_at !== null) return 'used'
  return row.now >= row.expires_at ? 'expired' : 'waiting'
}

const describe = (row: DeviceLinkRow): DescribedLink => ({
  ...toDeviceLink(row),
  center: row.center_name,
  language: row.language,
  timezone: row.timezone,
  scopes: row.scopes,
  customFields: row.custom_fields,
  allowedAddresses: row.allowed_addresses,
  keyExpiresAt: row.key_expires_at === null ? null : iso(row.key_expires_at),
  apiAccess: row.api_access,
  moving: row.moving,
})

/** Creates a key for a center. All input is checked here, for all callers. */

import { readAddressRange } from '../../config/addresses.ts'
import type { Queryable, Transacting } from '../../database/database.ts'
import { didYouMean } from '../../errors/suggest.ts'
import { hasUnseen, visible } from '../../errors/visible.ts'
import { isLocalDate } from '../../locale/dates.ts'
import { readCenterZone } from '../../records/centers/find-center.ts'
import { iso, type Key, KeyError, type KeyWithSecrets, toKey } from './key.ts'
import { customFieldsOf, insertKey, type KeyRow } from './keys-sql.ts'
import {
  ADMINISTRATION,
  GRANTED_BY_DEFAULT,
  INTAKE_SCOPES,
  isScope,
  type KeyScope,
  problemOfScopes,
  SCOPES,
  type Scope,
} from './scopes.ts'
import { createAppId, createToken, type RandomBytes } from './token.ts'

export interface NewKey {
  readonly centerId: string
  /** who uses the key, as staff entered it */
  readonly name: string
  readonly scopes: readonly string[]
  /** requests per hour; 0: no limit; undefined: the default */
  readonly perHour?: number | undefined
  readonly perMinute?: number | undefined
  /** addresses or ranges from which it may be used; none: any address */
  readonly allowedAddresses?: readonly string[] | undefined
  /** whether assistants may read personal and medical data with it; false by default */
  readonly allowAssistants?: boolean | undefined
  /** whether it is an intake key, which sends records over HTTP and cannot read; its only scope is `import` */
  readonly intake?: boolean | undefined
  /** custom fields of the center that it may read without guests.personal */
  readonly customFields?: readonly string[] | undefined
  /** the scopes that it may grant, for a key with the scope `administration`; by default all but `guests.medical` */
  readonly grants?: readonly string[] | undefined
  /** who answers for it; nobody if it is not given */
  readonly responsible?: string | null | undefined
  /** the local day of its review, `YYYY-MM-DD` */
  readonly reviewOn?: string | null | undefined
  /** epoch ms */
  readonly expiresAt?: number | undefined
}

/**
 * Records the action on a key in the audit trail, within the transaction of the action (audit/record-key-act.ts).
 * @param facts details of the action; never a secret
 */
export type NoteKeyAct = (
  tx: Queryable,
  name: 'createKey' | 'rotateKey' | 'revokeKey' | 'describeKey',
  key: Key,
  facts: Readonly<Record<string, string>>,
) => Promise<void>

export interface KeyMaking {
  readonly random: RandomBytes
  /** epoch ms */
  readonly now: number
  /** days for which a key may be valid; undefined for any time */
  readonly daysMax?: number | undefined
  /** absent if the action is not to be recorded */
  readonly note?: NoteKeyAct
}

/**
 * Shows what has a secret to the person who asked for it, before it is stored. If this rejects, nothing has changed, so nobody
 * is left with a secret that was never seen.
 */
export type ShowSecret<T> = (made: T) => Promise<void>

const NAME_LENGTH_MAX = 200
/** The largest limit; it fits into the database's integer. */
const LIMIT_MAX = 1_000_000_000

/**
 * @returns the key with its secrets, which cannot be read again later
 * @throws {KeyError} with what is wrong with the input
 */
export async function createKey(
  database: Transacting,
  input: NewKey,
  making: KeyMaking & { readonly show?: ShowSecret<KeyWithSecrets> },
): Promise<KeyWithSecrets> {
  checkName(input.name)
  const scopes = input.intake ? intakeScopes(input) : checkScopes(input.scopes)
  const grants = checkGrants(input, scopes)
  checkDescription(input)
  checkLimit('hour', input.perHour)
  checkLimit('minute', input.perMinute)
  const allowedAddresses = checkAddresses(input.allowedAddresses ?? [])
  if (input.expiresAt !== undefined && input.expiresAt <= making.now) {
    throw new KeyError(`The key would already be expired: it would end at ${iso(input.expiresAt)}.`)
  }
  checkLifetime(making, input.expiresAt)
  await readCenterZone(database, input.centerId)
  const customFields = await checkCustomFields(database, input, scopes)
  return database.transaction(async (tx) => {
    const key = await storeKey(tx, making, {
      public_key: '',
      app_id: createAppId(making.random),
      center_id: input.centerId,
      name: input.name.trim(),
      scopes,
      per_hour: input.perHour ?? null,
      per_minute: input.perMinute ?? null,
      allowed_addresses: allowedAddresses,
      allow_assistants: input.allowAssistants ?? false,
      intake: input.intake ?? false,
      custom_fields: customFields,
      grants,
      responsible: input.responsible?.trim() ?? null,
      review_on: input.reviewOn ?? null,
      created_at: making.now,
      expires_at: input.expiresAt ?? null,
      revoked_at: null,
      last_used_at: null,
    })
    const assistants = key.allowAssistants ? { assistants: 'allowed' } : {}
    const intake = key.intake ? { intake: 'allowed' } : {}
    const fields = key.customFields.length === 0 ? {} : { meta: key.customFields.join(',') }
    await making.note?.(tx, 'createKey', key, {
      publicKey: key.publicKey,
      ...assistants,
      ...intake,
      ...fields,
      ...(key.grants.length === 0 ? {} : { grants: key.grants.join(',') }),
    })
    await making.show?.(key)
    return key
  })
}

/** Stores `key` with a new public key and secret. */
export async function storeKey(
  database: Queryable,
  { random, now }: KeyMaking,
  key: KeyRow,
): Promise<KeyWithSecrets> {
  const { publicKey, secretKey, apiKey, secretHash } = createToken(random)
  const row: KeyRow = { ...key, public_key: publicKey, created_at: now, revoked_at: null, last_used_at: null }
  await database.query(
    insertKey({
      ...row,
      secret_hash: secretHash,
      created_at: iso(now),
      expires_at: row.expires_at === null ? null : iso(row.expires_at),
    }),
  )
  return { ...toKey(row, now), secretKey, apiKey }
}

/**
 * @param what the thing that has this name
 * @throws {KeyError}
 */
export function checkName(name: string, what = 'key'): void {
  if (name.trim() === '') throw new KeyError(`A ${what} needs a name that says who will use it.`)
  if (name.length > NAME_LENGTH_MAX) {
    throw new KeyError(
      `The name of a ${what} may have at most ${NAME_LENGTH_MAX} characters; this one has ${name.length}.`,
    )
  }
  if (hasUnseen(name))
    throw new KeyError(
      `The name of a ${what} may not contain control characters, line breaks and characters that nobody sees; this one is ${visible(name)}.`,
    )
}

const DAY_MS = 86_400_000

/** @throws {KeyError} for a key that would be valid for longer than a key may be */
export function checkLifetime({ now, daysMax }: KeyMaking, expiresAt: number | null | undefined): void {
  if (daysMax === undefined || (expiresAt != null && expiresAt - now <= daysMax * DAY_MS)) return
  const end = expiresAt == null ? 'would never expire' : `would expire on ${iso(expiresAt).slice(0, 10)}`
  throw new KeyError(
    `A key may be valid for at most ${daysMax} ${daysMax === 1 ? 'day' : 'days'} (KEY_DAYS_MAX), and this one ${end}. Give it an earlier end, such as --expires ${daysMax}d.`,
  )
}

/** @throws {KeyError} for an intake key that could also read */
function intakeScopes({ scopes, customFields = [], allowAssistants }: NewKey): KeyScope[] {
  const own = INTAKE_SCOPES.filter((scope) => scopes.includes(scope))
  const isOnly = scopes.every((scope) => own.some((one) => one === scope))
  if (isOnly && customFields.length === 0 && !allowAssistants) return own
  throw new KeyError('A key for intake cannot read: create another key for reading.')
}

/**
 * @returns the scopes in the order of `SCOPES`, each once
 * @throws {KeyError}
 */
export function checkScopes(scopes: readonly string[]): Scope[] {
  const unknown = scopes.find((scope) => !isScope(scope))
  if (unknown !== undefined) {
    throw new KeyError(
      `There is no scope ${JSON.stringify(unknown)}; the scopes are ${SCOPES.join(', ')}${didYouMean(unknown, SCOPES) || '.'}`,
    )
  }
  if (scopes.length === 0) throw new KeyError(`A key needs at least one scope of ${SCOPES.join(', ')}.`)
  const problem = problemOfScopes(scopes)
  if (problem !== undefined) throw new KeyError(problem)
  return SCOPES.filter((scope) => scopes.includes(scope))
}

/**
 * @returns the scopes that the key may grant, in the order of `SCOPES`, each once
 * @throws {KeyError} for a key without the scope `administration`, or that could grant this scope
 */
function checkGrants({ grants, allowAssistants }: NewKey, scopes: readonly KeyScope[]): Scope[] {
  const isAdministration = scopes.includes(ADMINISTRATION)
  if (isAdministration && allowAssistants)
    throw new KeyError('Assistants may not use a key of the administration.')
  if (grants === undefined) return isAdministration ? [...GRANTED_BY_DEFAULT] : []
  if (!isAdministration) throw new KeyError(`Only a key with the scope ${ADMINISTRATION} may grant scopes.`)
  if (grants.includes(ADMINISTRATION)) {
    throw new KeyError('A key of the administration cannot create another one; "sojourn keys create" does.')
  }
  return grants.length === 0 ? [] : checkScopes(grants)
}

/** @throws {KeyError} */
export function checkDescription({ responsible, reviewOn }: Pick<NewKey, 'responsible' | 'reviewOn'>): void {
  if (responsible != null) checkName(responsible, 'responsible person')
  if (reviewOn != null && !isLocalDate(reviewOn)) {
    throw new KeyError(
      `${JSON.stringify(reviewOn.slice(0, 60))} is not a day; give the day of the review as 2026-12-31.`,
    )
  }
}

/** More than any partial reader needs. Beyond this, use guests.personal. */
const CUSTOM_FIELDS_MAX = 50

/**
 * @returns the fields sorted, each once
 * @throws {KeyError} for a field that the center does not define, or if no scope would show it
 */
async function checkCustomFields(
  database: Queryable,
  { centerId, customFields = [] }: NewKey,
  scopes: readonly KeyScope[],
): Promise<string[]> {
  const wanted = [...new Set(customFields)].sort()
  if (wanted.length === 0) return []
  if (wanted.length > CUSTOM_FIELDS_MAX) {
    throw new KeyError(
      `A key may name at most ${CUSTOM_FIELDS_MAX} custom fields; for more, use the scope guests.personal.`,
    )
  }
  if (!scopes.includes('guests') && !scopes.includes('meals')) {
    throw new KeyError(
      'Custom fields are only shown to keys with the scope guests or meals; add one of them.',
    )
  }
  const rows = await database.query<{ key: string }>(customFieldsOf(centerId))
  const known = rows.map(({ key }) => key)
  const unknown = wanted.find((key) => !known.includes(key))
  if (unknown === undefined) return wanted
  const some =
    known.length === 0 ? 'none' : `${known.slice(0, 10).join(', ')}${known.length > 10 ? ' and more' : ''}`
  throw new KeyError(
    `${JSON.stringify(unknown)} is not a custom field of this center${didYouMean(unknown, known) || `; it defines ${some}.`}`,
  )
}

function checkLimit(window: 'hour' | 'minute', limit: number | undefined): void {
  if (limit === undefined || (Number.isSafeInteger(limit) && limit >= 0 && limit <= LIMIT_MAX)) return
  throw new KeyError(`Requests per ${window} must be a whole number from 0 (no limit) to ${LIMIT_MAX}.`)
}

/**
 * @returns the addresses, each once
 * @throws {KeyError}
 */
export function checkAddresses(addresses: readonly string[]): string[] {
  const wrong = addresses.find((address) => readAddressRange(address) === undefined)
  if (wrong !== undefined) {
    throw new KeyError(
      `${JSON.stringify(wrong)} is not an address or a range of addresses, such as 192.0.2.7 or 10.0.0.0/8.`,
    )
  }
  return [...new Set(addresses)]
}

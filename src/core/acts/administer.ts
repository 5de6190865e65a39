/**
 * What actions of the administration share (rulings 48 and 49): they do what a command does, in the action's transaction and
 * for the key's own center, and grant no more than the key may grant.
 */

import { findKeys } from '../access/keys/find-keys.ts'
import { iso, KeyError } from '../access/keys/key.ts'
import { ADMINISTRATION, isScope, type Scope } from '../access/keys/scopes.ts'
import { type Act, takingActs } from '../audit/record-act.ts'
import { databaseNow } from '../database/clock.ts'
import { partOf, type Transacting } from '../database/database.ts'
import { ApiError, errors } from '../errors/api-error.ts'
import { endOfLocalDay, localDateOf } from '../locale/zones.ts'
import type { ActionContext, ActionOutcome } from '../request/action.ts'
import { selectGrants } from './acts-sql.ts'

export interface Work {
  readonly database: Transacting
  /** epoch ms by the database's clock */
  readonly now: number
  readonly center: string
}

/**
 * Does what a command does.
 * @param field of the body that a refusal is about, unless it names another one
 * @throws {ApiError} 400 with the sentence that the command prints
 */
export async function administer<T>(
  context: ActionContext,
  field: string,
  work: (work: Work) => Promise<T>,
): Promise<{ readonly result: T; readonly facts: ActionOutcome['facts'] }> {
  const database = partOf(context)
  const now = await databaseNow(database)
  const center: string = context.center.id
  try {
    const { result, acts } = await takingActs(() => work({ database, now, center }))
    return { result, facts: factsOf(acts, center) }
  } catch (error) {
    // The errors of commands are written for people, and name no other center.
    if (error instanceof ApiError || !(error instanceof Error) || !PROBLEMS.has(error.name)) throw error
    const named = 'field' in error && typeof error.field === 'string' ? error.field : field
    throw errors.invalidParameters([{ parameter: named, message: error.message }])
  }
}

const PROBLEMS: ReadonlySet<string> = new Set([
  'KeyError',
  'WebhookError',
  'SourceError',
  'AddressError',
  'ReportError',
])

/** What the trail says of an action: what it says of the command, which records the scopes of its object. */
function factsOf(acts: readonly Act[], center: string): Readonly<Record<string, string>> {
  const facts: Record<string, string> = {}
  for (const act of acts) {
    if (act.center !== center) throw new Error(`${act.name} is about another center`)
    Object.assign(facts, act.facts, act.scopes.length === 0 ? {} : { scopes: act.scopes.join(' ') })
  }
  return facts
}

/** The scopes that the key of the action may grant. */
export async function grantsOf({ center, actor, query }: ActionContext): Promise<readonly Scope[]> {
  const [row] = await query<{ grants: Scope[] }>(selectGrants(center.id, actor.publicKey))
  return row?.grants ?? []
}

/**
 * Custom fields are of `guests.personal`: to give a key some of them takes what it takes to give it all.
 * @throws {ApiError} 403 for a scope that this key may not grant
 */
export async function requireGrantable(
  context: ActionContext,
  scopes: readonly Scope[],
  customFields: readonly string[] = [],
): Promise<void> {
  const grants = await grantsOf(context)
  const needed: readonly Scope[] = customFields.length === 0 ? scopes : [...scopes, 'guests.personal']
  const missing = needed.find((scope) => !grants.includes(scope))
  if (missing !== undefined) throw errors.notGrantable(missing, grants)
}

/**
 * To hand out what a key may read takes what it takes to give it all.
 * @throws {ApiError} 403 for a scope that this key may not grant
 */
export async function requireKeyGrantable(
  context: ActionContext,
  keys: readonly { readonly scopes: readonly string[]; readonly custom_fields: readonly string[] }[],
): Promise<void> {
  for (const { scopes, custom_fields } of keys)
    await requireGrantable(context, scopes.filter(isScope), custom_fields)
}

/**
 * The end of what an action creates, which is not later than that of the key that acts: otherwise a person who may administrate
 * for a day would have access afterwards.
 * @param expiresOn the last local day; null for no end
 * @returns epoch ms; undefined for no end @throws {ApiError} 400 for a day after the key's own end
 */
export function endWithin(context: ActionContext, expiresOn: string): number
export function endWithin(context: ActionContext, expiresOn: string | null): number | undefined
export function endWithin({ actor, center }: ActionContext, expiresOn: string | null): number | undefined {
  const asked = expiresOn === null ? undefined : endOfLocalDay(center.timezone, expiresOn) + 1
  if (actor.expiresAt === null) return asked
  const lastDay = localDateOf(center.timezone, actor.expiresAt - 1)
  if (expiresOn !== null && asked !== undefined && expiresOn <= lastDay)
    return Math.min(asked, actor.expiresAt)
  throw errors.invalidParameters([
    {
      parameter: 'expiresOn',
      message: `Your key is valid until ${iso(actor.expiresAt)}, and what it creates ends by then. Give ${lastDay} or an earlier day.`,
    },
  ])
}

/**
 * To hand out a key is to create one: it ends with the key that acts.
 * @throws {ApiError} 400 for a key that is valid for longer
 */
export function requireShorter(
  { actor }: ActionContext,
  keys: readonly { readonly expires_at: number | null; readonly revoked_at: number | null }[],
): void {
  const end = actor.expiresAt
  if (end === null || keys.every((key) => key.revoked_at !== null || (key.expires_at ?? Infinity) <= end))
    return
  throw errors.invalidParameters([
    {
      parameter: 'key',
      message: `Your key is valid until ${iso(end)}, and this one for longer, so you cannot get new secrets of it. A key of the administration that is valid for as long can, and so can the commands "sojourn keys rotate" and "sojourn keys device".`,
    },
  ])
}

/**
 * The keys of an application of this center that may be changed by an action.
 * @throws {ApiError} 404 if the center has none; 403 for a key of the administration
 */
export async function ownKeys(
  context: ActionContext,
  id: string,
): Promise<Awaited<ReturnType<typeof findKeys>>> {
  const keys = await findKeys(context, id, context.center.id).catch((error: unknown) => {
    if (!(error instanceof KeyError)) throw error
    throw errors.notFound('Your center has no such key. GET /administration/keys lists its keys.')
  })
  if (keys.some(({ scopes }) => scopes.includes(ADMINISTRATION))) throw errors.keyOfAdministration()
  return keys
}

/** Creates a link for an application. Its query is validated as the interface would validate it, before anything is stored. */

import { SENSITIVE_SCOPES } from '../../core/access/keys/channel.ts'
import { checkAddresses, checkName, type ShowSecret } from '../../core/access/keys/create-key.ts'
import { findKeys } from '../../core/access/keys/find-keys.ts'
import { iso, type Key, KeyError, toKey } from '../../core/access/keys/key.ts'
import { isScope } from '../../core/access/keys/scopes.ts'
import { createLinkToken, type RandomBytes } from '../../core/access/keys/token.ts'
import { ownScopes } from '../../core/answer/handle-request.ts'
import { recordAct } from '../../core/audit/record-act.ts'
import type { Transacting } from '../../core/database/database.ts'
import { readLanguageTag } from '../../core/locale/languages.ts'
import { localDateOf } from '../../core/locale/zones.ts'
import { centerId, readCenter } from '../../core/records/centers/center.ts'
import { answerLanguage } from '../../core/request/language.ts'
import type { Operation, RequestContext, RequiredScope } from '../../core/request/operation.ts'
import { readRawQuery } from '../../core/request/parameters.ts'
import { RELATIVE_DAYS } from '../../core/request/relative-days.ts'
import { type Link, toLink } from './link.ts'
import { insertLink } from './links-sql.ts'
import {
  askedOn,
  hasFixedDays,
  hasPages,
  noQuestion,
  questionText,
  readQuestion,
  recordedQuestion,
  takesDay,
  whyNotSaved,
} from './question.ts'

export interface NewLink {
  /** an appId, or one of its publicKeys */
  readonly key: string
  /** only keys of this center */
  readonly center?: string | undefined
  readonly name: string
  /** path and query */
  readonly question: string
  readonly language?: string | undefined
  readonly allowSensitive?: boolean | undefined
  readonly perHour?: number | undefined
  readonly perMinute?: number | undefined
  readonly allowedAddresses?: readonly string[] | undefined
  /** epoch ms */
  readonly expiresAt: (zone: string) => number
}

export interface LinkMaking {
  readonly operations: readonly Operation[]
  readonly random: RandomBytes
  /** epoch ms */
  readonly now: number
  readonly show?: ShowSecret<CreatedLink>
}

export interface CreatedLink {
  readonly link: Link
  /** the secret part of the URL; it cannot be read again later */
  readonly token: string
  /** notes for the creator about the query */
  readonly remarks: readonly string[]
}

/** A tablet that requests every half minute, with reserve for reloading. */
const DEFAULT_LIMITS = { perMinute: 20, perHour: 300 }
const LIMIT_MAX = 100_000
const QUESTION_LENGTH_MAX = 4000

/** @throws {KeyError} with the reason why the link cannot be created */
export async function createLink(
  database: Transacting,
  input: NewLink,
  making: LinkMaking,
): Promise<CreatedLink> {
  const { now } = making
  checkName(input.name, 'link')
  checkLimit('minute', input.perMinute)
  checkLimit('hour', input.perHour)
  const allowedAddresses = checkAddresses(input.allowedAddresses ?? [])
  if (input.language !== undefined && typeof languageOf(input.language) !== 'string') {
    throw new KeyError(
      `${JSON.stringify(input.language)} is not a language; give a tag such as en, ro or pt-BR.`,
    )
  }
  const keys = (await findKeys(database, input.key, input.center)).map((row) => toKey(row, now))
  const key = keys.find(({ status }) => status === 'active')
  if (key === undefined)
    throw new KeyError(`${input.key} has no active key, so its links would show nothing. Create a key first.`)
  const center = await readCenter(database, centerId(key.centerId))
  if (center === undefined) throw new KeyError(`The center ${key.centerId} no longer exists.`)
  const expires = input.expiresAt(center.timezone)
  if (expires <= now)
    throw new KeyError(`The link would already be expired: it would end at ${iso(expires)}.`)

  const question = readQuestion(input.question, making.operations)
  if (question === undefined) throw new KeyError(noQuestion(input.question, making.operations))
  const text = questionText(question)
  if (text.length > QUESTION_LENGTH_MAX) {
    throw new KeyError(
      `The query of a link may have ${QUESTION_LENGTH_MAX} characters; this one has ${text.length}.`,
    )
  }
  const { operation } = question
  const reason = whyNotSaved(operation)
  if (reason !== undefined) throw new KeyError(`${reason}, so a link cannot show it.`)
  const today = localDateOf(center.timezone, now)
  const asked = askedOn(question, today)
  const scopes = new Set(key.scopes.filter(isScope))
  // What an answer shows only with permission, such as diets, is left out, as in the link's answers.
  const customFields = input.allowSensitive ? key.customFields : []
  const plan = operation.parse({
    key: { ...key, scopes: [...scopes], quotas: key.limits, expiresAt: expires },
    limits: { minute: null, hour: null },
    today,
    language: answerLanguage(input.language, center.language),
    // A link never reads under pseudonyms.
    pseudonyms: null,
    customFields: input.allowSensitive && scopes.has('guests.personal') ? 'all' : customFields,
    accepts: 'json',
    center,
    query: readRawQuery(`?${asked.query}`),
    pathParameters: asked.pathParameters,
  } satisfies RequestContext)
  const requiredScopes = [...ownScopes(operation, scopes), ...plan.requiredScopes]
  refuseMissing(key, requiredScopes)
  if ('refusal' in plan) {
    const { message, details = [] } = plan.refusal
    const problems =
      details.length === 0 ? [message] : details.map((problem) => `${problem.parameter}: ${problem.message}`)
    // Each problem with a day gives only examples of relative days.
    if (details.some(({ parameter }) => takesDay(operation, parameter))) {
      problems.push(`Relative days are ${RELATIVE_DAYS}.`)
    }
    throw new KeyError(problems.join('\n'))
  }
  if (!input.allowSensitive) refuseSensitive(requiredScopes)

  const { id, token, secretHash } = createLinkToken(making.random)
  const row = {
    id,
    center_id: key.centerId,
    app_id: key.appId,
    name: input.name.trim(),
    secret_hash: secretHash,
    question: text,
    language: input.language ?? null,
    allow_sensitive: input.allowSensitive ?? false,
    per_hour: input.perHour ?? DEFAULT_LIMITS.perHour,
    per_minute: input.perMinute ?? DEFAULT_LIMITS.perMinute,
    allowed_addresses: allowedAddresses,
    created_at: iso(now),
    expires_at: iso(expires),
  }
  const shown = { ...row, created_at: now, expires_at: expires, revoked_at: null }
  const made: CreatedLink = {
    link: toLink({ ...shown, has_key: true, requests: 0, last_day: null }, now),
    token,
    remarks: [...(hasFixedDays(question) ? [FIXED_DAYS] : []), ...(hasPages(question) ? [PAGES] : [])],
  }
  await database.transaction(async (tx) => {
    await tx.query(insertLink(row))
    const sensitive = row.allow_sensitive ? { sensitive: 'allowed' } : {}
    const facts = {
      link: id,
      name: row.name,
      appId: key.appId,
      question: recordedQuestion(text, making.operations),
      expires: row.expires_at,
      ...sensitive,
    }
    await recordAct(tx, {
      center: key.centerId,
      name: 'createLink',
      facts,
      scopes: [...new Set(requiredScopes.map(({ scope }) => scope))],
    })
    await making.show?.(made)
  })
  return made
}

const PAGES =
  'This list is JSON in pages: the URL returns the first page, and its Link header leads to the others (?start=2). With format=csv, format=xlsx or format=ndjson in the question, the address shows the whole list.'

const FIXED_DAYS = `The days of this query are fixed. For relative days, use ${RELATIVE_DAYS}.`

const languageOf = (tag: string): string | undefined => {
  const reading = readLanguageTag(tag)
  return reading === 'malformed' || reading === 'unsupported' ? undefined : reading
}

/** @throws {KeyError} */
function refuseMissing(key: Key, requiredScopes: readonly RequiredScope[]): void {
  const missing = requiredScopes.filter(
    ({ scope, customField }) =>
      !key.scopes.includes(scope) && (customField === undefined || !key.customFields.includes(customField)),
  )
  if (missing.length === 0) return
  throw new KeyError(`The key may not read this: ${scopesInWords(missing)}.`)
}

/** @throws {KeyError} */
function refuseSensitive(requiredScopes: readonly RequiredScope[]): void {
  const sensitive = requiredScopes.filter(({ scope }) => SENSITIVE_SCOPES.has(scope))
  if (sensitive.length === 0) return
  throw new KeyError(
    `Anybody who has the URL of a link can read what it shows, and this one would show personal or medical data: ${scopesInWords(sensitive)}. Remove it from the query, or allow it: with --allow-sensitive, or with "allowSensitive" in an action.`,
  )
}

const scopesInWords = (requiredScopes: readonly RequiredScope[]): string =>
  requiredScopes.map(({ what, scope }) => `${what} needs the scope ${scope}`).join('; ')

function checkLimit(window: 'hour' | 'minute', limit: number | undefined): void {
  if (limit === undefined || (Number.isSafeInteger(limit) && limit >= 1 && limit <= LIMIT_MAX)) return
  throw new KeyError(`Requests per ${window} of a link must be a whole number from 1 to ${LIMIT_MAX}.`)
}

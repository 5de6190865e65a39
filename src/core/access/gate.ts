/**
 * The checks that every request passes, in this order (ruling 7): credentials (401) → limits (429) → scopes (403) →
 * language. The operation checks parameters (400) and looks up the record (404).
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DatabaseClock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import { createRequestDeadline, type RequestDeadline } from '../database/queue/deadlines.ts'
import { type ApiError, errors } from '../errors/api-error.ts'
import type { Language } from '../locale/languages.ts'
import type { Center } from '../records/centers/center.ts'
import { answerLanguage } from '../request/language.ts'
import type { RequiredScope } from '../request/operation.ts'
import { createAllowLists } from './addresses.ts'
import { createCenterProfiles } from './center-profiles.ts'
import { credentialForms } from './credential-forms.ts'
import { type Credentials, isEnded, isGenuine, readCredentials } from './credentials.ts'
import { createReceivedData, type ReceivedKinds, receivedHeader } from './data-age.ts'
import { countedBefore } from './inner-request.ts'
import { createKeyStates, type KeyState } from './key-states.ts'
import { ASSISTANT, CHANNEL_HEADER, type Channel, isHeld, LINK, usedThrough } from './keys/channel.ts'
import type { Quotas } from './keys/quotas.ts'
import { hashSecret, parseLinkToken } from './keys/token.ts'
import type { LimitReading, Limits, LimitUse } from './limits.ts'
import type { CredentialLimits } from './limits-credentials.ts'
import { createLinkStates, type LinkState } from './link-states.ts'
import { insteadOfGuests } from './pseudonyms.ts'
import type { SharedReadNumbers } from './shared-read.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The authenticated key. Also set for a revoked or expired key if its secret was correct. Null until this is known.
     */
    asker: KeyState | null
    /** Why credentials were refused, and the key or link that they name, if there is one. Null if they were not refused. */
    notAdmitted: NotAdmitted | null
    /** The link whose URL was used. Null for a request with a key. */
    link: {
      readonly state: LinkState
      readonly limitUse: LimitUse
      /** whether this URL also gives access to the other pages of the list */
      readonly leadsOn?: boolean
    } | null
    /** Who asks, for a request that the service makes itself and that was never on a connection. Null for all others. */
    inside: {
      readonly state: KeyState
      /** reads the key once more; undefined if it has ended */
      again(): Promise<KeyState | undefined>
    } | null
  }
}

export interface NotAdmitted {
  readonly reason:
    | 'missingCredentials'
    | 'malformedCredentials'
    | 'unknownKey'
    | 'wrongSecret'
    | 'revokedKey'
    | 'expiredKey'
    | 'unknownLink'
    | 'endedLink'
  readonly state?: KeyState | undefined
}

export interface Admission {
  readonly key: KeyState
  /** state of the key's limits, including this request */
  readonly limitUse: LimitUse
  readonly center: Center
  readonly language: Language
  /** when its data was received, as the header of ruling 46; '' if nothing is known */
  readonly dataReceived: string
  /** the `Accept` header, unchanged */
  readonly accept: string | undefined
}

export interface Gate {
  /** bounds how long the request may still wait, counting the time already spent in the gate */
  readonly deadline: RequestDeadline
  /**
   * Authenticates the request and counts it in the key's limits, whose state is set as headers of the reply. Also used
   * for requests to an interface path that end in 405.
   * @param purpose a reading key cannot send records, and an intake key cannot read
   * @throws {ApiError} 401; 429; 403 if the key may not be used from this address or for this purpose
   */
  authenticate(
    request: FastifyRequest,
    reply: FastifyReply,
    purpose?: 'reading' | 'intake',
  ): Promise<Pick<Admission, 'key' | 'limitUse'>>
  /**
   * Admits a request by the URL of a link and counts it in the link's own limits. From then on the request acts as that
   * link, and its credentials are ignored.
   * @param token from the URL
   * @throws {ApiError} 404 for any link that is not active; 429; 403
   */
  enterByLink(request: FastifyRequest, reply: FastifyReply, token: string): Promise<LinkState>
  /**
   * Refuses a one-time link for a device: counted like wrong credentials, after the time that every refusal takes.
   * @throws {ApiError} 404, 410, 429
   */
  refuseDeviceLink(
    request: FastifyRequest,
    reply: FastifyReply,
    why: 'unknown' | 'waiting' | 'used' | 'expired' | 'ended',
  ): Promise<never>
  /**
   * Counts a request in the limit of an operation that has one of its own.
   * @throws {ApiError} 429
   */
  countOwn(key: KeyState, operation: string, quotas: Quotas): Promise<void>
  /**
   * The state of a reading key for a request inside the service, which has no secret. @returns undefined if the key has
   * ended or its center has API access off @throws {ApiError} 503 while its center is moving
   */
  keyInside(publicKey: string): Promise<KeyState | undefined>
  /** All checks up to and excluding the scopes. @throws {ApiError} 401, 403, 429, 503 */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<Admission>
  /**
   * Repeats these checks for a request that was admitted earlier and has waited since. The request is not counted
   * again, and is refused if its key has ended in the meantime. Simultaneous calls share one read. @throws {ApiError}
   * 401, 403, 503; 404 for a link
   */
  readmit(request: FastifyRequest, before: Pick<Admission, 'limitUse'>): Promise<Admission>
  /**
   * A field outside the key's scopes is refused, never silently omitted (ruling 6).
   * @param center of the key; a key that may read it under pseudonyms is recorded how
   * @throws {ApiError} 403
   */
  requireScopes(key: KeyState, requiredScopes: readonly RequiredScope[], center: Center): void
  /** of the reads of keys and links, with the revisions of their centers */
  readonly revisionReads: SharedReadNumbers
}

export interface GateOptions {
  readonly database: Database
  /** set to the database's time with every key that is looked up */
  readonly databaseClock: DatabaseClock
  readonly limits: Limits
  readonly credentialLimits: CredentialLimits
}

/**
 * The duration of a refusal of wrong credentials, to within a timer's millisecond. Looking up a key that exists takes
 * 15 µs longer than one that does not. That is a twentieth of an undelayed refusal, but not measurable in this one with the
 * few attempts per minute that a network has, so timing does not reveal which public keys exist.
 */
const REFUSAL_MS = 4

/** Of a request inside the service: its caller has a limit of its own. */
const NOT_COUNTED: LimitUse = {
  allowed: true,
  minuteUsed: 0,
  minuteEndsInMs: 0,
  hourUsed: 0,
  hourEndsInMs: 0,
}

export function createGate(options: GateOptions): Gate {
  const keyStates = createKeyStates(options.database, options.databaseClock)
  const linkStates = createLinkStates(options.database, options.databaseClock)
  const profiles = createCenterProfiles(options.database)
  const receivedData = createReceivedData(options.database)
  const allowLists = createAllowLists()
  const deadline = createRequestDeadline()

  const authenticate: Gate['authenticate'] = async (request, reply, purpose = 'reading') => {
    const { link, inside } = request
    // Malformed paths bypass the hooks that set `link`, so it may be undefined here.
    if (link) {
      refuseOtherPurpose(link.state, purpose)
      return { key: link.state, limitUse: link.limitUse }
    }
    if (inside) return { key: inside.state, limitUse: NOT_COUNTED }
    const credentials = readCredentials(request.raw)
    if ('refused' in credentials) {
      // A request without credentials is not a guess, so it is not counted: probes get a 401 however often they ask.
      request.notAdmitted = {
        reason: credentials.refused === 'missing' ? 'missingCredentials' : 'malformedCredentials',
      }
      if (credentials.refused === 'missing') throw errors.unauthorized(credentialForms(request.raw))
      throw wrongCredentials(request)
    }
    // Wrong credentials take the path of an unknown key, so that the timing of the refusal does not reveal which keys are
    // in use.
    const state = await deadline.within(keyStates.read(credentials.publicKey), reply.elapsedTime)
    if (!isGenuine(credentials, state)) return refuse(credentials, state, request, reply, wrongCredentials)
    request.asker = state
    if (state.moving) throw errors.moving()
    const counted = countedBefore.getStore()
    let limitUse = counted
    if (limitUse === undefined) {
      const taken = options.limits.take(state)
      // Awaiting a value that is not a promise would cost a microtask.
      limitUse = tellLimits(state, reply, taken instanceof Promise ? await taken : taken)
    }
    if (state.allowedAddresses.length > 0) refuseOtherAddress(state, request)
    if (state.intake || purpose === 'intake') refuseOtherPurpose(state, purpose)
    return { key: state, limitUse }
  }

  /** @throws the error that `refusal` makes, after the time that every refusal takes */
  const refuse = async (
    credentials: Credentials,
    state: KeyState | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
    refusal: (request: FastifyRequest) => Error,
  ): Promise<never> => {
    if (isEnded(credentials, state)) request.asker = state
    request.notAdmitted = notAdmitted(credentials, state, refusal === noSuchLink)
    await refusalTime(reply)
    throw refusal(request)
  }

  const tellLimits = (state: KeyState, reply: FastifyReply, reading: LimitReading): LimitUse => {
    if (reading.policy !== undefined) reply.header('ratelimit-policy', reading.policy)
    if (reading.rateLimit !== undefined) reply.header('ratelimit', reading.rateLimit)
    if (!reading.allowed) throw tooMany(state, reading)
    return reading.limitUse
  }

  const enterByLink: Gate['enterByLink'] = async (request, reply, token) => {
    const parsed = parseLinkToken(token)
    if (parsed === undefined) {
      request.notAdmitted = { reason: 'unknownLink' }
      throw noSuchLink(request)
    }
    const credentials = { publicKey: '', secretHash: hashSecret(parsed.secret), appId: undefined }
    const state = await deadline.within(linkStates.read(parsed.id), reply.elapsedTime)
    if (!isGenuine(credentials, state)) return refuse(credentials, state, request, reply, noSuchLink)
    request.asker = state
    if (state.moving) throw errors.moving()
    const limitUse = tellLimits(state, reply, await options.limits.take(state))
    refuseLinkElsewhere(state, request)
    request.link = { state, limitUse }
    return state
  }

  const refuseOtherAddress = (state: Pick<KeyState, 'allowedAddresses'>, request: FastifyRequest) => {
    // Working out the address of a request behind proxies takes time, and few keys have a list.
    if (!allowLists.allows(state, () => request.ip)) throw errors.addressNotAllowed()
  }

  const refuseLinkElsewhere = (state: LinkState, request: FastifyRequest) => {
    refuseOtherAddress(state, request)
    refuseOtherAddress({ allowedAddresses: state.keyAddresses }, request)
  }

  const refuseOtherPurpose = ({ intake, apiAccess }: KeyState, purpose: 'reading' | 'intake') => {
    if (purpose === 'reading' && intake) throw errors.onlyForIntake()
    if (purpose === 'intake' && !intake) throw errors.notForIntake()
    if (purpose === 'intake' && !apiAccess) throw errors.apiAccessOff()
  }

  const admitted = (
    { key, limitUse }: Pick<Admission, 'key' | 'limitUse'>,
    request: FastifyRequest,
  ): Admission | Promise<Admission> => {
    if (!key.apiAccess) throw errors.apiAccessOff()
    const channel = request.headers[CHANNEL] === undefined ? null : channelOf(request)
    const used = channel === null ? key : usedThrough(key, channel)
    const center = profiles.get(key)
    return center instanceof Promise
      ? center.then((read) => admission(used, limitUse, read, request))
      : admission(used, limitUse, center, request)
  }

  const admission = (
    key: KeyState,
    limitUse: LimitUse,
    center: Center | undefined,
    request: FastifyRequest,
    read?: ReceivedKinds,
  ): Admission | Promise<Admission> => {
    // The center was deleted together with its key after the key was read.
    if (center === undefined) throw errors.unauthorized(credentialForms(request.raw))
    const received = read ?? receivedData.get(key, center)
    if (received instanceof Promise) {
      return received.then((one) => admission(key, limitUse, center, request, one))
    }
    const { headers } = request
    const named = headers['x-locale']
    const language = named === undefined ? center.language : answerLanguage(named, center.language)
    const dataReceived = receivedHeader(received, key.scopes, options.databaseClock)
    return { key, limitUse, center, language, dataReceived, accept: headers.accept }
  }

  // Counts wrong credentials of the client's network. A genuine key never gets here, whatever others in its network do.
  const wrongCredentials = (request: FastifyRequest) =>
    refused(request, () => errors.unauthorized(credentialForms(request.raw)))
  // An altered, guessed, revoked or expired link gets the same answer as one that never existed.
  const noSuchLink = (request: FastifyRequest) => refused(request, errors.noSuchLink)
  const refused = (request: FastifyRequest, refusal: () => ApiError): ApiError => {
    const waitSeconds = options.credentialLimits.failed(request.ip)
    if (waitSeconds === 0) return refusal()
    return errors.rateLimited(
      `This address has sent too many requests with invalid credentials. Check your credentials and retry in ${waitSeconds} s.`,
      waitSeconds,
    )
  }

  const keyInside: Gate['keyInside'] = async (publicKey) => {
    const state = await keyStates.read(publicKey)
    if (state === undefined || state.revoked || state.expired || state.intake || !state.apiAccess)
      return undefined
    if (state.moving) throw errors.moving()
    return state
  }

  return {
    deadline,
    authenticate,
    enterByLink,
    keyInside,

    async refuseDeviceLink(request, reply, why) {
      request.notAdmitted = { reason: why === 'unknown' ? 'unknownLink' : 'endedLink' }
      await refusalTime(reply)
      throw refused(request, () => errors.deviceLink(why))
    },

    async countOwn(key, operation, quotas) {
      const reading = await options.limits.take({ ...key, appId: `${key.appId} ${operation}`, quotas })
      if (!reading.allowed) throw tooMany({ ...key, quotas }, reading, operation)
    },

    admit: async (request, reply) => admitted(await authenticate(request, reply), request),

    async readmit(request, { limitUse }) {
      if (request.link !== null) {
        const { appId, secretHash } = request.link.state
        const credentials = { publicKey: '', secretHash, appId: undefined }
        const state = await linkStates.read(appId)
        if (!isGenuine(credentials, state)) throw errors.noSuchLink()
        if (state.moving) throw errors.moving()
        refuseLinkElsewhere(state, request)
        return admitted({ key: state, limitUse }, request)
      }
      if (request.inside) {
        const state = await request.inside.again()
        if (state === undefined) throw errors.unauthorized(credentialForms(request.raw))
        return admitted({ key: state, limitUse }, request)
      }
      const credentials = readCredentials(request.raw)
      const state = 'refused' in credentials ? undefined : await keyStates.read(credentials.publicKey)
      if ('refused' in credentials || !isGenuine(credentials, state)) {
        if (!('refused' in credentials) && isEnded(credentials, state)) request.asker = state
        throw errors.unauthorized(credentialForms(request.raw))
      }
      if (state.moving) throw errors.moving()
      refuseOtherAddress(state, request)
      return admitted({ key: state, limitUse }, request)
    },

    revisionReads: {
      get batches() {
        return keyStates.numbers.batches + linkStates.numbers.batches
      },
      get callers() {
        return keyStates.numbers.callers + linkStates.numbers.callers
      },
    },

    requireScopes(key, requiredScopes, center) {
      let missing: RequiredScope[] | undefined
      for (const need of requiredScopes) {
        const { scope, customField } = need
        const isMet =
          key.scopes.has(scope) || (customField !== undefined && key.customFields.includes(customField))
        if (!isMet) missing = [...(missing ?? []), need]
      }
      if (missing === undefined) return
      const held = missing.filter((need) => isHeld(key, need.scope))
      if (held.length > 0) throw errors.heldFromAssistants(held)
      const isForNames = missing.some(({ scope }) => scope === 'guests')
      throw errors.missingScopes(missing, isForNames ? insteadOfGuests(key, center) : undefined)
    },
  }
}

function notAdmitted(credentials: Credentials, state: KeyState | undefined, isLink: boolean): NotAdmitted {
  const hasEnded = isEnded(credentials, state)
  if (isLink) return { reason: hasEnded ? 'endedLink' : 'unknownLink', state }
  if (state === undefined) return { reason: 'unknownKey' }
  if (!hasEnded) return { reason: 'wrongSecret', state }
  return { reason: state.revoked ? 'revokedKey' : 'expiredKey', state }
}

/** Waits until the request has taken as long as every refusal takes. */
async function refusalTime(reply: FastifyReply): Promise<void> {
  const early = REFUSAL_MS - reply.elapsedTime
  if (early > 0) await wait(Math.ceil(early))
}

const CHANNEL = CHANNEL_HEADER.toLowerCase()

/** @throws {ApiError} 400 for an unknown value: a misspelt one must not read what an assistant may not */
function channelOf({ headers }: FastifyRequest): Channel {
  const given = headers[CHANNEL]
  if (given === undefined) return null
  if (given === ASSISTANT) return ASSISTANT
  const message = `${CHANNEL_HEADER} must be ${ASSISTANT} or absent.`
  throw errors.invalidParameters([{ parameter: CHANNEL_HEADER, message }])
}

/** @param operation that has a limit of its own, if this is it */
function tooMany(key: KeyState, { retryAfterSeconds }: LimitReading, operation?: string) {
  const { perMinute, perHour } = key.quotas
  const requests = operation === undefined ? 'requests' : `${operation} requests`
  const parts = [
    ...(perMinute === 0 ? [] : [`${perMinute} ${requests} a minute`]),
    ...(perHour === 0 ? [] : [`${perHour} ${requests} an hour`]),
  ]
  return errors.rateLimited(
    `This ${key.channel === LINK ? 'link' : 'key'} may make ${parts.join(' and ')}. Retry in ${retryAfterSeconds} s.`,
    retryAfterSeconds,
  )
}

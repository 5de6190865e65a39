/**
 * What every request passes, in this order (ruling 7): credentials (401) → limits (429) → scopes (403) →
 * language. Parameters (400) and the record (404) are the operation's.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Center } from '../centers/center.ts'
import type { DatabaseClock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import { type ApiError, errors } from '../errors/api-error.ts'
import { ASSISTANT, CHANNEL_HEADER, type Channel, isHeld, LINK, usedThrough } from '../keys/channel.ts'
import { quotasOf } from '../keys/quotas.ts'
import { hashSecret, parseLinkToken } from '../keys/token.ts'
import type { Language } from '../locale/languages.ts'
import { answerLanguage } from '../request/language.ts'
import type { Need } from '../request/operation.ts'
import { createAllowLists } from './addresses.ts'
import { createCenterProfiles } from './center-profiles.ts'
import { countedBefore } from './counted.ts'
import { credentialForms } from './credential-forms.ts'
import { type Credentials, isEnded, isGenuine, readCredentials } from './credentials.ts'
import { createKeyStates, type KeyState } from './key-states.ts'
import type { LimitReading, Limits, Standing } from './limits.ts'
import type { CredentialLimits } from './limits-credentials.ts'
import { createLinkStates, type LinkState } from './link-states.ts'
import { createPatience, type Patience } from './patience.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks. Also a key that has ended, where its secret was right; null before that is known. */
    asker: KeyState | null
    /** the link by whose address it was let in; null for a request with a key */
    link: {
      readonly state: LinkState
      readonly standing: Standing
      /** whether its address leads to the other pages of its list */
      readonly leadsOn?: boolean
    } | null
  }
}

export interface Admission {
  readonly key: KeyState
  /** of its limits, this request included */
  readonly standing: Standing
  readonly center: Center
  readonly language: Language
  /** the header as it came */
  readonly accept: string | undefined
}

export interface Gate {
  /** how long a request may still wait, after what it waited here */
  readonly patience: Patience
  /**
   * Who asks, counted in its limits, which the reply is told in its headers. Also for requests that end in 405
   * on an interface path.
   * @param purpose a key that reads brings nothing in, and one that brings records in reads nothing
   * @throws {ApiError} 401, 429, 403 for an address that the key may not be used from, and for the wrong kind of key
   */
  authenticate(
    request: FastifyRequest,
    reply: FastifyReply,
    purpose?: 'reading' | 'intake',
  ): Promise<Pick<Admission, 'key' | 'standing'>>
  /**
   * Lets in who has the address of a link, counted in the link's own limits. From then on the request is let in as that
   * link, and its credentials are not looked at.
   * @param token of the address @throws {ApiError} 404 for any link that is not in force, 429, 403
   */
  enterByLink(request: FastifyRequest, reply: FastifyReply, token: string): Promise<LinkState>
  /** Everything before the scopes. @throws {ApiError} 401, 429, 403, 503 */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<Admission>
  /**
   * The same again for a request that was let in before and has waited since: not counted again, and refused where its
   * key has ended meanwhile. All who ask at one moment share one read. @throws {ApiError} 401, 403, 503
   */
  readmit(request: FastifyRequest, before: Pick<Admission, 'standing'>): Promise<Admission>
  /** A field outside the key's scopes is refused, never silently left out (ruling 6). @throws {ApiError} 403 */
  requireScopes(key: KeyState, needs: readonly Need[]): void
}

export interface GateOptions {
  readonly database: Database
  /** is told what the database says it is, with every key that is looked up */
  readonly databaseClock: DatabaseClock
  readonly limits: Limits
  readonly credentialLimits: CredentialLimits
}

/**
 * What a refusal of wrong credentials takes, give or take a timer's millisecond. To find a key in the database
 * takes 15 µs more than to find none: a twentieth of a refusal that came at once, and lost in this one, so that
 * the few tries a minute that a network has do not tell which public keys there are.
 */
const REFUSAL_MS = 4

/** Wrong credentials wait as long as those of an unknown key. */
const ofThese = (credentials: Credentials) => (state: KeyState) => isGenuine(credentials, state)

export function createGate(options: GateOptions): Gate {
  const keyStates = createKeyStates(options.database, options.databaseClock)
  const linkStates = createLinkStates(options.database, options.databaseClock)
  // So that an import on the embedded database refuses nobody who has not read since the last commit.
  options.database.beforeHold(async (reads) => {
    await keyStates.readNewest(reads)
    await linkStates.readNewest(reads)
  })
  const profiles = createCenterProfiles(options.database)
  const allowLists = createAllowLists()
  const patience = createPatience()

  const authenticate: Gate['authenticate'] = async (request, reply, purpose = 'reading') => {
    const { link } = request
    // A request whose path is malformed has none of what others have.
    if (link) {
      refuseOtherPurpose(link.state, purpose)
      return { key: link.state, standing: link.standing }
    }
    const credentials = readCredentials(request.raw)
    if ('refused' in credentials) {
      // Who sends none guesses nothing: a probe without credentials is answered 401 however often it asks.
      if (credentials.refused === 'missing') throw errors.unauthorized(credentialForms(request.headers))
      throw wrongCredentials(request)
    }
    // Only a genuine key is let in by what is known of it: wrong credentials take the way of an unknown key, so
    // that their refusal does not tell which keys are in use.
    const known = keyStates.known(credentials.publicKey)
    const state = isGenuine(credentials, known)
      ? known
      : await patience.within(keyStates.read(credentials.publicKey, ofThese(credentials)), reply.elapsedTime)
    if (!isGenuine(credentials, state)) return refuse(credentials, state, request, reply, wrongCredentials)
    request.asker = state
    const counted = countedBefore.getStore()
    if (counted !== undefined) {
      refuseOtherAddress(state, request)
      refuseOtherPurpose(state, purpose)
      return { key: state, standing: counted }
    }
    const taken = options.limits.take(state)
    // Awaiting what is no promise would cost a turn of the queue.
    const standing = tellLimits(state, reply, taken instanceof Promise ? await taken : taken)
    refuseOtherAddress(state, request)
    refuseOtherPurpose(state, purpose)
    return { key: state, standing }
  }

  /** @throws what `refusal` makes, no sooner than any other refusal */
  const refuse = async (
    credentials: Credentials,
    state: KeyState | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
    refusal: (request: FastifyRequest) => Error,
  ): Promise<never> => {
    if (isEnded(credentials, state)) request.asker = state
    await refusalTime(reply)
    throw refusal(request)
  }

  const tellLimits = (state: KeyState, reply: FastifyReply, reading: LimitReading): Standing => {
    if (reading.policy !== undefined) reply.header('ratelimit-policy', reading.policy)
    if (reading.rateLimit !== undefined) reply.header('ratelimit', reading.rateLimit)
    if (!reading.allowed) throw tooMany(state, reading)
    return reading.standing
  }

  const enterByLink: Gate['enterByLink'] = async (request, reply, token) => {
    const parsed = parseLinkToken(token)
    if (parsed === undefined) throw noSuchLink(request)
    const credentials = { publicKey: '', secretHash: hashSecret(parsed.secret), appId: undefined }
    const known = linkStates.known(parsed.id)
    const state = isGenuine(credentials, known)
      ? known
      : await patience.within(linkStates.read(parsed.id, ofThese(credentials)), reply.elapsedTime)
    if (!isGenuine(credentials, state)) return refuse(credentials, state, request, reply, noSuchLink)
    request.asker = state
    const standing = tellLimits(state, reply, await options.limits.take(state))
    refuseOtherAddress(state, request)
    refuseOtherAddress({ allowedAddresses: state.keyAddresses }, request)
    request.link = { state, standing }
    return state
  }

  const refuseOtherAddress = (state: Pick<KeyState, 'allowedAddresses'>, request: FastifyRequest) => {
    // To work out the address of a request behind proxies takes a while, and few keys have a list.
    if (!allowLists.allows(state, () => request.ip)) throw errors.addressNotAllowed()
  }

  const refuseOtherPurpose = ({ intake, apiAccess }: KeyState, purpose: 'reading' | 'intake') => {
    if (purpose === 'reading' && intake) throw errors.onlyForIntake()
    if (purpose === 'intake' && !intake) throw errors.notForIntake()
    if (purpose === 'intake' && !apiAccess) throw errors.apiAccessOff()
  }

  const admitted = (
    { key, standing }: Pick<Admission, 'key' | 'standing'>,
    request: FastifyRequest,
  ): Admission | Promise<Admission> => {
    if (!key.apiAccess) throw errors.apiAccessOff()
    const used = usedThrough(key, channelOf(request))
    const { headers } = request
    const to = (center: Center | undefined): Admission => {
      // Its center was deleted in the instant since the key was read, and the key with it.
      if (center === undefined) throw errors.unauthorized(credentialForms(headers))
      const language = answerLanguage(headers['x-locale'], center.language)
      return { key: used, standing, center, language, accept: headers.accept }
    }
    const center = profiles.get(key)
    return center instanceof Promise ? center.then(to) : to(center)
  }

  // A genuine key never comes here, whatever its neighbours do.
  const wrongCredentials = (request: FastifyRequest) =>
    refused(request, () => errors.unauthorized(credentialForms(request.headers)))
  // One that was changed, guessed, revoked or that has expired is not told from one that never was.
  const noSuchLink = (request: FastifyRequest) => refused(request, errors.noSuchLink)
  const refused = (request: FastifyRequest, refusal: () => ApiError) => {
    const waitSeconds = options.credentialLimits.failed(request.ip)
    if (waitSeconds === 0) return refusal()
    return errors.rateLimited(
      `This address has sent too many requests with invalid credentials. Check your credentials and retry in ${waitSeconds} s.`,
      waitSeconds,
    )
  }

  return {
    patience,
    authenticate,
    enterByLink,

    admit: async (request, reply) => admitted(await authenticate(request, reply), request),

    async readmit(request, { standing }) {
      if (request.link !== null) {
        const { appId, secretHash } = request.link.state
        const credentials = { publicKey: '', secretHash, appId: undefined }
        const state = linkStates.known(appId) ?? (await linkStates.read(appId, ofThese(credentials)))
        if (!isGenuine(credentials, state)) throw errors.noSuchLink()
        return admitted({ key: state, standing }, request)
      }
      const credentials = readCredentials(request.raw)
      const state =
        'refused' in credentials
          ? undefined
          : (keyStates.known(credentials.publicKey) ??
            (await keyStates.read(credentials.publicKey, ofThese(credentials))))
      if ('refused' in credentials || !isGenuine(credentials, state)) {
        if (!('refused' in credentials) && isEnded(credentials, state)) request.asker = state
        throw errors.unauthorized(credentialForms(request.headers))
      }
      refuseOtherAddress(state, request)
      return admitted({ key: state, standing }, request)
    },

    requireScopes(key, needs) {
      const isMet = ({ scope, customField }: Need) =>
        key.scopes.has(scope) || (customField !== undefined && key.customFields.includes(customField))
      const missing = needs.filter((need) => !isMet(need))
      if (missing.length === 0) return
      const held = missing.filter((need) => isHeld(key, need.scope))
      throw held.length > 0 ? errors.heldFromAssistants(held) : errors.missingScopes(missing)
    },
  }
}

/** The rest of the time that every refusal takes. */
async function refusalTime(reply: FastifyReply): Promise<void> {
  const early = REFUSAL_MS - reply.elapsedTime
  if (early > 0) await wait(Math.ceil(early))
}

/** @throws {ApiError} 400 for a word that is none: a misspelt one must not read what an assistant may not */
function channelOf({ headers }: FastifyRequest): Channel {
  const given = headers[CHANNEL_HEADER.toLowerCase()]
  if (given === undefined) return null
  if (given === ASSISTANT) return ASSISTANT
  const message = `${CHANNEL_HEADER} must be ${ASSISTANT} or absent.`
  throw errors.invalidParameters([{ parameter: CHANNEL_HEADER, message }])
}

function tooMany(key: KeyState, { retryAfterSeconds }: LimitReading) {
  const { perMinute, perHour } = quotasOf(key)
  const parts = [
    ...(perMinute === 0 ? [] : [`${perMinute} requests a minute`]),
    ...(perHour === 0 ? [] : [`${perHour} requests an hour`]),
  ]
  return errors.rateLimited(
    `This ${key.channel === LINK ? 'link' : 'key'} may make ${parts.join(' and ')}. Retry in ${retryAfterSeconds} s.`,
    retryAfterSeconds,
  )
}

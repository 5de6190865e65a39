/**
 * One-time links that hand a key to a device. `GET /v1/device-link` says what the device will see, and changes nothing;
 * `POST /v1/actions/sign-in-device` uses the link. Both take the token of the link as `Authorization: Bearer`. The page that
 * the link opens has it behind `#`, which browsers send to nobody, so no log has it.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createAllowLists } from '../../core/access/addresses.ts'
import type { Gate } from '../../core/access/gate.ts'
import { type DescribedLink, lookAtDeviceLink, useDeviceLink } from '../../core/access/keys/device-links.ts'
import { createCredentialLimits } from '../../core/access/limits-credentials.ts'
import { SECURITY_HEADERS } from '../../core/answer/http-errors.ts'
import { JSON_TYPE } from '../../core/answer/send.ts'
import { refuseForeignOrigin } from '../../core/api/actions/origin.ts'
import { problemsOfHead, receiveBody } from '../../core/api/actions/receive-body.ts'
import { type Scoped, seenBy } from '../../core/api/me/subjects.ts'
import { recordAct } from '../../core/audit/record-act.ts'
import type { Database } from '../../core/database/database.ts'
import { errors } from '../../core/errors/api-error.ts'
import { centerId, readCenter } from '../../core/records/centers/center.ts'
import { requireIdempotencyKey } from '../../core/request/idempotency-key.ts'
import { readRawQuery } from '../../core/request/parameters.ts'

export const DEVICE_LINK_PATH = '/device-link'
export const SIGN_IN_DEVICE_PATH = '/actions/sign-in-device'

/** A person opens a link a few times. */
const PER_MINUTE_MAX = 60

interface DevicesOptions {
  readonly gate: Pick<Gate, 'refuseDeviceLink' | 'deadline'>
  readonly database: Database
  /** epoch ms */
  readonly clock: () => number
  /** origins of other sites whose pages may perform actions */
  readonly origins: readonly string[]
  /** every operation and action, which say what the device will see */
  readonly scoped: readonly Scoped[]
}

export function serveDevices(
  app: FastifyInstance,
  { gate, database, clock, origins, scoped }: DevicesOptions,
): void {
  const allowed: ReadonlySet<string> = new Set(origins)
  const allowLists = createAllowLists()
  const opened = createCredentialLimits({ perMinute: PER_MINUTE_MAX, clock })

  /** @throws {ApiError} 429 for a network that opens links all the time */
  const count = (request: FastifyRequest) => {
    const seconds = opened.failed(request.ip)
    if (seconds > 0)
      throw errors.rateLimited(
        `Too many links were opened from this address. Retry in ${seconds} s.`,
        seconds,
      )
  }
  /** @throws {ApiError} unless the link can be used from here */
  const refuse = async (
    link: DescribedLink,
    isUsedNow: boolean,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => {
    if (link.moving) throw errors.moving()
    if (link.status !== 'waiting' && !isUsedNow) await gate.refuseDeviceLink(request, reply, link.status)
    if (!link.apiAccess) throw errors.apiAccessOff()
    if (!allowLists.allows(link, () => request.ip)) throw errors.addressNotAllowed()
  }
  const send = (request: FastifyRequest, reply: FastifyReply, body: object) => {
    const text = JSON.stringify(body)
    request.sentBytes = Buffer.byteLength(text)
    return reply
      .headers({ ...SECURITY_HEADERS, 'cache-control': 'private, no-store', 'x-request-id': request.id })
      .type(JSON_TYPE)
      .send(text)
  }

  const look = async (request: FastifyRequest, reply: FastifyReply) => {
    refuseQuery(request)
    count(request)
    const reading = lookAtDeviceLink(database, tokenOf(request))
    const link = await gate.deadline.within(reading, reply.elapsedTime)
    if (link === undefined) return gate.refuseDeviceLink(request, reply, 'unknown')
    await refuse(link, false, request, reply)
    const { name, center, scopes, customFields, expiresAt, keyExpiresAt, language, timezone } = link
    const profile = await gate.deadline.within(
      readCenter(database, centerId(link.centerId)),
      reply.elapsedTime,
    )
    if (profile === undefined) return gate.refuseDeviceLink(request, reply, 'unknown')
    return send(request, reply, {
      name,
      center: { name: center, language, timezone },
      scopes,
      customFields,
      ...seenBy(link, scoped, profile),
      expiresAt,
      keyExpiresAt,
    })
  }

  const use = async (request: FastifyRequest, reply: FastifyReply) => {
    // Until the body has been read, what follows on the connection may be the rest of it.
    reply.header('connection', 'close')
    count(request)
    const token = tokenOf(request)
    refuseForeignOrigin(request, allowed)
    const idempotencyKey = requireIdempotencyKey(request.headers['idempotency-key'])
    const problems = problemsOfHead(request.raw)
    if (typeof idempotencyKey !== 'string')
      throw errors.invalidParameters([...problems, idempotencyKey.problem])
    if (problems.length > 0) throw errors.invalidParameters(problems)
    refuseQuery(request)
    const text = await receiveBody(request.raw)
    reply.removeHeader('connection')
    if (text.trim() !== '{}') {
      throw errors.invalidParameters([{ parameter: 'body', message: 'The body of this action is {}.' }])
    }
    // Before anything is changed: a client at another address may not use it.
    const before = await lookAtDeviceLink(database, token)
    if (before === undefined) return gate.refuseDeviceLink(request, reply, 'unknown')
    await refuse(before, before.status === 'used', request, reply)
    const using = database.transaction(async (tx) => {
      const used = await useDeviceLink(tx, token, idempotencyKey)
      if (used?.apiKey === undefined) return used
      const { link } = used
      await recordAct(tx, {
        center: link.centerId,
        name: 'signInDevice',
        facts: { link: link.id, requestId: request.id },
        scopes: [...link.scopes],
        by: { publicKey: link.publicKey, appId: link.appId, name: link.name },
      })
      return used
    })
    const used = await gate.deadline.within(using, reply.elapsedTime)
    if (used === undefined) return gate.refuseDeviceLink(request, reply, 'unknown')
    if (used.apiKey === undefined) return gate.refuseDeviceLink(request, reply, used.link.status)
    return send(request, reply, { apiKey: used.apiKey, name: used.link.name })
  }

  app.register(async (own) => {
    const looking = { scope: 'any', endpoint: DEVICE_LINK_PATH } as const
    const using = { scope: 'any', endpoint: SIGN_IN_DEVICE_PATH } as const
    for (const prefix of ['', '/v1']) {
      own.get(`${prefix}${DEVICE_LINK_PATH}`, { config: looking }, look)
      // As a hook, it precedes Fastify's own reading of the body and its type.
      own.post(`${prefix}${SIGN_IN_DEVICE_PATH}`, { config: using, onRequest: use }, unreachable)
      own.get(`${prefix}${SIGN_IN_DEVICE_PATH}`, { config: using }, async () => {
        throw errors.onlyActions()
      })
    }
  })
}

/** The hook before it answers or throws. */
const unreachable = async (): Promise<never> => {
  throw new Error('an action was not answered')
}

const TOKEN_LENGTH_MAX = 100

/** What is no token is refused like one that was guessed. */
function tokenOf({ headers }: FastifyRequest): string {
  const [, token = ''] = /^Bearer +(\w+)$/i.exec(headers.authorization ?? '') ?? []
  return token.length <= TOKEN_LENGTH_MAX ? token : ''
}

/** The token is in a header, so that no log of a proxy has it. @throws {ApiError} 400 */
function refuseQuery({ raw }: FastifyRequest): void {
  const given = [...readRawQuery(raw.url ?? '/').keys()]
  if (given.length === 0) return
  throw errors.invalidParameters(
    given.map((parameter) => ({
      parameter,
      message: 'There are no query parameters: send the token as Authorization: Bearer.',
    })),
  )
}

/**
 * `POST /v1/actions/<name>`: what a person confirms (ruling 48). Every other path is read-only. The checks have the
 * order of ruling 7: credentials → limits → origin and scope → parameters → the record.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Admission, Gate } from '../../access/gate.ts'
import { ASSISTANT } from '../../access/keys/channel.ts'
import { SECURITY_HEADERS } from '../../answer/http-errors.ts'
import { JSON_TYPE } from '../../answer/send.ts'
import { createStreamSlots } from '../../answer/stream-slots.ts'
import type { Database } from '../../database/database.ts'
import { createDatabaseQueue } from '../../database/queue/database-queue.ts'
import { errors, type Problem } from '../../errors/api-error.ts'
import { type Action, type ActionSettings, actionPath } from '../../request/action.ts'
import { requireIdempotencyKey } from '../../request/idempotency-key.ts'
import type { RequiredScope } from '../../request/operation.ts'
import { readRawQuery } from '../../request/parameters.ts'
import { performOnce } from './idempotent.ts'
import { refuseForeignOrigin } from './origin.ts'
import { problemsOfHead, receiveBody } from './receive-body.ts'

/** Actions that wait or are performed. A person confirms one thing after the other. */
const UNDER_WAY_MAX = 32
const UNDER_WAY = {
  perKeyMax: 4,
  does: 'already has',
  advice: 'actions under way; wait for the answer to one of them.',
}

/**
 * On PostgreSQL an action uses one of the two connections that write the audit trail; the other one remains for the
 * trail. Centers and applications alternate.
 */
const AT_A_TIME = 1

export interface ActionsOptions {
  readonly gate: Gate
  readonly database: Database
  readonly actions: readonly Action[]
  /** origins of other sites whose pages may perform actions */
  readonly origins: readonly string[]
  /** epoch ms */
  readonly clock: () => number
  readonly settings: ActionSettings
}

export function serveActions(
  app: FastifyInstance,
  { gate, database, actions, origins, clock, settings }: ActionsOptions,
): void {
  const allowed: ReadonlySet<string> = new Set(origins)
  const slots = createStreamSlots(UNDER_WAY_MAX, UNDER_WAY)
  const queue = createDatabaseQueue(AT_A_TIME)

  const perform = async (action: Action, request: FastifyRequest, reply: FastifyReply) => {
    // Until the body has been read, what follows on the connection may be the rest of it.
    reply.header('connection', 'close')
    const requiredScopes: readonly RequiredScope[] = [
      { scope: action.scope, what: `POST ${actionPath(action)}` },
    ]
    const refuse = ({ key, center }: Admission) => {
      if (key.channel === ASSISTANT) throw errors.noActionsOfAssistants()
      refuseForeignOrigin(request, allowed)
      gate.requireScopes(key, requiredScopes, center)
    }
    const first = await gate.admit(request, reply)
    refuse(first)
    const unread = problemsOfHead(request.raw)
    const idempotencyKey = requireIdempotencyKey(request.headers['idempotency-key'])
    const head = [
      ...(typeof idempotencyKey === 'string' ? [] : [idempotencyKey.problem]),
      ...problemsOfQuery(request.raw.url ?? '/'),
    ]
    if (unread.length > 0) throw errors.invalidParameters([...unread, ...head])
    const text = await receiveBody(request.raw)
    reply.removeHeader('connection')
    const asked = action.read(text)
    const problems = [...head, ...('problems' in asked ? asked.problems : [])]
    if ('problems' in asked || typeof idempotencyKey !== 'string' || problems.length > 0) {
      throw errors.invalidParameters(problems)
    }
    // The body may have taken seconds, in which the key was revoked.
    const admission = await gate.readmit(request, first)
    refuse(admission)
    const { key, center, dataReceived } = admission
    const free = slots.take(key)
    const performing = queue
      .run({ center: key.center, key: key.appId, kind: action.name, cost: 1 }, () =>
        performOnce(database, {
          action,
          key,
          center,
          idempotencyKey,
          text,
          perform: (context) => asked.perform(context),
          requestId: request.id,
          now: clock(),
          settings,
        }),
      )
      .finally(free)
    // After a 503, the client sends the same request again, and gets the answer if the action was performed after all.
    const performed = await gate.deadline.within(performing, reply.elapsedTime)
    const { isRepeated } = performed
    const answer = (await performed.complete?.()) ?? performed.answer
    if (isRepeated) reply.header('idempotency-replayed', 'true')
    request.sentBytes = Buffer.byteLength(answer)
    return reply
      .headers({
        ...SECURITY_HEADERS,
        ...(dataReceived === '' ? undefined : { 'data-received': dataReceived }),
        'x-request-id': request.id,
      })
      .type(JSON_TYPE)
      .send(answer)
  }

  app.register(async (own) => {
    for (const action of actions) {
      const path = actionPath(action)
      const parameters = new Set([...Object.keys(action.body), 'body', 'Content-Type', 'Idempotency-Key'])
      const config = { scope: action.scope, endpoint: path, parameters }
      for (const form of [path, `/v1${path}`].flatMap((one) => [one, `${one}/`])) {
        // As a hook, it precedes Fastify's own reading of the body and its type, which would precede authentication.
        const onRequest = (request: FastifyRequest, reply: FastifyReply) => perform(action, request, reply)
        own.post(form, { config, onRequest }, unreachable)
        own.get(form, { config }, async (request, reply) => {
          await gate.authenticate(request, reply)
          throw errors.onlyActions()
        })
      }
    }
  })
}

/** The hook before it answers or throws. */
const unreachable = async (): Promise<never> => {
  throw new Error('an action was not answered')
}

/** An action takes nothing in the URL, which proxies write to their logs. */
const problemsOfQuery = (url: string): Problem[] =>
  [...readRawQuery(url).keys()].map((parameter) => ({
    parameter,
    message: 'An action has no query parameters: everything is in its body.',
  }))

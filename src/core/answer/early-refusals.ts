/**
 * The first hook of every request. It ends requests before they reach an operation: the service stops or is short of
 * memory; a preflight; another method, two hosts, a malformed path.
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Gate } from '../access/gate.ts'
import { type ApiError, errors } from '../errors/api-error.ts'
import { pathOf } from '../request/parameters.ts'
import { hasOneHost } from '../request/repeated-headers.ts'
import { sendError } from './http-errors.ts'
import type { IsInterfacePath } from './routes.ts'

export interface EarlyRefusals {
  /**
   * Only GET and HEAD with exactly one Host header continue, and POST at the paths of
   * messages, records and actions; bodies are read only there. Another method gets a 405 on an interface path, after
   * authentication, and a 404 elsewhere (rulings 2 and 48).
   */
  checkRequest(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void
  /**
   * Answers a request whose path is malformed. Such a request bypasses all hooks, so this repeats their checks: without
   * a key, a client does not learn what is wrong with an order's path (ruling 7).
   */
  refuseBadPath(error: Error, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
}

export interface EarlyRefusalsOptions {
  readonly gate: Gate
  readonly stopping: {
    readonly state: 'serving' | 'draining' | 'closing'
    lastOfConnection(reply: FastifyReply): ApiError | undefined
  }
  readonly memory: { readonly isShort: boolean; refusal(): ApiError }
  /** Sets the headers of an allowed origin. @returns whether it has answered a preflight */
  readonly cors: ((request: FastifyRequest, reply: FastifyReply) => boolean) | undefined
  /** the same at the intake port, whose only page is the console's */
  readonly intakeCors: ((request: FastifyRequest, reply: FastifyReply) => boolean) | undefined
  readonly isInterfacePath: IsInterfacePath
  /** accepts only POST, with a message */
  readonly messagesPath: string | undefined
  /** whether a request is for the path of records, which accepts only POST */
  isDelivery(request: IncomingMessage): boolean
  /** whether a URL is that of an action, which accepts only POST */
  readonly isActionPath: IsInterfacePath
}

export function createEarlyRefusals(options: EarlyRefusalsOptions): EarlyRefusals {
  const {
    gate,
    stopping,
    memory,
    cors,
    isInterfacePath,
    messagesPath,
    isDelivery,
    isActionPath,
    intakeCors,
  } = options
  const isMessages = ({ url = '/' }: IncomingMessage) =>
    messagesPath !== undefined && pathOf(url).replace(/\/$/, '') === messagesPath
  const isAction = ({ url = '/' }: IncomingMessage) => isActionPath(url)
  const takesBody = (request: IncomingMessage) =>
    isMessages(request) || isAction(request) || isDelivery(request)
  const refuseMethod = async (request: FastifyRequest, reply: FastifyReply): Promise<never> => {
    if (isDelivery(request.raw)) {
      await gate.authenticate(request, reply, 'intake')
      throw errors.onlyDeliveries()
    }
    const messages = isMessages(request.raw)
    const action = isAction(request.raw)
    if (!messages && !action && !isInterfacePath(request.raw.url ?? '/')) throw errors.notFound()
    await gate.authenticate(request, reply)
    throw messages ? errors.onlyMessages() : action ? errors.onlyActions() : errors.methodNotAllowed()
  }

  return {
    checkRequest(request, reply, done) {
      if (stopping.state !== 'serving') {
        const refusal = stopping.lastOfConnection(reply)
        if (refusal !== undefined) return done(refusal)
      }
      // `routeOptions` makes an object each time, so it is read last.
      if (memory.isShort && request.routeOptions.config.scope !== undefined) return done(memory.refusal())
      if ((isDelivery(request.raw) ? intakeCors : cors)?.(request, reply)) return
      const { raw } = request
      const { headers, method } = raw
      if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) {
        reply.header('connection', 'close')
      }
      if (!hasOneHost(raw)) done(errors.notOneHost())
      else if (method === 'GET' || method === 'HEAD' || (method === 'POST' && takesBody(raw))) done()
      else refuseMethod(request, reply).catch(done)
    },
    async refuseBadPath(error, request, reply) {
      try {
        if (!hasOneHost(request.raw)) throw errors.notOneHost()
        if (isInterfacePath(request.raw.url ?? '/')) {
          await gate.authenticate(request, reply)
          if (!isRead(request)) throw errors.methodNotAllowed()
        }
        return sendError(error, request, reply)
      } catch (refusal) {
        return sendError(refusal, request, reply)
      }
    },
  }
}

const isRead = ({ raw: { method } }: FastifyRequest) => method === 'GET' || method === 'HEAD'

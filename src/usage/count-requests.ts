/** Tells the record of use of every request that came with a key, when it was answered. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { KeyState } from '../access/key-states.ts'
import { type ToldError, toldError } from './told-error.ts'
import type { Usage } from './usage.ts'

/** What is asked with a key and is no endpoint: another method, a path that is not well-formed. */
const NO_ENDPOINT = 'other'

/**
 * @returns what counts an answer whose client broke it off once it was begun: Fastify tells only of those that went out
 * to their end
 */
export function countRequests(
  app: FastifyInstance,
  usage: Usage,
): (request: FastifyRequest, reply: FastifyReply) => void {
  const count = (request: FastifyRequest, reply: FastifyReply) => {
    const { asker } = request
    if (asker !== null) {
      const { center, appId, publicKey } = asker
      usage.record({
        center,
        appId,
        publicKey,
        endpoint: request.routeOptions.config.endpoint ?? NO_ENDPOINT,
        status: reply.raw.statusCode,
        bytes: request.sentBytes,
        requestId: request.id,
        error: request.refusal === null ? undefined : () => told(request, asker),
      })
    }
  }
  app.addHook('onResponse', (request, reply, done) => {
    count(request, reply)
    done()
  })
  return count
}

function told(request: FastifyRequest, asker: KeyState): ToldError {
  const { refusal, routeOptions } = request
  if (refusal === null) throw new Error('a request without a refusal has nothing to tell')
  const error = toldError(refusal, routeOptions.config.parameters ?? new Set())
  // The caller is never told why (ruling 5). Who reads this has another key of the same application.
  if (error.status !== 401) return error
  return { ...error, message: asker.revoked ? 'The key was revoked.' : 'The key has expired.' }
}

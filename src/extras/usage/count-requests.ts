/** Counts every request that came with a key, after it was answered. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { KeyState } from '../../access/key-states.ts'
import { type ToldError, toldError } from './told-error.ts'
import type { Usage } from './usage.ts'

/** Requests with a key that match no endpoint: another method, or a malformed path. */
const NO_ENDPOINT = 'other'

/**
 * @returns a function that counts an answer that its client interrupted: Fastify reports only answers that were sent
 * completely
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
  // The client is not told the reason (ruling 5). This is read with another key of the same application.
  if (error.status !== 401) return error
  return { ...error, message: asker.revoked ? 'The key was revoked.' : 'The key has expired.' }
}

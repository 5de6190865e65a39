/**
 * How the service stops without losing a request: it first says that it is not ready, and answers each request as the
 * last one of its connection, until the proxy in front of it sends no more. Then it closes.
 */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type ApiError, errors } from '../../errors/api-error.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readonly stopping: Stopping
  }
}

export interface Stopping {
  /** `closing`: what still arrives on open connections is refused */
  state: 'serving' | 'draining' | 'closing'
  /**
   * Makes a request that came after `serving` the last one of its connection.
   * @returns the refusal of one that came while the service closes
   */
  lastOfConnection(reply: FastifyReply): ApiError | undefined
  /** From now on, each answer closes its connection. */
  drain(): void
}

/** Another instance answers at once, and this one after its restart. */
const RETRY_SECONDS = 2

/** Registers `app.stopping`, which the first hook of every request reads (answer/early-refusals.ts). */
export function registerStopping(app: FastifyInstance): void {
  const stopping: Stopping = {
    state: 'serving',
    lastOfConnection({ raw }) {
      // Node then sends `Connection: close`, whichever code writes the headers.
      raw.shouldKeepAlive = false
      if (stopping.state === 'draining') return undefined
      return errors.busy('This instance of the service is stopping: repeat the request.', RETRY_SECONDS)
    },
    drain() {
      if (stopping.state === 'serving') stopping.state = 'draining'
    },
  }
  app.decorate('stopping', stopping)
  app.addHook('preClose', async () => {
    stopping.state = 'closing'
  })
}

/**
 * How the service stops without losing a request: it first says that it is not ready, and answers each request as the
 * last one of its connection, until the proxy in front of it sends no more. Then it closes.
 */
import type { FastifyInstance } from 'fastify'
import { errors } from '../../errors/api-error.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readonly stopping: Stopping
  }
}

export interface Stopping {
  /** `closing`: what still arrives on open connections is refused */
  readonly state: 'serving' | 'draining' | 'closing'
  /** From now on, each answer closes its connection. */
  drain(): void
}

/** Another instance answers at once, and this one after its restart. */
const RETRY_SECONDS = 2

/** Registers the first hook of every request, and `app.stopping`. */
export function registerStopping(app: FastifyInstance): void {
  let state: Stopping['state'] = 'serving'
  app.decorate('stopping', {
    get state() {
      return state
    },
    drain() {
      if (state === 'serving') state = 'draining'
    },
  })
  app.addHook('preClose', async () => {
    state = 'closing'
  })
  app.addHook('onRequest', (_request, reply, done) => {
    if (state === 'serving') return done()
    // Node then sends `Connection: close`, whichever code writes the headers.
    reply.raw.shouldKeepAlive = false
    if (state === 'draining') return done()
    done(errors.busy('This instance of the service is stopping: repeat the request.', RETRY_SECONDS))
  })
}

/** `GET /metrics` for the operator. The text is computed at most once a second, however often it is requested. */
import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { SECURITY_HEADERS } from '../answer/http-errors.ts'
import { errors } from '../errors/api-error.ts'
import { cameThroughOperationsPort } from './operations-port.ts'

export interface MetricsAccess {
  /** token required at the interface's port; without one, every request there is answered */
  readonly token: string | undefined
  /** whether requests at the interface's port are refused unless they have the token */
  readonly isClosed: boolean
}

/** The shortest interval of the usual collectors. */
export const METRICS_EVERY_MS = 1000

/**
 * @param clock milliseconds of a monotonic clock
 * @param everyMs how old the text may be
 */
export function serveMetrics(
  app: FastifyInstance,
  registry: { readonly contentType: string; metrics(): Promise<string> },
  access: MetricsAccess,
  clock: () => number,
  everyMs: number = METRICS_EVERY_MS,
): void {
  let newest: { readonly at: number; readonly text: Promise<string> } | undefined
  app.get('/metrics', { config: { public: true } }, async (request, reply) => {
    refuseUnknown(request, access)
    if (newest === undefined || clock() - newest.at >= everyMs)
      newest = { at: clock(), text: registry.metrics() }
    return reply
      .headers(SECURITY_HEADERS)
      .type(registry.contentType)
      .send(await newest.text)
  })
}

function refuseUnknown(request: FastifyRequest, { token, isClosed }: MetricsAccess): void {
  if (cameThroughOperationsPort(request.raw)) return
  if (token === undefined) {
    if (isClosed) throw errors.notFound()
    return
  }
  const given = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (given !== undefined && isSame(given, token)) return
  throw errors.unauthorized({
    given: given !== undefined,
    asksForBasic: false,
    hint: 'This path needs the token that METRICS_TOKEN sets, as "Authorization: Bearer …".',
  })
}

/** Compares in constant time. */
const isSame = (a: string, b: string) => timingSafeEqual(sha256(a), sha256(b))
const sha256 = (text: string) => hash('sha256', text, 'buffer')

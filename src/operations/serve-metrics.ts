/** `GET /metrics`: for whoever runs the service, and computed once a second at most however often it is asked for. */
import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { SECURITY_HEADERS } from '../answer/http-errors.ts'
import { errors } from '../errors/api-error.ts'
import { cameThroughOperationsPort } from './operations-port.ts'

export interface MetricsAccess {
  /** what a request at the interface's port must carry; without it everybody is answered there */
  readonly token: string | undefined
  /** whether only requests through the operations port, and those with the token, are answered */
  readonly isClosed: boolean
}

export interface MetricsText {
  readonly contentType: string
  metrics(): Promise<string>
}

/** As often as the usual collectors ask at their fastest. */
export const METRICS_EVERY_MS = 1000

/** @param clock milliseconds that never go back @param everyMs how old a text may be */
export function serveMetrics(
  app: FastifyInstance,
  text: MetricsText,
  access: MetricsAccess,
  clock: () => number,
  everyMs: number = METRICS_EVERY_MS,
): void {
  let newest: { readonly at: number; readonly text: Promise<string> } | undefined
  app.get('/metrics', { config: { public: true } }, async (request, reply) => {
    refuseUnknown(request, access)
    if (newest === undefined || clock() - newest.at >= everyMs) newest = { at: clock(), text: text.metrics() }
    return reply
      .headers(SECURITY_HEADERS)
      .type(text.contentType)
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
    hint: 'This path needs the token that METRICS_TOKEN sets, as "Authorization: Bearer …".',
  })
}

/** In constant time, whatever was sent. */
const isSame = (a: string, b: string) => timingSafeEqual(sha256(a), sha256(b))
const sha256 = (text: string) => hash('sha256', text, 'buffer')

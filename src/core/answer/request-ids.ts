/**
 * What identifies a request across programs: its request ID and its trace (W3C Trace Context). A trusted proxy may give
 * both; of any other client, they are ignored, so that nobody else writes into the log and the audit trail.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

declare module 'fastify' {
  interface FastifyInstance {
    readonly requestIds: RequestIds
  }
}

export interface RequestIds {
  /** the value of `X-Request-Id` from a trusted proxy; otherwise a new UUID */
  idOf(request: IncomingMessage): string
  /** the value of `traceparent` from a trusted proxy; undefined if there is none or it is malformed */
  traceOf(request: IncomingMessage): TraceParent | undefined
}

/** The fields of `traceparent`, in lower-case hexadecimal digits. */
export interface TraceParent {
  readonly traceId: string
  /** the span of the proxy, the parent of the request's own */
  readonly spanId: string
  /** whether the proxy records the trace */
  readonly isSampled: boolean
}

/** The IDs that a proxy may give, for OpenAPI too. `-` alone is the ID of commands in the audit trail. */
const REQUEST_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
export const REQUEST_ID_PATTERN = REQUEST_ID.source

/** @param isTrusted whether the address of a connection is that of a trusted proxy */
export function createRequestIds(isTrusted: (address: string | undefined) => boolean): RequestIds {
  // A header that was sent twice arrives as one, joined by a comma and a space, which is in no valid value.
  const given = (request: IncomingMessage, name: string): string | undefined => {
    const value = request.headers[name]
    return typeof value === 'string' && isTrusted(request.socket.remoteAddress) ? value : undefined
  }
  return {
    idOf(request) {
      const id = given(request, 'x-request-id')
      return id !== undefined && REQUEST_ID.test(id) ? id : randomUUID()
    },
    traceOf(request) {
      const value = given(request, 'traceparent')
      return value === undefined ? undefined : readTraceParent(value)
    },
  }
}

/** Version, trace ID, parent ID and flags. Versions after 00 may have further fields, each after a hyphen. */
const TRACE_PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-[!-~]{0,128})?$/
const ALL_ZERO = /^0+$/

/** Parses a `traceparent` header. @returns undefined if the specification calls it invalid */
export function readTraceParent(text: string): TraceParent | undefined {
  const [, version, traceId = '', spanId = '', flags = '', more] = TRACE_PARENT.exec(text) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined
  if (ALL_ZERO.test(traceId) || ALL_ZERO.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

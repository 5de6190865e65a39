/**
 * The only file that renders errors. This includes errors that bypass Fastify's handlers and hooks: bad
 * percent-encoding in a path, and requests that are not HTTP.
 */
import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DatabaseUnavailable } from '../database/database.ts'
import { ApiError, errorBody, errors } from '../errors/api-error.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** the error that was sent; null if there was none */
    refusal: ApiError | null
    /** bytes of the body sent so far */
    sentBytes: number
  }
  interface FastifyInstance {
    /** public base URL, without a trailing slash; '' if not set */
    readonly publicUrl: string
  }
}

/** What a refusal uses of the service that is asked. */
type Own = Pick<FastifyInstance, 'publicUrl' | 'requestIds'>

/** Headers of every response, errors included. */
export const SECURITY_HEADERS = {
  // Shared caches do not vary by X-API-SECRET-KEY on their own: without `private` they would serve one key's answer to
  // everyone.
  'cache-control': 'private, no-cache',
  vary: 'Authorization, X-API-APP-ID, X-API-PUBLIC-KEY, X-API-SECRET-KEY, X-LOCALE, Accept-Encoding',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
} as const

/** Converts anything thrown to the error that the client may see. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof DatabaseUnavailable) return errors.unavailable(error)
  if (isFastifyError(error, /^FST_ERR_(BAD_URL|MAX_PARAM_LENGTH)$/)) {
    return errors.invalidParameters([
      {
        parameter: 'path',
        message: 'The path is not well-formed percent-encoded UTF-8. Encode it and retry.',
      },
    ])
  }
  if (isFastifyError(error, /^FST_ERR_CTP_/)) {
    return errors.invalidParameters([
      { parameter: 'Content-Type', message: 'Content-Type is not well-formed. Send application/json.' },
    ])
  }
  return errors.internal(error)
}

const isFastifyError = (error: unknown, codes: RegExp): error is FastifyError =>
  error instanceof Error && 'code' in error && codes.test(String(error.code))

/** Sends an error and logs it if its status is 500 or above. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const apiError = toApiError(error)
  // The cause is only logged. Its message may quote SQL, but never a bound value.
  if (apiError.status >= 500) {
    const cause = apiError.cause instanceof Error ? apiError.cause : undefined
    request.log.error(
      { ...logFacts(request), code: apiError.code, cause: describeCause(cause) },
      'request failed',
    )
  }
  const { method } = request.raw
  const body = JSON.stringify(errorBody(apiError, request.id, request.server.publicUrl))
  const length = Buffer.byteLength(body)
  request.refusal = apiError
  request.sentBytes = method === 'HEAD' ? 0 : length
  const headers = {
    ...SECURITY_HEADERS,
    // Set by the gate (limits) and by hooks (CORS). Fastify's type is looser than Node's for the same values.
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    ...apiError.headers,
    'x-request-id': request.id,
    'content-type': 'application/json; charset=utf-8',
    'content-length': length,
  }
  // Written directly to Node's response, as answers are.
  reply.hijack()
  reply.raw.writeHead(apiError.status, headers)
  reply.raw.end(method === 'HEAD' ? undefined : body)
  return reply
}

/** What identifies a request in a log line: its ID, and the ID of its trace if a trusted proxy has begun one. */
export function logFacts(request: FastifyRequest): { readonly requestId: string; readonly traceId?: string } {
  const trace = request.server.requestIds.traceOf(request.raw)
  return { requestId: request.id, ...(trace && { traceId: trace.traceId }) }
}

/** Name, code and stack of an internal error. The message is left out: a database's message may quote data. */
export function describeCause(cause: Error | undefined): Record<string, unknown> | undefined {
  if (cause === undefined) return undefined
  const inner = cause.cause instanceof Error ? cause.cause : undefined
  return {
    name: cause.name,
    ...('code' in cause ? { code: cause.code } : {}),
    ...(inner === undefined ? {} : { inner: describeCause(inner) }),
    at: placesOf(cause).slice(0, 6),
  }
}

/** The lines of the stack trace. The stack begins with the message, whose own lines may begin with "at" too. */
function placesOf({ stack = '', message }: Error): string[] {
  const at = stack.indexOf(message)
  const below = at < 0 ? stack : stack.slice(at + message.length)
  return below.split('\n').filter((line) => STACK_LINE.test(line))
}

// A line must end with the line and column of a file, so that no other text matches.
const STACK_LINE = /^ {4}at (?:async )?(?:[\w.$<>#[\] ]+ \()?(?:file:|node:|\/|[A-Z]:\\)\S+:\d+:\d+\)?$/

const CLIENT_ERRORS: Record<string, { status: string; message: string }> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    message: 'The headers of the request are too large. They may have 16 KiB in total.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', message: 'The request did not arrive in time.' },
}

/** Body and headers of an error for a message that never becomes a Fastify request. */
function bareError(error: ApiError, publicUrl: string, id: string) {
  const body = JSON.stringify(errorBody(error, id, publicUrl))
  const headers = {
    ...SECURITY_HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': id,
    connection: 'close',
  }
  return { body, headers }
}

/** Answers input that Node could not parse as HTTP, or that did not arrive in time, with the usual error body. */
export function answerClientError(error: Error & { code?: string }, socket: Socket, publicUrl: string): void {
  if (error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  // Bytes after a request with `Connection: close` are ignored. Its answer closes the connection.
  if (error.code === 'HPE_CLOSED_CONNECTION' && belongsToAnotherAnswer(socket)) return
  const known = CLIENT_ERRORS[error.code ?? '']
  const message = known?.message ?? 'The request is not well-formed HTTP.'
  endWith(
    socket,
    known?.status ?? '400 Bad Request',
    new ApiError('INVALID_PARAMETER', { message }),
    publicUrl,
    // Its headers could not be read, or not completely.
    randomUUID(),
  )
}

/**
 * Answers CONNECT as any other method at a path that is none. Node passes it to no handler of requests: without this it
 * would close the connection.
 */
export function refuseTunnel(request: IncomingMessage, socket: Duplex, { publicUrl, requestIds }: Own): void {
  // It is one: Node's type allows for other servers.
  endWith(socket as Socket, '404 Not Found', errors.notFound(), publicUrl, requestIds.idOf(request))
}

/** Sends an error as the last bytes of a connection, unless they would be taken for a part of another answer. */
function endWith(socket: Socket, status: string, error: ApiError, publicUrl: string, id: string): void {
  if (!socket.writable || belongsToAnotherAnswer(socket)) {
    socket.destroy()
    return
  }
  const { body, headers } = bareError(error, publicUrl, id)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`)
  // A connection is open until both sides have ended it, and a client need not. No time-out would end it after this one.
  socket.destroySoon()
}

/**
 * Whether an answer was begun on the connection, or belongs to a request that came before: a client that gets an error
 * first takes it for that answer. Node keeps the answer under this name; there is no public one.
 */
function belongsToAnotherAnswer(socket: Socket & { readonly _httpMessage?: unknown }): boolean {
  const { _httpMessage: answer } = socket
  return answer instanceof ServerResponse && (answer.headersSent || answer.req.complete)
}

/** Refuses an unknown `Expect` header with an error body. Node would send an empty 417. */
export function refuseExpectation(
  request: IncomingMessage,
  response: ServerResponse,
  { publicUrl, requestIds }: Own,
): void {
  const message =
    'The only supported expectation is 100-continue. Send the request without its Expect header.'
  const details = [{ parameter: 'Expect', message }]
  const error = new ApiError('INVALID_PARAMETER', { message, details })
  const { body, headers } = bareError(error, publicUrl, requestIds.idOf(request))
  response.writeHead(417, headers).end(body)
}

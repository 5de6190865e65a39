/** Records are delivered on a port of their own; the main port stays read-only. So a firewall can let the booking system to this one alone. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { answerClientError, refuseExpectation, SECURITY_HEADERS } from '../../answer/http-errors.ts'
import { boundConnections } from '../../request/connections/connections.ts'

export const INTAKE_PATH = '/intake'
/** Where the app has the port's OpenAPI document; at the port itself it is `/openapi.json`. */
export const INTAKE_DOCUMENT_PATH = '/intake/openapi.json'
const DOCUMENT_PATHS: ReadonlySet<string> = new Set(['/openapi.json', '/v1/openapi.json'])

const PATHS: ReadonlySet<string> = new Set([
  INTAKE_PATH,
  `${INTAKE_PATH}/`,
  `/v1${INTAKE_PATH}`,
  `/v1${INTAKE_PATH}/`,
])

/** What the import page asks for (serve-files.ts). */
const FILE_PATHS = /^(?:\/v1)?\/intake\/(?:file(?:\/[a-z]+)?|imports)$/

/** A booking system, and one that was forgotten; not the readers, who cannot take these. */
const CONNECTIONS_MAX = 50

/** From the first byte of a request to the last one of its body. */
const REQUEST_MS_MAX = 300_000

const throughIntakePort = new WeakSet<IncomingMessage>()
const waitsToSend = new WeakSet<IncomingMessage>()

/** Whether it is a request for intake that came where such a request may come. */
export const isIntake = (request: IncomingMessage): boolean => throughIntakePort.has(request)

/** Lets a client send its body that asked whether it may (`Expect: 100-continue`). */
export function letSend(request: IncomingMessage, response: ServerResponse): void {
  if (waitsToSend.delete(request)) response.writeContinue()
}

/**
 * @param app must be ready before the server listens
 * @param isShared addresses that many clients come from
 */
export function createIntakeServer(
  app: FastifyInstance,
  isShared?: (address: string | undefined) => boolean,
): Server {
  const take = (request: IncomingMessage, response: ServerResponse) => {
    const [path = '/'] = (request.url ?? '/').split('?', 1)
    const isDocument = DOCUMENT_PATHS.has(path)
    if (isDocument) request.url = INTAKE_DOCUMENT_PATH
    if (isDocument || PATHS.has(path) || FILE_PATHS.test(path)) {
      throughIntakePort.add(request)
      app.routing(request, response)
      return
    }
    response.writeHead(404, {
      ...SECURITY_HEADERS,
      'content-type': 'text/plain; charset=utf-8',
      // What follows may be a body.
      connection: 'close',
    })
    response.end(`This port takes records by POST to ${INTAKE_PATH}; /openapi.json describes it.\n`)
  }
  const server = createServer(
    {
      headersTimeout: 5000,
      requestTimeout: REQUEST_MS_MAX,
      keepAliveTimeout: 5000,
      connectionsCheckingInterval: 1000,
      requireHostHeader: false,
    },
    take,
  )
  // Who has no key must not be able to take every connection, nor leave answers lying.
  boundConnections(server, { connectionsMax: CONNECTIONS_MAX, isShared })
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    waitsToSend.add(request)
    // It waits as every other.
    server.emit('request', request, response)
  })
  server.on('checkExpectation', (request, response) => refuseExpectation(request, response, app))
  server.on('clientError', (error: Error & { code?: string }, socket) =>
    answerClientError(error, socket as Parameters<typeof answerClientError>[1], app.publicUrl),
  )
  return server
}

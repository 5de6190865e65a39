/** A separate port for the operator: health and metrics, but no data of any center. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { SECURITY_HEADERS } from '../answer/http-errors.ts'
import { boundConnections } from '../request/connections/connections.ts'

const PATHS: ReadonlySet<string> = new Set(['/health/live', '/health/ready', '/metrics'])

/** Enough for a collector, a few probes and a person. These connections are separate from those of clients. */
export const OPERATIONS_CONNECTIONS_MAX = 50

const throughOperationsPort = new WeakSet<IncomingMessage>()

/** Whether a request came through the operations port. */
export const cameThroughOperationsPort = (request: IncomingMessage): boolean =>
  throughOperationsPort.has(request)

/** @param app must be ready before the server listens */
export function createOperationsServer(app: FastifyInstance): Server {
  const server = createServer(
    {
      headersTimeout: 5000,
      requestTimeout: 10_000,
      keepAliveTimeout: 5000,
      connectionsCheckingInterval: 1000,
    },
    (request, response) => {
      const [path = '/'] = (request.url ?? '/').split('?', 1)
      if (PATHS.has(path)) {
        throughOperationsPort.add(request)
        app.routing(request, response)
        return
      }
      response.writeHead(404, { ...SECURITY_HEADERS, 'content-type': 'text/plain; charset=utf-8' })
      response.end(`This port serves ${[...PATHS].join(', ')}.\n`)
    },
  )
  // Collectors and probes often run on one machine, so networks have no limit of their own.
  boundConnections(server, { connectionsMax: OPERATIONS_CONNECTIONS_MAX, isShared: () => true })
  return server
}

import type { FastifyInstance } from 'fastify'
import type { Gate } from '../access/gate.ts'
import type { AnswerCache } from '../answer/answer-cache.ts'
import type { RequestIds } from '../answer/request-ids.ts'
import type { Database } from '../database/database.ts'
import type { Replicas } from '../database/replicas.ts'

/** What makes spans of the service's work, where there is a collector for them. */
export interface Tracing {
  /** The IDs of requests, with the trace of each one's own span. */
  ids(given: RequestIds): RequestIds
  /** Must be called before other hooks are added. */
  watchRequests(app: FastifyInstance): void
  database(of: Database): Database
  replicas(of: Replicas): Replicas
  gate(of: Gate): Gate
  cache(of: AnswerCache): AnswerCache
  close(): Promise<void>
}

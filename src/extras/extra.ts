/**
 * An extra is a part that the service can do without: webhooks, usage, links, assistants, the reference, the guide, the
 * console. Each is one value in its own folder, which registers its routes, timers, pruning and metrics. `app.ts` lists them.
 */
import type { FastifyInstance } from 'fastify'
import type { Gate } from '../access/gate.ts'
import type { Handler } from '../answer/routes.ts'
import type { BrokenOff } from '../answer/stream.ts'
import type { AppOptions } from '../app-options.ts'
import type { Database } from '../database/database.ts'
import type { Metrics } from '../monitoring/metrics.ts'
import type { Action } from '../request/action.ts'
import type { Operation } from '../request/operation.ts'
import type { StreamOperation } from '../request/stream-operation.ts'

/** What an extra may use of the service. */
export interface Service {
  readonly app: FastifyInstance
  readonly options: AppOptions
  readonly database: Database
  readonly gate: Gate
  /** epoch ms */
  readonly clock: () => number
  /** epoch ms by the database's clock */
  readonly databaseClock: () => number
  readonly metrics: Metrics
  /** Calls the function for each answer that its client interrupts; Fastify reports only answers that were sent completely. */
  readonly onBrokenOff: (report: BrokenOff) => void
}

/** What the routes of an extra may use in addition. */
export interface Serving extends Service {
  readonly operations: readonly Operation[]
  readonly streams: readonly StreamOperation[]
  readonly actions: readonly Action[]
  /** where clients reach the service, without a slash at its end; '' if that is not set */
  readonly publicUrl: string
  /** the handler of an operation, for routes that answer in its way */
  readonly handlerOf: (operation: Operation) => Handler
}

export interface Extra {
  /** Hooks, timers, pruning and metrics, before any route exists. */
  readonly start?: (service: Service) => void
  /** Routes, after those of the interface. */
  readonly serve?: (serving: Serving) => void
}

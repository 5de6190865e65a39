/**
 * A part of the service: what can be asked for and done about one subject, and what runs for it. Each is one value in the file
 * `part.ts` of its folder; `parts.ts` lists them, and is the only file that does.
 */
import type { FastifyInstance } from 'fastify'
import type { Gate } from './access/gate.ts'
import type { Handler } from './answer/routes.ts'
import type { BrokenOff } from './answer/stream.ts'
import type { AppOptions } from './app-options.ts'
import type { Database } from './database/database.ts'
import type { Metrics } from './monitoring/metrics.ts'
import type { Action } from './request/action.ts'
import type { Operation } from './request/operation.ts'
import type { StreamOperation } from './request/stream-operation.ts'

/** What a part may use of the service. */
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

/** What the routes of a part may use in addition. */
export interface Serving extends Service {
  readonly operations: readonly Operation[]
  readonly streams: readonly StreamOperation[]
  readonly actions: readonly Action[]
  /** where clients reach the service, without a slash at its end; '' if that is not set */
  readonly publicUrl: string
  /** the handler of an operation, for routes that answer in its way */
  readonly handlerOf: (operation: Operation) => Handler
}

/** All parts together, for operations that describe others: known once all parts are listed. */
export interface Everything {
  operations(): readonly Operation[]
  /** what a key may do: each operation and action with its scope */
  scoped(): readonly (Operation | Action)[]
}

export interface Part {
  /** that of its folder */
  readonly name: string
  /** the parts that it imports from; it sees no other, and is removed with any of them */
  readonly needs?: readonly string[]
  readonly operations?: (all: Everything) => readonly Operation[]
  readonly streams?: readonly StreamOperation[]
  /** what a person confirms (ruling 48) */
  readonly actions?: readonly Action[]
  /** paths at which it performs actions in its own way, in addition to those of `actions` */
  readonly actionPaths?: readonly string[]
  /** the path of messages of assistants, where the settings permit them */
  readonly messagesPath?: string
  /** Hooks, timers, pruning and metrics, before any route exists. */
  readonly start?: (service: Service) => void
  /** Routes of its own, after those of all operations. */
  readonly serve?: (serving: Serving) => void
}

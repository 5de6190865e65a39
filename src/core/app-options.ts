/** What a service is made with. */
import type { Config } from './config/config.ts'
import type { Database } from './database/database.ts'
import type { Replicas } from './database/replicas.ts'
import type { IntakeOptions } from './intake/port/serve-intake.ts'
import type { MemoryUse } from './monitoring/memory-watch.ts'
import type { Tracing } from './monitoring/tracing.ts'
import type { Action } from './request/action.ts'
import type { ConnectionBounds } from './request/connections/connections.ts'
import type { Operation } from './request/operation.ts'

/**
 * The settings (`config/env.ts`), and what only a program gives. A setting that is left out has its default, except that
 * nothing is pruned without its number of days.
 */
export interface AppOptions extends Partial<Config> {
  readonly database: Database
  /** servers that lists are read from; without them, the database's own */
  readonly replicas?: Replicas | undefined
  /** what is served; the whole interface unless given */
  readonly operations?: readonly Operation[]
  /** the actions; all by default */
  readonly actions?: readonly Action[]
  /** epoch milliseconds */
  readonly clock?: () => number
  /** monotonic clock, ms; `clock`, where that is given */
  readonly monotonic?: () => number
  /** how often the database is looked at for requests that wait for a commit */
  readonly lookEveryMs?: number
  /** how often a request is admitted again while its long answer is sent */
  readonly readmitEveryMs?: number
  /** streams of changes at a time */
  readonly eventStreamsMax?: number
  /** whether to warn, at the start, of a clock that differs from the database's */
  readonly compareClocks?: boolean
  /** where log lines go; standard output unless given */
  readonly logStream?: { write(line: string): void }
  /** what is in use of the process's memory, and how much there may be */
  readonly memory?: () => readonly MemoryUse[]
  /** what a connection may take of the service, where that is not the default */
  readonly connectionBounds?: ConnectionBounds
  /** the folder of reads that wait to be written and survive the process; without it they wait in memory only */
  readonly auditFolder?: string
  /** between writings of the use of the interface, and of refused requests */
  readonly usageFlushMs?: number
  /** whether contradictions are updated in the background */
  readonly evaluatesContradictions?: boolean | undefined
  /** what follows the erasure of a person; by default, only the files of the database are rewritten */
  readonly completeErasure?: () => Promise<unknown>
  /** whether people are notified of problems of sources */
  readonly notifies?: boolean
  /** whether scheduled reports are sent, and in which folder their last good copies are; without a folder there are none */
  readonly sendsReports?:
    | {
        readonly copiesFolder: string | undefined
        /** gets what looks for due reports, and says itself when it looks; a timer by default */
        readonly drive?: (reporter: { look(): Promise<void>; close(): Promise<void> }) => void
      }
    | undefined
  /** whether the console is made soon after the start, before anybody opens it */
  readonly preparesConsole?: boolean
  /** where records are delivered by `POST /intake`, at a port of its own; without it they are not */
  readonly intake?: IntakeOptions | undefined
  /** the port on which deliveries arrive, once it listens; for the console */
  readonly intakeAt?: () => number | undefined
  /** who may read `/metrics` at this port: everybody unless `closed`, or nobody without the token if there is one */
  readonly metrics?: 'open' | 'closed'
  /** what gets the spans of requests; without it, there are none */
  readonly tracing?: Tracing | undefined
  /** how old the text of the metrics may be, in milliseconds */
  readonly metricsEveryMs?: number
}

/** What a service is made with. */
import type { Database } from './database/database.ts'
import type { IntakeOptions } from './intake/port/serve-intake.ts'
import type { MemoryUse } from './monitoring/memory-watch.ts'
import type { Action } from './request/action.ts'
import type { ConnectionBounds } from './request/connections/connections.ts'
import type { Operation } from './request/operation.ts'

export interface AppOptions {
  readonly database: Database
  /** what is served; the whole interface unless given */
  readonly operations?: readonly Operation[]
  /** the actions; all by default */
  readonly actions?: readonly Action[]
  /** epoch milliseconds */
  readonly clock?: () => number
  /** milliseconds of a clock that nobody sets; `clock`, where that is given */
  readonly monotonic?: () => number
  /** how often the database is looked at for requests that wait for a commit */
  readonly lookEveryMs?: number
  /** how often a request is admitted again while its long answer is sent */
  readonly readmitEveryMs?: number
  /** streams of changes at a time */
  readonly eventStreamsMax?: number
  /** whether to warn, at the start, of a clock that differs from the database's */
  readonly compareClocks?: boolean
  readonly logLevel?: string
  /** where log lines go; standard output unless given */
  readonly logStream?: { write(line: string): void }
  /** addresses and ranges whose `X-Forwarded-For` is believed */
  readonly trustedProxies?: readonly string[]
  /** what is in use of the process's memory, and how much there may be */
  readonly memory?: () => readonly MemoryUse[]
  /** connections of clients at a time */
  readonly connectionsMax?: number
  /** what a connection may take of the service, where that is not the default */
  readonly connectionBounds?: ConnectionBounds
  /** bound of the answers kept in memory, in bytes; 0 keeps none */
  readonly answerCacheBytes?: number
  /** where requests are counted: `memory`, or the address of a Redis or Valkey that instances share */
  readonly rateLimitStore?: string
  /** wrong credentials a minute that an address may send */
  readonly failedCredentialsPerMinute?: number
  /** whether reads are refused when they cannot be recorded in the audit trail; they are unless told otherwise */
  readonly auditRequired?: boolean
  /** how long they are answered all the same */
  readonly auditGraceSeconds?: number
  /** where reads wait that cannot be written, to survive the process; without it they wait in memory only */
  readonly auditFolder?: string
  /** days that the trail is kept; without it nothing is pruned */
  readonly auditDays?: number
  /** days that the notes of changes are kept; without it nothing is pruned */
  readonly changesDays?: number
  /** days that the use of the interface is kept; without it nothing is pruned */
  readonly usageDays?: number
  /** days that the log of imports is kept; without it nothing is pruned */
  readonly importsDays?: number
  /** between writings of the use of the interface */
  readonly usageFlushMs?: number
  /** what the signing secrets of webhooks are derived from (base64); without it none are sent */
  readonly webhooksKey?: string | undefined
  /** addresses and ranges beside the public ones that webhooks may be sent to */
  readonly webhooksAllowedAddresses?: readonly string[]
  /** whether the console is made soon after the start, before anybody opens it */
  readonly preparesConsole?: boolean
  /** minutes without use after which the console signs out; 0: never */
  readonly consoleIdleMinutes?: number
  /** whether the wall display and the kitchen's pages are signed in for as long as their key is valid */
  readonly consoleKitchenStays?: boolean
  /** web origins that may read in a browser; none unless named */
  readonly corsOrigins?: readonly string[]
  /** whether assistants may ask at `/mcp`; they may not unless told so */
  readonly mcp?: boolean
  /** where records come in by `POST /intake`, at a port of its own; without it they do not */
  readonly intake?: IntakeOptions | undefined
  /** who may read `/metrics` at this port: `open` unless told otherwise, or nobody without the token if there is one */
  readonly metrics?: 'open' | 'closed'
  readonly metricsToken?: string | undefined
  /** how old the text of the metrics may be, in milliseconds */
  readonly metricsEveryMs?: number
  /** where clients reach the service, without a slash at its end */
  readonly publicUrl?: string | undefined
  /** who helps with the interface: `mailto:…` or `https://…` */
  readonly apiContact?: string | undefined
  /** where to report a weakness: `mailto:…` or `https://…` */
  readonly securityContact?: string
}

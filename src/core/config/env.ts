/**
 * Every setting: its name in the environment, the values it takes, its default and its purpose. `--help`, the
 * documentation and the type of the configuration are derived from this table.
 */

import {
  addressRanges,
  contact,
  folder,
  heartbeatUrl,
  host,
  type Kind,
  key256,
  limitStore,
  oneOf,
  origins,
  postgresUrl,
  postgresUrls,
  printers,
  publicUrl,
  token,
  truth,
  wholeNumber,
} from './kinds.ts'
import { mailAddresses, mailbox, mailServer } from './mail-kinds.ts'

export interface Setting<T> {
  /** in the environment */
  readonly name: string
  readonly kind: Kind<T>
  /** as text, parsed like a given value; undefined if there is none, empty for an empty list */
  readonly default: string | undefined
  /** one sentence without its full stop */
  readonly help: string
  /** The value may contain a password and is never printed. */
  readonly secret: boolean
}

interface Optional<T> extends Setting<T> {
  readonly default: undefined
}

interface WithDefault<T> extends Setting<T> {
  readonly default: string
}

function setting<T>(name: string, kind: Kind<T>, fallback: string, help: string): WithDefault<T> {
  return { name, kind, default: fallback, help, secret: false }
}

function optional<T>(name: string, kind: Kind<T>, help: string): Optional<T> {
  return { name, kind, default: undefined, help, secret: false }
}

const secret = <S extends Setting<unknown>>(visible: S): S => ({ ...visible, secret: true })

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

export const SETTINGS = {
  host: setting('HOST', host, '127.0.0.1', 'Address to listen on; 0.0.0.0 listens on all networks'),
  port: setting(
    'PORT',
    wholeNumber({ from: 0, to: 65_535 }),
    '8080',
    'Port to listen on; 0 chooses a free one',
  ),
  databaseUrl: secret(
    optional(
      'DATABASE_URL',
      postgresUrl,
      'PostgreSQL database to use; the folder DATA_DIR has one of its own if not set',
    ),
  ),
  databaseReadUrls: secret(
    setting(
      'DATABASE_READ_URL',
      postgresUrls,
      '',
      'Replicas of the PostgreSQL database that lists are read from, each with DATABASE_POOL_SIZE connections; none if not set',
    ),
  ),
  databaseTlsCa: optional(
    'DATABASE_TLS_CA',
    folder,
    'File with the certificates of the authorities, in PEM form, that certificates of PostgreSQL servers are verified with; connections then use TLS unless sslmode in their URL says otherwise',
  ),
  databasePoolSize: setting(
    'DATABASE_POOL_SIZE',
    wholeNumber({ from: 1, to: 1000 }),
    '10',
    'PostgreSQL connections for reads; three more serve credentials and the audit trail',
  ),
  databasePooler: setting(
    'DATABASE_POOLER',
    truth,
    'false',
    'Whether DATABASE_URL, and DATABASE_READ_URL, lead to a connection pooler in transaction mode; "sojourn pooler-settings" prints what its role must have',
  ),
  dataDir: setting(
    'DATA_DIR',
    folder,
    './sojourn-data',
    'Folder of the database, and of what waits to be written',
  ),
  logLevel: setting('LOG_LEVEL', oneOf(LOG_LEVELS), 'info', 'Lowest level that is logged'),
  trustedProxies: setting(
    'TRUSTED_PROXIES',
    addressRanges,
    '',
    'Reverse proxies whose X-Forwarded-For, X-Request-Id and traceparent headers are trusted; none if not set',
  ),
  connectionsMax: setting(
    'CONNECTIONS_MAX',
    wholeNumber({ from: 2, to: 100_000 }),
    '1000',
    'Maximum number of client connections; at most half of them from one network, unless it is a trusted proxy',
  ),
  corsOrigins: setting(
    'CORS_ORIGINS',
    origins,
    '',
    'Web origins whose pages may call the API in a browser, and perform actions; only this service if not set',
  ),
  rateLimitStore: secret(
    setting(
      'RATE_LIMIT_STORE',
      limitStore,
      'memory',
      'Where requests are counted; use Redis to share the counts between instances',
    ),
  ),
  failedCredentialsPerMinute: setting(
    'RATE_LIMIT_FAILED_CREDENTIALS_PER_MINUTE',
    wholeNumber({ from: 1, to: 100_000 }),
    '30',
    'Requests with invalid credentials per minute from one address before they get a 429',
  ),
  keyDaysMax: optional(
    'KEY_DAYS_MAX',
    wholeNumber({ from: 1, to: 36_500 }),
    'Days for which a new key may be valid; any time, also without end, if not set',
  ),
  auditRequired: setting(
    'AUDIT_REQUIRED',
    truth,
    'true',
    'Whether reads are refused while the audit trail cannot be written',
  ),
  auditDays: setting(
    'AUDIT_DAYS',
    wholeNumber({ from: 1, to: 36_500 }),
    '730',
    'Days for which entries of the audit trail are stored',
  ),
  changesDays: setting(
    'CHANGES_DAYS',
    wholeNumber({ from: 1, to: 36_500 }),
    '90',
    'Days for which the history of changes is stored, for GET /changes and webhooks',
  ),
  usageDays: setting(
    'USAGE_DAYS',
    wholeNumber({ from: 1, to: 36_500 }),
    '90',
    'Days for which usage counts and errors are stored, for GET /usage',
  ),
  importsDays: setting(
    'IMPORTS_DAYS',
    wholeNumber({ from: 1, to: 36_500 }),
    '365',
    'Days for which the log of imports is stored, for "sojourn imports list"',
  ),
  reportsDays: setting(
    'REPORTS_DAYS',
    wholeNumber({ from: 1, to: 36_500 }),
    '365',
    'Days for which it is stored what became of scheduled reports, for "sojourn reports show"',
  ),
  refusalsDays: setting(
    'REFUSALS_DAYS',
    wholeNumber({ from: 1, to: 36_500 }),
    '90',
    'Days for which refused requests are stored, for "sojourn audit refusals"',
  ),
  watchedFilesDays: setting(
    'WATCHED_FILES_DAYS',
    wholeNumber({ from: 0, to: 36_500 }),
    '30',
    'Days for which "sojourn import --watch" keeps files that it has imported; 0 keeps them',
  ),
  auditGraceSeconds: setting(
    'AUDIT_GRACE_SECONDS',
    wholeNumber({ from: 1, to: 3600 }),
    '30',
    'Seconds for which the audit trail may fail before reads are refused',
  ),
  answerCacheMb: setting(
    'ANSWER_CACHE_MB',
    wholeNumber({ from: 0, to: 65_536 }),
    '32',
    'Megabytes of memory for cached answers; 0 disables the cache',
  ),
  consoleIdleMinutes: setting(
    'CONSOLE_IDLE_MINUTES',
    wholeNumber({ from: 0, to: 1440 }),
    '30',
    'Minutes without use after which the console signs out; 0 never does',
  ),
  consoleKitchenStays: setting(
    'CONSOLE_KITCHEN_STAYS',
    truth,
    'true',
    "Whether the wall display, and the kitchen's pages with a kitchen's key, stay signed in without use",
  ),
  consoleDevicesStay: setting(
    'CONSOLE_DEVICES_STAY',
    truth,
    'true',
    'Whether a person may choose at sign-in that a device stays signed in, and so stores the key and a copy of the kitchen’s days',
  ),
  mcp: setting('MCP', truth, 'false', 'Whether AI assistants may connect at /mcp, with a key'),
  operationsPort: optional(
    'OPERATIONS_PORT',
    wholeNumber({ from: 0, to: 65_535 }),
    'Separate port for /metrics and the health paths; make it reachable for operators only',
  ),
  intakePort: optional(
    'INTAKE_PORT',
    wholeNumber({ from: 0, to: 65_535 }),
    'Separate port to which other systems send records (POST /intake); none if not set',
  ),
  intakeBodyMb: setting(
    'INTAKE_BODY_MB',
    wholeNumber({ from: 1, to: 1024 }),
    '64',
    'Maximum size of a body sent to INTAKE_PORT, in megabytes; eight times as many uncompressed',
  ),
  intakeFileMb: setting(
    'INTAKE_FILE_MB',
    wholeNumber({ from: 1, to: 4096 }),
    '256',
    'Maximum size of a file of the import page, in megabytes; all files together may have four times as many',
  ),
  intakeUrl: optional(
    'INTAKE_URL',
    publicUrl,
    'URL of INTAKE_PORT as browsers reach it, for the import page; the host of the console with that port if not set',
  ),
  metricsToken: secret(
    optional(
      'METRICS_TOKEN',
      token,
      'Token for /metrics on PORT; without it, /metrics is served on OPERATIONS_PORT only',
    ),
  ),
  otlpEndpoint: optional(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    publicUrl,
    'Collector of OpenTelemetry that gets traces over OTLP/HTTP; no traces if not set',
  ),
  otlpTracesEndpoint: optional(
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    publicUrl,
    'The same with its whole path, such as http://127.0.0.1:4318/v1/traces',
  ),
  webhooksKey: secret(
    optional(
      'WEBHOOKS_KEY',
      key256,
      'Key from which the signing secrets of webhooks are derived; no webhooks if not set',
    ),
  ),
  webhooksAllowedAddresses: setting(
    'WEBHOOKS_ALLOWED_ADDRESSES',
    addressRanges,
    '',
    'Private addresses to which webhooks may be sent, also by http; only public addresses by https if not set',
  ),
  smtpUrl: secret(
    optional('SMTP_URL', mailServer, 'Mail server that e-mail is given to; no e-mail is sent if not set'),
  ),
  mailFrom: optional('MAIL_FROM', mailbox, 'Sender of e-mail; SMTP_URL requires it'),
  notifyTo: setting(
    'NOTIFY_TO',
    mailAddresses,
    '',
    'Addresses that are notified of problems of all centers, in addition to those of each center; none if not set',
  ),
  heartbeatUrl: secret(
    optional(
      'HEARTBEAT_URL',
      heartbeatUrl,
      "Dead man's switch: URL that is called each minute while sources are judged and notices are sent",
    ),
  ),
  reportsFolder: optional(
    'REPORTS_FOLDER',
    folder,
    'Folder below which each center has a folder for its scheduled reports; none is written to a folder if not set',
  ),
  reportsPrinters: setting(
    'REPORTS_PRINTERS',
    printers,
    '',
    'Printers that scheduled reports of a center may be sent to, each with a name; none if not set',
  ),
  publicUrl: optional(
    'PUBLIC_URL',
    publicUrl,
    'Address at which clients reach the service, for the OpenAPI document and the links in errors',
  ),
  apiContact: optional(
    'API_CONTACT',
    contact,
    'Contact for questions about the API, for the OpenAPI document',
  ),
  securityContact: optional(
    'SECURITY_CONTACT',
    contact,
    'Contact for security reports, served in /.well-known/security.txt',
  ),
  drainSeconds: setting(
    'DRAIN_SECONDS',
    wholeNumber({ from: 0, to: 600 }),
    '0',
    'Seconds to go on answering after SIGINT or SIGTERM while /health/ready is 503, so that a proxy can send requests elsewhere',
  ),
  shutdownGraceMs: setting(
    'SHUTDOWN_GRACE_MS',
    wholeNumber({ from: 0, to: 600_000 }),
    // Closing the database included, the process ends within a second.
    '800',
    'Milliseconds that running requests have to finish after that',
  ),
} as const

/** The configuration, one value for each setting. */
export type Config = {
  readonly [Name in keyof typeof SETTINGS]: (typeof SETTINGS)[Name] extends WithDefault<infer T>
    ? T
    : (typeof SETTINGS)[Name] extends Optional<infer T>
      ? T | undefined
      : never
}

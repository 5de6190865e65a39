/**
 * Every setting: its name in the environment, what it may be, its default and what it is for. `--help`, the
 * documentation and the type of the configuration all follow from this table.
 */
import {
  addressRanges,
  contact,
  folder,
  host,
  type Kind,
  limitStore,
  oneOf,
  origins,
  postgresUrl,
  publicUrl,
  truth,
  wholeNumber,
} from './kinds.ts'

export interface Setting<T> {
  /** in the environment */
  readonly name: string
  readonly kind: Kind<T>
  /** as text, read like a given value; undefined where there is none, empty for an empty list */
  readonly default: string | undefined
  /** one sentence without its full stop */
  readonly help: string
  /** The value may carry a password: it is never printed. */
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
  host: setting('HOST', host, '127.0.0.1', 'Address to listen on; 0.0.0.0 for every network of the machine'),
  port: setting(
    'PORT',
    wholeNumber({ from: 0, to: 65_535 }),
    '8080',
    'Port to listen on; 0 takes a free one',
  ),
  databaseUrl: secret(
    optional('DATABASE_URL', postgresUrl, 'PostgreSQL to keep the data in; without it the embedded database'),
  ),
  databasePoolSize: setting(
    'DATABASE_POOL_SIZE',
    wholeNumber({ from: 1, to: 1000 }),
    '10',
    'Connections to PostgreSQL for reading; three more are for credentials and the audit trail',
  ),
  dataDir: setting('DATA_DIR', folder, './sojourn-data', "The embedded database's folder"),
  logLevel: setting('LOG_LEVEL', oneOf(LOG_LEVELS), 'info', 'The least serious lines that are logged'),
  trustedProxies: setting(
    'TRUSTED_PROXIES',
    addressRanges,
    '',
    'Reverse proxies whose X-Forwarded-For tells the address of a client; without it none is believed',
  ),
  connectionsMax: setting(
    'CONNECTIONS_MAX',
    wholeNumber({ from: 2, to: 100_000 }),
    '1000',
    'Connections of clients at a time; half of them at most from one network that is not a trusted proxy',
  ),
  corsOrigins: setting(
    'CORS_ORIGINS',
    origins,
    '',
    'Web pages that may read in a browser; without it none but those of this service',
  ),
  rateLimitStore: secret(
    setting(
      'RATE_LIMIT_STORE',
      limitStore,
      'memory',
      'Where requests are counted; Redis where instances share',
    ),
  ),
  failedCredentialsPerMinute: setting(
    'RATE_LIMIT_FAILED_CREDENTIALS_PER_MINUTE',
    wholeNumber({ from: 1, to: 100_000 }),
    '30',
    'Wrong credentials an address may send in a minute before it has to wait',
  ),
  auditRequired: setting(
    'AUDIT_REQUIRED',
    truth,
    'true',
    'Whether a read is refused when the audit trail cannot be written',
  ),
  auditDays: setting(
    'AUDIT_DAYS',
    wholeNumber({ from: 1, to: 36_500 }),
    '730',
    'Days that a line of the audit trail is kept',
  ),
  changesDays: setting(
    'CHANGES_DAYS',
    wholeNumber({ from: 1, to: 36_500 }),
    '90',
    'Days that it is known what each commit changed',
  ),
  auditGraceSeconds: setting(
    'AUDIT_GRACE_SECONDS',
    wholeNumber({ from: 1, to: 3600 }),
    '30',
    'Seconds the audit trail may be unwritable before reads are refused',
  ),
  answerCacheMb: setting(
    'ANSWER_CACHE_MB',
    wholeNumber({ from: 0, to: 65_536 }),
    '32',
    'Megabytes of finished answers kept in memory; 0 keeps none',
  ),
  metrics: setting('METRICS', truth, 'true', 'Whether /metrics is served'),
  publicUrl: optional(
    'PUBLIC_URL',
    publicUrl,
    'Address under which clients reach the service; it stands in the OpenAPI document',
  ),
  apiContact: optional(
    'API_CONTACT',
    contact,
    'Who helps with the interface; stands in the OpenAPI document',
  ),
  securityContact: optional(
    'SECURITY_CONTACT',
    contact,
    'Where to report a weakness; served in /.well-known/security.txt',
  ),
  shutdownGraceMs: setting(
    'SHUTDOWN_GRACE_MS',
    wholeNumber({ from: 0, to: 600_000 }),
    // With closing the database, the end comes within a second.
    '800',
    'Milliseconds that answers under way have to finish after SIGINT or SIGTERM',
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

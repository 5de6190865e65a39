import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from '../../src/core/config/config.ts'
import { SETTINGS } from '../../src/core/config/env.ts'
import { settingsPage, settingsTable } from '../../src/core/config/settings-page.ts'

function problemOf(env: Record<string, string>): string {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  throw new Error('the configuration was taken')
}

test('without any setting the service listens on this machine only, with a database in a folder', () => {
  expect(readConfig({})).toEqual({
    host: '127.0.0.1',
    port: 8080,
    databaseUrl: undefined,
    databaseReadUrls: [],
    databasePoolSize: 10,
    databasePooler: false,
    databaseTlsCa: undefined,
    dataDir: './sojourn-data',
    logLevel: 'info',
    trustedProxies: [],
    consoleIdleMinutes: 30,
    consoleKitchenStays: true,
    consoleDevicesStay: true,
    corsOrigins: [],
    refusalsDays: 90,
    reportsDays: 365,
    reportsFolder: undefined,
    reportsPrinters: [],
    rateLimitStore: 'memory',
    failedCredentialsPerMinute: 30,
    auditRequired: true,
    auditDays: 730,
    auditGraceSeconds: 30,
    answerCacheMb: 32,
    changesDays: 90,
    usageDays: 90,
    importsDays: 365,
    intakeBodyMb: 64,
    intakeFileMb: 256,
    intakeUrl: undefined,
    webhooksKey: undefined,
    watchedFilesDays: 30,
    webhooksAllowedAddresses: [],
    connectionsMax: 1000,
    operationsPort: undefined,
    mcp: false,
    metricsToken: undefined,
    smtpUrl: undefined,
    mailFrom: undefined,
    notifyTo: [],
    heartbeatUrl: undefined,
    publicUrl: undefined,
    apiContact: undefined,
    securityContact: undefined,
    drainSeconds: 0,
    shutdownGraceMs: 800,
  })
})

test('an empty value counts as not set', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '  ' })).toEqual(readConfig({}))
})

describe('takes', () => {
  test.each([
    ['PORT', '0', 'port', 0],
    ['HOST', '::', 'host', '::'],
    ['LOG_LEVEL', 'WARN', 'logLevel', 'warn'],
    ['AUDIT_REQUIRED', 'off', 'auditRequired', false],
    ['OPERATIONS_PORT', '9100', 'operationsPort', 9100],
    ['METRICS_TOKEN', 'a'.repeat(20), 'metricsToken', 'a'.repeat(20)],
    [
      'DATABASE_URL',
      'postgresql://a:b@h/d?sslmode=require',
      'databaseUrl',
      'postgresql://a:b@h/d?sslmode=require',
    ],
    [
      'DATABASE_URL',
      'postgres:///d?host=/run/postgresql',
      'databaseUrl',
      'postgres:///d?host=/run/postgresql',
    ],
    ['DATABASE_READ_URL', '', 'databaseReadUrls', []],
    ['TRUSTED_PROXIES', '10.0.0.5, fd00::/8', 'trustedProxies', ['10.0.0.5', 'fd00::/8']],
    [
      'CORS_ORIGINS',
      'https://a.example,http://b.example:81',
      'corsOrigins',
      ['https://a.example', 'http://b.example:81'],
    ],
    ['RATE_LIMIT_STORE', 'rediss://u:p@cache:6380/1', 'rateLimitStore', 'rediss://u:p@cache:6380/1'],
    [
      'MAIL_FROM',
      'Sojourn <sojourn@example.org>',
      'mailFrom',
      { name: 'Sojourn', address: 'sojourn@example.org' },
    ],
    [
      'MAIL_FROM',
      '"Resort \\"Nord\\", office" <office@example.org>',
      'mailFrom',
      { name: 'Resort "Nord", office', address: 'office@example.org' },
    ],
    ['MAIL_FROM', '"" <a@example.org>', 'mailFrom', { name: undefined, address: 'a@example.org' }],
    ['MAIL_FROM', 'a.b+c@example.org', 'mailFrom', { name: undefined, address: 'a.b+c@example.org' }],
    ['NOTIFY_TO', 'it@example.org, office@example.org', 'notifyTo', ['it@example.org', 'office@example.org']],
    ['PUBLIC_URL', 'https://example.org/sojourn/', 'publicUrl', 'https://example.org/sojourn'],
    ['API_CONTACT', 'https://center.example/help', 'apiContact', 'https://center.example/help'],
    ['HEARTBEAT_URL', 'https://hc.example/ping/1', 'heartbeatUrl', 'https://hc.example/ping/1'],
    ['HEARTBEAT_URL', 'http://127.0.0.1:9000/a', 'heartbeatUrl', 'http://127.0.0.1:9000/a'],
    ['SECURITY_CONTACT', 'mailto:it@center.example', 'securityContact', 'mailto:it@center.example'],
  ] as const)('%s=%s', (name, given, key, value) => {
    expect(readConfig({ [name]: given })[key]).toEqual(value)
  })
})

describe('a mail server', () => {
  const read = (url: string) => readConfig({ SMTP_URL: url, MAIL_FROM: 'sojourn@example.org' }).smtpUrl

  test.each([
    ['smtps://me:p%40ss@mail.example', { port: 465, tls: 'implicit', user: 'me', password: 'p@ss' }],
    ['smtp://me:pass@mail.example', { port: 587, tls: 'starttls', user: 'me', password: 'pass' }],
    ['smtp://mail.example:2525', { port: 2525, tls: 'starttls', user: undefined, password: undefined }],
    ['smtp://mail.example:25?tls=none', { port: 25, tls: 'none', user: undefined, password: undefined }],
  ])('%s', (url, expected) => {
    expect(read(url)).toEqual({ host: 'mail.example', ...expected })
  })

  test('without encryption gets a password on this machine alone', () => {
    expect(read('smtp://me:pass@localhost:25?tls=none')).toMatchObject({ tls: 'none', password: 'pass' })
    expect(read('smtp://me:pass@[::1]:25?tls=none')).toMatchObject({ host: '::1', password: 'pass' })
    expect(() => read('smtp://me:pass@mail.example:25?tls=none')).toThrow('SMTP_URL must be smtps://')
  })

  test.each([
    'mail.example:25',
    'http://me:hunter2@mail.example',
    'smtp://me:hunter2@mail.example/?tls=off',
    'smtps://me:hunter2@mail.example?tls=none',
    'smtps://me:hunter2@mail.example/box',
    'smtps://me@mail.example',
    'smtps://me:%zz@mail.example',
    'smtps://',
  ])('%s is refused without showing it', (url) => {
    const problem = problemOf({ SMTP_URL: url, MAIL_FROM: 'sojourn@example.org' })
    expect(problem).toMatch(/^SMTP_URL must be smtps:/)
    expect(problem).not.toContain('hunter2')
    expect(problem).not.toContain('mail.example')
  })

  test('requires a sender', () => {
    expect(problemOf({ SMTP_URL: 'smtps://mail.example' })).toBe('SMTP_URL requires MAIL_FROM.')
  })

  test.each([
    ['MAIL_FROM', 'sojourn'],
    ['MAIL_FROM', 'a@b@c'],
    ['MAIL_FROM', 'Sojourn\r\nBcc: x@example.org <sojourn@example.org>'],
    ['MAIL_FROM', 'A, B <sojourn@example.org>'],
    ['MAIL_FROM', '"A" B" <sojourn@example.org>'],
    ['MAIL_FROM', '"A\\" <sojourn@example.org>'],
    ['MAIL_FROM', '"A\r\nBcc: x@example.org" <sojourn@example.org>'],
    ['MAIL_FROM', 'A\u202eB <sojourn@example.org>'],
    ['NOTIFY_TO', 'it@example.org;office@example.org'],
    ['NOTIFY_TO', 'IT <it@example.org>'],
    ['NOTIFY_TO', 'it@example.org,'],
    ['HEARTBEAT_URL', 'http://hc.example/ping/1'],
    ['HEARTBEAT_URL', 'http://127.0.0.1.hc.example/'],
    ['HEARTBEAT_URL', 'https://me:hunter2@hc.example/'],
    ['HEARTBEAT_URL', 'file:///etc/passwd'],
    ['NOTIFY_TO', Array.from({ length: 21 }, (_, n) => `a${n}@example.org`).join()],
  ])('%s=%j is refused', (name, given) => {
    expect(problemOf({ [name]: given })).toMatch(new RegExp(`^${name} must be `))
  })
})

describe('several database servers in one URL', () => {
  test.each([
    'postgres://me:hunter2@db1,db2/sojourn',
    'postgres://me:hunter2@db1:5432,db2:5432/sojourn',
    'postgres:///sojourn?host=/run/a,/run/b',
  ])('%s is refused with the alternative, and without showing it', (url) => {
    const problem = problemOf({ DATABASE_URL: url })
    expect(problem).toContain('one host')
    expect(problem).toContain(
      "a proxy that leads to the primary (HAProxy with a check of Patroni's /primary)",
    )
    expect(problem).not.toContain('hunter2')
  })
})

describe('refuses, naming the setting, what was given and what is allowed', () => {
  test.each([
    ['PORT', '80a', 'PORT must be a whole number from 0 to 65535; it is "80a".'],
    ['PORT', '65536', 'PORT must be a whole number from 0 to 65535; it is "65536".'],
    ['PORT', '-1', 'PORT must be a whole number from 0 to 65535; it is "-1".'],
    ['AUDIT_DAYS', '0', 'AUDIT_DAYS must be a whole number from 1 to 36500; it is "0".'],
    ['AUDIT_REQUIRED', 'maybe', 'AUDIT_REQUIRED must be true or false; it is "maybe".'],
    [
      'LOG_LEVEL',
      'loud',
      'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent; it is "loud".',
    ],
    ['HOST', 'http://here', 'HOST must be an address or a host name'],
    ['TRUSTED_PROXIES', '10.0.0.0/33', 'TRUSTED_PROXIES must be comma-separated addresses or ranges'],
    ['TRUSTED_PROXIES', '0.0.0.0/0', 'TRUSTED_PROXIES must be comma-separated addresses or ranges'],
    ['TRUSTED_PROXIES', '::ffff:0:0/96', 'TRUSTED_PROXIES must be comma-separated addresses or ranges'],
    ['CORS_ORIGINS', '*', 'CORS_ORIGINS must be comma-separated origins'],
    ['CORS_ORIGINS', 'https://a.example/', 'CORS_ORIGINS must be comma-separated origins'],
    [
      'PUBLIC_URL',
      'example.org',
      'PUBLIC_URL must be a URL without a user, a password or a query, such as https://api.example.org',
    ],
    ['PUBLIC_URL', 'https://example.org/?a=1', '; it is "https://example.org/?a=1".'],
    [
      'SECURITY_CONTACT',
      'it@center.example',
      'SECURITY_CONTACT must be mailto:ADDRESS or an https: URL; it is "it@center.example".',
    ],
    ['RATE_LIMIT_STORE', 'redis://cache:6379/limits', 'RATE_LIMIT_STORE must be memory, or the URL'],
    ['SECURITY_CONTACT', 'mailto: it@center.example', '; it is "mailto: it@center.example".'],
    ['PORT', 'x'.repeat(1000), `it is "${'x'.repeat(60)}…".`],
  ])('%s=%s', (name, given, sentence) => {
    expect(problemOf({ [name]: given })).toContain(sentence)
  })

  test('all wrong settings in one answer, a line each', () => {
    const lines = problemOf({ PORT: 'x', AUDIT_REQUIRED: 'x' }).split('\n')
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['PORT', 'AUDIT_REQUIRED'])
  })

  test.each([
    ['PUBLIC_URL', 'https://me:hunter2@example.org'],
    ['PUBLIC_URL', 'https://me:hun@ter2@example.org'],
    ['PUBLIC_URL', 'me:hunter2@example.org'],
    ['CORS_ORIGINS', 'https://a.example,https://me:hunter2@example.org'],
    ['API_CONTACT', 'http://me:hunter2@example.org'],
    ['HOST', 'me:hunter2@example.org'],
  ])('%s=%s without its password', (name, given) => {
    const problem = problemOf({ [name]: given })
    expect(problem).toContain('; it is "…@example.org".')
    expect(problem).not.toMatch(/hun|ter2/)
  })

  test.each(['DATABASE_URL', 'DATABASE_READ_URL', 'RATE_LIMIT_STORE', 'HEARTBEAT_URL'])(
    '%s without showing it',
    (name) => {
      const problem = problemOf({ [name]: 'mysql://user:hunter2@db/x' })
      expect(problem).toMatch(new RegExp(`^${name} must be `))
      expect(problem).not.toContain('hunter2')
    },
  )
})

test('the help and the page name every setting once', () => {
  for (const { name, help } of Object.values(SETTINGS)) {
    expect(settingsTable().split(`  ${name}`).length, name).toBeGreaterThanOrEqual(2)
    expect(settingsTable()).toContain(help)
    expect(settingsPage().split(`| \`${name}\` |`)).toHaveLength(2)
  }
})

test.each(['4', '1', 'x'])(
  'a setting that there was is refused, with what to do in its place: WORKERS=%s',
  (given) => {
    expect(problemOf({ WORKERS: given, DATABASE_URL: 'postgres://x/y' })).toBe(
      'WORKERS is no longer a setting: remove it, and run several instances to use several cores (docs/deployment.md, "Several instances on one machine").',
    )
    expect(() => readConfig({ WORKERS: ' ' })).not.toThrow()
  },
)

test('sslmode is one that is verified, or says openly that it is not', () => {
  const env = { DATABASE_URL: 'postgres://a:hunter2@x/y?sslmode=prefer' }
  expect(problemOf(env)).toBe(
    'DATABASE_URL has sslmode=prefer; it must be one of disable, no-verify, require, verify-ca, verify-full.',
  )
  expect(problemOf({ DATABASE_URL: 'postgres://x/y?sslmode=A secret' })).toContain('has an unknown sslmode')
  const replica = { DATABASE_URL: 'postgres://x/y', DATABASE_READ_URL: 'postgres://r/y?sslmode=verify-ca' }
  expect(problemOf(replica)).toMatch(
    /^DATABASE_READ_URL has sslmode=verify-ca, which requires DATABASE_TLS_CA/,
  )
  expect(readConfig({ ...replica, DATABASE_TLS_CA: '/ca.pem' }).databaseTlsCa).toBe('/ca.pem')
  expect(problemOf({ DATABASE_TLS_CA: '/ca.pem' })).toBe('DATABASE_TLS_CA requires DATABASE_URL.')
})

test('replicas need PostgreSQL, and each is one server', () => {
  const [first, second] = ['postgres://a:x%2Cy@one/d', 'postgres://two/d']
  expect(() => readConfig({ DATABASE_READ_URL: first })).toThrow(
    'DATABASE_READ_URL must not be set without DATABASE_URL: the database of a folder has no replicas.',
  )
  const env = { DATABASE_URL: 'postgres://x/y', DATABASE_READ_URL: `${first}, ${second}` }
  expect(readConfig(env).databaseReadUrls).toEqual([first, second])
  expect(problemOf({ ...env, DATABASE_READ_URL: 'postgres://a:hunter2@one,two/d' })).toMatch(
    /^DATABASE_READ_URL must be comma-separated PostgreSQL URLs with one host each(?!.*hunter2)/,
  )
})

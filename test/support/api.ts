/** The service on a clean database, called without a socket: `const api = await startTestApi({ records })`. */
import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import sql from 'sql-template-tag'
import { buildApp } from '../../src/app.ts'
import { createKey } from '../../src/core/access/keys/create-key.ts'
import { ADMINISTRATION, ORDINARY_SCOPES, SCOPES, type Scope } from '../../src/core/access/keys/scopes.ts'
import type { MealSkippingReport } from '../../src/core/api/meal-skipping/report-schema.ts'
import type { AppOptions } from '../../src/core/app-options.ts'
import type { Database } from '../../src/core/database/database.ts'
import type { ErrorBody } from '../../src/core/errors/api-error.ts'
import { importRecords } from '../../src/core/intake/import-records.ts'
import { clockedDatabase } from './clocked-database.ts'
import { afterwards, openTestDatabase } from './database.ts'
import { SPA, spa, type TestRecord } from './world.ts'

/** A key in all its forms. */
export interface TestKey {
  readonly appId: string
  readonly publicKey: string
  readonly secretKey: string
  readonly apiKey: string
  /** the three headers */
  readonly headers: Readonly<Record<string, string>>
  readonly bearer: Readonly<Record<string, string>>
}

export interface TestAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>
  readonly text: string
  readonly body: AnswerBody
  /** the body of `GET /orders`, which is an array */
  readonly list: readonly Fields[]
}

export type Fields = Readonly<Record<string, unknown>>

/**
 * Everything that a JSON body may contain. A test knows which part to expect, and its expectation fails if the body
 * differs.
 */
export interface AnswerBody extends MealSkippingReport {
  readonly data: readonly (Fields & { readonly ids: Fields })[]
  readonly total: number
  readonly error: ErrorBody['error']
  readonly [field: string]: unknown
}

export interface Asker {
  get(url: string, headers?: Record<string, string>): Promise<TestAnswer>
  request(method: string, url: string, headers?: Record<string, string>, body?: string): Promise<TestAnswer>
}

export interface KeyOptions {
  readonly center?: string
  readonly scopes?: readonly Scope[]
  /** ISO 8601 */
  readonly expiresAt?: string
  readonly revokedAt?: string
  /** 0: no limit, the default for keys of tests; null: the service's default */
  readonly perHour?: number | null
  readonly perMinute?: number | null
  readonly allowAssistants?: boolean
  /** an intake key, which sends records and cannot read */
  readonly intake?: boolean
  readonly customFields?: readonly string[]
  /** of a key of the administration */
  readonly grants?: readonly Scope[]
}

export interface TestApi extends Asker {
  readonly app: FastifyInstance
  readonly database: Database
  /** reads everything of the first center; `get` uses it */
  readonly key: TestKey
  /** sends requests with a key, or without credentials if it is undefined */
  as(key: TestKey | undefined): Asker
  createKey(options?: KeyOptions): Promise<TestKey>
  load(records: readonly TestRecord[]): Promise<void>
  /**
   * Adds another center to the same database, for a test that needs none of its own. The records are assigned to it,
   * whatever center they name, and the returned object sends requests as that center.
   */
  newCenter(records: readonly TestRecord[], fields?: Fields): Promise<TestCenter>
}

export interface TestCenter extends Asker {
  readonly id: string
  readonly key: TestKey
}

export interface TestApiOptions {
  /** a clean, migrated database; a new one by default */
  readonly database?: Database
  /** by default one minimal center; it is also added to a list that has no center */
  readonly records?: readonly TestRecord[]
  /** the current time, ISO 8601 */
  readonly now?: string
  readonly clock?: () => number
  /** further options of the service */
  readonly app?: Partial<AppOptions>
}

/** Starts the service. It is closed with the test that started it, or with its file if a hook did. */
export async function startTestApi(options: TestApiOptions = {}): Promise<TestApi> {
  const database = options.database ?? (await openTestDatabase())
  const given = options.records ?? []
  const records = given.some((record) => record.kind === 'center') ? given : [spa(), ...given]
  await load(database, records)
  const now = options.now === undefined ? undefined : Date.parse(options.now)
  const clock = options.clock ?? (now === undefined ? undefined : () => now)
  const app = await buildApp({
    // The service and its database have the same time.
    database: clock === undefined ? database : clockedDatabase(database, clock),
    logLevel: 'silent',
    // Usage is only written when a test asks for it.
    usageFlushMs: 3_600_000,
    ...(clock === undefined ? {} : { clock }),
    ...options.app,
  })
  afterwards(() => app.close())

  const createTestKey = (keyOptions: KeyOptions = {}) => makeKey(database, keyOptions, (clock ?? Date.now)())
  const firstCenter = records.find((record) => record.kind === 'center')?.id
  const key = await createTestKey({ center: typeof firstCenter === 'string' ? firstCenter : SPA })
  const as = (who: TestKey | undefined): Asker => {
    const request: Asker['request'] = async (method, url, headers = {}, body) => {
      const answer = await app.inject({
        method: method as 'GET',
        url,
        headers: { ...who?.headers, ...headers },
        ...(body === undefined ? {} : { payload: body }),
      })
      const parsed = parse(answer.body)
      return {
        status: answer.statusCode,
        headers: answer.headers,
        text: answer.body,
        // The test's expectations check what the body contains.
        body: parsed as AnswerBody,
        list: Array.isArray(parsed) ? (parsed as Fields[]) : [],
      }
    }
    return { request, get: (url, headers) => request('GET', url, headers) }
  }
  let centers = 0
  return {
    app,
    database,
    key,
    as,
    createKey: createTestKey,
    ...as(key),
    load: (more) => load(database, more),
    async newCenter(own, fields = {}) {
      centers += 1
      const id = `center-${centers}`
      await load(database, [spa({ ...fields, id }), ...own.map((record) => ({ ...record, centerId: id }))])
      const centerKey = await createTestKey({ center: id })
      return { id, key: centerKey, ...as(centerKey) }
    },
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Imports records. If they are refused, the test fails here with the problems. */
async function load(database: Database, records: readonly TestRecord[]): Promise<void> {
  const problems: string[] = []
  const lines = records.map((record, at) => ({ file: 'test', line: at + 1, text: JSON.stringify(record) }))
  const { applied } = await importRecords(database, lines, {
    onProblem(problem) {
      problems.push(JSON.stringify(problem))
    },
  })
  if (!applied) throw new Error(`the test's records were refused: ${problems.join('\n')}`)
}

async function makeKey(database: Database, options: KeyOptions, now: number): Promise<TestKey> {
  const scopes = options.scopes ?? (options.intake ? [] : SCOPES)
  // No command makes a key that reads guests and manages keys. For tests of every operation and action there is one.
  const isOfAll =
    scopes.includes(ADMINISTRATION) && scopes.some((scope) => scope !== ADMINISTRATION && scope !== 'sources')
  const key = await createKey(
    database,
    {
      centerId: options.center ?? SPA,
      name: 'test',
      scopes: isOfAll ? scopes.filter((scope) => scope !== ADMINISTRATION) : scopes,
      intake: options.intake,
      allowAssistants: options.allowAssistants,
      customFields: options.customFields,
      grants: options.grants,
      ...(options.perHour === null ? {} : { perHour: options.perHour ?? 0 }),
      ...(options.perMinute === null ? {} : { perMinute: options.perMinute ?? 0 }),
    },
    { random: randomBytes, now },
  )
  if (isOfAll) {
    await database.query(sql`
      update api_keys set scopes = ${scopes}, grants = ${ORDINARY_SCOPES} where public_key = ${key.publicKey}`)
  }
  const { expiresAt = null, revokedAt = null } = options
  if (expiresAt !== null || revokedAt !== null) {
    await database.query(sql`
      update api_keys set expires_at = ${expiresAt}, revoked_at = ${revokedAt} where public_key = ${key.publicKey}`)
  }
  return {
    ...key,
    headers: {
      'x-api-app-id': key.appId,
      'x-api-public-key': key.publicKey,
      'x-api-secret-key': key.secretKey,
    },
    bearer: { authorization: `Bearer ${key.apiKey}` },
  }
}

/** The identifiers of the bookings that `GET /guests` returns for a query, in the order of the answer. */
export async function guestIds(api: Asker, query: string): Promise<string[]> {
  const answer = await api.get(`/v1/guests?project=id&length=100&${query}`)
  if (answer.status !== 200) throw new Error(`GET /guests?${query} answered ${answer.status}: ${answer.text}`)
  return answer.body.data.map((record) => String(record.id))
}

/** The parameters named in an error's details, in order. */
export const namedParameters = (answer: TestAnswer): string[] =>
  (answer.body.error.details ?? []).map((problem) => problem.parameter)

/** The service over a clean database, asked without a socket: `const api = await startTestApi({ records })`. */
import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import sql from 'sql-template-tag'
import { buildApp } from '../../src/app.ts'
import type { AppOptions } from '../../src/app-options.ts'
import type { Database } from '../../src/database/database.ts'
import type { ErrorBody } from '../../src/errors/api-error.ts'
import { importRecords } from '../../src/intake/import-records.ts'
import { createKey } from '../../src/keys/create-key.ts'
import { SCOPES, type Scope } from '../../src/keys/scopes.ts'
import type { MealSkippingReport } from '../../src/meals/present-report.ts'
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
 * Everything a JSON body may hold: a test knows which of it to expect, and fails at its expectation where the
 * body holds something else.
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
  /** 0: no limit, as all keys of tests unless told otherwise; null: the default */
  readonly perHour?: number | null
  readonly perMinute?: number | null
  readonly allowAssistants?: boolean
  /** brings records in, and reads nothing */
  readonly intake?: boolean
  readonly customFields?: readonly string[]
}

export interface TestApi extends Asker {
  readonly app: FastifyInstance
  readonly database: Database
  /** reads everything of the first center; `get` asks with it */
  readonly key: TestKey
  /** asks with a key; with undefined, with no credentials at all */
  as(key: TestKey | undefined): Asker
  createKey(options?: KeyOptions): Promise<TestKey>
  load(records: readonly TestRecord[]): Promise<void>
  /**
   * A center of its own beside the others, for a test that wants no database of its own: the records become
   * its, whatever center they named, and what comes back asks as it.
   */
  newCenter(records: readonly TestRecord[], fields?: Fields): Promise<TestCenter>
}

export interface TestCenter extends Asker {
  readonly id: string
  readonly key: TestKey
}

export interface TestApiOptions {
  /** a clean, migrated database; one of its own unless given */
  readonly database?: Database
  /** the minimal base, one center, unless given; a list that has no center has that one before it */
  readonly records?: readonly TestRecord[]
  /** the moment it is, ISO 8601 */
  readonly now?: string
  readonly clock?: () => number
  /** what else the service is built with */
  readonly app?: Partial<AppOptions>
}

/** Closed automatically: with the test that started it, or with its file when a hook did. */
export async function startTestApi(options: TestApiOptions = {}): Promise<TestApi> {
  const database = options.database ?? (await openTestDatabase())
  const given = options.records ?? []
  const records = given.some((record) => record.kind === 'center') ? given : [spa(), ...given]
  await load(database, records)
  const now = options.now === undefined ? undefined : Date.parse(options.now)
  const clock = options.clock ?? (now === undefined ? undefined : () => now)
  const app = await buildApp({
    // The same moment for the service and its database.
    database: clock === undefined ? database : clockedDatabase(database, clock),
    logLevel: 'silent',
    // A test that looks at it has it written itself.
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
        // What came in is judged by the test's expectations.
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

/** Records as an import takes them; a test whose records are refused fails here, with what is wrong. */
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
  const key = await createKey(
    database,
    {
      centerId: options.center ?? SPA,
      name: 'test',
      scopes: options.scopes ?? (options.intake ? [] : SCOPES),
      intake: options.intake,
      allowAssistants: options.allowAssistants,
      customFields: options.customFields,
      ...(options.perHour === null ? {} : { perHour: options.perHour ?? 0 }),
      ...(options.perMinute === null ? {} : { perMinute: options.perMinute ?? 0 }),
    },
    { random: randomBytes, now },
  )
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

/** The identifiers of the bookings that `GET /guests` answers to a query, in the answer's order. */
export async function guestIds(api: Asker, query: string): Promise<string[]> {
  const answer = await api.get(`/v1/guests?project=id&length=100&${query}`)
  if (answer.status !== 200) throw new Error(`GET /guests?${query} answered ${answer.status}: ${answer.text}`)
  return answer.body.data.map((record) => String(record.id))
}

/** The parameters that an error's details name, in order. */
export const namedParameters = (answer: TestAnswer): string[] =>
  (answer.body.error.details ?? []).map((problem) => problem.parameter)

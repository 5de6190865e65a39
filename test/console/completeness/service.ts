/** One service with many centers, and a reader of its API that shares nothing with the console. */
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Actions } from '../../../client/src/openapi.ts'
import { buildApp } from '../../../src/app.ts'
import { createKey } from '../../../src/core/access/keys/create-key.ts'
import type { Database } from '../../../src/core/database/database.ts'
import { importRecords } from '../../../src/core/intake/import-records.ts'
import { createEvaluator } from '../../../src/parts/contradictions/evaluator.ts'
import { createCutOffTaker } from '../../../src/parts/kitchen/take-cut-offs.ts'
import { saveSource } from '../../../src/parts/sources/manage-sources.ts'
import { clockedDatabase } from '../../support/clocked-database.ts'
import { type CenterRecord, NOW } from './random-center.ts'
import type { MadeSource } from './random-sources.ts'

export interface CheckedService {
  readonly app: FastifyInstance
  readonly origin: string
  /** Imports records as the command does. */
  load(records: readonly CenterRecord[]): Promise<void>
  /** Sets up a source of a center, and delivers what it delivers. Some of it is refused. */
  deliver(center: string, source: MadeSource): Promise<void>
  /** Evaluates which records contradict each other, as the service does after each commit. */
  evaluate(): Promise<unknown>
  /** Stores the state of meals whose cut-off has passed, as the service does each minute. */
  takeCutOffs(): Promise<unknown>
  /** @returns a key without limits, in its Bearer form */
  keyFor(center: string, scopes: readonly string[], customFields: readonly string[]): Promise<string>
}

const HOUR_MS = 3_600_000
const ATTEMPTS_MAX = 10
/** Not less than one, so that a page that takes long says the same. */
export const RECEIVED_HOURS_AGO = 3

/** @param database clean and migrated; the caller, who opened it, closes it */
export async function startService(database: Database): Promise<CheckedService> {
  const now = Date.parse(NOW)
  const clock = () => now
  const app = await buildApp({
    database: clockedDatabase(database, clock),
    logLevel: 'silent',
    usageFlushMs: 3_600_000,
    clock,
  })
  let warned: unknown
  const evaluator = createEvaluator({
    database: clockedDatabase(database, clock),
    clock,
    holder: 'check',
    log: {
      warn(...said: unknown[]) {
        warned = said
      },
    },
  })
  /** A busy machine does it a little later. */
  async function evaluate(): Promise<void> {
    for (let again = 0; again < ATTEMPTS_MAX; again += 1) {
      warned = undefined
      await evaluator.look()
      if (warned === undefined) return
      await setTimeout(1000)
    }
    throw new Error(JSON.stringify(warned))
  }
  return {
    app,
    origin: await app.listen({ port: 0, host: '127.0.0.1' }),
    async load(records) {
      const problems: string[] = []
      const received = now - RECEIVED_HOURS_AGO * HOUR_MS
      const { applied } = await importRecords(
        clockedDatabase(database, () => received),
        linesOf(records),
        {
          origin: { way: 'command', by: { user: 'check' }, files: () => [] },
          onProblem(problem) {
            problems.push(JSON.stringify(problem))
          },
        },
      )
      if (!applied) throw new Error(`the made records were refused: ${problems.slice(0, 5).join('\n')}`)
    },
    async deliver(center, { name, schedule, deliveries }) {
      const begins = clockedDatabase(database, () => now - 1000 * HOUR_MS)
      await saveSource(begins, { centerId: center, name, kinds: ['terms'], schedule })
      for (const { hoursAgo, way, records, file, skipInvalid } of deliveries) {
        const at = (hours: number) => now - hours * HOUR_MS
        await importRecords(
          clockedDatabase(database, () => at(hoursAgo)),
          linesOf(records),
          {
            center,
            skipInvalid,
            origin: {
              way,
              by: { user: 'check' },
              files: () => (file === undefined ? [] : [{ sha256: file.sha256, bytes: file.bytes }]),
              source: name,
              fileTime: file === undefined ? undefined : at(file.hoursAgo),
            },
          },
        )
      }
    },
    evaluate,
    takeCutOffs: () => createCutOffTaker(clockedDatabase(database, clock), clock).take(),
    async keyFor(centerId, scopes, customFields) {
      const input = { centerId, name: 'check', scopes, customFields, perHour: 0, perMinute: 0 }
      return (await createKey(database, input, { random: randomBytes, now })).apiKey
    },
  }
}

const linesOf = (records: readonly CenterRecord[]) =>
  records.map((record, at) => ({ file: 'made', line: at + 1, text: JSON.stringify(record) }))

/** Reads the API with the key and in the language of a page. */
export interface Api {
  /** @returns the body of a 200; any other answer is an error */
  get<Body>(path: string): Promise<Body>
  headers(path: string): Promise<Headers>
  /** Performs an action that only reads. */
  act<Name extends keyof Actions>(name: Name, body: Actions[Name]['body']): Promise<Actions[Name]['answer']>
}

export function readApi(origin: string, key: string, language: string): Api {
  const headers = { authorization: `Bearer ${key}`, 'x-locale': language }
  const ask = (path: string, init: RequestInit = { headers }) => fetch(`${origin}/v1${path}`, init)
  async function read<Body>(path: string, init?: RequestInit): Promise<Body> {
    let answer = await ask(path, init)
    // A busy machine answers a little later.
    for (let again = 0; answer.status === 503 && again < ATTEMPTS_MAX; again += 1) {
      await setTimeout(1000)
      answer = await ask(path, init)
    }
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    // Each reader of a path knows its answer from the interface.
    return (await answer.json()) as Body
  }
  return {
    async headers(path) {
      return (await ask(path)).headers
    },
    get: read,
    act: (name, body) =>
      read(`/actions/${name}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
        body: JSON.stringify(body),
      }),
  }
}

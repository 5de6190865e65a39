/**
 * Spans of requests: the request, its admission, its statements, and whether its answer was cached. Loaded only if a
 * collector is set. Names and attributes come from the code (routes, methods, statuses, codes of errors, tables), never
 * from the request or the database: nothing personal, no identifier, no query, no address.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { toApiError } from '../../core/answer/http-errors.ts'
import type { RequestIds, TraceParent } from '../../core/answer/request-ids.ts'
import type { Queryable } from '../../core/database/database.ts'
import type { Tracing } from '../../core/monitoring/tracing.ts'
import { summaryOf } from './statement-summary.ts'

export type Attributes = Readonly<Record<string, string | number | boolean>>

/** A span, as the SDK makes it (open-telemetry.ts). */
export interface Span {
  readonly trace: TraceParent
  /**
   * Whether it is exported and has not ended. The work of another span needs no spans of its own, such as writing the trail
   * after the request.
   */
  readonly isRecording: boolean
  set(name: string, value: string | number | boolean): void
  /** @param failed the work of the span has failed because of the service */
  end(failed?: boolean): void
}

export interface Spans {
  /** @param parent of a span of the service, or what a trusted proxy has given; undefined: a new trace */
  begin(
    kind: 'server' | 'client' | 'internal',
    name: string,
    attributes: Attributes,
    parent?: Span | TraceParent,
  ): Span
  /** Sends what is left, within some seconds. */
  close(): Promise<void>
}

/** Of a span; made only where it is recorded. */
interface Described {
  readonly name: string
  readonly attributes: Attributes
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'])

export function createTracing(spans: Spans): Tracing {
  const current = new AsyncLocalStorage<Span>()
  const ofRequests = new WeakMap<IncomingMessage, Span>()
  let ids: RequestIds | undefined

  /** Runs work in a span below the one of the request. Work outside of requests has none. */
  const within = async <T>(
    kind: 'client' | 'internal',
    describe: () => Described,
    work: () => Promise<T>,
  ): Promise<T> => {
    const span = below(kind, describe)
    if (span === undefined) return work()
    try {
      const result = await current.run(span, work)
      span.end()
      return result
    } catch (error) {
      const { code, status } = toApiError(error)
      span.set('error.type', code)
      span.end(status >= 500)
      throw error
    }
  }

  const begin = (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    const { raw } = request
    const method = METHODS.has(raw.method ?? '') ? (raw.method ?? '') : '_OTHER'
    const route = request.routeOptions.url
    const named = method === '_OTHER' ? 'HTTP' : method
    const span = spans.begin(
      'server',
      route === undefined ? named : `${named} ${route}`,
      { 'http.request.method': method, ...(route === undefined ? {} : { 'http.route': route }) },
      ids?.traceOf(raw),
    )
    ofRequests.set(raw, span)
    // Also of an answer that its client breaks off.
    reply.raw.once('close', () => {
      const { statusCode } = reply.raw
      span.set('http.response.status_code', statusCode)
      if (request.refusal) span.set('error.type', request.refusal.code)
      else if (!reply.raw.writableEnded) span.set('error.type', 'disconnected')
      span.end(statusCode >= 500)
    })
    current.run(span, done)
  }

  const statement = (pool: string, text: readonly string[]) =>
    [
      'client',
      () => {
        const name = summaryOf(text)
        const attributes = {
          'db.system.name': 'postgresql',
          'db.query.summary': name,
          'sojourn.database.use': pool,
        }
        return { name, attributes }
      },
    ] as const

  const queryable = (of: Queryable, pool: string): Queryable => ({
    query: (sql) => within(...statement(pool, sql.strings), () => of.query(sql)),
  })

  return {
    ids(given) {
      ids = given
      return {
        idOf: given.idOf,
        traceOf: (request) => ofRequests.get(request)?.trace ?? given.traceOf(request),
      }
    },
    watchRequests: (app) => void app.addHook('onRequest', begin),
    database: (of) => ({
      ...of,
      ...queryable(of, 'statement'),
      queryArrays: (sql, kind) => within(...statement('read', sql.strings), () => of.queryArrays(sql, kind)),
      queryReserved: (sql) => within(...statement('reserved', sql.strings), () => of.queryReserved(sql)),
      transaction: (work, options) =>
        within(
          'client',
          () => ({ name: 'transaction', attributes: { 'db.system.name': 'postgresql' } }),
          () => of.transaction((tx) => work(queryable(tx, 'transaction')), options),
        ),
      stream: (sql, rowsPerChunk) =>
        streamed(...statement('stream', sql.strings), of.stream(sql, rowsPerChunk)),
    }),
    replicas: (of) => ({
      read: (generation, read) =>
        of.read(generation, (replica) =>
          read(
            replica && {
              queryArrays: (sql, kind) =>
                within(...statement('replica', sql.strings), () => replica.queryArrays(sql, kind)),
            },
          ),
        ),
      get numbers() {
        return of.numbers
      },
      close: () => of.close(),
    }),
    gate: (of) => ({
      ...of,
      authenticate: (request, reply, purpose) => admission(() => of.authenticate(request, reply, purpose)),
      enterByLink: (request, reply, token) => admission(() => of.enterByLink(request, reply, token)),
      admit: (request, reply) => admission(() => of.admit(request, reply)),
    }),
    cache: (of) => ({
      current(cacheKey, basis) {
        const found = of.current(cacheKey, basis)
        const span = current.getStore()
        if (span === undefined) return found
        const note = (answer: typeof found) => {
          span.set('sojourn.answer.cached', answer !== undefined)
          return answer
        }
        return found instanceof Promise ? found.then((answer) => note(answer) as typeof answer) : note(found)
      },
      set: of.set,
      get numbers() {
        return of.numbers
      },
    }),
    close: () => spans.close(),
  }

  function admission<T>(work: () => Promise<T>): Promise<T> {
    return within('internal', () => ({ name: 'admission', attributes: {} }), work)
  }

  /** A span below the one of the request. @returns undefined outside of requests, and where nothing is recorded */
  function below(kind: 'client' | 'internal', describe: () => Described): Span | undefined {
    const parent = current.getStore()
    if (parent === undefined || !parent.isRecording) return undefined
    const { name, attributes } = describe()
    return spans.begin(kind, name, attributes, parent)
  }

  /** A span from the first chunk that is asked for to the last one. */
  async function* streamed<T>(
    kind: 'client',
    describe: () => Described,
    chunks: AsyncIterable<T>,
  ): AsyncIterable<T> {
    const span = below(kind, describe)
    let failed = false
    try {
      yield* chunks
    } catch (error) {
      failed = true
      span?.set('error.type', toApiError(error).code)
      throw error
    } finally {
      span?.end(failed)
    }
  }
}

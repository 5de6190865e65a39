/**
 * Streams of changes as Server-Sent Events. A stream waits for a commit together with other waiting requests (commit-waits.ts)
 * and holds no database resources meanwhile. When its center has changed, it waits for a slot and reads.
 */
import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Admission, Gate } from '../access/gate.ts'
import type { Database } from '../database/database.ts'
import type { DatabaseQueue } from '../database/queue/database-queue.ts'
import { type ApiError, type ErrorBody, errorBody, errors } from '../errors/api-error.ts'
import { readRawQuery } from '../request/parameters.ts'
import type { Events, EventsPlan, StreamOperation } from '../request/stream-operation.ts'
import { basisOf } from './cache-keys.ts'
import { type CommitWaits, hasChanged } from './commit-waits.ts'
import { ownScopes } from './handle-request.ts'
import { toApiError } from './http-errors.ts'
import { type Exchange, type RecordRead, readEvent, recordedQueryOf, recordsRead } from './read-event.ts'
import type { Handler } from './routes.ts'
import { answerHeaders } from './send.ts'
import type { BrokenOff } from './stream.ts'
import { createStreamSlots, type SlotUse } from './stream-slots.ts'

/** A fifth of the connections, as for waiting requests. */
const STREAMS_MAX = 200
const EVENT_STREAMS: SlotUse = {
  // Twenty screens and some that a device has left open.
  perKeyMax: 25,
  does: 'already has',
  advice: 'streams of changes; close one, or ask GET /changes.',
}

/** Many proxies close a connection after 30 or 60 silent seconds. */
const HEARTBEAT_MS = 15_000
/** After this time the client must reconnect: the new request is counted, and another instance may serve it. */
const STREAM_MS = 3_600_000
const RETRY_MS = 3000
/** Two clients that send the same `device` take over each other's stream. This bounds how often. */
const RETRY_TAKEN_OVER_SECONDS = 60

export interface EventStreamsOptions {
  readonly gate: Gate
  /** epoch ms */
  readonly clock: () => number
  readonly database: Pick<Database, 'queryArrays'>
  readonly queue: DatabaseQueue
  readonly commitWaits: CommitWaits
  readonly recordRead: RecordRead
  readonly brokenOff: BrokenOff
  /** public base URL, without a trailing slash */
  readonly publicUrl: string
  /** bound for the streams of all centers together */
  readonly streamsMax?: number | undefined
}

export interface EventStreams {
  handlerOf(operation: StreamOperation): Handler
  /** number of open streams */
  readonly open: number
  /** Ends all streams. Their clients reconnect. */
  close(): void
}

/** A request with its most recent admission and plan. */
interface Asked {
  readonly operation: StreamOperation
  readonly exchange: Exchange
  readonly plan: EventsPlan
}

/** Ends a stream. With an error, the client learns why. */
type End = (error?: ApiError) => void

/** Creates the handlers of streams. A device of an application has one stream at a time: a second one ends the first. */
export function createEventStreams(options: EventStreamsOptions): EventStreams {
  const { gate, clock, database, queue, commitWaits, recordRead, brokenOff, publicUrl } = options
  const slots = createStreamSlots(options.streamsMax ?? STREAMS_MAX, EVENT_STREAMS)
  /** by center, application and device */
  const running = new Map<string, End>()
  let closed = false

  const understand = (
    operation: StreamOperation,
    request: FastifyRequest,
    reply: FastifyReply,
    admission: Admission,
  ): Asked => {
    const url = request.raw.url ?? '/'
    const { facts } = basisOf(operation, admission, clock())
    const context = { ...facts, center: admission.center, query: readRawQuery(url), pathParameters: {} }
    // The operation's type holds it to the facts that it declares.
    const plan = operation.parse(context as Parameters<typeof operation.parse>[0], lastEventIdOf(request))
    const requiredScopes = [...ownScopes(operation, admission.key.scopes), ...plan.requiredScopes]
    gate.requireScopes(admission.key, requiredScopes, admission.center)
    if ('refusal' in plan) throw plan.refusal
    return {
      operation,
      exchange: {
        request,
        reply,
        recorded: recordedQueryOf(url, operation),
        admission,
        operation,
        requiredScopes,
      },
      plan,
    }
  }

  const read = (
    { operation, exchange: { admission }, plan }: Asked,
    after: string | undefined,
  ): Promise<Events> => {
    const { statement, cost, present } = plan.reading(after)
    const queued = { center: admission.center.id, key: admission.key.appId, kind: operation.name, cost }
    return queue.run(queued, async () => present(await database.queryArrays(statement, 'light')))
  }

  const record = ({ exchange }: Asked, { ids, revision }: Events) =>
    recordRead(
      readEvent(exchange, { records: recordsRead({ count: ids.length, ids }), revision, status: 200 }),
    )

  const begin = (asked: Asked, first: Events): FastifyReply => {
    if (closed) throw errors.unavailable()
    const { request, reply, admission } = asked.exchange
    const { raw } = reply
    const device = `${admission.key.center} ${admission.key.appId} ${asked.plan.device ?? ''}`
    if (request.raw.method === 'HEAD') {
      reply.hijack()
      raw.writeHead(200, eventHeaders(asked.exchange)).end()
      return reply
    }
    // The new stream takes over: a client whose connection broke reconnects before the service notices the break.
    running.get(device)?.(errors.streamTakenOver(RETRY_TAKEN_OVER_SECONDS))
    const free = slots.take(admission.key, () => end(errors.streamGivenUp(RETRY_TAKEN_OVER_SECONDS)))
    try {
      record(asked, first)
    } catch (error) {
      free()
      throw error
    }
    const end: End = (error) => {
      if (running.get(device) === end) running.delete(device)
      free()
      if (raw.writableEnded || raw.destroyed) return
      if (error !== undefined) request.refusal = error
      const words = error === undefined ? '' : lastWords(errorBody(error, request.id, publicUrl), error)
      // A client that does not read would not receive the error, and its connection would stay open.
      if (raw.writableNeedDrain) raw.destroy()
      else raw.end(words)
    }
    running.set(device, end)
    let isSent = false
    raw.once('finish', () => {
      isSent = true
    })
    raw.once('close', () => {
      if (!isSent) brokenOff(request, reply)
      end()
    })
    reply.hijack()
    raw.writeHead(200, eventHeaders(asked.exchange))
    run(asked, first).then(
      () => end(),
      (error: unknown) => end(toApiError(error)),
    )
    return reply
  }

  const isOver = ({ exchange: { reply } }: Asked) => reply.raw.writableEnded || reply.raw.destroyed

  /**
   * Resolves when the client can take more, at the latest when its connection is closed as too slow
   * (request/connections/progress.ts).
   */
  const send = async (asked: Asked, text: string): Promise<void> => {
    const { request, reply } = asked.exchange
    if (text === '' || isOver(asked)) return
    request.sentBytes += Buffer.byteLength(text)
    if (reply.raw.write(text)) return
    await new Promise<void>((resolve) => {
      for (const event of ['drain', 'close']) reply.raw.once(event, () => resolve())
    })
  }

  /** Sends events until the stream ends. @throws {ApiError} if the client may not read any more */
  const run = async (begun: Asked, first: Events): Promise<void> => {
    const until = commitWaits.now() + STREAM_MS
    await send(begun, `retry: ${RETRY_MS}\n\n`)
    let asked = begun
    for (let events = first; ; events = await read(asked, events.cursor)) {
      if (events !== first && events.events.length > 0) record(asked, events)
      await send(asked, events.events.map(({ cursor, data }) => `id: ${cursor}\ndata: ${data}\n\n`).join(''))
      if (events.events.at(-1)?.cursor !== events.cursor) await send(asked, moveTo(events.cursor))
      const again = events.more ? await letIn(asked) : await next(asked, events.cursor, until)
      if (again === undefined || isOver(asked)) return
      asked = again
    }
  }

  /**
   * Admits the request again. @throws {ApiError} also if the key may now read less than at the start: leaving events
   * out silently would hide that
   */
  const letIn = async (asked: Asked, admitted?: Admission): Promise<Asked> => {
    const { request, reply, admission, requiredScopes } = asked.exchange
    const now = admitted ?? (await gate.readmit(request, admission))
    gate.requireScopes(now.key, requiredScopes, now.center)
    return understand(asked.operation, request, reply, now)
  }

  /**
   * Waits until the center has changed, and admits the request again. @returns undefined if the stream has ended.
   * @throws {ApiError}
   */
  const next = async (begun: Asked, cursor: string, until: number): Promise<Asked | undefined> => {
    for (let asked = begun; ; ) {
      const changed = await commitWaits.next(
        asked.exchange,
        Math.min(until, commitWaits.now() + HEARTBEAT_MS),
      )
      if (isOver(asked) || commitWaits.now() >= until) return undefined
      if (changed !== undefined) return letIn(asked, changed)
      const before = asked.exchange.admission.key
      asked = await letIn(asked)
      if (hasChanged(asked.exchange.admission.key, before)) return asked
      await send(asked, moveTo(cursor))
    }
  }

  return {
    handlerOf: (operation) => async (request, reply) => {
      const admission = await gate.admit(request, reply)
      const asked = understand(operation, request, reply, admission)
      return begin(asked, await gate.deadline.within(read(asked, asked.plan.after), reply.elapsedTime))
    },

    get open() {
      return slots.taken
    },

    close() {
      closed = true
      for (const end of running.values()) end()
    },
  }
}

/** An empty Last-Event-ID is that of a client that has no event yet. */
function lastEventIdOf({ headers }: FastifyRequest): string | undefined {
  const id = headers['last-event-id']
  return typeof id === 'string' && id !== '' ? id : undefined
}

function eventHeaders(exchange: Exchange): OutgoingHttpHeaders {
  const headers = answerHeaders(exchange)
  headers['content-type'] = 'text/event-stream; charset=utf-8'
  // Tells proxies not to buffer the stream: one that waits for its end would send nothing.
  headers['x-accel-buffering'] = 'no'
  return headers
}

/** Moves the client's cursor without an event. It also keeps proxies from closing a silent connection. */
const moveTo = (cursor: string) => `id: ${cursor}\n\n`

/** The last event: why the stream ends, and when to reconnect. */
function lastWords(body: ErrorBody, { headers }: ApiError): string {
  const seconds = headers['retry-after']
  const retry = seconds === undefined ? '' : `retry: ${Number(seconds) * 1000}\n`
  return `${retry}event: end\ndata: ${JSON.stringify(body)}\n\n`
}

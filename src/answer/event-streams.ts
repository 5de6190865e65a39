/**
 * Answers that go on: Server-Sent Events, sent as they come. A stream waits with the others that wait for a commit
 * (news.ts) and holds nothing of the database meanwhile; it reads when the center has moved on, in its turn.
 */
import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Admission, Gate } from '../access/gate.ts'
import type { Database } from '../database/database.ts'
import type { FairTurns } from '../database/fair-turns.ts'
import { type ApiError, type ErrorBody, errorBody, errors } from '../errors/api-error.ts'
import { readRawQuery } from '../request/parameters.ts'
import type { Events, EventsPlan, StreamOperation } from '../request/stream-operation.ts'
import { toApiError } from './http-errors.ts'
import { basisOf } from './names.ts'
import type { News } from './news.ts'
import { type Exchange, type RecordRead, readEvent, toldQueryOf } from './read-event.ts'
import type { Handler } from './routes.ts'
import { answerHeaders } from './send.ts'
import type { BrokenOff } from './stream.ts'
import { createStreamSlots, type SlotUse } from './stream-slots.ts'
import { ownNeeds } from './walk.ts'

/** A fifth of the connections, as for requests that wait. */
const STREAMS_MAX = 200
const EVENT_STREAMS: SlotUse = {
  perKeyMax: 1,
  does: 'already has',
  advice: 'streams of changes; close one, or ask GET /changes.',
}

/** Proxies end a connection that is silent for 30 or 60 seconds. */
const HEARTBEAT_MS = 15_000
/** Then the client opens it again: its request is counted, and another instance may take it. */
const STREAM_MS = 3_600_000
const RETRY_MS = 3000
/** Two clients with one key take over from each other: not more often than this. */
const RETRY_TAKEN_OVER_SECONDS = 60

export interface EventStreamsOptions {
  readonly gate: Gate
  /** epoch ms */
  readonly clock: () => number
  readonly database: Pick<Database, 'queryArrays'>
  readonly turns: FairTurns
  readonly news: News
  readonly recordRead: RecordRead
  readonly brokenOff: BrokenOff
  /** where clients reach the service, without a slash at its end */
  readonly publicUrl: string
  /** streams of all centers together */
  readonly streamsMax?: number | undefined
}

export interface EventStreams {
  handlerOf(operation: StreamOperation): Handler
  /** how many are open */
  readonly open: number
  /** Ends all streams; their clients come again. */
  close(): void
}

/** A request as it was let in last. */
interface Asked {
  readonly operation: StreamOperation
  readonly exchange: Exchange
  readonly plan: EventsPlan
}

/** Ends a stream; with an error, because it may not go on. */
type End = (error?: ApiError) => void

export function createEventStreams(options: EventStreamsOptions): EventStreams {
  const { gate, clock, database, turns, news, recordRead, brokenOff, publicUrl } = options
  const slots = createStreamSlots(options.streamsMax ?? STREAMS_MAX, EVENT_STREAMS)
  /** by application */
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
    // Its type holds an operation to the facts that it declares.
    const plan = operation.parse(context as Parameters<typeof operation.parse>[0], lastEventIdOf(request))
    const needs = [...ownNeeds(operation, admission.key.scopes), ...plan.needs]
    gate.requireScopes(admission.key, needs)
    if ('refusal' in plan) throw plan.refusal
    return {
      operation,
      exchange: { request, reply, told: toldQueryOf(url, operation), admission, operation, needs },
      plan,
    }
  }

  const read = (
    { operation, exchange: { admission }, plan }: Asked,
    after: string | undefined,
  ): Promise<Events> => {
    const { statement, cost, present } = plan.reading(after)
    const turn = { center: admission.center.id, key: admission.key.appId, kind: operation.name, cost }
    return turns.inTurn(turn, async () =>
      present(await database.queryArrays(statement, 'light', turn.center)),
    )
  }

  const record = ({ exchange }: Asked, { ids, revision }: Events) =>
    recordRead(readEvent(exchange, { records: { count: ids.length, ids }, revision, status: 200 }))

  const begin = (asked: Asked, first: Events): FastifyReply => {
    if (closed) throw errors.unavailable()
    const { request, reply, admission } = asked.exchange
    const { raw } = reply
    const application = `${admission.key.center} ${admission.key.appId}`
    if (request.raw.method === 'HEAD') {
      reply.hijack()
      raw.writeHead(200, eventHeaders(asked.exchange)).end()
      return reply
    }
    // The new one goes on: a client whose connection broke comes back before the break is noticed here.
    running.get(application)?.(errors.streamTakenOver(RETRY_TAKEN_OVER_SECONDS))
    const free = slots.take(admission.key)
    try {
      record(asked, first)
    } catch (error) {
      free()
      throw error
    }
    const end: End = (error) => {
      if (running.get(application) === end) running.delete(application)
      free()
      if (raw.writableEnded || raw.destroyed) return
      if (error !== undefined) request.refusal = error
      const words = error === undefined ? '' : lastWords(errorBody(error, request.id, publicUrl), error)
      // One that does not read would not be told, and would not be gone.
      if (raw.writableNeedDrain) raw.destroy()
      else raw.end(words)
    }
    running.set(application, end)
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

  /** Resolves when the client has room for more; at the latest when it is given up (server/progress.ts). */
  const send = async (asked: Asked, text: string): Promise<void> => {
    const { request, reply } = asked.exchange
    if (text === '' || isOver(asked)) return
    request.sentBytes += Buffer.byteLength(text)
    if (reply.raw.write(text)) return
    await new Promise<void>((resolve) => {
      for (const event of ['drain', 'close']) reply.raw.once(event, () => resolve())
    })
  }

  /** Until the stream is over. @throws {ApiError} where it may not go on */
  const run = async (begun: Asked, first: Events): Promise<void> => {
    const until = news.now() + STREAM_MS
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
   * The request let in again. @throws {ApiError} also where it may read less than when it began, which would be told by
   * nothing but silence
   */
  const letIn = async (asked: Asked, moved?: Admission): Promise<Asked> => {
    const { request, reply, admission, needs } = asked.exchange
    const now = moved ?? (await gate.readmit(request, admission))
    gate.requireScopes(now.key, needs)
    return understand(asked.operation, request, reply, now)
  }

  /** The same once its center has moved on; undefined where the stream is over. @throws {ApiError} */
  const next = async (begun: Asked, cursor: string, until: number): Promise<Asked | undefined> => {
    for (let asked = begun; ; ) {
      const moved = await news.next(asked.exchange, Math.min(until, news.now() + HEARTBEAT_MS))
      if (isOver(asked) || news.now() >= until) return undefined
      if (moved !== undefined) return letIn(asked, moved)
      const { revision } = asked.exchange.admission.key
      asked = await letIn(asked)
      if (asked.exchange.admission.key.revision !== revision) return asked
      await send(asked, moveTo(cursor))
    }
  }

  return {
    handlerOf: (operation) => async (request, reply) => {
      const admission = await gate.admit(request, reply)
      const asked = understand(operation, request, reply, admission)
      return begin(asked, await gate.patience.within(read(asked, asked.plan.after), reply.elapsedTime))
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

/** An empty header is that of a client that has no event yet. */
function lastEventIdOf({ headers }: FastifyRequest): string | undefined {
  const id = headers['last-event-id']
  return typeof id === 'string' && id !== '' ? id : undefined
}

function eventHeaders(exchange: Exchange): OutgoingHttpHeaders {
  const headers = answerHeaders(exchange)
  headers['content-type'] = 'text/event-stream; charset=utf-8'
  // A proxy that collects an answer before it passes it on would pass on nothing.
  headers['x-accel-buffering'] = 'no'
  return headers
}

/** No event comes of it, only the place to go on from; and a silent connection is one that proxies end. */
const moveTo = (cursor: string) => `id: ${cursor}\n\n`

/** Why it does not go on, and when to come again. */
function lastWords(body: ErrorBody, { headers }: ApiError): string {
  const seconds = headers['retry-after']
  const retry = seconds === undefined ? '' : `retry: ${Number(seconds) * 1000}\n`
  return `${retry}event: end\ndata: ${JSON.stringify(body)}\n\n`
}

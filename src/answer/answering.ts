/**
 * The walk of a request: gate → parse → kept answer or SQL → present → answer. A repeated read ends early, at
 * the first of: the client has this answer already (304), the answer is kept, somebody is just reading it.
 */
import type { OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Admission, Gate } from '../access/gate.ts'
import type { KeyState } from '../access/key-states.ts'
import type { Database } from '../database/database.ts'
import type { Language } from '../locale/languages.ts'
import { localDateOf } from '../locale/zones.ts'
import type { Answer, Need, Operation, PreparedAnswer, RequestContext } from '../request/operation.ts'
import { pageLinks } from '../request/paging.ts'
import { readRawQuery } from '../request/parameters.ts'
import { type AnswerCache, type KeptAnswer, ownBytes } from './answer-cache.ts'
import { COMPRESSED_BYTES_MIN, chooseEncoding, compress, type Encoding } from './encodings.ts'
import { type AnswerKey, answerTag, matchesTag } from './freshness.ts'
import { SECURITY_HEADERS } from './http-errors.ts'
import type { StreamSlots } from './stream-slots.ts'

/** A read, as the audit trail is told of it: before its answer is sent, whether it was kept or read anew. */
export interface ReadEvent {
  readonly key: KeyState
  readonly operation: Operation
  /** the query as it was sent, without its question mark */
  readonly query: string
  readonly needs: readonly Need[]
  readonly records: Answer['records']
  readonly requestId: string
  readonly status: 200 | 304
  readonly revision: number
}

export interface AnsweringRooms {
  readonly gate: Gate
  readonly cache: AnswerCache
  readonly clock: () => number
  readonly database: Database
  readonly streamSlots: StreamSlots
  /** @throws {ApiError} 503 where the trail is required and cannot be written */
  readonly recordRead: (read: ReadEvent) => void
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** What is known of a request text once it has been answered: so that asking again parses nothing. */
interface KnownRequest {
  readonly revision: number
  readonly today: string
  readonly tag: string
  readonly needs: readonly Need[]
  readonly link: string | undefined
}

/** A kilobyte each; one that falls out is parsed again, in ten microseconds. */
const KNOWN_REQUESTS_MAX = 5000
/** A text that is longer is parsed again each time rather than kept. */
const KNOWN_URL_LENGTH_MAX = 2000

const JSON_TYPE = 'application/json; charset=utf-8'

export function createAnswering(rooms: AnsweringRooms): (operation: Operation) => Handler {
  const known = new LRUCache<string, KnownRequest>({ max: KNOWN_REQUESTS_MAX })
  // Requests for one answer that come while it is read wait for that one read, and share what comes of it.
  const underWay = new Map<string, Promise<KeptAnswer | StreamedAnswer>>()

  return (operation) => async (request, reply) => {
    const url = request.raw.url ?? '/'
    const admission = await rooms.gate.admit(request, reply)
    const { key, center, language } = admission
    const today = localDateOf(center.timezone, rooms.clock())

    const knownAs = `${center.id}\n${language}\n${url}`
    const seen = known.get(knownAs)
    const isCurrent = seen !== undefined && seen.revision === key.revision && seen.today === today
    if (isCurrent) {
      rooms.gate.requireScopes(key, seen.needs)
      const kept = rooms.cache.get(seen.tag)
      if (kept !== undefined) {
        return send({ request, reply, url, admission, operation, needs: seen.needs, link: seen.link, kept })
      }
    }

    const query = readRawQuery(url)
    const needs: readonly Need[] = [
      { scope: operation.scope, what: `GET ${operation.paths[0]}` },
      ...(operation.needs?.(query) ?? []),
    ]
    rooms.gate.requireScopes(key, needs)
    const context: RequestContext = {
      center,
      language,
      today,
      query,
      // Fastify types the values of a path's placeholders no closer than this.
      pathParameters: request.params as Record<string, string>,
    }
    const prepared = operation.parse(context)
    const answerKey: AnswerKey = {
      center: center.id,
      profileRevision: key.profileRevision,
      today,
      language,
      operation: operation.name,
      normalForm: prepared.normalForm,
    }
    const tag = answerTag(answerKey, key.revision)

    // What was asked for above is not asked for again: it would be counted twice.
    let kept = isCurrent ? undefined : rooms.cache.get(tag)
    if (kept === undefined) {
      let reading = underWay.get(tag)
      if (reading === undefined) {
        reading = read(prepared, answerKey, key.revision).finally(() => underWay.delete(tag))
        underWay.set(tag, reading)
      }
      const answer = await reading
      if ('pieces' in answer) return stream({ request, reply, url, admission, operation, needs, answer })
      kept = answer
    }
    const link = kept.page === undefined ? undefined : pageLinks(pathOf(url), query, kept.page)
    if (url.length <= KNOWN_URL_LENGTH_MAX && kept.etag === tag) {
      known.set(knownAs, { revision: key.revision, today, tag, needs, link })
    }
    return send({ request, reply, url, admission, operation, needs, link, kept })
  }

  async function read(
    prepared: PreparedAnswer,
    answerKey: AnswerKey,
    gateRevision: number,
  ): Promise<KeptAnswer | StreamedAnswer> {
    const { body, page, records, ...shown } = await prepared.answer(rooms.database)
    // The answer shows the revision it was read at, which may be newer than the one the gate saw. Where it says
    // none it has the gate's: to be newer than its name does no harm.
    const revision = shown.revision ?? gateRevision
    const etag = answerTag(answerKey, revision)
    if (typeof body !== 'string') return { etag, records, revision, pieces: body }
    const answer: KeptAnswer = {
      etag,
      center: answerKey.center,
      page,
      records,
      identity: ownBytes(body),
      encoded: new Map(),
    }
    rooms.cache.set(answer)
    return answer
  }

  async function send(
    sending: Sending & { link: string | undefined; kept: KeptAnswer },
  ): Promise<FastifyReply> {
    const { request, reply, admission, kept, link } = sending
    const encoding =
      kept.identity.length < COMPRESSED_BYTES_MIN
        ? undefined
        : chooseEncoding(request.headers['accept-encoding'])
    const known = matchesTag(request.headers['if-none-match'], kept.etag)
    record(sending, { records: kept.records, revision: admission.key.revision, status: known ? 304 : 200 })

    const headers: OutgoingHttpHeaders = answerHeaders(request, reply, admission.language)
    headers.etag = encoding === undefined ? `"${kept.etag}"` : `"${kept.etag}-${encoding}"`
    if (link !== undefined) headers.link = link
    if (known) return write(request, reply, 304, headers)
    headers['content-type'] = JSON_TYPE
    if (encoding === undefined) return write(request, reply, 200, headers, kept.identity)

    headers['content-encoding'] = encoding
    return write(request, reply, 200, headers, await compressedOnce(kept, encoding))
  }

  /** An answer too big to hold: in pieces, as fast as the client takes them, at most so many for a key. */
  function stream(sending: Sending & { answer: StreamedAnswer }): FastifyReply {
    const { request, reply, admission, answer } = sending
    const { etag, pieces: body, ...read } = answer
    const headers = answerHeaders(request, reply, admission.language)
    // Weak, because the pieces are read a moment later and may show a newer revision. That does no harm: who
    // has them asks with the older one, which is then gone.
    headers.etag = `W/"${etag}"`
    if (matchesTag(request.headers['if-none-match'], etag)) {
      record(sending, { ...read, status: 304 })
      return write(request, reply, 304, headers)
    }
    const free = rooms.streamSlots.take(admission.key)
    try {
      record(sending, { ...read, status: 200 })
    } catch (error) {
      free()
      throw error
    }
    headers['content-type'] = JSON_TYPE
    reply.hijack()
    const { raw } = reply
    raw.writeHead(200, headers)
    if (request.raw.method === 'HEAD') {
      free()
      raw.end()
      return reply
    }
    const pieces = Readable.from(body(), { objectMode: false })
    raw.once('close', () => {
      free()
      pieces.destroy()
    })
    // What went out so far cannot be taken back: a broken connection tells the client that this is not all.
    pieces.once('error', (error) => {
      request.log.error(
        { requestId: request.id, cause: { name: error.name } },
        'a streamed answer was broken off',
      )
      raw.destroy()
    })
    pieces.pipe(raw)
    return reply
  }

  function record(sending: Sending, read: Pick<ReadEvent, 'records' | 'revision' | 'status'>): void {
    const { request, url, admission, operation, needs } = sending
    const at = url.indexOf('?')
    rooms.recordRead({
      key: admission.key,
      operation,
      query: at < 0 ? '' : url.slice(at + 1),
      needs,
      requestId: request.id,
      ...read,
    })
  }
}

/** An answer too big to hold, of the revision that was current when it was found to be. */
interface StreamedAnswer extends Pick<Answer, 'records'> {
  readonly revision: number
  readonly etag: string
  readonly pieces: () => AsyncIterable<string>
}

/** However many ask at once. */
async function compressedOnce(answer: KeptAnswer, encoding: Encoding): Promise<Buffer> {
  const known = answer.encoded.get(encoding)
  if (known !== undefined) return known
  const compressing = compress(encoding, answer.identity)
  answer.encoded.set(encoding, compressing)
  try {
    const bytes = ownBytes(await compressing)
    answer.encoded.set(encoding, bytes)
    return bytes
  } catch (error) {
    answer.encoded.delete(encoding)
    throw error
  }
}

interface Sending {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly url: string
  readonly admission: Admission
  readonly operation: Operation
  readonly needs: readonly Need[]
}

/** Those of every answer, with what the gate has told the reply (limits) and hooks have (CORS). */
function answerHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  language: Language,
): OutgoingHttpHeaders {
  // Fastify types what it holds more loosely than Node types what it sends.
  const held = reply.getHeaders() as OutgoingHttpHeaders
  return { ...SECURITY_HEADERS, ...held, 'content-language': language, 'x-request-id': request.id }
}

/** Straight to Node's response: Fastify's own way costs more than finding the answer does. */
function write(
  request: FastifyRequest,
  reply: FastifyReply,
  status: 200 | 304,
  headers: OutgoingHttpHeaders,
  body?: Buffer,
): FastifyReply {
  if (body !== undefined) headers['content-length'] = body.length
  reply.hijack()
  reply.raw.writeHead(status, headers)
  reply.raw.end(request.raw.method === 'HEAD' ? undefined : body)
  return reply
}

export function pathOf(url: string): string {
  const at = url.indexOf('?')
  return at < 0 ? url : url.slice(0, at)
}

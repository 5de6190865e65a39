/** Sends an answer that is too long to hold in memory in pieces, as fast as the client reads them. */
import { createHash, type Hash } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../errors/api-error.ts'
import { MEDIA_TYPES } from '../request/format.ts'
import type { FilePlan } from '../request/operation.ts'
import { logFacts } from './http-errors.ts'
import type { OpenFile } from './open-file.ts'
import { type Exchange, type RecordRead, readEvent } from './read-event.ts'
import type { LongAnswer } from './read-once.ts'
import { answerHeaders, JSON_TYPE, matchesTag, tellSnapshot, write } from './send.ts'
import { STREAM_MS_MAX, type StreamSlots } from './stream-slots.ts'
import { whileAdmitted } from './while-admitted.ts'

/** Called for an answer whose connection closed before its end was sent. */
export type BrokenOff = (request: FastifyRequest, reply: FastifyReply) => void

export interface Streaming {
  readonly slots: StreamSlots
  readonly recordRead: RecordRead
  readonly brokenOff: BrokenOff
  /** @throws {ApiError} if the client may not read the answer any more */
  admitAgain(exchange: Exchange): Promise<void>
  /** how often a request is admitted again while its answer is sent; see `while-admitted.ts` */
  readonly readmitEveryMs?: number | undefined
}

/** @throws {ApiError} 429 if the application or its center has its maximum of streams; 503 if the service has */
export function streamAnswer(exchange: Exchange, answer: LongAnswer, streaming: Streaming): FastifyReply {
  const { slots, recordRead, brokenOff } = streaming
  const headers = headersOf(exchange, answer)
  if (isKnown(exchange, answer)) {
    recordRead(readEvent(exchange, { ...answer, status: 304 }))
    return write(exchange, 304, headers)
  }
  const free = slots.take(exchange.admission.key)
  try {
    recordRead(readEvent(exchange, { ...answer, status: 200 }))
  } catch (error) {
    free()
    throw error
  }
  headers['content-type'] = JSON_TYPE
  return sendPieces(exchange, headers, () => admittedPieces(exchange, answer, streaming), { free, brokenOff })
}

/**
 * Sends a file in pieces. Its count of records is in the headers, and the digest of its bytes in a trailer.
 * @param open opens the file and takes a database connection
 * @throws {ApiError} as `streamAnswer`
 */
export async function streamFile(
  exchange: Exchange,
  { format, fileName }: Pick<FilePlan, 'format' | 'fileName'>,
  open: () => Promise<OpenFile>,
  streaming: Streaming,
): Promise<FastifyReply> {
  const { slots, recordRead, brokenOff } = streaming
  const freeSlot = slots.take(exchange.admission.key)
  let file: OpenFile | undefined
  const free = async () => {
    await file?.close().catch(() => {})
    freeSlot()
  }
  try {
    file = await open()
    const headers = headersOf(exchange, file)
    const status = isKnown(exchange, file) ? 304 : 200
    recordRead(readEvent(exchange, { ...file, status }))
    if (status === 304) {
      await free()
      return write(exchange, 304, headers)
    }
    headers['content-type'] = MEDIA_TYPES[format]
    headers['content-disposition'] = `attachment; filename="${fileName}.${format}"`
    const opened = file
    const pieces = () => admittedPieces(exchange, opened, streaming)
    return sendPieces(exchange, headers, pieces, { free, brokenOff, ...trailer(exchange, headers) })
  } catch (error) {
    await free()
    throw error
  }
}

/** The pieces, for as long as the client may read them. */
const admittedPieces = (
  exchange: Exchange,
  { pieces }: Pick<LongAnswer, 'pieces'>,
  { admitAgain, readmitEveryMs }: Streaming,
) => whileAdmitted(pieces(), () => admitAgain(exchange), readmitEveryMs)

function headersOf(exchange: Exchange, { etag, snapshot }: Pick<LongAnswer, 'etag' | 'snapshot'>) {
  const headers = answerHeaders(exchange)
  // A weak ETag, because the pieces are read later and may show a newer revision. That is safe: a client revalidates
  // with the older revision, which no longer matches.
  headers.etag = `W/"${etag}"`
  if (snapshot !== undefined) tellSnapshot(headers, snapshot)
  return headers
}

const isKnown = ({ request }: Exchange, { etag }: Pick<LongAnswer, 'etag'>) =>
  matchesTag(request.headers['if-none-match'], etag)

/** HTTP/1.0 clients get no chunked body, and only a chunked body has a trailer. */
function trailer({ request: { raw } }: Exchange, headers: OutgoingHttpHeaders): Pick<Sending, 'digest'> {
  if (raw.method === 'HEAD' || raw.httpVersion !== '1.1') return {}
  headers.trailer = 'Content-Digest'
  return { digest: createHash('sha256') }
}

interface Sending {
  /** Called when the stream no longer uses the database. */
  free(): void | Promise<void>
  readonly brokenOff: BrokenOff
  /** hash of all bytes, for the trailer (RFC 9530) */
  readonly digest?: Hash
}

function sendPieces(
  { request, reply }: Exchange,
  headers: OutgoingHttpHeaders,
  piecesOf: () => AsyncIterable<string | Uint8Array>,
  { free, brokenOff, digest }: Sending,
): FastifyReply {
  reply.hijack()
  const { raw } = reply
  // The client went away before anything was sent. No event will tell that, and nothing would ever be read of the pieces.
  if (raw.destroyed) {
    brokenOff(request, reply)
    void free()
    return reply
  }
  raw.writeHead(200, headers)
  if (request.raw.method === 'HEAD') {
    void free()
    raw.end()
    return reply
  }
  const pieces = Readable.from(counted(piecesOf(), request, digest), { objectMode: false })
  const late = setTimeout(() => raw.destroy(), STREAM_MS_MAX).unref()
  let isSent = false
  raw.once('finish', () => {
    isSent = true
  })
  raw.once('close', () => {
    clearTimeout(late)
    if (!isSent) brokenOff(request, reply)
    pieces.destroy()
  })
  pieces.once('close', () => void free())
  // Sent pieces cannot be taken back: a broken connection tells the client that the answer is incomplete.
  pieces.once('error', (error) => {
    if (error instanceof ApiError) request.refusal = error
    request.log.error({ ...logFacts(request), cause: { name: error.name } }, 'a streamed answer was aborted')
    raw.destroy()
  })
  if (digest !== undefined) {
    pieces.once('end', () => raw.addTrailers({ 'Content-Digest': `sha-256=:${digest.digest('base64')}:` }))
  }
  pieces.pipe(raw)
  return reply
}

async function* counted(
  pieces: AsyncIterable<string | Uint8Array>,
  request: FastifyRequest,
  digest: Hash | undefined,
): AsyncGenerator<string | Uint8Array> {
  for await (const piece of pieces) {
    request.sentBytes += Buffer.byteLength(piece)
    digest?.update(piece)
    yield piece
  }
}

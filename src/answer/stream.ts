/** An answer too long to hold goes out in pieces, as fast as the client takes them. */
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Exchange, type RecordRead, readEvent } from './read-event.ts'
import type { LongAnswer } from './read-once.ts'
import { answerHeaders, JSON_TYPE, tellSnapshot, write } from './send.ts'
import { STREAM_MS_MAX, type StreamSlots } from './stream-slots.ts'
import { matchesTag } from './tags.ts'

/** Is told of an answer that was begun and not sent to its end. */
export type BrokenOff = (request: FastifyRequest, reply: FastifyReply) => void

/** @throws {ApiError} 429 or 503 where the application, its center or the service has as many streams as it may */
export function streamAnswer(
  exchange: Exchange,
  answer: LongAnswer,
  slots: StreamSlots,
  recordRead: RecordRead,
  brokenOff: BrokenOff,
): FastifyReply {
  const { request, reply, admission } = exchange
  const { records, revision } = answer
  const headers = answerHeaders(exchange)
  // Weak, because the pieces are read a moment later and may show a newer revision. That does no harm: who
  // has them asks with the older one, which is then gone.
  headers.etag = `W/"${answer.etag}"`
  tellSnapshot(headers, answer.snapshot)
  if (matchesTag(request.headers['if-none-match'], answer.etag)) {
    recordRead(readEvent(exchange, { records, revision, status: 304 }))
    return write(exchange, 304, headers)
  }
  const free = slots.take(admission.key)
  try {
    recordRead(readEvent(exchange, { records, revision, status: 200 }))
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
  const pieces = Readable.from(counted(answer.pieces(), request), { objectMode: false })
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
  // Only when the database has what the stream held.
  pieces.once('close', free)
  // What went out so far cannot be taken back: a broken connection tells the client that this is not all.
  pieces.once('error', (error) => {
    request.log.error({ requestId: request.id, cause: { name: error.name } }, 'a streamed answer was aborted')
    raw.destroy()
  })
  pieces.pipe(raw)
  return reply
}

async function* counted(pieces: AsyncIterable<string>, request: FastifyRequest): AsyncGenerator<string> {
  for await (const piece of pieces) {
    request.sentBytes += Buffer.byteLength(piece)
    yield piece
  }
}

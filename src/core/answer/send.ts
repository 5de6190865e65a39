/** Sends a finished answer: as a 304 if the client has it already, otherwise in an encoding that the client accepts. */
import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Snapshot } from '../request/operation.ts'
import { type CachedAnswer, ownBytes } from './answer-cache.ts'
import { COMPRESSED_BYTES_MIN, chooseEncoding, compress, type Encoding } from './encodings.ts'
import { SECURITY_HEADERS } from './http-errors.ts'
import { type Exchange, type RecordRead, readEvent } from './read-event.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * @param link the `Link` header of a paginated answer
 * @returns a promise only if the answer must be compressed first
 */
export function sendAnswer(
  exchange: Exchange,
  cached: CachedAnswer,
  link: string | undefined,
  recordRead: RecordRead,
): FastifyReply | Promise<FastifyReply> {
  const { headers: asked } = exchange.request
  const encoding =
    cached.identity.length < COMPRESSED_BYTES_MIN ? undefined : chooseEncoding(asked['accept-encoding'])
  const known = asked['if-none-match']
  const status = known !== undefined && matchesTag(known, cached.etag) ? 304 : 200
  const { revision } = exchange.admission.key
  recordRead(readEvent(exchange, { records: cached.records, revision, status }))

  const headers = answerHeaders(exchange)
  headers.etag = encoding === undefined ? `"${cached.etag}"` : `"${cached.etag}-${encoding}"`
  if (link !== undefined) headers.link = absoluteLinks(link, exchange.request)
  if (cached.snapshot !== undefined) tellSnapshot(headers, cached.snapshot)
  if (status === 304) return write(exchange, 304, headers)
  headers['content-type'] = cached.type
  if (encoding === undefined) return write(exchange, 200, headers, cached.identity)

  headers['content-encoding'] = encoding
  const encoded = cached.encoded.get(encoding) ?? compressed(cached, encoding)
  return encoded instanceof Promise
    ? encoded.then((bytes) => write(exchange, 200, headers, bytes))
    : write(exchange, 200, headers, encoded)
}

/** Host names and addresses, with a port. Other texts of a `Host` header do not get into ours. */
const HOST = /^[A-Za-z0-9.:[\]-]{1,255}$/

/**
 * Ruling 19a: the links are absolute, under `PUBLIC_URL` if it is set, otherwise under the scheme and the host of the request;
 * Fastify takes `X-Forwarded-*` only from trusted proxies. The cached text has paths alone, because it answers every host.
 * Links to the pages of a secret URL have no path and stay relative.
 */
function absoluteLinks(links: string, request: FastifyRequest): string {
  const { publicUrl } = request.server
  if (publicUrl === '' && !HOST.test(request.host)) return links
  const base = publicUrl === '' ? `${request.protocol}://${request.host}` : publicUrl
  return links.replaceAll('</', `<${base}/`)
}

/** Compresses once for all simultaneous requests. */
async function compressed(answer: CachedAnswer, encoding: Encoding): Promise<Buffer> {
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

/**
 * A browser stores what it may on the disk, also on a computer that several people use, and after the key was forgotten.
 * Links are opened in browsers, and some browsers do not send `Sec-Fetch-Mode`. Other clients ask again with the `ETag` of
 * an answer that they have.
 */
const NOTHING_STORED = { 'cache-control': 'private, no-store' } as const

const VARIES_BY_FORMAT = { vary: `${SECURITY_HEADERS.vary}, Accept` } as const

/** The headers of every answer. */
export function answerHeaders({ request, reply, admission, operation }: Exchange): OutgoingHttpHeaders {
  const isForBrowser = request.link !== null || request.headers['sec-fetch-mode'] !== undefined
  return {
    ...SECURITY_HEADERS,
    ...(isForBrowser ? NOTHING_STORED : undefined),
    ...(operation.dependsOn?.includes('accepts') ? VARIES_BY_FORMAT : undefined),
    // Set by the gate (limits) and by hooks (CORS). Fastify's type is looser than Node's for the same values.
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    'content-language': admission.language,
    // Ruling 46. Without it, nobody may take the data for fresh.
    ...(admission.dataReceived === '' ? undefined : { 'data-received': admission.dataReceived }),
    'x-request-id': request.id,
  }
}

/** Sets the snapshot's cursor and, on the last page, the count and digest that prove that the list was read whole. */
export function tellSnapshot(headers: OutgoingHttpHeaders, snapshot: Snapshot): void {
  headers['snapshot-cursor'] = snapshot.cursor
  if (snapshot.proof === undefined) return
  headers['snapshot-count'] = snapshot.proof.count
  headers['snapshot-digest'] = snapshot.proof.digest
}

/** Writes directly to Node's response: Fastify's own path costs more than the lookup of the answer. */
export function write(
  { request, reply }: Exchange,
  status: 200 | 304,
  headers: OutgoingHttpHeaders,
  body?: Buffer,
): FastifyReply {
  if (body !== undefined) headers['content-length'] = body.length
  const sent = request.raw.method === 'HEAD' ? undefined : body
  request.sentBytes = sent?.length ?? 0
  reply.hijack()
  reply.raw.writeHead(status, headers)
  reply.raw.end(sent)
  return reply
}

/**
 * Whether `If-None-Match` names this answer, in whichever encoding the client has it (RFC 9110: a list, `*`,
 * weak comparison).
 */
export function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (!ifNoneMatch.includes(tag)) return ifNoneMatch.trim() === '*'
  return ifNoneMatch.split(',').some((candidate) => {
    const [, opaque = ''] = ENTITY_TAG.exec(candidate.trim()) ?? []
    // A tag may itself contain hyphens: the encoding is what follows the whole tag.
    return opaque === tag || (opaque.startsWith(tag) && ENCODING_SUFFIX.test(opaque.slice(tag.length)))
  })
}

// Applied to trimmed text: with `\s*` at both ends, an empty tag would try every division of a run of spaces.
const ENTITY_TAG = /^(?:W\/)?"?([\w-]*)"?$/
const ENCODING_SUFFIX = /^-(br|zstd|gzip)$/

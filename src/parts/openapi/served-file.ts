/** Serves public texts that change only with the version: the document, the reference, the guide. */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  COMPRESSED_BYTES_MIN,
  chooseEncoding,
  compressCached,
  type Encoding,
} from '../../core/answer/encodings.ts'
import { SECURITY_HEADERS } from '../../core/answer/http-errors.ts'
import { matchesTag } from '../../core/answer/send.ts'

/** A route's handler. */
export type ServedFile = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Allows nothing from other hosts, no inline scripts, and no markup made from strings in the page. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

/**
 * What a browser is asked to keep from a page. Nothing of a page uses a device, except that a wall display keeps its screen
 * on, and that buttons copy texts. Pages that opened this one, or that it opens, get no handle to its window.
 */
const PAGE_PERMISSIONS = [
  ...[
    'accelerometer',
    'autoplay',
    'bluetooth',
    'camera',
    'clipboard-read',
    'display-capture',
    'encrypted-media',
    'fullscreen',
    'geolocation',
    'gyroscope',
    'hid',
    'idle-detection',
    'local-fonts',
    'magnetometer',
    'microphone',
    'midi',
    'payment',
    'publickey-credentials-create',
    'publickey-credentials-get',
    'serial',
    'usb',
    'xr-spatial-tracking',
  ].map((feature) => `${feature}=()`),
  'clipboard-write=(self)',
  'screen-wake-lock=(self)',
].join(', ')

/** Headers of every page of HTML. */
export const PAGE_HEADERS = {
  'content-security-policy': PAGE_POLICY,
  'permissions-policy': PAGE_PERMISSIONS,
  'cross-origin-opener-policy': 'same-origin',
} as const

/** Makes the file when it is first asked for: what few ask for, and takes a while, does not delay the start. */
export function servedOnDemand(make: () => ServedFile): ServedFile {
  let made: ServedFile | undefined
  return async (request, reply) => {
    made ??= make()
    return made(request, reply)
  }
}

/** A page of HTML. */
export function servedPage(html: string): ServedFile {
  return servedFile('text/html; charset=utf-8', html, PAGE_HEADERS)
}

const BASE_STYLES = readFileSync(join(import.meta.dirname, 'assets', 'base.css'), 'utf8')

/** A page's own styles, after the styles that all pages share. */
export const servedStyles = (own: string): ServedFile =>
  servedFile('text/css; charset=utf-8', BASE_STYLES + own)

/** A route's handler for a text that changes only with the version. */
export function servedFile(
  type: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): ServedFile {
  const tag = hash('sha256', body, 'hex').slice(0, 40)
  const all = {
    ...SECURITY_HEADERS,
    // Caches may keep it for as long as a new version may remain unnoticed.
    'cache-control': 'public, max-age=300',
    vary: 'Accept-Encoding',
    etag: `"${tag}"`,
    ...headers,
  }
  // One buffer for all clients: unread answers share these bytes and need no copies.
  const bytes = Buffer.from(body)
  const encoded = new Map<Encoding, Promise<Buffer>>()
  const inEncoding = (encoding: Encoding) => {
    const known = encoded.get(encoding) ?? compressCached(encoding, bytes)
    encoded.set(encoding, known)
    return known
  }
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const encoding =
      bytes.length < COMPRESSED_BYTES_MIN
        ? undefined
        : chooseEncoding(request.headers['accept-encoding'], 'file')
    reply.headers({ ...all, 'x-request-id': request.id })
    if (encoding !== undefined) reply.header('etag', `"${tag}-${encoding}"`)
    if (matchesTag(request.headers['if-none-match'], tag)) return reply.code(304).send()
    if (encoding === undefined) return reply.type(type).send(bytes)
    return reply
      .type(type)
      .header('content-encoding', encoding)
      .send(await inEncoding(encoding))
  }
}

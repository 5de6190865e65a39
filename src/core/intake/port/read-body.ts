/** Reads a received body as the bytes of its lines. */
import { peek, unpack } from '../lines/read-bytes.ts'
import { type Body, type BodyBounds, bounded, unpackedBytesMaxOf } from './receive-body.ts'
import { Refusal } from './refusal.ts'

/**
 * Unpacks a body, up to its bound. A body in another encoding is refused before its first line, because none of its lines
 * could be read, and the same body would be refused each time.
 * @param isPacked whether `Content-Encoding` says gzip; a body that is gzip without saying so is unpacked too
 * @throws {Refusal} @throws {InputError} if it is too large or damaged
 */
export async function* readBody(body: Body, isPacked: boolean, bounds: BodyBounds): AsyncGenerator<Buffer> {
  const [sent, sentBytes] = await peek(body.read(), 2)
  if (isPacked && sent.length > 0 && !isGzip(sent)) {
    throw wrongEncoding(
      'The body is not gzip, but Content-Encoding says so',
      'Pack it, or leave the header out',
    )
  }
  const unpacked = bounded(unpack(sentBytes, 'The body', isPacked), unpackedBytesMaxOf(body.bytes, bounds))
  let head: Buffer = Buffer.alloc(0)
  let isChecked = false
  for await (const chunk of unpacked) {
    if (isChecked) {
      yield chunk
      continue
    }
    head = Buffer.concat([head, chunk])
    if (head.length < 2) continue
    if (isWide(head)) {
      throw wrongEncoding('The body is UTF-16 or UTF-32', 'Let the sender write UTF-8, without zero bytes')
    }
    isChecked = true
    yield head
  }
  if (!isChecked) yield head
}

const wrongEncoding = (problem: string, remedy: string) =>
  new Refusal(
    'BODY_ENCODING',
    `${problem}. Nothing was imported. ${remedy}; sending the same body again does not help.`,
  )

const isGzip = ([first, second]: Buffer) => first === 0x1f && second === 0x8b

/** A byte order mark, or the zero bytes that the first character of JSON has in these encodings. */
const isWide = ([first, second]: Buffer) =>
  (first === 0xff && second === 0xfe) ||
  (first === 0xfe && second === 0xff) ||
  (first === 0 && second !== undefined) ||
  (first !== undefined && second === 0)

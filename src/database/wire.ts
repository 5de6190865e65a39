/**
 * As much of PostgreSQL's wire protocol (version 3) as the socket beside an embedded folder needs: cutting the
 * stream of bytes into messages, the messages of a connection's beginning, and errors of our own.
 */

/** A message with its type and its length in front, as it travels. */
export type Message = Buffer

export const typeOf = (message: Message) => String.fromCharCode(message[0] ?? 0)

const HEADER_LENGTH = 5

/** A message of the client's that is larger is an error: PostgreSQL itself takes a gigabyte. */
const MESSAGE_LENGTH_MAX = 256 * 1024 * 1024
/** What comes before anybody is known; PostgreSQL's own bound. */
const STARTUP_LENGTH_MAX = 10_000

/** The bytes are none of the protocol. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
}

/** Cuts what arrives into messages. */
export class MessageReader {
  #chunks: Buffer[] = []
  #length = 0

  push(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#length += chunk.length
  }

  /** The next message without a type, as connections begin with: its four bytes of length are left out. */
  takeStartup(): Buffer | undefined {
    const length = this.#peekInt32(0)
    if (length === undefined) return undefined
    if (length < 8 || length > STARTUP_LENGTH_MAX) throw new ProtocolError('invalid length of startup packet')
    return this.#take(length)?.subarray(4)
  }

  take(): Message | undefined {
    const length = this.#peekInt32(1)
    if (length === undefined) return undefined
    if (length < 4 || length > MESSAGE_LENGTH_MAX) throw new ProtocolError('invalid message length')
    return this.#take(length + 1)
  }

  #peekInt32(at: number): number | undefined {
    if (this.#length < at + 4) return undefined
    return this.#whole(at + 4).readInt32BE(at)
  }

  /** The first chunk, grown to hold at least `length` bytes: each byte is copied once at most for a message. */
  #whole(length: number): Buffer {
    const [first = Buffer.alloc(0)] = this.#chunks
    if (first.length >= length) return first
    const all = Buffer.concat(this.#chunks)
    this.#chunks = [all]
    return all
  }

  #take(length: number): Buffer | undefined {
    if (this.#length < length) return undefined
    const first = this.#whole(length)
    this.#length -= length
    if (first.length === length) this.#chunks.shift()
    else this.#chunks[0] = first.subarray(length)
    return first.subarray(0, length)
  }
}

/** The messages of a whole answer. */
export function* splitMessages(bytes: Buffer): Generator<Message> {
  let at = 0
  while (at + HEADER_LENGTH <= bytes.length) {
    const end = at + 1 + bytes.readInt32BE(at + 1)
    yield bytes.subarray(at, end)
    at = end
  }
}

/** The strings at the beginning of a message's body, each ended by a NUL. */
export function readStrings(message: Message, count: number, from = HEADER_LENGTH): string[] {
  const strings: string[] = []
  let at = from
  while (strings.length < count) {
    const end = message.indexOf(0, at)
    if (end < 0) throw new ProtocolError('invalid string in message')
    strings.push(message.toString('utf8', at, end))
    at = end + 1
  }
  return strings
}

export function message(type: string, ...parts: (string | number | Buffer)[]): Message {
  // Texts end with a NUL; numbers are four bytes.
  const body = Buffer.concat(
    parts.map((part) => {
      if (typeof part === 'string') return Buffer.from(`${part}\0`)
      if (typeof part !== 'number') return part
      const bytes = Buffer.alloc(4)
      bytes.writeInt32BE(part)
      return bytes
    }),
  )
  const header = Buffer.alloc(HEADER_LENGTH)
  header.write(type, 'latin1')
  header.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([header, body])
}

export const queryMessage = (sql: string) => message('Q', sql)
export const SYNC = message('S')
export const AUTHENTICATION_OK = message('R', 0)

/** `I`: idle, `T`: in a transaction, `E`: in a transaction that has failed. */
export type TransactionStatus = 'I' | 'T' | 'E'

export const readyForQuery = (status: TransactionStatus) => message('Z', Buffer.from(status))

export const statusOf = (ready: Message) =>
  String.fromCharCode(ready[HEADER_LENGTH] ?? 0) as TransactionStatus

export function errorResponse(error: {
  severity: 'ERROR' | 'FATAL'
  /** SQLSTATE */
  code: string
  message: string
}): Message {
  const { severity, code } = error
  return message('E', `S${severity}`, `V${severity}`, `C${code}`, `M${error.message}`, Buffer.from([0]))
}

/** Asks the client for the data of a COPY. The number of columns is not known here; clients do not look. */
export const copyInResponse = (binary: boolean) => message('G', Buffer.from([binary ? 1 : 0, 0, 0]))

export type Startup =
  | { readonly kind: 'session'; readonly parameters: ReadonlyMap<string, string> }
  | { readonly kind: 'encryption' }
  | { readonly kind: 'cancel' }

const PROTOCOL_MAJOR = 3
const CANCEL_REQUEST = 80877102
const SSL_REQUEST = 80877103
const GSSENC_REQUEST = 80877104

export function readStartup(packet: Buffer): Startup {
  const code = packet.readInt32BE(0)
  if (code === SSL_REQUEST || code === GSSENC_REQUEST) return { kind: 'encryption' }
  if (code === CANCEL_REQUEST) return { kind: 'cancel' }
  if (code >> 16 !== PROTOCOL_MAJOR) throw new ProtocolError(`unsupported frontend protocol ${code >> 16}`)
  const words = packet.toString('utf8', 4).split('\0')
  const parameters = new Map<string, string>()
  for (let at = 0; words[at]; at += 2) parameters.set(words[at]!, words[at + 1] ?? '')
  return { kind: 'session', parameters }
}

/**
 * The three operations of the Internet Printing Protocol (RFC 8010, RFC 8011) that a report needs. Written here because
 * the library for it is not maintained, and a message is a short list of attributes.
 */
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'

const PRINT_JOB = 0x0002
const GET_JOBS = 0x000a
const OPERATION_GROUP = 0x01
const END = 0x03
const TAGS = {
  charset: 0x47,
  language: 0x48,
  uri: 0x45,
  name: 0x42,
  keyword: 0x44,
  mime: 0x49,
  integer: 0x21,
} as const
type Tag = keyof typeof TAGS
type Attribute = readonly [tag: Tag, name: string, value: string | number]

const TIMEOUT_MS = 60_000
const ANSWER_BYTES_MAX = 2_000_000
/** Of the newest jobs of a printer. */
const JOBS_MAX = 500

export interface IppAnswer {
  /** below 0x0100: successful */
  readonly status: number
  /** values of `job-name` */
  readonly jobNames: readonly string[]
}

/** A printer that cannot be reached, or does not answer as one. */
export class PrinterAway extends Error {
  override readonly name = 'PrinterAway'
}

/** @param uri `ipp://host:631/printers/kitchen` @throws {PrinterAway} */
export const printJob = (
  uri: string,
  job: { readonly name: string; readonly type: string; readonly bytes: Uint8Array },
  signal?: AbortSignal,
): Promise<IppAnswer> =>
  send(
    uri,
    PRINT_JOB,
    [
      ['name', 'job-name', job.name],
      ['mime', 'document-format', job.type],
    ],
    job.bytes,
    signal,
  )

/** Whether the printer has, or had, a job of this name. @throws {PrinterAway} */
export async function hasJob(uri: string, name: string, signal?: AbortSignal): Promise<boolean> {
  for (const which of ['not-completed', 'completed']) {
    const { status, jobNames } = await send(
      uri,
      GET_JOBS,
      [
        ['integer', 'limit', JOBS_MAX],
        ['keyword', 'requested-attributes', 'job-name'],
        // A second value. CUPS forgets the names of jobs that it has printed, and reads them again only for what it never stores.
        ['keyword', '', 'job-uuid'],
        ['keyword', 'which-jobs', which],
      ],
      undefined,
      signal,
    )
    // Some printers do not list what they have printed.
    if (status < 0x0100 && jobNames.includes(name)) return true
  }
  return false
}

function encode(uri: string, operation: number, attributes: readonly Attribute[]): Buffer {
  const all: readonly Attribute[] = [
    ['charset', 'attributes-charset', 'utf-8'],
    ['language', 'attributes-natural-language', 'en'],
    ['uri', 'printer-uri', uri],
    ['name', 'requesting-user-name', 'sojourn'],
    ...attributes,
  ]
  const parts = all.map(([tag, name, value]) => {
    const bytes = typeof value === 'number' ? int32(value) : Buffer.from(value)
    return Buffer.concat([
      Buffer.of(TAGS[tag]),
      int16(name.length),
      Buffer.from(name),
      int16(bytes.length),
      bytes,
    ])
  })
  return Buffer.concat([
    Buffer.of(0x01, 0x01),
    int16(operation),
    int32(1),
    Buffer.of(OPERATION_GROUP),
    ...parts,
    Buffer.of(END),
  ])
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

/** @throws {PrinterAway} */
function decode(bytes: Buffer): IppAnswer {
  const jobNames: string[] = []
  try {
    const status = bytes.readUInt16BE(2)
    let at = 8
    let name = ''
    while (at < bytes.length && bytes[at] !== END) {
      const tag = bytes.readUInt8(at)
      at += 1
      // The beginning of a group.
      if (tag < 0x10) continue
      const nameLength = bytes.readUInt16BE(at)
      if (nameLength > 0) name = bytes.toString('utf8', at + 2, at + 2 + nameLength)
      at += 2 + nameLength
      const valueLength = bytes.readUInt16BE(at)
      if (name === 'job-name') jobNames.push(bytes.toString('utf8', at + 2, at + 2 + valueLength))
      at += 2 + valueLength
    }
    return { status, jobNames }
  } catch {
    throw new PrinterAway('its answer is not one of a printer')
  }
}

function send(
  uri: string,
  operation: number,
  attributes: readonly Attribute[],
  data: Uint8Array | undefined,
  signal: AbortSignal | undefined,
): Promise<IppAnswer> {
  const url = new URL(uri.replace(/^ipp/, 'http'))
  if (url.port === '') url.port = '631'
  const head = encode(uri, operation, attributes)
  const body = data === undefined ? head : Buffer.concat([head, data])
  const start = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise<IppAnswer>((resolve, reject) => {
    const away = (reason: string) => reject(new PrinterAway(reason))
    const request = start(url, {
      method: 'POST',
      agent: false,
      headers: { 'content-type': 'application/ipp', 'content-length': body.length },
      signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(signal === undefined ? [] : [signal])]),
    })
    request.once('error', (error: Error & { code?: string }) => away(error.code ?? error.name))
    request.once('response', (response) => {
      const chunks: Buffer[] = []
      let size = 0
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > ANSWER_BYTES_MAX) request.destroy()
        else chunks.push(chunk)
      })
      response.once('error', () => away('the answer broke off'))
      response.once('end', () => {
        if (response.statusCode !== 200) return away(`status ${response.statusCode}`)
        try {
          resolve(decode(Buffer.concat(chunks)))
        } catch (error) {
          reject(error as PrinterAway)
        }
      })
    })
    request.end(body)
  })
}

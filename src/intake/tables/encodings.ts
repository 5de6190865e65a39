/**
 * Detects the encoding of a text and decodes it. Byte order marks and NULs are conclusive, and so is text beyond ASCII
 * that is entirely valid UTF-8. Otherwise the most plausible decoding is chosen.
 */
import { isUtf8 } from 'node:buffer'
import { InputError } from '../input-error.ts'
import { plausibility } from './alphabets.ts'
import { decodeOldPage, isOldPage } from './old-pages.ts'

/** The likelier ones first: if two decodings are equally plausible, the first is used. */
const CANDIDATES = [
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1257',
  'iso-8859-2',
  'iso-8859-15',
  'koi8-r',
  'macintosh',
  'cp850',
  'cp852',
  'ibm866',
  'cp437',
] as const

/** Enough for a decision, counted from the first byte beyond ASCII. */
const SAMPLE_BYTES = 64 * 1024

export interface Encoding {
  readonly name: string
  /** Whether it was detected instead of declared. */
  readonly isDetected: boolean
}

/** The canonical name of an encoding; undefined if there is no such encoding. */
export function encodingNamed(name: string): string | undefined {
  const old = name
    .trim()
    .toLowerCase()
    .replace(/^(?:ibm|dos|cp)[-_ ]?/, 'cp')
  if (isOldPage(old)) return old
  try {
    return new TextDecoder(name.trim().replace(/^cp(?=125\d$)/i, 'windows-')).encoding
  } catch {
    return undefined
  }
}

/** The most plausible encoding of a sample that is not UTF-8 and has no byte order mark. */
export function guessEncoding(sample: Buffer): string {
  let best: string = CANDIDATES[0]
  let most = Number.NEGATIVE_INFINITY
  for (const name of CANDIDATES) {
    const score = plausibility(decodeWhole(sample, name))
    if (score <= most) continue
    best = name
    most = score
  }
  return best
}

const decodeWhole = (bytes: Buffer, name: string) =>
  isOldPage(name) ? decodeOldPage(bytes, name) : new TextDecoder(name).decode(bytes)

const MARKS: readonly [string, readonly number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/**
 * Decodes text in any encoding. `found` is called once, before the first text beyond ASCII; a file of ASCII alone is
 * UTF-8.
 * @param given the declared encoding
 * @throws {InputError} if the bytes do not match the declared or detected encoding
 */
export async function* decodeText(
  bytes: AsyncIterable<Buffer>,
  name: string,
  given: string | undefined,
  found: (encoding: Encoding) => void = () => {},
): AsyncGenerator<string> {
  let decode: ((chunk?: Buffer) => string) | undefined
  let line = 1
  const begin = (encoding: string) => {
    found({ name: encoding, isDetected: given === undefined })
    decode = decoderOf(encoding)
  }
  const read = (chunk?: Buffer): string => {
    try {
      const text = decode?.(chunk) ?? ''
      line += count(text, '\n')
      return text
    } catch {
      const how = given === undefined ? '; name its encoding in a mapping (--map)' : ''
      throw new InputError(`${name} is not ${label(given ?? 'utf-8')} throughout (near line ${line})${how}`)
    }
  }
  let held: Buffer = Buffer.alloc(0)
  if (given !== undefined) begin(given)
  for await (const chunk of bytes) {
    if (decode !== undefined) {
      yield read(chunk)
      continue
    }
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    if (held.length < 4) continue
    const certain = line === 1 ? markedAs(held) : undefined
    if (certain !== undefined) begin(certain)
    else {
      const first = held.findIndex((byte) => byte > 127)
      if (first < 0) {
        const text = held.toString('latin1')
        line += count(text, '\n')
        held = Buffer.alloc(0)
        yield text
        continue
      }
      if (held.length - first < SAMPLE_BYTES) continue
      begin(judged(held.subarray(first)))
    }
    const first = held
    held = Buffer.alloc(0)
    yield read(first)
  }
  if (decode === undefined) begin((line === 1 ? markedAs(held) : undefined) ?? judged(held))
  yield read(held)
  yield read()
}

/** Detects a byte order mark, or a NUL as every second byte of the beginning. */
function markedAs(bytes: Buffer): string | undefined {
  const mark = MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))
  if (mark !== undefined) return mark[0]
  const head = bytes.subarray(0, 64)
  const nuls = (odd: number) => head.filter((byte, at) => at % 2 === odd && byte === 0).length
  const half = head.length / 2
  if (nuls(1) > half * 0.6 && nuls(0) === 0) return 'utf-16le'
  return nuls(0) > half * 0.6 && nuls(1) === 0 ? 'utf-16be' : undefined
}

function judged(bytes: Buffer): string {
  // The sample may end within a character.
  for (let cut = 0; cut < 4 && cut <= bytes.length; cut += 1) {
    if (isUtf8(bytes.subarray(0, bytes.length - cut))) return 'utf-8'
  }
  return guessEncoding(bytes.subarray(0, SAMPLE_BYTES))
}

function decoderOf(encoding: string): (chunk?: Buffer) => string {
  if (isOldPage(encoding)) return (chunk) => (chunk === undefined ? '' : decodeOldPage(chunk, encoding))
  const decoder = new TextDecoder(encoding, { fatal: true })
  return (chunk) => decoder.decode(chunk, { stream: chunk !== undefined })
}

/** The usual spelling of an encoding's name. */
export const label = (encoding: string) =>
  /^(?:utf|iso|koi)/.test(encoding) ? encoding.toUpperCase() : encoding.replace(/^windows/, 'Windows')

const count = (text: string, part: string) => text.split(part).length - 1

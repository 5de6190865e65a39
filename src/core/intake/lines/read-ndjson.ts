/** Reads newline-delimited JSON as numbered lines. */
import { isUtf8 } from 'node:buffer'
import { InputError } from '../input-error.ts'
import type { RecordLine } from './record-line.ts'

/** No record is that long. Without a bound, a file without line breaks would have to fit into memory. */
export const LINE_BYTES_MAX = 1024 * 1024

const NEWLINE = 10

/**
 * The non-blank lines of `bytes`, numbered from 1 as in an editor. A byte order mark and carriage returns are removed.
 * A line that is too long or not UTF-8 is returned with its problem.
 * @param name the file's name, for messages
 */
export async function* readNdjson(
  bytes: AsyncIterable<Buffer>,
  name = 'the input',
): AsyncGenerator<RecordLine> {
  let number = 0
  let pending: Buffer[] = []
  let pendingBytes = 0

  const keep = (part: Buffer) => {
    // Of a line that is already too long, only the length matters.
    if (pendingBytes <= LINE_BYTES_MAX) pending.push(part)
    pendingBytes += part.length
  }
  const take = (): RecordLine | undefined => {
    number += 1
    const size = pendingBytes
    const whole = pending.length === 1 ? pending[0]! : Buffer.concat(pending)
    pending = []
    pendingBytes = 0
    if (size > LINE_BYTES_MAX) {
      return { line: number, problem: { english: `is longer than ${LINE_BYTES_MAX} bytes` } }
    }
    if (!isUtf8(whole)) return { line: number, problem: { english: 'is not UTF-8' } }
    const text = whole.toString('utf8', number === 1 && startsWithMark(whole) ? 3 : 0)
    return text.trim() === '' ? undefined : { line: number, text: text.trimEnd() }
  }

  try {
    for await (const chunk of bytes) {
      if (number === 0 && pendingBytes === 0 && isUtf16(chunk)) {
        throw new InputError(`${name} is UTF-16; save it as UTF-8`)
      }
      let start = 0
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
        if (end === start && pendingBytes === 0) {
          // A compressed file of a megabyte can contain a billion empty lines.
          number += 1
          start = end + 1
          continue
        }
        keep(chunk.subarray(start, end))
        start = end + 1
        const line = take()
        if (line !== undefined) yield line
      }
      if (start < chunk.length) keep(chunk.subarray(start))
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    throw new InputError(`${error.message} (after line ${number})`)
  }
  if (pendingBytes > 0) {
    const line = take()
    if (line !== undefined) yield line
  }
}

const isUtf16 = ([first, second]: Buffer) =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)

function startsWithMark(line: Buffer): boolean {
  return line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf
}

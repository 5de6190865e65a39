/**
 * Writes JSON as UTF-8, for answers of many values. Objects that are filled, written as one text and converted take half
 * as long again, and make twice as much garbage.
 */
import { DAY_MS, localDateOfDays } from '../locale/civil.ts'
import { isoMoment } from '../locale/dates.ts'

const BYTES = 65_536
/** Memory that a long answer needed beyond this is given back. */
const HELD_BYTES_MAX = 1_048_576
/** Below this length, a call costs more than the bytes. */
const CALL_BYTES_MIN = 40

/** One answer is written at a time, from `begin` to `end` without an `await` in between. */
export class JsonBytes {
  #bytes = Buffer.allocUnsafeSlow(BYTES)
  #length = 0

  /** number of bytes written so far */
  get length(): number {
    return this.#length
  }

  begin(): void {
    this.#length = 0
  }

  /** @returns the bytes, in memory of their own */
  end(): Buffer {
    const written = Buffer.allocUnsafeSlow(this.#length)
    this.#bytes.copy(written, 0, 0, this.#length)
    if (this.#bytes.length > HELD_BYTES_MAX) this.#bytes = Buffer.allocUnsafeSlow(BYTES)
    return written
  }

  /** Adds bytes of JSON. */
  add(bytes: Uint8Array): void {
    const into = this.#room(bytes.length)
    const at = this.#length
    if (bytes.length >= CALL_BYTES_MIN) into.set(bytes, at)
    else for (let n = 0; n < bytes.length; n += 1) into[at + n] = bytes[n] as number
    this.#length = at + bytes.length
  }

  /** Adds again what has been written before. @param from and to: `length` before and after it */
  again(from: number, to: number): void {
    const into = this.#room(to - from)
    const at = this.#length
    if (to - from >= CALL_BYTES_MIN) into.copyWithin(at, from, to)
    else for (let n = 0; n < to - from; n += 1) into[at + n] = into[from + n] as number
    this.#length = at + to - from
  }

  /** Adds a value; null for one that is not there. */
  addValue(value: unknown): void {
    if (typeof value === 'string') this.addText(value)
    else if (value === null || value === undefined) this.add(NULL)
    else if (typeof value === 'number' && Number.isFinite(value)) this.#addJson(String(value))
    else this.#addJson(JSON.stringify(value))
  }

  /** Adds a string, or a part of it. */
  addText(text: string, from = 0, to = text.length): void {
    const into = this.#room(3 * (to - from) + 2)
    let at = this.#length
    into[at++] = QUOTE
    for (let n = from; n < to; n += 1) {
      const code = charCodeAt.call(text, n)
      if (code < 0x80) {
        if (code < 0x20 || code === QUOTE || code === BACKSLASH) {
          this.#addEscaped(text, from, to)
          return
        }
        into[at++] = code
      } else if (code < 0x800) {
        into[at++] = 0xc0 | (code >> 6)
        into[at++] = 0x80 | (code & 0x3f)
      } else {
        if (code >= 0xd800 && code < 0xe000) {
          this.#addEscaped(text, from, to)
          return
        }
        into[at++] = 0xe0 | (code >> 12)
        into[at++] = 0x80 | ((code >> 6) & 0x3f)
        into[at++] = 0x80 | (code & 0x3f)
      }
    }
    into[at++] = QUOTE
    this.#length = at
  }

  /** Adds epoch milliseconds as ISO 8601 in UTC. */
  addMoment(at: number): void {
    const days = Math.floor(at / DAY_MS)
    const day = localDateOfDays(days)
    // A year of four digits.
    if (day.length !== DAY_LENGTH) {
      this.addText(isoMoment(at))
      return
    }
    const into = this.#room(26)
    let to = this.#length
    into[to++] = QUOTE
    for (let n = 0; n < DAY_LENGTH; n += 1) into[to++] = charCodeAt.call(day, n)
    const ms = at - days * DAY_MS
    const seconds = Math.floor(ms / 1000)
    const minutes = Math.floor(seconds / 60)
    const hours = Math.floor(minutes / 60)
    into[to] = LETTER_T
    twoDigits(into, to + 1, hours)
    into[to + 3] = COLON
    twoDigits(into, to + 4, minutes - hours * 60)
    into[to + 6] = COLON
    twoDigits(into, to + 7, seconds - minutes * 60)
    into[to + 9] = DOT
    const thousandths = ms - seconds * 1000
    const tenths = Math.floor(thousandths / 100)
    into[to + 10] = ZERO + tenths
    twoDigits(into, to + 11, thousandths - tenths * 100)
    into[to + 13] = LETTER_Z
    into[to + 14] = QUOTE
    this.#length = to + 15
  }

  /** What needs to be escaped, and pairs of surrogates, are rare: JSON.stringify knows the rules. */
  #addEscaped(text: string, from: number, to: number): void {
    this.#addJson(JSON.stringify(text.slice(from, to)))
  }

  #addJson(json: string): void {
    const into = this.#room(3 * json.length)
    const at = this.#length
    if (json.length < CALL_BYTES_MIN) {
      let n = 0
      for (; n < json.length; n += 1) {
        const code = charCodeAt.call(json, n)
        if (code >= 0x80) break
        into[at + n] = code
      }
      if (n === json.length) {
        this.#length = at + n
        return
      }
    }
    this.#length = at + into.write(json, at)
  }

  /** @returns the memory, with room for so many more bytes */
  #room(bytes: number): Buffer {
    const needed = this.#length + bytes
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(2 * needed)
      this.#bytes.copy(larger, 0, 0, this.#length)
      this.#bytes = larger
    }
    return this.#bytes
  }
}

/** For all answers: the work between two breaks writes from `begin` to `end`. */
export const sharedJson = new JsonBytes()

/** Strings have a dozen hidden classes: `text.charCodeAt` would be looked up for each character. */
const { charCodeAt } = String.prototype

function twoDigits(into: Buffer, at: number, value: number): void {
  const tens = Math.floor(value / 10)
  into[at] = ZERO + tens
  into[at + 1] = ZERO + value - tens * 10
}

const NULL = Buffer.from('null')
/** of `YYYY-MM-DD` */
const DAY_LENGTH = 10
const DOT = 46
const ZERO = 48
const COLON = 58
const LETTER_T = 84
const LETTER_Z = 90
const QUOTE = 34
const BACKSLASH = 92

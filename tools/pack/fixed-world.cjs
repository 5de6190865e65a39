/**
 * Loaded with `--require` before the template of a new database is made: time begins at SOURCE_DATE_EPOCH and passes by a
 * microsecond whenever it is read, and "random" bytes are those of a fixed sequence. So the files have the same bytes each time. None
 * of them is a secret: the keys of an installation, and what pseudonyms are made with, are created later, with real random bytes.
 */
const crypto = require('node:crypto')
const { syncBuiltinESMExports } = require('node:module')

const STEP_MS = 0.001
const START_MS = Number(process.env.SOURCE_DATE_EPOCH) * 1000
if (!Number.isFinite(START_MS)) throw new Error('SOURCE_DATE_EPOCH is not set.')

let passed = 0
const now = () => {
  passed += STEP_MS
  return Math.floor(START_MS + passed)
}

const RealDate = Date
globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(now())
    else super(...given)
  }
  static now() {
    return now()
  }
}
performance.now = () => {
  passed += STEP_MS
  return passed
}

let state = 1
/** The constants are those of the C standard's own example of `rand`. */
const fill = (array) => {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
  for (const at of bytes.keys()) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    bytes[at] = state >>> 16
  }
  return array
}
globalThis.crypto.getRandomValues = fill
crypto.randomFillSync = fill
crypto.randomBytes = (size) => fill(Buffer.alloc(size))
syncBuiltinESMExports()

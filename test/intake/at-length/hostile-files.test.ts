/** Files of a gigabyte, most of them small while they are packed: each is read in the memory of a few lines. */
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { InputError } from '../../../src/core/intake/input-error.ts'
import { unpack } from '../../../src/core/intake/lines/read-bytes.ts'
import { LINE_BYTES_MAX, readNdjson } from '../../../src/core/intake/lines/read-ndjson.ts'
import { readRecordRows } from '../../../src/core/intake/lines/read-record-rows.ts'
import type { RecordLine } from '../../../src/core/intake/lines/record-line.ts'
import { readCsvRows } from '../../../src/core/intake/spreadsheets/tables/csv-rows.ts'

const CHUNK = 256 * 1024
const GIGABYTE = 1024 * 1024 * 1024

/** What streams and the collector have on their way, a busy machine's too. */
const MEMORY_MAX = GIGABYTE / 4

async function* times(count: number, bytes: Buffer, end = ''): AsyncGenerator<Buffer> {
  for (let at = 0; at < count; at++) yield bytes
  yield Buffer.from(end)
}

/** One byte again and again as gzip, 64 MB a member: members that follow each other are one file. */
const packed = (byte: string, members: number, end = '') => {
  const member = gzipSync(Buffer.alloc(GIGABYTE / 16, byte))
  return times(1, Buffer.concat([...Array.from({ length: members }, () => member), gzipSync(end)]))
}

/** The lines, and how many bytes outside the heap there were at most beyond those before. */
async function read(lines: (watched: () => void) => AsyncIterable<RecordLine>) {
  const before = process.memoryUsage().arrayBuffers
  let most = 0
  const watch = () => {
    most = Math.max(most, process.memoryUsage().arrayBuffers - before)
  }
  return { lines: await Array.fromAsync(lines(watch)), most: () => most }
}

async function* watched(bytes: AsyncIterable<Buffer>, watch: () => void): AsyncGenerator<Buffer> {
  let chunks = 0
  for await (const chunk of bytes) {
    if (chunks++ % 64 === 0) watch()
    yield chunk
  }
}

const TOO_LONG = { line: 1, problem: { english: `is longer than ${LINE_BYTES_MAX} bytes` } }

describe('a line of a gigabyte', () => {
  test.each([
    ['as it is', () => times(GIGABYTE / CHUNK, Buffer.alloc(CHUNK, 'x'), '\n{}\n')],
    ['packed', () => unpack(packed('x', 16, '\n{}\n'), 'bomb', true)],
  ])('%s is its problem, and the next one is read', async (_, bytes) => {
    const { lines, most } = await read((watch) => readNdjson(watched(bytes(), watch)))
    expect(lines).toEqual([TOO_LONG, { line: 2, text: '{}' }])
    expect(most()).toBeLessThan(MEMORY_MAX)
  })

  test('that is packed twice is not unpacked twice', async () => {
    const inner = gzipSync(Buffer.alloc(GIGABYTE / 16, 'x'))
    const { lines } = await read(() => readNdjson(unpack(times(1, gzipSync(inner)), 'bomb', true)))
    for (const line of lines) expect(line).toHaveProperty('problem')
  })

  test('of CSV is refused before it is read to its end, in the header or in a cell', async () => {
    let chunks = 0
    const endless = (start: string) =>
      (async function* () {
        yield Buffer.from(start)
        for await (const chunk of times(GIGABYTE / CHUNK, Buffer.alloc(CHUNK, 'x'))) {
          chunks += 1
          yield chunk
        }
      })()
    for (const start of ['id,', 'id,firstName\na,"', 'id,firstName\na,']) {
      chunks = 0
      const reading = read(() =>
        readRecordRows({ rows: readCsvRows(endless(start), 'endless.csv') }, 'customer', 'endless.csv'),
      )
      await expect(reading, start).rejects.toThrow(InputError)
      expect(chunks * CHUNK, start).toBeLessThan(16 * LINE_BYTES_MAX)
    }
  })
})

test('67 million line ends in 65 kB have no lines', async () => {
  const { lines, most } = await read((watch) =>
    readNdjson(watched(unpack(packed('\n', 1), 'bomb', true), watch)),
  )
  expect(lines).toEqual([])
  expect(most()).toBeLessThan(MEMORY_MAX)
})

/** JSON written as bytes is what JSON.stringify writes, to the byte, whatever the texts hold. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { JsonBytes } from '../../src/core/request/json-bytes.ts'

/** What begins or ends a range of the rules: of ASCII, of what is escaped, of the bytes of a character. */
const CODES = [
  0, 0x1f, 0x20, 0x22, 0x5c, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xffff,
]
const EDGES = CODES.map((code) => String.fromCharCode(code))

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom(...EDGES, 'a', '😀', 'ș')).map((parts) => parts.join('')),
)

const into = new JsonBytes()
function written(write: () => void): string {
  into.begin()
  write()
  return into.end().toString()
}

it.each(EDGES)('a text with %j', (edge) => {
  for (const text of [edge, `a${edge}`, `${edge}a`, `ș${edge}😀`]) {
    expect(written(() => into.addText(text))).toBe(JSON.stringify(text))
  }
})

it('any text, and any part of it', () => {
  fc.assert(
    fc.property(text, fc.nat(20), fc.nat(20), (text, from, length) => {
      expect(written(() => into.addValue(text))).toBe(JSON.stringify(text))
      const part = text.slice(from, from + length)
      const to = from + part.length
      if (part !== '') expect(written(() => into.addText(text, from, to))).toBe(JSON.stringify(part))
    }),
  )
})

it('any value, and null for one that is not there', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), (values) => {
      const writeAll = () => {
        for (const value of values) into.addValue(value)
      }
      expect(written(writeAll)).toBe(values.map((value) => JSON.stringify(value)).join(''))
    }),
  )
  expect(written(() => into.addValue(undefined))).toBe('null')
})

it('any moment that a date can be, as its JSON', () => {
  const inYears = (from: number, to: number) => fc.integer({ min: Date.UTC(from, 0), max: Date.UTC(to, 0) })
  const END = 8.64e15
  fc.assert(
    fc.property(
      fc.oneof(inYears(1960, 2100), inYears(100, 9999), fc.integer({ min: -END, max: END })),
      (at) => {
        expect(written(() => into.addMoment(at))).toBe(JSON.stringify(new Date(at)))
      },
    ),
  )
  expect(() => written(() => into.addMoment(END + 1))).toThrow(RangeError)
})

it('bytes, and what has been written before, short or long, across the end of the memory', () => {
  for (const length of [1, 39, 40, 70_000, 600_000]) {
    const bytes = Buffer.alloc(length, 'x')
    const text = written(() => {
      into.add(bytes)
      into.addText('y'.repeat(length))
      into.again(0, into.length)
    })
    const once = `${'x'.repeat(length)}"${'y'.repeat(length)}"`
    expect(text === once + once).toBe(true)
  }
})

it('what is handed out is not written over by what comes next', () => {
  into.begin()
  into.addText('first')
  const first = into.end()
  into.begin()
  into.addText('other')
  into.end()
  expect(first.toString()).toBe('"first"')
})

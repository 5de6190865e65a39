/**
 * How both drivers read PostgreSQL's text values. Moments become epoch milliseconds and days stay
 * `YYYY-MM-DD`: a JavaScript Date would bring the process's own time zone into it.
 */

/** Object identifiers of PostgreSQL's built-in types. PGlite has readers of its own where we name none. */
const OID = {
  bool: 16,
  bytea: 17,
  int8: 20,
  int2: 21,
  int4: 23,
  oid: 26,
  json: 114,
  float4: 700,
  float8: 701,
  date: 1082,
  timestamp: 1114,
  timestamptz: 1184,
  numeric: 1700,
  jsonb: 3802,
} as const

/** The array types by their elements' type. */
const ARRAY_OID = {
  bool: 1000,
  int2: 1005,
  int4: 1007,
  int8: 1016,
  float4: 1021,
  float8: 1022,
  date: 1182,
  timestamptz: 1185,
  numeric: 1231,
  jsonb: 3807,
} as const

/** text, varchar, bpchar, "char" and name. */
const TEXT_ARRAY_OIDS = [1009, 1015, 1014, 1002, 1003]

/**
 * Epoch milliseconds of a timestamptz in PostgreSQL's ISO text with the session in UTC:
 * `2025-01-15 08:00:00+00`, `2025-01-15 08:00:00.123456+00`.
 */
export function readTimestamp(text: string): number {
  // Four-digit years are all the intake lets in; they have every digit at a fixed place.
  if (text.length >= 22 && text.charCodeAt(4) === 45 && text.endsWith('+00')) {
    const milliseconds = text.length > 22 ? Math.trunc(Number(text.slice(19, -3)) * 1000) : 0
    const year = +text.slice(0, 4)
    if (year >= 100) {
      return (
        Date.UTC(
          year,
          +text.slice(5, 7) - 1,
          +text.slice(8, 10),
          +text.slice(11, 13),
          +text.slice(14, 16),
          +text.slice(17, 19),
        ) + milliseconds
      )
    }
  }
  return readRareTimestamp(text)
}

/** Years below 100, which Date.UTC takes for 19xx; and, written by other hands, beyond 9999 or before our era. */
function readRareTimestamp(text: string): number {
  const [, year = '', day, time, before] = /^(\d+)(-\d\d-\d\d) ([\d:.]+)\+00( BC)?$/.exec(text) ?? []
  // The year before the year 1 is the year 0 in ISO 8601.
  const signed = before === undefined ? `+${year.padStart(6, '0')}` : `-${`${+year - 1}`.padStart(6, '0')}`
  return Date.parse(`${signed === '-000000' ? '+000000' : signed}${day}T${time}Z`)
}

const readBytes = (text: string) => Buffer.from(text.slice(2), 'hex')

/** A text array literal such as `{a,"b c",NULL}`. */
export function readTextArray(text: string): (string | null)[] {
  if (text === '{}') return []
  const items: (string | null)[] = []
  let at = 1
  while (at < text.length) {
    if (text[at] === '"') {
      let item = ''
      at += 1
      while (text[at] !== '"') {
        if (text[at] === '\\') at += 1
        item += text[at]
        at += 1
      }
      items.push(item)
      at += 2
    } else {
      let end = text.indexOf(',', at)
      if (end < 0) end = text.length - 1
      const item = text.slice(at, end)
      items.push(item === 'NULL' ? null : item)
      at = end + 1
    }
  }
  return items
}

export type TypeReader = (text: string) => unknown

/** The readers of single values. */
const readers = new Map<number, TypeReader>([
  [OID.bool, (text) => text === 't'],
  [OID.bytea, readBytes],
  [OID.int2, Number],
  [OID.int4, Number],
  [OID.int8, Number],
  [OID.oid, Number],
  [OID.float4, Number],
  [OID.float8, Number],
  [OID.numeric, Number],
  [OID.json, JSON.parse],
  [OID.jsonb, JSON.parse],
  [OID.date, (text) => text],
  [OID.timestamp, (text) => text],
  [OID.timestamptz, readTimestamp],
])

const arrayReaders = Object.entries(ARRAY_OID).map(([element, oid]): [number, TypeReader] => {
  const read = readers.get(OID[element as keyof typeof ARRAY_OID])!
  return [oid, (text) => readTextArray(text).map((item) => (item === null ? null : read(item)))]
})

/** The readers by type, for both drivers; a type that is not here is read as text. */
export const typeReaders: ReadonlyMap<number, TypeReader> = new Map([
  ...readers,
  ...TEXT_ARRAY_OIDS.map((oid): [number, TypeReader] => [oid, readTextArray]),
  ...arrayReaders,
])

/**
 * How both drivers read PostgreSQL's text values. Timestamps become epoch milliseconds and dates stay `YYYY-MM-DD`: a
 * JavaScript Date would depend on the process's time zone.
 */
import { DAY_MS, daysOfLocalDate, twoDigitsAt } from '../locale/civil.ts'

/** Object identifiers of PostgreSQL's built-in types. */
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

/** Array types, by the type of their elements. */
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
 * Reads a timestamptz in PostgreSQL's ISO format, with the session in UTC: `2025-01-15 08:00:00+00`, `2025-01-15
 * 08:00:00.123456+00`.
 * @returns epoch milliseconds
 */
export function readTimestamp(text: string): number {
  // The intake only accepts four-digit years, so each digit has a fixed position.
  if (text.length >= 22 && text.charCodeAt(4) === 45 && text.endsWith('+00')) {
    const milliseconds = text.length > 22 ? Math.trunc(Number(text.slice(19, -3)) * 1000) : 0
    const minutes = twoDigitsAt(text, 11) * 60 + twoDigitsAt(text, 14)
    return daysOfLocalDate(text) * DAY_MS + minutes * 60_000 + twoDigitsAt(text, 17) * 1000 + milliseconds
  }
  return readRareTimestamp(text)
}

/** Reads years that other programs wrote: after 9999 or BC. */
function readRareTimestamp(text: string): number {
  const [, year = '', day, time, before] = /^(\d+)(-\d\d-\d\d) ([\d:.]+)\+00( BC)?$/.exec(text) ?? []
  // 1 BC is the year 0 in ISO 8601.
  const signed = before === undefined ? `+${year.padStart(6, '0')}` : `-${`${+year - 1}`.padStart(6, '0')}`
  return Date.parse(`${signed === '-000000' ? '+000000' : signed}${day}T${time}Z`)
}

const readBytes = (text: string) => Buffer.from(text.slice(2), 'hex')

/** Reads a text array literal such as `{a,"b c",NULL}`. */
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

/** Readers of single values. */
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

/** Readers by type, for both drivers. Types without a reader are read as text. */
export const typeReaders: ReadonlyMap<number, TypeReader> = new Map([
  ...readers,
  ...TEXT_ARRAY_OIDS.map((oid): [number, TypeReader] => [oid, readTextArray]),
  ...arrayReaders,
])

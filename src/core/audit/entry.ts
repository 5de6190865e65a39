/**
 * An entry of the audit trail: its columns, defined once, and the hash that makes the trail tamper-evident. Statements,
 * writing, verification and listing are derived from this table: a column added here is stored, read and hashed.
 *
 * The hash of an entry covers its content and the hash of the entry before it. Changing one entry requires rewriting
 * all later ones and the head, which no longer matches a head that was noted elsewhere (`audit verify` prints it).
 */
import { hash } from 'node:crypto'

/** How a value is stored: its PostgreSQL type inside JSON, and the expressions that write and read it. */
interface Kind<Value> {
  readonly json: 'text' | 'bigint' | 'integer'
  readonly write: (value: string) => string
  readonly read: (column: string) => string
  /** Never set; it only carries the value's TypeScript type. */
  readonly value?: Value
}

const asItIs = (text: string) => text
const TEXT: Kind<string> = { json: 'text', write: asItIs, read: asItIs }
const TEXT_OR_NULL: Kind<string | null> = { ...TEXT, value: null }
const INTEGER: Kind<number> = { json: 'integer', write: asItIs, read: asItIs }
const BIGINT: Kind<number> = { json: 'bigint', write: asItIs, read: asItIs }
/** hexadecimal outside the database */
const HASH: Kind<string> = {
  json: 'text',
  write: (value) => `decode(${value}, 'hex')`,
  read: (column) => `encode(${column}, 'hex')`,
}
const HASH_OR_NULL: Kind<string | null> = { ...HASH, value: null }
/** epoch microseconds, the precision of the database */
const MICROS: Kind<number> = {
  json: 'bigint',
  write: (value) => `'epoch'::timestamptz + ${value} * interval '1 microsecond'`,
  read: (column) => `(extract(epoch from ${column}) * 1000000)::bigint`,
}

/** The content of an entry, in the order in which it is hashed. */
const CONTENT = {
  center_id: TEXT,
  seq: BIGINT,
  at: MICROS,
  batch: TEXT,
  public_key: TEXT,
  app_id: TEXT,
  key_name: TEXT,
  operation: TEXT,
  query: TEXT,
  scopes: TEXT,
  records: INTEGER,
  record_list: HASH_OR_NULL,
  revision: BIGINT,
  reads: INTEGER,
  requests: TEXT,
  channel: TEXT_OR_NULL,
} as const

const CHAIN = { previous_hash: HASH, hash: HASH } as const

export const ENTRY_COLUMNS: Readonly<Record<keyof Entry, Kind<string | number | null>>> = {
  ...CONTENT,
  ...CHAIN,
}

type ValueOf<K> = K extends Kind<infer Value> ? Value : never

export type EntryContent = {
  readonly [Name in keyof typeof CONTENT]: ValueOf<(typeof CONTENT)[Name]>
}

export type Entry = EntryContent & { readonly [Name in keyof typeof CHAIN]: string }

const CONTENT_NAMES = Object.keys(CONTENT) as (keyof EntryContent)[]

/** The hash of an entry's content and of the previous entry's hash, hexadecimal. */
export function entryHash(entry: EntryContent, previousHash: string): string {
  // As a JSON list, so that the boundaries between values are unambiguous.
  const content: unknown[] = [previousHash]
  for (const name of CONTENT_NAMES) {
    // Entries written before channels existed have none, and their hashes must not change.
    if (name !== 'channel' || entry.channel !== null) content.push(entry[name])
  }
  return hash('sha256', JSON.stringify(content), 'hex')
}

/** The hash of a record list, hexadecimal. @param text made by `recordListText` */
export const recordListHash = (text: string) => hash('sha256', text, 'hex')

/** One read of an entry. */
export interface EntryRead {
  /** milliseconds after the entry's time */
  readonly offsetMs: number
  readonly status: number
  readonly requestId: string
}

/** A read as one line of an entry's `requests`. */
export const requestLine = (read: EntryRead) => `${read.offsetMs} ${read.status} ${read.requestId}`

/** The reads of an entry's `requests`. */
export function requestLines(requests: string): EntryRead[] {
  return requests.split('\n').map((line) => {
    const [offsetMs = '', status = '', requestId = ''] = line.split(' ')
    return { offsetMs: Number(offsetMs), status: Number(status), requestId }
  })
}

/**
 * An entry of the trail: its columns, named once, and the hash that makes the trail tamper-evident. Statements,
 * writing, verifying and asking follow from this table; a column that is added here is stored, read and hashed.
 *
 * Each entry's hash is taken over its content and the hash of the entry before it. Whoever changes one entry has
 * to rewrite every later one and the head, and a head that was noted elsewhere (`audit verify` prints it) tells.
 */
import { hash } from 'node:crypto'

/** How a value is stored: its PostgreSQL type inside JSON, and the expressions that write it and read it back. */
interface Kind<Value> {
  readonly json: 'text' | 'bigint' | 'integer'
  readonly write: (value: string) => string
  readonly read: (column: string) => string
  /** Never called; it says what TypeScript type the value has. */
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
/** epoch microseconds, the finest that the database keeps */
const MICROS: Kind<number> = {
  json: 'bigint',
  write: (value) => `'epoch'::timestamptz + ${value} * interval '1 microsecond'`,
  read: (column) => `(extract(epoch from ${column}) * 1000000)::bigint`,
}

/** What an entry says, in the order in which its hash takes it. */
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

export function entryHash(entry: EntryContent, previousHash: string): string {
  // JSON of a list leaves no doubt where one value ends and the next begins.
  const content: unknown[] = [previousHash]
  for (const name of CONTENT_NAMES) {
    // Entries that were written before there was a channel have none: their hashes stay what they are.
    if (name !== 'channel' || entry.channel !== null) content.push(entry[name])
  }
  return hash('sha256', JSON.stringify(content), 'hex')
}

/** @param text as `recordListText` makes it */
export const recordListHash = (text: string) => hash('sha256', text, 'hex')

/** One read of an entry. */
export interface EntryRead {
  /** milliseconds after the entry's moment */
  readonly offsetMs: number
  readonly status: number
  readonly requestId: string
}

export const requestLine = (read: EntryRead) => `${read.offsetMs} ${read.status} ${read.requestId}`

export function requestLines(requests: string): EntryRead[] {
  return requests.split('\n').map((line) => {
    const [offsetMs = '', status = '', requestId = ''] = line.split(' ')
    return { offsetMs: Number(offsetMs), status: Number(status), requestId }
  })
}

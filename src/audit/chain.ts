/**
 * What makes the trail tamper-evident: each entry's hash is taken over its content and the hash of the entry
 * before it. Whoever changes one would have to write every later one anew, and the head; and the head that was
 * noted elsewhere (`audit verify` prints it) still tells.
 */
import { hash } from 'node:crypto'

/** An entry as it is stored, hashes in hexadecimal. */
export interface AuditEntry {
  readonly center: string
  readonly seq: number
  /** epoch microseconds, the finest that the database keeps */
  readonly atMicros: number
  readonly batch: string
  readonly publicKey: string
  readonly appId: string
  readonly keyName: string
  readonly operation: string
  readonly query: string
  /** separated by spaces */
  readonly scopes: string
  readonly records: number
  /** hash of the record list, or null */
  readonly recordList: string | null
  readonly revision: number
  readonly reads: number
  readonly requests: string
}

export function entryHash(entry: AuditEntry, previousHash: string): string {
  // JSON of a list leaves no doubt where one value ends and the next begins.
  const content = JSON.stringify([
    previousHash,
    entry.center,
    entry.seq,
    entry.atMicros,
    entry.batch,
    entry.publicKey,
    entry.appId,
    entry.keyName,
    entry.operation,
    entry.query,
    entry.scopes,
    entry.records,
    entry.recordList,
    entry.revision,
    entry.reads,
    entry.requests,
  ])
  return hash('sha256', content, 'hex')
}

/** Identifiers as a record list holds them: a newline before, between and after. */
export const recordListText = (ids: readonly string[]) => `\n${ids.join('\n')}\n`

export const recordListHash = (text: string) => hash('sha256', text, 'hex')

export const recordListIds = (text: string): string[] => text.split('\n').slice(1, -1)

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

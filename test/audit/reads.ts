/** Reads for tests of the trail without HTTP. */
import sql from 'sql-template-tag'
import { type ReadEvent, recordsRead } from '../../src/core/answer/read-event.ts'
import { listGuests } from '../../src/core/api/guests/list-guests.ts'
import { type Audit, type AuditOptions, createAudit } from '../../src/core/audit/audit.ts'
import { listReads, type ReadsQuestion, type TrailRead } from '../../src/core/audit/list-reads.ts'
import { type TrailReport, verifyTrail } from '../../src/core/audit/verify/verify-trail.ts'
import type { Database } from '../../src/core/database/database.ts'
import { keyState } from '../access/key-state.ts'

export const START = Date.UTC(2025, 0, 1)

let requests = 0

/** A read of two guests, unless a test asks for others. */
export function read(
  fields: Partial<Omit<ReadEvent, 'key'>> & {
    readonly key?: Parameters<typeof keyState>[0]
    readonly ids?: readonly string[]
  } = {},
): ReadEvent {
  const { key, ids = ['b1', 'b2'], ...rest } = fields
  return {
    key: keyState(key),
    operation: listGuests,
    query: 'sessionId=s1',
    requiredScopes: [{ scope: 'guests', what: 'GET /guests' }],
    records: recordsRead({ count: ids.length, ids }),
    requestId: `request-${requests++}`,
    status: 200,
    revision: 1,
    ...rest,
  }
}

export interface TestLog {
  readonly lines: string[]
  /** what goes with each line */
  readonly fields: unknown[]
  readonly error: AuditOptions['log']['error']
  readonly info: AuditOptions['log']['info']
}

export function testLog(): TestLog {
  const lines: string[] = []
  const fields: unknown[] = []
  const note = (own: unknown, message?: string) => {
    lines.push(message ?? String(own))
    fields.push(own)
  }
  return { lines, fields, error: note, info: note }
}

export function startAudit(
  database: Database,
  options: Partial<AuditOptions> = {},
): { audit: Audit; time: { now: number }; log: TestLog } {
  const time = { now: START }
  const log = testLog()
  const audit = createAudit({
    database,
    clock: () => time.now,
    monotonic: () => time.now,
    required: true,
    graceSeconds: 30,
    log,
    ...options,
  })
  return { audit, time, log }
}

/** What the trail lists of reads: all of them, unless a part of the question is given. */
export const readsInTrail = (
  database: Database,
  question: Partial<ReadsQuestion> = {},
): Promise<TrailRead[]> => Array.fromAsync(listReads(database, { ...ALL_READS, ...question }))

const ALL_READS: ReadsQuestion = {
  center: undefined,
  key: undefined,
  operations: undefined,
  guest: undefined,
  since: undefined,
  until: undefined,
}

export interface StoredEntry {
  readonly center_id: string
  readonly seq: number
  readonly at: number
  readonly public_key: string
  readonly app_id: string
  readonly key_name: string
  readonly operation: string
  readonly query: string
  readonly scopes: string
  readonly records: number
  readonly ids: string | null
  readonly revision: number
  readonly reads: number
  readonly requests: string
}

export const entriesOf = (database: Database): Promise<StoredEntry[]> =>
  database.query<StoredEntry>(sql`
    select e.center_id, e.seq, e.at, e.public_key, e.app_id, e.key_name, e.operation, e.query, e.scopes,
      e.records, l.ids, e.revision, e.reads, e.requests
    from audit_entries e
    left join audit_record_lists l on l.center_id = e.center_id and l.hash = e.record_list
    order by e.center_id, e.seq`)

/** What is wrong with a center's trail, in words. */
export async function problemsOf(database: Database, center = 'spa'): Promise<string[]> {
  return (await report(database, center)).problems.map((problem) => problem.message)
}

export const report = (database: Database, center = 'spa'): Promise<TrailReport> =>
  verifyTrail(database, center)

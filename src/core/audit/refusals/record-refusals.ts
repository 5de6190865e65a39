/**
 * Records refused requests: invalid credentials, limits, scopes. A refusal that is like an earlier one of the same hour only
 * counts, sums are written every few seconds, and both the rows in memory and those of a center in the database are bounded:
 * a client that is refused a million times adds a few rows, and delays no other.
 */
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import type { Database } from '../../database/database.ts'
import { createDelayedWrites } from '../../database/queue/delayed-writes.ts'
import { addRefusals, type RefusalRow, trimRefusals } from './refusals-sql.ts'

/** Why a request was refused, for the operator of the service. The client learns less (ruling 5). */
export const REFUSAL_REASONS = {
  missingCredentials: 'no credentials',
  malformedCredentials: 'credentials that are no key, or headers of two keys',
  unknownKey: 'a key that does not exist',
  wrongSecret: 'a key that exists, with another secret or appId',
  revokedKey: 'a key that was revoked',
  expiredKey: 'a key that has expired',
  unknownLink: 'a link that does not exist, or was altered',
  endedLink: 'a link that was revoked or has expired',
  notPermitted: 'a valid key that may not do this: scope, address, purpose, or API access is off',
  limit: 'a valid key that has used up its requests',
} as const

export type RefusalReason = keyof typeof REFUSAL_REASONS

export interface Refusal {
  /** '' if the key is not known */
  readonly center: string
  readonly publicKey: string
  /** the documented path */
  readonly endpoint: string
  readonly reason: RefusalReason
  readonly requestId: string
}

export interface RefusalRecord {
  record(refusal: Refusal): void
  /** Writes what was recorded. @throws if the database cannot be written */
  flush(): Promise<void>
  /** Writes what was recorded, if that is possible, and ends. */
  close(): Promise<void>
}

export interface RefusalRecordOptions {
  readonly database: Database
  /** epoch ms */
  readonly clock: () => number
  readonly log: Pick<FastifyBaseLogger, 'error' | 'info'>
  readonly flushMs?: number | undefined
}

const FLUSH_MS = 10_000
const HOUR_MS = 3_600_000
/** Rows in memory of one center, and of all. What is beyond them is counted without its key and path. */
const OF_CENTER_MAX = 200
const ROWS_MAX = 5000
/** Rows of a center in the database, about 200 bytes each. */
export const REFUSALS_STORED_MAX = 5000
/** In place of the path, for what is only counted. */
const MANY = 'many'

type Row = { -readonly [Field in keyof RefusalRow]: RefusalRow[Field] }

export function createRefusalRecord(options: RefusalRecordOptions): RefusalRecord {
  const { database, clock, log, flushMs = FLUSH_MS } = options
  let rows = new Map<string, Row>()
  let ofCenter = new Map<string, number>()
  /** being written, or waiting to be written again */
  let leaving: readonly Row[] = []

  const rowOf = ({ center, publicKey, endpoint, reason }: Refusal, hour: number): Row => {
    const name = [hour, center, publicKey, endpoint, reason].join(' ')
    const known = rows.get(name)
    if (known !== undefined) return known
    const count = ofCenter.get(center) ?? 0
    const isMany = endpoint === MANY
    if (!isMany && (count >= OF_CENTER_MAX || rows.size >= ROWS_MAX)) {
      // Of all centers together, once even their sums would be too many.
      const owner = count > 0 || rows.size < ROWS_MAX ? center : ''
      return rowOf({ center: owner, publicKey: '', endpoint: MANY, reason, requestId: '' }, hour)
    }
    const row: Row = {
      center_id: center,
      hour,
      public_key: publicKey,
      endpoint,
      reason,
      times: 0,
      first_at: Number.POSITIVE_INFINITY,
      last_at: 0,
      request_id: '',
    }
    rows.set(name, row)
    ofCenter.set(center, count + 1)
    return row
  }

  const write = async () => {
    if (leaving.length === 0) {
      leaving = [...rows.values()]
      rows = new Map()
      ofCenter = new Map()
    }
    if (leaving.length === 0) return
    const centers = [...new Set(leaving.map(({ center_id }) => center_id))]
    await database.transaction(async (tx) => {
      await tx.query(addRefusals(leaving))
      await tx.query(trimRefusals(centers, REFUSALS_STORED_MAX))
    })
    leaving = []
  }

  const writes = createDelayedWrites({
    write,
    isWaiting: () => rows.size > 0 || leaving.length > 0,
    delayMs: flushMs,
    log,
    messages: {
      failed: 'refused requests cannot be recorded',
      recovered: 'refused requests are recorded again',
    },
  })

  return {
    record(refusal) {
      const now = clock()
      const row = rowOf(refusal, Math.floor(now / HOUR_MS) * HOUR_MS)
      row.times += 1
      row.first_at = Math.min(row.first_at, now)
      row.last_at = Math.max(row.last_at, now)
      row.request_id = refusal.requestId
      writes.schedule()
    },
    flush: writes.flush,
    close: writes.close,
  }
}

/** A request that matches no endpoint. */
const NO_ENDPOINT = 'other'

/** Records what was refused of a request, after its error was sent. */
export function noteRefusal(record: RefusalRecord, request: FastifyRequest): void {
  const refusal = refusalOf(request)
  if (refusal === undefined) return
  const endpoint = request.routeOptions?.config?.endpoint ?? NO_ENDPOINT
  record.record({ ...refusal, endpoint, requestId: request.id })
}

function refusalOf({
  refusal,
  asker,
  notAdmitted,
}: FastifyRequest): Pick<Refusal, 'center' | 'publicKey' | 'reason'> | undefined {
  if (notAdmitted !== null && notAdmitted !== undefined) {
    const { reason, state } = notAdmitted
    return { center: state?.center ?? '', publicKey: state?.publicKey ?? '', reason }
  }
  if (asker === null || asker === undefined) return undefined
  const { center, publicKey } = asker
  if (refusal?.status === 403) return { center, publicKey, reason: 'notPermitted' }
  if (refusal?.status === 429) return { center, publicKey, reason: 'limit' }
  return undefined
}

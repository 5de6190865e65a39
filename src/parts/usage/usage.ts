/**
 * Counts the requests and the errors of each application, for GET /usage. Counting is an addition in memory. Every few
 * seconds the sums are added to the database, so that instances share them and a restart keeps them. A process that is
 * killed loses its last counts. If the connection breaks while a sum is committed, it may be added twice: usage helps
 * to find out what happened; the record of who read what is the audit trail.
 */
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { KeyState } from '../../core/access/key-states.ts'
import type { Database } from '../../core/database/database.ts'
import { createDelayedWrites } from '../../core/database/queue/delayed-writes.ts'
import { type CountedError, nameOf, rowOf } from './counted-errors.ts'
import { type ReportedError, reportedError } from './reported-error.ts'
import type { CountRow } from './usage-sql.ts'
import { type Piece, piecesOf, writePiece } from './write-usage.ts'

/** One answered request. */
export interface Use {
  readonly center: string
  readonly appId: string
  readonly publicKey: string
  /** the documented path */
  readonly endpoint: string
  readonly status: number
  /** of the body as it was sent */
  readonly bytes: number
  readonly requestId: string
  /** Makes the error, only if it is stored; undefined if there was none. */
  readonly error: (() => ReportedError) | undefined
}

export interface UsageNumbers {
  /** requests that are counted in memory and not in the database yet */
  readonly waiting: number
  /** requests that were not counted, because too much waited to be written */
  lost: number
  /** failed attempts to write */
  failures: number
}

export interface Usage {
  /** Synchronous, and only an addition in memory. */
  record(use: Use): void
  /** Writes what was counted so far. Rejects if that fails; it is tried again automatically. */
  flush(): Promise<void>
  /** Writes for the last time. Never rejects. */
  close(): Promise<void>
  readonly numbers: UsageNumbers
}

export interface UsageOptions {
  readonly database: Database
  /** epoch ms by the database's clock */
  readonly clock: () => number
  readonly log: Pick<FastifyBaseLogger, 'error' | 'info'>
  /** time from the first request after a write to the next write */
  readonly flushMs?: number | undefined
}

/** The delay of GET /usage that its documentation states. */
const FLUSH_MS = 10_000
const QUARTER_S = 900
/** Distinct errors that are stored for an application. */
export const ERRORS_STORED_MAX = 100
/**
 * Entries that wait while the database cannot be written: an entry takes about 200 bytes, an error at most 4 kB with
 * its key.
 */
const COUNTS_MAX = 50_000
const ERRORS_MAX = 5_000
type Count = { -readonly [Field in keyof CountRow]: CountRow[Field] }

export function createUsage(options: UsageOptions): Usage {
  const { database, clock, log, flushMs = FLUSH_MS } = options
  /** by quarter of an hour, application and endpoint */
  let counts = new Map<number, Map<string, Map<string, Count>>>()
  let countsSize = 0
  /** by application and name */
  let errors = new Map<string, Map<string, CountedError>>()
  let errorsSize = 0
  /** the next rows to write, oldest first */
  let pieces: Piece[] = []
  let waiting = 0
  const numbers = {
    lost: 0,
    failures: 0,
    get waiting() {
      return waiting
    },
  }

  /** @param at seconds, the start of a quarter of an hour @returns undefined if there is no room */
  const newCount = ({ center, appId, endpoint }: Use, at: number): Count | undefined => {
    const endpoints = mapIn(mapIn(counts, at), appId)
    if (countsSize >= COUNTS_MAX) return undefined
    countsSize += 1
    const count: Count = {
      center_id: center,
      app_id: appId,
      endpoint,
      at,
      requests: 0,
      unchanged: 0,
      refusals: 0,
      errors: 0,
      bytes: 0,
    }
    endpoints.set(endpoint, count)
    return count
  }

  const addError = (use: Use, reported: ReportedError, now: number) => {
    const ofApp = mapIn(errors, use.appId)
    const name = nameOf(use, reported, now)
    const known = ofApp.get(name)
    if (known !== undefined) {
      known.times += 1
      known.message = reported.message
      known.lastAt = now
      known.request_id = use.requestId
      // The newest are at the end.
      ofApp.delete(name)
      ofApp.set(name, known)
      return
    }
    if (ofApp.size >= ERRORS_STORED_MAX) ofApp.delete(ofApp.keys().next().value ?? '')
    else if (errorsSize >= ERRORS_MAX) return
    else errorsSize += 1
    ofApp.set(name, {
      center_id: use.center,
      app_id: use.appId,
      public_key: use.publicKey,
      endpoint: use.endpoint,
      ...reported,
      times: 1,
      firstAt: now,
      lastAt: now,
      request_id: use.requestId,
    })
  }

  /** Makes rows of the counts, to be written, after the previous rows have been written. */
  const formPieces = () => {
    if (pieces.length > 0) return
    const counted = [...counts.values()].flatMap((apps) =>
      [...apps.values()].flatMap((endpoints) => [...endpoints.values()]),
    )
    const wrong = [...errors.values()].flatMap((ofApp) =>
      [...ofApp].map(([name, error]) => rowOf(name, error)),
    )
    pieces = piecesOf(counted, wrong)
    counts = new Map()
    errors = new Map()
    countsSize = 0
    errorsSize = 0
  }

  const writeAll = async () => {
    formPieces()
    try {
      for (let piece = pieces[0]; piece !== undefined; piece = pieces[0]) {
        await writePiece(database, piece, ERRORS_STORED_MAX)
        pieces.shift()
        if ('counts' in piece) waiting -= piece.counts.reduce((sum, { requests }) => sum + requests, 0)
      }
    } catch (error) {
      numbers.failures += 1
      throw error
    }
  }

  const writes = createDelayedWrites({
    write: writeAll,
    isWaiting: () => waiting > 0,
    delayMs: flushMs,
    log,
    messages: {
      failed: 'the use of the interface cannot be written',
      recovered: 'the use of the interface is written again',
    },
  })

  return {
    numbers,

    record(use) {
      const now = clock()
      const at = Math.floor(now / 1000 / QUARTER_S) * QUARTER_S
      const count = counts.get(at)?.get(use.appId)?.get(use.endpoint) ?? newCount(use, at)
      if (count === undefined) {
        numbers.lost += 1
        return
      }
      const { status } = use
      count.requests += 1
      count.bytes += use.bytes
      if (status === 304) count.unchanged += 1
      else if (status === 401 || status === 403 || status === 429) count.refusals += 1
      else if (status >= 400) count.errors += 1
      if (use.error !== undefined) addError(use, use.error(), now)
      // While anything waits, its write is planned or under way.
      if (waiting === 0) writes.schedule()
      waiting += 1
    },
    flush: writes.flush,
    close: writes.close,
  }
}

function mapIn<Key, Inner, Value>(outer: Map<Key, Map<Inner, Value>>, key: Key): Map<Inner, Value> {
  let inner = outer.get(key)
  if (inner === undefined) {
    inner = new Map()
    outer.set(key, inner)
  }
  return inner
}

/** Requests with a key that match no endpoint: another method, or a malformed path. */
const NO_ENDPOINT = 'other'

/**
 * Counts every request that came with a key, after it was answered.
 * @returns a function that counts an answer that its client interrupted: Fastify reports only answers that were sent
 * completely
 */
export function countRequests(
  app: FastifyInstance,
  usage: Usage,
): (request: FastifyRequest, reply: FastifyReply) => void {
  const count = (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    const { asker } = request
    if (asker !== null) {
      const { center, appId, publicKey } = asker
      usage.record({
        center,
        appId,
        publicKey,
        endpoint: request.routeOptions.config.endpoint ?? NO_ENDPOINT,
        status: reply.raw.statusCode,
        bytes: request.sentBytes,
        requestId: request.id,
        error: request.refusal === null ? undefined : () => reported(request, asker),
      })
    }
    done()
  }
  app.addHook('onResponse', count)
  return (request, reply) => count(request, reply, () => {})
}

function reported(request: FastifyRequest, asker: KeyState): ReportedError {
  const { refusal, routeOptions } = request
  if (refusal === null) throw new Error('a request without a refusal has nothing to tell')
  const error = reportedError(refusal, routeOptions.config.parameters ?? new Set())
  // The client does not learn the reason (ruling 5). This is read with another key of the same application.
  if (error.status !== 401) return error
  return { ...error, message: asker.revoked ? 'The key was revoked.' : 'The key has expired.' }
}

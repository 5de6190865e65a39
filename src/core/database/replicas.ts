/**
 * Replicas of the database server, which lists are read from. The primary has admitted the request, with the revision of its
 * center at that moment. An answer of a replica is used only if its rows show at least this revision, so it is never older
 * than one of the primary.
 *
 * A revision only means something on the history that it was counted on. So a replica is used once it has received a row that
 * was written after the primary's start, and only while it is a standby: then its history is that of the primary.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { type Database, DatabaseUnavailable, sqlState } from './database.ts'
import type { Generation } from './generation.ts'
import { Deadlines } from './queue/deadlines.ts'
import { createReplicaLag } from './replica-lag.ts'
import { noteGeneration, selectIsReplica } from './replicas-sql.ts'

/** Rows of a replica show an older revision than the request's admission. */
export class TooOld extends Error {
  override readonly name = 'TooOld'
}

/** Rows of a replica do not show their revision, because there are none. */
export class NoRevision extends Error {
  override readonly name = 'NoRevision'
}

/** A statement has failed on the replica. `cause` says why. */
class ReplicaFailed extends Error {
  override readonly name = 'ReplicaFailed'
}

type Reads = Pick<Database, 'queryArrays'>

/** Why a read went to the primary after a replica was asked. */
type Fallback = 'late' | 'empty' | 'conflict' | 'failed' | 'error'

export interface ReplicaNumbers {
  /** reads answered by a replica */
  readonly reads: number
  readonly fallbacks: Readonly<Record<Fallback, number>>
  /** reads for which no replica could be used */
  readonly without: number
  readonly usable: number
  /** of the replica furthest behind, as it was compared when this was last read (replica-lag.ts) */
  readonly lagSeconds: number
}

export interface Replicas {
  /**
   * Reads on a replica, or on the primary if no replica has a recent answer.
   * @param generation the server that admitted the request
   * @param read called with the replica to read; rejects with `TooOld` if its rows are older than the admission, and with
   * `NoRevision` if they do not tell. Called again with `undefined`, for the primary
   */
  read<T>(generation: Generation, read: (replica: Reads | undefined) => Promise<T>): Promise<T>
  readonly numbers: ReplicaNumbers
  close(): Promise<void>
}

interface ReplicaServer {
  /** for messages, without a password */
  readonly place: string
  readonly database: Database
  /** @returns why it failed, in more words than the error has */
  readonly explain?: (reason: unknown) => string | undefined
}

interface ReplicasOptions {
  readonly primary: Pick<Database, 'query' | 'generation'>
  readonly servers: readonly ReplicaServer[]
  /** Called when a replica is used from now on, and when it is no longer used. */
  readonly onChange?: ((sentence: string) => void) | undefined
  /** milliseconds of a clock that is never set */
  readonly monotonic?: () => number
}

/** The primary sends a commit to its replicas at once. Most are there when this time has passed. */
const AGAIN_MS = 3
/** How long a page may take before the primary is asked: it takes some milliseconds. */
const PAGE_MS_MAX = 500
/** How long a replica is not used; doubled each time until it works again. */
const REST_MS = 1000
const REST_MS_MAX = 30_000
/** More reads that were late than not, in the end. All that are sent at the moment of one commit may be late. */
const LATE_MAX = 20

/** A row that was just written on the primary is expected within half a second. */
const RECEIVED_TRIES = 10
const RECEIVED_MS = 50

interface IsReplica {
  readonly standby: boolean
  readonly received: boolean
}

type Asked<T> = { readonly value: T } | { readonly fallback: Fallback }

interface Replica {
  /** Whether it has what the primary had at its start; finds out in the background if that is not known. */
  mayBeUsed(generation: Generation): boolean
  isUsable(generation: Generation): boolean
  ask<T>(read: (replica: Reads) => Promise<T>): Promise<Asked<T>>
  close(): Promise<void>
}

export function createReplicas(options: ReplicasOptions): Replicas {
  const counts = { reads: 0, without: 0 }
  const fallbacks = { late: 0, empty: 0, conflict: 0, failed: 0, error: 0 }
  const replicas = options.servers.map((server) => createReplica(server, options))
  let last = 0
  const lag = createReplicaLag(
    options.primary,
    options.servers.map(({ database }) => database),
    options.monotonic ?? (() => performance.now()),
  )

  /** One after the other. */
  const next = (generation: Generation): Replica | undefined => {
    for (let tried = 0; tried < replicas.length; tried += 1) {
      last = (last + 1) % replicas.length
      const replica = replicas[last]
      if (replica?.mayBeUsed(generation)) return replica
    }
    return undefined
  }

  return {
    async read(generation, read) {
      const replica = next(generation)
      if (replica === undefined) {
        counts.without += 1
        return read(undefined)
      }
      const answer = await replica.ask(read)
      if ('fallback' in answer) {
        fallbacks[answer.fallback] += 1
        return read(undefined)
      }
      counts.reads += 1
      return answer.value
    },

    numbers: {
      fallbacks,
      get reads() {
        return counts.reads
      },
      get without() {
        return counts.without
      },
      get lagSeconds() {
        return lag.seconds()
      },
      get usable() {
        const generation = options.primary.generation()
        return replicas.filter((replica) => replica.isUsable(generation)).length
      },
    },

    async close() {
      await Promise.all(replicas.map((replica) => replica.close()))
    },
  }
}

function createReplica(
  { database, place, explain }: ReplicaServer,
  { primary, onChange, monotonic = () => performance.now() }: ReplicasOptions,
): Replica {
  const pages = new Deadlines(PAGE_MS_MAX, 'the replica did not answer')
  const reads: Reads = {
    async queryArrays(sql, kind) {
      try {
        const rows = database.queryArrays(sql, kind)
        return await (kind === 'heavy' ? rows : pages.within(rows))
      } catch (cause) {
        throw new ReplicaFailed('a replica has not answered', { cause })
      }
    },
  }
  /** the start of the primary that it has received, and its own */
  let verified: { readonly of: Generation; readonly own: Generation } | undefined
  let verifying: Promise<void> | undefined
  let restsUntil = 0
  let restMs = REST_MS
  let late = 0
  let reported = ''

  const report = (sentence: string) => {
    if (sentence !== reported) onChange?.(`The replica ${place} ${sentence}.`)
    reported = sentence
  }
  const rest = (why: string) => {
    restsUntil = monotonic() + restMs
    restMs = Math.min(restMs * 2, REST_MS_MAX)
    report(`is not used: ${why}`)
  }
  const isUsable = (generation: Generation) =>
    verified !== undefined &&
    verified.of === generation &&
    verified.own === database.generation() &&
    monotonic() >= restsUntil

  const received = async (of: Generation) => {
    for (let tries = 1; ; tries += 1) {
      const [found] = await database.query<IsReplica>(selectIsReplica(of.name))
      if (!found?.standby || found.received || tries === RECEIVED_TRIES) return found
      await wait(RECEIVED_MS)
    }
  }
  const verify = async (of: Generation): Promise<void> => {
    try {
      await primary.query(noteGeneration(of.name))
      const found = await received(of)
      const own = database.generation()
      if (primary.generation() !== of) return
      if (!found?.standby) rest('it is not a standby')
      else if (!found.received) rest('it has not received what its primary wrote after its start')
      else {
        verified = { of, own }
        report(USED)
      }
    } catch (error) {
      rest(explain?.(error) ?? reasonOf(error))
    }
  }

  return {
    isUsable,

    mayBeUsed(generation) {
      if (isUsable(generation)) return true
      const isKnown = verified?.of === generation && verified.own === database.generation()
      if (!isKnown && monotonic() >= restsUntil) {
        verifying ??= verify(generation).finally(() => {
          verifying = undefined
        })
      }
      return false
    },

    async ask(read) {
      const of = verified
      const failed = (why: string): { readonly fallback: Fallback } => {
        // It is asked in the background whether it works again, so that no request has to find out.
        verified = undefined
        rest(why)
        return { fallback: 'failed' }
      }
      for (let isAgain = false; ; isAgain = true) {
        try {
          const value = await read(reads)
          if (of?.own !== database.generation()) return failed('another server answers at its address')
          late = Math.max(0, late - 1)
          if (late === 0) {
            restMs = REST_MS
            report(USED)
          }
          return { value }
        } catch (error) {
          if (error instanceof TooOld) {
            if (!isAgain) {
              await wait(AGAIN_MS)
              continue
            }
            late = Math.min(late + 1, LATE_MAX)
            if (late === LATE_MAX) rest('it is too far behind')
            return { fallback: 'late' }
          }
          if (error instanceof NoRevision) return { fallback: 'empty' }
          // Of the primary or its queue.
          if (error instanceof DatabaseUnavailable) throw error
          const cause = error instanceof ReplicaFailed ? error.cause : undefined
          // The rows may be a reason to refuse, or the statement one that only a newer schema has: the primary decides.
          if (!(cause instanceof DatabaseUnavailable)) return { fallback: 'error' }
          // What the primary has removed is still read here. It happens to single reads.
          if (CONFLICT.test(sqlState(cause) ?? '')) return { fallback: 'conflict' }
          return failed(explain?.(cause) ?? reasonOf(cause))
        }
      }
    },

    async close() {
      await verifying
      await database.close()
    },
  }
}

const USED = 'is used'

/** 40001: the server has cancelled the statement, 57014: it has taken too long, as it may on the primary. */
const CONFLICT = /^(40001|57014)$/

function reasonOf(error: unknown): string {
  const reason = error instanceof DatabaseUnavailable && error.cause !== undefined ? error.cause : error
  const text = reason instanceof Error ? reason.message : String(reason)
  return text.replace(/\.$/, '')
}

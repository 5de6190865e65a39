/**
 * The one place that asks the service for data, and knows whether it must: an answer that is in memory, and that no change
 * has touched since, is not asked for again. Everything else is asked for with its `ETag`. It also knows what is wrong for
 * all pages at once: no connection, a limit, a key that has ended.
 */
import { type ReadonlySignal, signal } from '@preact/signals-core'
import { Sojourn } from '../../../client/src/index.ts'
import { createAnswers } from './answers.ts'
import { createCachedFetch, type Used } from './cached-fetch.ts'
import { browserClock, type Clock } from './clock.ts'
import { kindsOf, type Moved } from './outdated-answers.ts'
import { isOver, KnownProblem, type Problem, problemOf } from './problem.ts'

/** What depends on the day of today is asked for again after this time. */
const TRUSTED_MS = 15 * 60_000
/** That a sheet was printed on another device is not among the changes. */
const SHEET_TRUSTED_MS = 60_000
/** The first requests wait at most so long for the stream of changes: what is asked for before it is asked for twice. */
const STREAM_FIRST_MS = 800

export type Read<Value> = (sojourn: Sojourn, signal: AbortSignal) => Promise<Value>

/** A value that was read. */
export interface Known<Value> {
  readonly value: Value
  /** when the oldest part of it was asked for, epoch milliseconds */
  readonly askedAt: number
  /** when it was right last, epoch milliseconds */
  asOf(): number
  /** whether it need not be asked for again */
  isCurrent(): boolean
  /** whether a part of it is of the copy on this device */
  readonly isCopied?: boolean
}

/** How pages learn of changes: as they happen, by asking each minute, or not at all. */
export type Following = 'stream' | 'minute' | 'none'

/** What a page is informed of. */
export interface Listener {
  /** Something may have changed. */
  moved(): void
  /** The stream is alive. */
  confirmed(): void
  /** Something is wrong for all pages. */
  interrupted(problem: Problem): void
}

export interface Store {
  /** a client whose answers go through the store */
  readonly sojourn: Sojourn
  readonly clock: Clock
  /** what is wrong for all pages */
  readonly trouble: ReadonlySignal<Problem | undefined>
  readonly following: ReadonlySignal<Following>
  /** the headers of the newest answer, which say what is left of the key's limits */
  readonly newest: ReadonlySignal<Headers | undefined>
  /** what the newest answer says of how old its data is (`Data-Received`); null if it says nothing */
  readonly received: ReadonlySignal<string | null>
  /** @returns what is in memory; undefined if a part of it is not */
  recall<Value>(read: Read<Value>): Promise<Known<Value> | undefined>
  /**
   * @param since answers that were asked for before are asked for again, epoch milliseconds
   * @throws {SojournError}
   */
  ask<Value>(read: Read<Value>, signal: AbortSignal, since?: number): Promise<Known<Value>>
  /** @returns what ends it */
  listen(listener: Listener): () => void
  /** Requests wait a moment for `opened` or `lost`. */
  expectStream(): void
  /** The changes are followed from now on. @param isWithoutGap whether since they were followed before */
  opened(isWithoutGap: boolean): void
  /** @param changes none as a sign that the stream is alive */
  changed(changes: readonly Moved[]): void
  /** There is no stream. */
  lost(following: Following): void
  /** Tells all pages what is wrong. */
  fail(problem: Problem): void
  /** Every open page asks again. */
  refresh(): void
  /** Forgets what was read. */
  clear(): void
  /** Forgets what was read, and asks for nothing any more. */
  close(): void
}

export interface StoreOptions {
  readonly url: string
  readonly key: string
  readonly locale: string
  readonly clock?: Clock
  readonly send?: typeof fetch
  /** Sees each sign of life of the service that accepts the key. */
  readonly contact?: () => void
  /** what the copy on this device says of how old its data was, until the service says it */
  readonly received?: string | null
  /** what the copy on this device has of an answer; asked only while there is no contact */
  readonly copied?: (url: URL) => { readonly text: string; readonly asOf: number } | undefined
}

export function createStore({
  url,
  key,
  locale,
  clock = browserClock,
  send = fetch,
  contact = () => {},
  received: receivedBefore = null,
  copied = () => undefined,
}: StoreOptions): Store {
  const answers = createAnswers()
  const listeners = new Set<Listener>()
  const trouble = signal<Problem | undefined>(undefined)
  const following = signal<Following>('none')
  const newest = signal<Headers | undefined>(undefined)
  const received = signal<string | null>(receivedBefore)
  /** since when the changes are followed without a gap, and the last sign of life; epoch milliseconds */
  let followedSince = Number.POSITIVE_INFINITY
  let aliveAt = 0
  /** whether nothing was heard of the service since it last could not answer, or at all */
  let isAway = true
  const hear = () => {
    isAway = false
    contact()
  }
  let streamKnown: Promise<void> | undefined
  let knowStream = () => {}
  /** From the first request on. */
  let waitForStream = () => {}

  const isFollowed = ({ address, askedAt }: Used): boolean => {
    const answer = answers.get(address)
    if (answer === undefined || kindsOf(answer.url) === undefined) return false
    const isSame = answer.askedAt === askedAt && !answer.isTouched
    return isSame && following.peek() === 'stream' && askedAt >= followedSince
  }
  const isCurrent = (used: Used): boolean => {
    const trustedMs = used.address.includes('/meals/sheets/') ? SHEET_TRUSTED_MS : TRUSTED_MS
    return isFollowed(used) && clock.now() - used.askedAt < trustedMs
  }
  const fetches = createCachedFetch({
    answers,
    clock,
    send,
    isCurrent,
    ready() {
      waitForStream()
      return streamKnown
    },
    copied: (address) => (isAway ? copied(address) : undefined),
    blocked: () => (isInTheWay(trouble.peek(), clock.now()) ? trouble.peek() : undefined),
    answered(response) {
      if (response.headers.has('ratelimit')) newest.value = response.headers
      if (response.ok || response.status === 304) {
        trouble.value = undefined
        received.value = response.headers.get('data-received')
        hear()
      }
    },
  })
  const connect = (used: Used[], since: number | undefined) =>
    // The store keeps the answers, and the page says why it waits.
    new Sojourn({ url, key, locale, attempts: 1, keptCharacters: 0, fetch: fetches.through(used, since) })

  const asOf = (used: Used) => (isFollowed(used) ? Math.max(aliveAt, used.askedAt) : used.askedAt)
  const knownOf = <Value>(value: Value, used: readonly Used[]): Known<Value> => ({
    value,
    askedAt: Math.min(clock.now(), ...used.map(({ askedAt }) => askedAt)),
    asOf: () => Math.min(clock.now(), ...used.map(asOf)),
    isCurrent: () => used.every(isCurrent),
    isCopied: used.some(({ isCopied }) => isCopied === true),
  })

  const tell = (act: (listener: Listener) => void) => {
    for (const listener of [...listeners]) act(listener)
  }

  /** Remembers what concerns all pages, and since when. */
  function note(found: Problem): void {
    if (isOver(found)) answers.clear()
    if (found.kind === 'offline' || found.kind === 'limited' || found.kind === 'failed') isAway = true
    if (found.kind !== 'offline' && found.kind !== 'limited' && found.kind !== 'ended') return
    const before = trouble.peek()
    // The service refuses clients that try invalid keys too often; the key is no better for that.
    if (before?.kind === 'ended' && found.kind === 'limited') return
    trouble.value = before?.kind === found.kind ? { ...found, since: before.since } : found
    if (found.kind === 'ended' && before?.kind !== 'ended') tell(({ interrupted }) => interrupted(found))
  }

  return {
    sojourn: connect([], 0),
    clock,
    trouble,
    following,
    newest,
    received,

    async recall(read) {
      const used: Used[] = []
      try {
        const value = await read(connect(used, undefined), new AbortController().signal)
        return knownOf(value, used)
      } catch {
        return undefined
      }
    },

    async ask(read, signal, since = 0) {
      const used: Used[] = []
      try {
        return knownOf(await read(connect(used, since), signal), used)
      } catch (error) {
        signal.throwIfAborted()
        const problem = problemOf(error, clock.now())
        note(problem)
        const known = trouble.peek()
        // With the time since when it lasts for all pages.
        throw known?.kind === problem.kind || known?.kind === 'ended' ? new KnownProblem(known) : error
      }
    },

    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    expectStream() {
      streamKnown = new Promise((resolve) => {
        knowStream = resolve
        waitForStream = () => {
          waitForStream = () => {}
          const stop = clock.after(STREAM_FIRST_MS, resolve)
          knowStream = () => {
            stop()
            resolve()
          }
        }
      })
    },

    opened(isWithoutGap) {
      aliveAt = clock.now()
      hear()
      if (!isWithoutGap || followedSince === Number.POSITIVE_INFINITY) followedSince = aliveAt
      following.value = 'stream'
      trouble.value = undefined
      knowStream()
      tell(({ moved }) => moved())
    },

    changed(changes) {
      aliveAt = clock.now()
      hear()
      answers.touch(changes)
      if (changes.length > 0) tell(({ moved }) => moved())
      else tell(({ confirmed }) => confirmed())
    },

    lost(next) {
      following.value = next
      knowStream()
    },

    fail(problem) {
      note(problem)
      knowStream()
      const said = trouble.peek() ?? problem
      tell(({ interrupted }) => interrupted(said))
    },

    refresh() {
      answers.touchAll()
      tell(({ moved }) => moved())
    },

    clear: answers.clear,

    close() {
      fetches.close()
      answers.clear()
      newest.value = undefined
      received.value = null
    },
  }
}

/** Whether a request would only be refused again. Without a connection, the next one may succeed. */
const isInTheWay = (problem: Problem | undefined, now: number): boolean =>
  problem?.kind === 'ended' || (problem?.kind === 'limited' && (problem.againAt ?? now) > now)

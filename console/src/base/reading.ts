/**
 * Something that is read and shown: it keeps what it knew while it reads again, and says what went wrong since. Where the
 * key may not read it any more, it is forgotten.
 */
import { type ReadonlySignal, signal } from '@preact/signals-core'
import { isOver, type Problem, problemOf } from './problem.ts'

export interface Reading<Value> {
  /** undefined until it was read once */
  readonly value: Value | undefined
  /** when the value was right last, epoch milliseconds */
  readonly asOf: number
  readonly problem: Problem | undefined
  readonly isReading: boolean
}

export interface Reader<Value> {
  readonly state: ReadonlySignal<Reading<Value>>
  /** Reads again. If it is reading already, once more afterwards. */
  refresh(): void
  /** Tells of a problem that was found elsewhere: what is shown is not followed any more. */
  interrupt(problem: Problem): void
  /** Tells that what is shown is still right. */
  confirm(): void
  close(): void
}

export interface Clock {
  now(): number
  /** @returns what ends it */
  after(ms: number, act: () => void): () => void
}

export const browserClock: Clock = {
  now: () => Date.now(),
  after(ms, act) {
    const timer = setTimeout(act, Math.max(0, ms))
    return () => clearTimeout(timer)
  },
}

const NOTHING = { value: undefined, asOf: 0 }

export interface ReaderOptions {
  readonly clock?: Clock
  /** whether it stays also when the key has ended: for what names nobody, where nobody can sign in */
  readonly isKept?: boolean
}

/** Begins at once. What fails is tried again by itself where the problem says so. */
export function createReader<Value>(
  read: (signal: AbortSignal) => Promise<Value>,
  { clock = browserClock, isKept = false }: ReaderOptions = {},
): Reader<Value> {
  const state = signal<Reading<Value>>({ ...NOTHING, problem: undefined, isReading: false })
  const ends = new AbortController()
  let again = false
  let cancel = () => {}

  async function run(): Promise<void> {
    cancel()
    state.value = { ...state.value, isReading: true }
    // A change that comes while it reads may not be in what is read.
    const asOf = clock.now()
    try {
      const value = await read(ends.signal)
      if (!ends.signal.aborted) state.value = { value, asOf, problem: undefined, isReading: false }
    } catch (error) {
      if (!ends.signal.aborted) fail(problemOf(error, clock.now()))
    }
    if (again && !ends.signal.aborted) {
      again = false
      void run()
    }
  }

  function fail(found: Problem): void {
    const { problem: before } = state.value
    // The service refuses whoever tries invalid keys too often; the key is no better for that.
    if (before?.kind === 'ended' && found.kind === 'limited') {
      state.value = { ...state.value, isReading: false }
      return
    }
    // Without a connection since the first time that it failed.
    const since = before?.kind === found.kind ? before.since : found.since
    const { value, asOf } = isOver(found) && !isKept ? NOTHING : state.value
    state.value = { value, asOf, problem: { ...found, since }, isReading: false }
    cancel()
    if (found.againAt !== undefined) cancel = clock.after(found.againAt - clock.now(), () => void run())
  }

  void run()
  return {
    state,
    refresh() {
      if (state.value.isReading) again = true
      else void run()
    },
    interrupt(problem) {
      if (!state.value.isReading) fail(problem)
    },
    confirm() {
      if (state.value.problem === undefined && state.value.value !== undefined) {
        state.value = { ...state.value, asOf: clock.now() }
      }
    },
    close() {
      cancel()
      ends.abort()
    },
  }
}

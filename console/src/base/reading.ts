/**
 * Something that is read and shown: it keeps what it knew while it reads again, and says what went wrong since. Where the
 * key may not read it any more, it is forgotten.
 */
import { type ReadonlySignal, signal } from '@preact/signals-core'
import { browserClock, type Clock } from './clock.ts'
import { isOver, type Problem, problemOf } from './problem.ts'
import type { Known, Read, Store } from './store.ts'

export interface Reading<Value> {
  /** undefined until it was read once */
  readonly value: Value | undefined
  /** when the value was right last, epoch milliseconds */
  readonly asOf: number
  readonly problem: Problem | undefined
  readonly isReading: boolean
  /** whether the value is of the copy on this device, and was not read since it was started */
  readonly isCopied?: boolean
}

export interface Reader<Value> {
  readonly state: ReadonlySignal<Reading<Value>>
  /** Asks again, also for what is known to be right. If it is reading already, once more afterwards. */
  refresh(): void
  /** Tells of a problem that was found elsewhere: what is shown is not followed any more. */
  interrupt(problem: Problem): void
  /** Tells that what is shown is still right. */
  confirm(): void
  close(): void
}

const copied = (isCopied: boolean) => (isCopied ? { isCopied } : {})

const NOTHING = { value: undefined, asOf: 0 }

export interface ReaderOptions {
  readonly clock?: Clock
  /** whether it stays also when the key has ended: for what names nobody, where nobody can sign in */
  readonly isPermanent?: boolean
}

/** Where a reader gets its value. */
interface Source<Value> {
  /** what is known without asking */
  readonly recall?: () => Promise<Known<Value> | undefined>
  /** @param since answers that were asked for before are asked for again, epoch milliseconds */
  ask(signal: AbortSignal, since: number): Promise<Known<Value>>
}

/**
 * What the store knows is shown at once, and asked for if it may be outdated. It follows the changes until it is closed.
 * @param read uses only the client that it is given
 */
export function createResource<Value>(
  store: Store,
  read: Read<Value>,
  { isPermanent = false }: Pick<ReaderOptions, 'isPermanent'> = {},
): Reader<Value> {
  const source = {
    recall: () => store.recall(read),
    ask: (signal: AbortSignal, since: number) => store.ask(read, signal, since),
  }
  const { reader, moved, confirmed } = createCore(source, store.clock, isPermanent)
  const end = store.listen({ moved, confirmed, interrupted: reader.interrupt })
  return {
    ...reader,
    close() {
      end()
      reader.close()
    },
  }
}

/** Begins at once. What fails is tried again by itself where the problem says so. */
export function createReader<Value>(
  read: (signal: AbortSignal) => Promise<Value>,
  { clock = browserClock, isPermanent = false }: ReaderOptions = {},
): Reader<Value> {
  const source = {
    async ask(signal: AbortSignal) {
      const askedAt = clock.now()
      const value = await read(signal)
      return { value, askedAt, asOf: () => askedAt, isCurrent: () => false }
    },
  }
  return createCore(source, clock, isPermanent).reader
}

function createCore<Value>(
  { recall, ask }: Source<Value>,
  clock: Clock,
  isPermanent: boolean,
): { readonly reader: Reader<Value>; moved(): void; confirmed(): void } {
  const state = signal<Reading<Value>>({ ...NOTHING, problem: undefined, isReading: true })
  const ends = new AbortController()
  let known: Known<Value> | undefined
  let again: { since: number } | undefined
  let cancel = () => {}

  async function begin(): Promise<void> {
    known = await recall?.()
    if (ends.signal.aborted) return
    if (known !== undefined) show(known, !known.isCurrent())
    if (known?.isCurrent()) next()
    else await run(0)
  }

  async function run(since: number): Promise<void> {
    cancel()
    state.value = { ...state.value, isReading: true }
    try {
      known = await ask(ends.signal, since)
      if (!ends.signal.aborted) show(known, false)
    } catch (error) {
      if (!ends.signal.aborted) fail(problemOf(error, clock.now()))
    }
    next()
  }

  function confirmed(): void {
    if (state.value.problem !== undefined || known === undefined) return
    state.value = { ...state.value, asOf: known.asOf() }
  }

  /** What came while it read. */
  function next(): void {
    if (again === undefined || ends.signal.aborted) return
    const { since } = again
    again = undefined
    void run(since)
  }

  function show({ value, asOf, isCopied = false }: Known<Value>, isReading: boolean): void {
    state.value = { value, asOf: asOf(), problem: undefined, isReading, ...copied(isCopied) }
  }

  function fail(found: Problem): void {
    const { problem: before } = state.value
    // The service refuses clients that try invalid keys too often; the key is no better for that.
    if (before?.kind === 'ended' && found.kind === 'limited') {
      state.value = { ...state.value, isReading: false }
      return
    }
    // Without a connection since the first time that it failed.
    const since = before?.kind === found.kind ? Math.min(before.since, found.since) : found.since
    const isForgotten = isOver(found) && !isPermanent
    if (isForgotten) known = undefined
    const { value, asOf, isCopied = false } = isForgotten ? { ...NOTHING, isCopied: false } : state.value
    state.value = { value, asOf, problem: { ...found, since }, isReading: false, ...copied(isCopied) }
    cancel()
    if (found.againAt !== undefined) cancel = clock.after(found.againAt - clock.now(), () => void run(0))
  }

  const readAgain = (since: number) => {
    if (state.value.isReading) again = { since: Math.max(since, again?.since ?? 0) }
    else void run(since)
  }

  void (recall === undefined ? run(0) : begin())
  const reader: Reader<Value> = {
    state,
    refresh: () => readAgain(clock.now()),
    interrupt(problem) {
      if (!state.value.isReading || isOver(problem)) fail(problem)
    },
    confirm() {
      if (state.value.problem !== undefined || known === undefined) return
      state.value = { ...state.value, asOf: clock.now() }
    },
    close() {
      cancel()
      ends.abort()
    },
  }
  return {
    reader,
    moved() {
      if (state.value.problem === undefined && known?.isCurrent()) confirmed()
      else readAgain(0)
    },
    confirmed,
  }
}

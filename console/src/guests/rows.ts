/**
 * The rows of a list: its first page at once, then all of it, so that print, copy and find have every row. A list that is
 * too long for a page has its first rows, and says so.
 */
import { type ReadonlySignal, signal } from '@preact/signals-core'
import type { Clock } from '../base/clock.ts'
import { isOver, type Problem, problemOf } from '../base/problem.ts'
import type { Known } from '../base/store.ts'
import type { Row } from './values.ts'
import type { ListMemory } from './whole-lists.ts'

/** As the service has them unless the center's maximum is lower. */
export const PAGE_ROWS = 100
/** Chromium prints 20,000 rows on 501 pages in half a minute; with 30,000 its printing fails. */
export const ROWS_MAX = 20_000
/** A long list that changes all the time is read a fifth of the time at most. */
const REST_FACTOR = 4

export interface Rows {
  /** of the whole list; undefined until it was read */
  readonly total: number | undefined
  /** from the first */
  readonly rows: readonly Row[]
  /** bookings that the filters leave out because they are not active; undefined if the number is unknown */
  readonly others: number | undefined
  /** whether the rows are all of the list, the rest is being read, or the rest is too long for a page */
  readonly rest: 'none' | 'reading' | 'tooLong'
  readonly problem: Problem | undefined
  /** when the rows were right last, epoch milliseconds */
  readonly asOf: number
}

export interface RowReader {
  readonly state: ReadonlySignal<Rows>
  /** Reads again: something has changed. */
  refresh(): void
  interrupt(problem: Problem): void
  confirm(): void
  close(): void
}

/** The first page, and how many bookings the filters leave out; undefined if the question does not leave any out. */
export interface FirstRows {
  readonly data: readonly Row[]
  readonly total: number
  readonly others: number | undefined
}

export interface RowSource {
  readonly clock: Clock
  readonly memory: ListMemory
  /** what is known without asking */
  recall(): Promise<Known<FirstRows> | undefined>
  /** asks only if what is known may be outdated */
  first(signal: AbortSignal): Promise<Known<FirstRows>>
  /** the whole list, as of one moment */
  whole(signal: AbortSignal): Promise<readonly Row[]>
}

const NOTHING = { total: undefined, rows: [], others: undefined, rest: 'none', asOf: 0 } as const

export function createRows({ clock, memory, recall, first, whole }: RowSource): RowReader {
  const state = signal<Rows>({ ...NOTHING, problem: undefined })
  const ends = new AbortController()
  let known: Known<FirstRows> | undefined
  let isBusy = true
  let again = false
  /** a long list is not read again before, epoch milliseconds */
  let nextAt = 0
  let cancel = () => {}
  const set = (part: Partial<Rows>) => {
    if (!ends.signal.aborted) state.value = { ...state.value, ...part }
  }

  async function begin(): Promise<void> {
    known = await recall()
    if (ends.signal.aborted) return
    if (known !== undefined) {
      const { data, total, others } = known.value
      const rows = total > data.length ? (memory.get()?.rows ?? data) : data
      set({
        total: Math.max(total, rows.length),
        rows,
        others,
        rest: restOf(rows, total),
        asOf: known.asOf(),
      })
    }
    await run()
  }

  async function run(): Promise<void> {
    cancel()
    isBusy = true
    again = false
    try {
      await read()
    } catch (error) {
      if (!ends.signal.aborted) fail(problemOf(error, clock.now()))
    }
    isBusy = false
    if (again && !ends.signal.aborted) later(nextAt)
  }

  async function read(): Promise<void> {
    known = await first(ends.signal)
    const { data, total, others } = known.value
    const shown = { total, others, problem: undefined, asOf: known.asOf() }
    if (total <= data.length || total > ROWS_MAX) {
      memory.set(undefined)
      set({ ...shown, rows: data, rest: restOf(data, total) })
      return
    }
    const list = memory.get()
    if (list?.askedAt === known.askedAt) {
      set({ ...shown, total: list.rows.length, rows: list.rows, rest: 'none' })
      return
    }
    // A list that was read keeps its rows until it is read anew: they are whole, and of one moment.
    if (state.value.rest !== 'none' || state.value.rows.length <= data.length) {
      set({ ...shown, rows: data, rest: 'reading' })
    }
    await readWhole(known, shown)
  }

  async function readWhole({ askedAt }: Known<FirstRows>, shown: Partial<Rows>): Promise<void> {
    const begun = clock.now()
    try {
      const rows = await whole(ends.signal)
      if (ends.signal.aborted) return
      memory.set({ rows, askedAt })
      set({ ...shown, total: rows.length, rows, rest: 'none' })
    } catch (error) {
      // The audit trail names each record with sensitive fields, so their number is bounded.
      if (problemOf(error, clock.now()).kind !== 'refused') throw error
      set({ ...shown, rest: 'tooLong' })
    } finally {
      nextAt = clock.now() + REST_FACTOR * (clock.now() - begun)
    }
  }

  function later(at: number): void {
    cancel()
    cancel = clock.after(at - clock.now(), () => void run())
  }

  function fail(found: Problem): void {
    const { problem } = state.value
    if (problem?.kind === 'ended' && found.kind === 'limited') return
    const since = problem?.kind === found.kind ? Math.min(problem.since, found.since) : found.since
    if (isOver(found)) {
      known = undefined
      memory.set(undefined)
    }
    set({ ...(isOver(found) ? NOTHING : {}), problem: { ...found, since } })
    if (found.againAt !== undefined) later(found.againAt)
  }

  void begin()
  return {
    state,
    refresh() {
      if (isBusy) again = true
      else if (clock.now() >= nextAt) void run()
      else later(nextAt)
    },
    interrupt(problem) {
      if (!isBusy || isOver(problem)) fail(problem)
    },
    confirm() {
      if (isBusy || state.value.problem !== undefined || known?.isCurrent() !== true) return
      set({ asOf: known.asOf() })
    },
    close() {
      cancel()
      ends.abort()
    },
  }
}

const restOf = (rows: readonly Row[], total: number): Rows['rest'] =>
  rows.length >= total ? 'none' : total > ROWS_MAX ? 'tooLong' : 'reading'

/** The records of a file in NDJSON. Its last line is not a record. */
export async function recordsOf(body: ReadableStream<Uint8Array>): Promise<readonly Row[]> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const rows: Row[] = []
  let open = ''
  while (true) {
    const { done, value } = await reader.read()
    const lines = (open + (done ? decoder.decode() : decoder.decode(value, { stream: true }))).split('\n')
    open = lines.pop() ?? ''
    for (const line of lines) rows.push(JSON.parse(line))
    if (done) return rows.slice(0, -1)
  }
}

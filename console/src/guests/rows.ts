/** The rows of a long table, read a page at a time where somebody looks. */
import { type ReadonlySignal, signal } from '@preact/signals-core'
import { isOver, type Problem, problemOf } from '../base/problem.ts'
import { browserClock, type Clock } from '../base/reading.ts'
import type { Row } from './values.ts'

/** As the service has them unless the center's maximum is lower. */
export const PAGE_ROWS = 100

export interface Rows {
  /** of all pages; undefined until one was read */
  readonly total: number | undefined
  /** undefined where it is not read yet */
  row(index: number): Row | undefined
  readonly problem: Problem | undefined
  /** when the first page was right, epoch milliseconds */
  readonly asOf: number
}

export interface RowReader {
  readonly state: ReadonlySignal<Rows>
  /** Tells which rows are looked at. */
  look(from: number, to: number): void
  /** Reads what is looked at anew: something has changed. */
  refresh(): void
  interrupt(problem: Problem): void
  confirm(): void
  close(): void
}

export interface RowPage {
  readonly data: readonly Row[]
  readonly total: number
  /** when it was right, epoch milliseconds; when it was asked for unless given */
  readonly asOf?: number
}

/**
 * @param read a page, numbered from 1
 * @param pageRows how many rows a page has
 * @param recall a page as it was read before, which is shown until it is read again
 */
export function createRows(
  read: (page: number, signal: AbortSignal) => Promise<RowPage>,
  pageRows: number,
  clock: Clock = browserClock,
  recall?: (page: number) => Promise<RowPage | undefined>,
): RowReader {
  const pages = new Map<number, readonly Row[]>()
  /** being read, or read since the last change */
  let fresh = new Set<number>()
  let looked: readonly [from: number, to: number] = [0, 0]
  let total: number | undefined
  let problem: Problem | undefined
  let asOf = 0
  let cancel = () => {}
  const ends = new AbortController()
  const snapshot = (): Rows => ({
    total,
    problem,
    asOf,
    row: (index) => pages.get(Math.floor(index / pageRows) + 1)?.[index % pageRows],
  })
  const state = signal<Rows>(snapshot())

  async function load(page: number): Promise<void> {
    const mine = fresh
    mine.add(page)
    const begun = clock.now()
    try {
      if (recall !== undefined && !pages.has(page)) await show(page, mine, recall)
      const answer = await read(page, ends.signal)
      if (ends.signal.aborted || mine !== fresh) return
      pages.set(page, answer.data)
      // Rows have come or gone between two pages: what was read before may be at another place.
      if (total !== undefined && total !== answer.total)
        for (const other of mine) if (other !== page) mine.delete(other)
      total = answer.total
      problem = undefined
      asOf = answer.asOf ?? begun
    } catch (error) {
      if (ends.signal.aborted || mine !== fresh) return
      mine.delete(page)
      fail(problemOf(error, clock.now()))
      return
    }
    state.value = snapshot()
    fill()
  }

  async function show(page: number, mine: Set<number>, recalled: NonNullable<typeof recall>): Promise<void> {
    const known = await recalled(page)
    if (known === undefined || ends.signal.aborted || mine !== fresh || pages.has(page)) return
    pages.set(page, known.data)
    total ??= known.total
    asOf ||= known.asOf ?? 0
    state.value = snapshot()
  }

  function fail(found: Problem): void {
    if (problem?.kind === 'ended' && found.kind === 'limited') return
    if (isOver(found)) {
      pages.clear()
      fresh = new Set()
      total = undefined
    }
    problem = { ...found, since: problem?.kind === found.kind ? problem.since : found.since }
    state.value = snapshot()
    cancel()
    if (found.againAt !== undefined) {
      cancel = clock.after(found.againAt - clock.now(), () => {
        problem = undefined
        fill()
      })
    }
  }

  function fill(): void {
    if (problem !== undefined || ends.signal.aborted) return
    const last = Math.max(0, Math.min(looked[1], (total ?? 1) - 1))
    const from = Math.floor(Math.min(looked[0], last) / pageRows) + 1
    for (let page = from; page <= Math.floor(last / pageRows) + 1; page += 1)
      if (!fresh.has(page)) void load(page)
  }

  fill()
  return {
    state,
    look(from, to) {
      looked = [from, to]
      fill()
    },
    refresh() {
      fresh = new Set()
      problem = undefined
      fill()
    },
    interrupt: fail,
    confirm() {
      if (problem === undefined && total !== undefined) {
        asOf = clock.now()
        state.value = snapshot()
      }
    },
    close() {
      cancel()
      ends.abort()
    },
  }
}

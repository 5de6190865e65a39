/** Keeps a page right: asks for changes and has it read again what may have moved. */
import type { Change, Sojourn } from '../../../client/src/index.ts'
import { SojournError } from '../../../client/src/index.ts'
import { isOver, problemOf } from './problem.ts'
import { browserClock, type Clock, type Reader } from './reading.ts'

export interface Followed {
  readonly sojourn: Pick<Sojourn, 'changes'>
  /** `guests`, `sessions`, `orders`, of those that the key may follow; none: the page reads again each minute */
  readonly kinds: readonly Change['kind'][]
  readonly readers: readonly Pick<Reader<unknown>, 'refresh' | 'interrupt' | 'confirm'>[]
  readonly clock?: Clock
}

/** A page that reads again without being told asks this often: an unchanged answer costs the service nothing. */
const POLL_MS = 60_000
const AGAIN_MS = 5000
/** A key that has ended seldom comes back, and the service counts requests with one that is not valid. */
const ENDED_MS = POLL_MS

/** @returns what ends it */
export function follow({ sojourn, kinds, readers, clock = browserClock }: Followed): () => void {
  const ends = new AbortController()
  let cancel = () => {}
  // One listener for all waits: a wall waits for a month.
  ends.signal.addEventListener('abort', () => cancel())

  const readAll = () => {
    for (const reader of readers) reader.refresh()
  }
  const wait = (ms: number) =>
    new Promise<void>((resolve) => {
      const stop = clock.after(ms, resolve)
      cancel = () => {
        stop()
        resolve()
      }
    })

  async function run(): Promise<void> {
    let after: string | undefined
    while (!ends.signal.aborted) {
      if (kinds.length === 0) {
        await wait(POLL_MS)
        if (!ends.signal.aborted) readAll()
        continue
      }
      try {
        const page = await sojourn.changes.list(
          { kinds: [...kinds], ...(after === undefined ? {} : { after, wait: 30 }) },
          { signal: ends.signal },
        )
        if (after !== undefined && page.data.length > 0) readAll()
        else for (const reader of readers) reader.confirm()
        // What changed before the first cursor was read may have come after the page was.
        if (after === undefined) readAll()
        after = page.cursor
      } catch (error) {
        if (ends.signal.aborted) return
        after = await afterProblem(error, after)
      }
    }
  }

  /** @returns the cursor to go on from */
  async function afterProblem(error: unknown, after: string | undefined): Promise<string | undefined> {
    if (error instanceof SojournError && error.code === 'GONE') return undefined
    const problem = problemOf(error, clock.now())
    // An application may wait for changes twice at a time: a third page reads by itself.
    if (problem.kind === 'limited') {
      await wait(POLL_MS)
      if (!ends.signal.aborted) readAll()
      return after
    }
    for (const reader of readers) reader.interrupt(problem)
    if (isOver(problem)) {
      await wait(ENDED_MS)
      // What was shown before is gone, so it is read again.
      return undefined
    }
    await wait(Math.max(AGAIN_MS, (problem.againAt ?? 0) - clock.now()))
    return after
  }

  void run()
  return () => ends.abort()
}

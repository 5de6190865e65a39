import type { Sql } from 'sql-template-tag'
import type { RowsAfter } from '../database.ts'
import type { LivingEngine } from './living-engine.ts'
import type { Session } from './session.ts'
import type { Turns } from './turns.ts'

let cursors = 0

/** Streams that still read the tables and must be notified before a commit. */
export class OpenStreams {
  readonly #keep = new Set<() => Promise<void>>()

  /** Saves the remaining rows of open streams. The caller has exclusive use of the session. */
  async keep(): Promise<void> {
    // If saving fails, the stream's next chunk reports it; the commit is not affected.
    for (const keep of [...this.#keep]) await keep().catch(() => {})
  }

  add(keep: () => Promise<void>): void {
    this.#keep.add(keep)
  }

  delete(keep: () => Promise<void>): void {
    this.#keep.delete(keep)
  }
}

interface Streaming {
  readonly engine: LivingEngine
  readonly turns: Turns
  readonly limits: { readonly readMs: number; readonly writeMs: number }
  readonly open: OpenStreams
}

/**
 * The rows of one statement in chunks, all from one snapshot. A cursor of this engine finds all rows before the first
 * is fetched, which blocked everyone else during a year of orders. So if the statement can be continued after a row, it
 * is run again for each chunk while nothing is committed. Before a commit, a cursor saves the remaining rows. It is
 * "with hold" because it must outlive its transaction.
 */
export async function* stream(
  { engine, turns, limits, open }: Streaming,
  sql: Sql,
  rowsPerChunk: number,
  rowsAfter?: RowsAfter,
): AsyncGenerator<unknown[][]> {
  const name = `chunks_${cursors++}`
  const fetch = `fetch ${Math.trunc(rowsPerChunk)} from ${name}`
  // The cursor belongs to one session, and the rows read so far to its snapshot. A later session may have seen other
  // commits.
  let session: Session | undefined
  let isKept = false
  let last: readonly unknown[] | undefined

  const keep = async () => {
    open.delete(keep)
    isKept = true
    const { text, values } = last === undefined || rowsAfter === undefined ? sql : rowsAfter(last, undefined)
    const declare = { text: `declare ${name} no scroll cursor with hold for ${text}`, values }
    // Finds all remaining rows, which may be a year of them.
    await session?.runOnce(declare, limits.writeMs)
  }
  const nextRows = async () => {
    if (session === undefined) {
      session = engine.session
      if (rowsAfter === undefined) await keep()
      else open.add(keep)
    }
    if (isKept || rowsAfter === undefined) return (await session.script(fetch, limits.readMs)).rows
    const { rows } = await session.run(rowsAfter(last, rowsPerChunk), limits.readMs)
    last = rows.at(-1) ?? last
    return rows
  }

  try {
    while (true) {
      const rows = await turns.together(nextRows)
      if (rows.length > 0) yield rows
      if (rows.length < rowsPerChunk) return
    }
  } finally {
    open.delete(keep)
    if (isKept)
      await turns.together(async () => session?.script(`close ${name}`, limits.readMs)).catch(() => {})
  }
}

import type { Sql } from 'sql-template-tag'
import type { RowsAfter } from '../database.ts'
import type { LivingEngine } from './living-engine.ts'
import type { Session } from './session.ts'
import type { Turns } from './turns.ts'

let cursors = 0

/** The streams that still read the tables, and so have to be told before something is committed. */
export class OpenStreams {
  readonly #keep = new Set<() => Promise<void>>()

  /** Puts aside the rows that open streams have not given out yet. The caller has the session alone. */
  async keep(): Promise<void> {
    // One that fails is told so at its next chunk; who commits has nothing to do with it.
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
 * The rows of one statement in chunks, all of one moment. A cursor of this engine finds all rows before the first one is
 * fetched, and a year of orders held up everybody else meanwhile. So where a statement tells how it goes on after a row,
 * it is asked again for each chunk, as long as nobody commits. Before somebody does, a cursor keeps the rows that are
 * left: "with hold", because it has to outlive its transaction.
 */
export async function* stream(
  { engine, turns, limits, open }: Streaming,
  sql: Sql,
  rowsPerChunk: number,
  rowsAfter?: RowsAfter,
): AsyncGenerator<unknown[][]> {
  const name = `chunks_${cursors++}`
  const fetch = `fetch ${Math.trunc(rowsPerChunk)} from ${name}`
  // The cursor is that session's, and what was read is of its moment: one that comes after it may know of other commits.
  let session: Session | undefined
  let isKept = false
  let last: readonly unknown[] | undefined

  const keep = async () => {
    open.delete(keep)
    isKept = true
    const { text, values } = last === undefined || rowsAfter === undefined ? sql : rowsAfter(last, undefined)
    const declare = { text: `declare ${name} no scroll cursor with hold for ${text}`, values }
    // All rows that are left are found here, and that may be a year of them.
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

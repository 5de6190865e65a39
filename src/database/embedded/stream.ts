import sql, { raw, type Sql } from 'sql-template-tag'
import type { Queryable, RowsAfter } from '../database.ts'
import type { Reader } from './earlier-reads.ts'
import type { LivingEngine } from './living-engine.ts'
import type { Session } from './session.ts'
import type { SessionSlots } from './session-slots.ts'

let cursors = 0

/** Rows of a stream that begins during a transaction, which are in memory until they are taken: about 10 MB. */
const INSIDE_ROWS_MAX = 5000

/** A stream that still reads the tables. */
interface OpenStream {
  /** the only center whose rows it reads */
  readonly center: string | undefined
  readonly session: Session
  /** Saves the remaining rows. The caller has exclusive use of the session. */
  keep(): Promise<void>
  /** Lets the transaction that has begun save the remaining rows when it commits. */
  keepAtCommit(tx: Queryable): Promise<void>
  /** Called when that transaction has ended. */
  ended(isCommitted: boolean): void
}

/** Streams that still read the tables and must be notified before a commit. */
export class OpenStreams {
  readonly #streams = new Set<OpenStream>()

  /** Saves the remaining rows of open streams. The caller has exclusive use of the session. */
  async keep(): Promise<void> {
    // If saving fails, the stream's next chunk reports it; the commit is not affected.
    for (const stream of [...this.#streams]) await stream.keep().catch(() => {})
  }

  /**
   * For a transaction that has begun, has written nothing, and changes the rows of one center only: lets it save the
   * remaining rows of that center's streams when it commits. Other streams read on, and so do all if it is undone, which
   * costs nothing then.
   * @returns what to call when the transaction has ended
   */
  async keepAtCommit(tx: Queryable, session: Session, host: string): Promise<(isCommitted: boolean) => void> {
    const concerned = [...this.#streams].filter(
      (stream) => stream.session === session && (stream.center ?? host) === host,
    )
    for (const stream of concerned) await stream.keepAtCommit(tx)
    return (isCommitted) => {
      for (const stream of concerned) stream.ended(isCommitted)
    }
  }

  add(stream: OpenStream): void {
    this.#streams.add(stream)
  }

  delete(stream: OpenStream): void {
    this.#streams.delete(stream)
  }
}

interface Streaming {
  readonly engine: LivingEngine
  readonly slots: SessionSlots
  readonly limits: { readonly readMs: number; readonly writeMs: number }
  readonly open: OpenStreams
}

/**
 * The rows of one statement in chunks, all from one snapshot. A cursor of this engine finds all rows before the first
 * is fetched, which blocked everyone else during a year of orders. So if the statement can be continued after a row, it
 * is run again for each chunk while nothing is committed. Before a commit, a cursor saves the remaining rows. It is
 * "with hold" because it must outlive its transaction.
 *
 * A stream that begins while a long transaction writes is read at once, if it has few rows: what was committed before the
 * transaction cannot be read after it. A longer one begins after the transaction.
 */
export async function* stream(
  { engine, slots, limits, open }: Streaming,
  statement: Sql,
  rowsPerChunk: number,
  rowsAfter?: RowsAfter,
  center?: string,
): AsyncGenerator<unknown[][]> {
  const name = `chunks_${cursors++}`
  const fetch = `fetch ${Math.trunc(rowsPerChunk)} from ${name}`
  // The cursor belongs to one session, and the rows read so far to its snapshot. A later session may have seen other
  // commits.
  let session: Session | undefined
  let opened: OpenStream | undefined
  let isStored = false
  let isOver = false
  let last: readonly unknown[] | undefined

  const declaration = () => {
    const remaining = last === undefined || rowsAfter === undefined ? statement : rowsAfter(last, undefined)
    return sql`declare ${raw(name)} no scroll cursor with hold for ${remaining}`
  }
  const forget = () => {
    if (opened !== undefined) open.delete(opened)
  }
  const keep = async () => {
    forget()
    isStored = true
    // Finds all remaining rows, which may be a year of them.
    await session?.runOnce(declaration(), limits.writeMs)
  }
  const close = () =>
    slots.together(async () => session?.script(`close ${name}`, limits.readMs)).catch(() => {})
  const openOn = (of: Session): OpenStream => ({
    center,
    session: of,
    keep,
    async keepAtCommit(tx) {
      await tx.query(declaration())
    },
    ended(isCommitted) {
      if (!isCommitted) return
      forget()
      isStored = true
      if (isOver) void close()
    },
  })
  const nextRows = async () => {
    if (session === undefined) {
      session = engine.session
      if (rowsAfter === undefined) await keep()
      else {
        opened = openOn(session)
        open.add(opened)
      }
    }
    if (isStored || rowsAfter === undefined) return (await session.script(fetch, limits.readMs)).rows
    const { rows } = await session.run(rowsAfter(last, rowsPerChunk), limits.readMs)
    last = rows.at(-1) ?? last
    return rows
  }

  /** @returns all rows; undefined if they are too many, or if no transaction lets reads in, for now or any more */
  const readInside = async (): Promise<unknown[][] | undefined> => {
    let inside: Reader | undefined
    const rows: unknown[][] = []
    while (rowsAfter !== undefined && slots.isTaken && rows.length <= INSIDE_ROWS_MAX) {
      const readOn = async (reader?: Reader) => ({
        reader,
        next: reader && (await reader.run(rowsAfter(rows.at(-1), rowsPerChunk), limits.readMs)).rows,
      })
      const { reader, next } = await slots.together(readOn, { center })
      inside ??= reader
      if (next === undefined || inside !== reader) return undefined
      rows.push(...next)
      if (next.length < rowsPerChunk) return rows
    }
    return undefined
  }

  try {
    const inside = await readInside()
    if (inside !== undefined) {
      for (let at = 0; at < inside.length; at += rowsPerChunk) yield inside.slice(at, at + rowsPerChunk)
      return
    }
    while (true) {
      const rows = await slots.together(nextRows)
      if (rows.length > 0) yield rows
      if (rows.length < rowsPerChunk) return
    }
  } finally {
    isOver = true
    forget()
    if (isStored) await close()
  }
}

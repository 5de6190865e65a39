/** The driver for the embedded database: PGlite, which is PostgreSQL in this process, on a folder or in memory. */
import type { PGlite } from '@electric-sql/pglite'
import type { Sql } from 'sql-template-tag'
import { type Database, DatabaseUnavailable, type Queryable, type Row } from './database.ts'
import { type EngineOptions, openEngine } from './embedded/engine.ts'
import { createStatements } from './embedded-statements.ts'
import { Mutex, WaitedTooLong } from './mutex.ts'

export interface EmbeddedDatabase extends Database {
  readonly pglite: PGlite
  /** Who holds it has the database's one session to itself: the socket bridge lends it to a client with it. */
  readonly session: Mutex
}

/** As long as PostgreSQL's time-outs let a request wait, and a little more for a short import. */
const READ_WAIT_MS_MAX = 5000

/** Each keeps the rows it has not given out yet in a temporary file. */
const STREAMS_MAX = 4

/** Opens it, creating the folder where it is new. The caller holds the folder's lock (folder-lock.ts). */
export async function openEmbedded(options: EngineOptions): Promise<EmbeddedDatabase> {
  const pglite = await openEngine(options)
  await pglite.exec("set time zone 'UTC'")
  const session = new Mutex()
  const statements = createStatements(pglite)
  let cursors = 0

  // A read waits behind an import or whatever else has the one session, but not for ever: its client is told
  // to come again rather than left hanging.
  const read = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await session.run(work, READ_WAIT_MS_MAX)
    } catch (error) {
      throw error instanceof WaitedTooLong
        ? new DatabaseUnavailable('the embedded database is busy with an import or another command', {
            cause: error,
          })
        : error
    }
  }

  const query = async <R extends object = Row>(sql: Sql): Promise<R[]> => {
    const { fields, rows } = await read(() => statements.run(sql))
    // The caller says what a row of its own statement is.
    return rows.map((row) => Object.fromEntries(fields.map((name, index) => [name, row[index]]))) as R[]
  }

  return {
    engine: 'embedded',
    readsMax: 1,
    streamsMax: STREAMS_MAX,
    pglite,
    session,
    query,
    queryReserved: query,

    async queryArrays(sql) {
      const { rows } = await read(() => statements.run(sql))
      return rows
    },

    transaction: (work) =>
      session.run(() =>
        pglite.transaction(async (tx) => {
          const queryable: Queryable = {
            async query<R extends object = Row>(sql: Sql) {
              const result = await tx.query<R>(sql.text, sql.values)
              return result.rows
            },
          }
          return work(queryable)
        }),
      ),

    // A cursor "with hold" keeps its snapshot after its transaction, so a slow reader of a long answer
    // does not keep the one session from everybody else.
    async *stream(sql, rowsPerChunk) {
      const name = `chunks_${cursors++}`
      await session.run(() =>
        pglite.query(`declare ${name} no scroll cursor with hold for ${sql.text}`, sql.values),
      )
      try {
        while (true) {
          const { rows } = await session.run(() =>
            pglite.query(`fetch ${Math.trunc(rowsPerChunk)} from ${name}`, [], { rowMode: 'array' }),
          )
          if (rows.length > 0) yield rows as unknown[][]
          if (rows.length < rowsPerChunk) return
        }
      } finally {
        await session.run(() => pglite.exec(`close ${name}`))
      }
    },

    async runScript(script) {
      await session.run(() => pglite.exec(script))
    },

    close: () => session.run(() => pglite.close()),
  }
}

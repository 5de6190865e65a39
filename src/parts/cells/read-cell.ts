/** Reads what a cell answers for, on one connection that remains open. */
import { type Database, DatabaseUnavailable } from '../../core/database/database.ts'
import { openPostgres } from '../../core/database/postgres/postgres.ts'
import { connectionTo } from '../../core/database/postgres/postgres-tls.ts'
import type { Cell } from './cells-file.ts'
import { type ClaimsRow, selectClaims } from './map-sql.ts'

/** A cell that does not answer holds up no other. */
const ANSWER_MS = 5000

export interface CellReader {
  readonly name: string
  /**
   * `claims` is null if nothing has changed since the last read.
   * @throws if the cell cannot be read in time
   */
  read(): Promise<Pick<ClaimsRow, 'claims' | 'moving'>>
  close(): Promise<void>
}

export interface CellAccess {
  readonly databaseTlsCa: string | undefined
  readonly databasePooler: boolean
}

export function cellReader({ name, url }: Cell, { databaseTlsCa, databasePooler }: CellAccess): CellReader {
  let digest = ''
  let database: Database | undefined
  const close = async () => {
    const former = database
    database = undefined
    await former?.close().catch(() => {})
  }
  return {
    name,
    async read() {
      database ??= openPostgres({
        connection: connectionTo(url, databaseTlsCa),
        poolSize: 1,
        purpose: 'command',
        pooler: databasePooler,
        onIdleError() {},
      })
      const reading = database.query<ClaimsRow>(selectClaims(digest))
      reading.catch(() => {})
      const { promise: late, reject } = Promise.withResolvers<never>()
      const timer = setTimeout(() => reject(new DatabaseUnavailable('it does not answer')), ANSWER_MS)
      try {
        const [row] = await Promise.race([reading, late])
        if (row === undefined) throw new Error('it said nothing')
        digest = row.digest
        return row
      } catch (error) {
        // A connection whose statement has not ended would hold up the next read too.
        void close()
        throw error
      } finally {
        clearTimeout(timer)
      }
    },
    close,
  }
}

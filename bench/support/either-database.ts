/** A new, empty, migrated database of either kind, for the commands that try the same on both. */
import type { Database } from '../../src/database/database.ts'
import { openEmbedded } from '../../src/database/embedded.ts'
import { migrate } from '../../src/database/migrate.ts'
import { openPostgres } from '../../src/database/postgres.ts'
import { startServer } from './database.ts'

export interface OpenedDatabase {
  readonly database: Database
  /** of a server's database */
  readonly url: string | undefined
  close(): Promise<void>
}

/** @param kind `postgres`: on a server of its own; `embedded`: in memory */
export async function openEither(kind: string): Promise<OpenedDatabase> {
  if (kind === 'embedded') {
    const database = await openEmbedded({})
    await migrate(database)
    return { database, url: undefined, close: () => database.close() }
  }
  if (kind !== 'postgres') throw new Error('--database is postgres or embedded')
  const server = await startServer()
  const database = openPostgres({
    connection: { connectionString: server.url },
    poolSize: 8,
    purpose: 'serve',
  })
  await migrate(database)
  return {
    database,
    url: server.url,
    async close() {
      await database.close()
      await server.stop()
    },
  }
}

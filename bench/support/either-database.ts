/** A new, empty, migrated database of either kind, for commands that try the same on both. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../../src/core/database/database.ts'
import { openPostgres } from '../../src/core/database/postgres/postgres.ts'
import { migrate } from '../../src/core/database/schema/migrate.ts'
import { startServer } from './database.ts'
import { openFolder } from './folder-data.ts'

export interface OpenedDatabase {
  readonly database: Database
  /** URL of a PostgreSQL database */
  readonly url: string | undefined
  close(): Promise<void>
}

/** @param kind `server`: on a new server; `folder`: in a folder, so that its engine can be restarted */
export async function openEither(kind: string): Promise<OpenedDatabase> {
  if (kind === 'folder') {
    const dataDir = mkdtempSync(join(tmpdir(), 'sojourn-bench-'))
    const database = await openFolder(dataDir)
    return {
      database,
      url: undefined,
      async close() {
        await database.close()
        rmSync(dataDir, { recursive: true })
      },
    }
  }
  if (kind !== 'server') throw new Error('--database is server or folder')
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

/** Runs once: starts a server and creates the migrated database that the databases of tests are copied from. */
import { rmSync } from 'node:fs'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../src/core/database/open.ts'
import { openPostgres } from '../../src/core/database/postgres/postgres.ts'
import { migrate } from '../../src/core/database/schema/migrate.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'
import { adminQuery, withDatabase } from './postgres-databases.ts'
import { startPostgres } from './postgres-server.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

export const TEMPLATE = 'sojourn_template'

declare module 'vitest' {
  interface ProvidedContext {
    postgresBinaries: PostgresBinaries
    postgresUrl: string
    /** DATA_DIR with a migrated database, of which no server runs. */
    folderTemplate: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = makeTemporaryFolder()
  const end = async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  const server = await startPostgres(project.getProvidedContext().postgresBinaries)
  try {
    await adminQuery(server.url, `create database ${TEMPLATE}`)
    const database = openPostgres({
      connection: { connectionString: withDatabase(server.url, TEMPLATE) },
      poolSize: 1,
      purpose: 'command',
    })
    await migrate(database)
    await database.close()
    project.provide('postgresUrl', server.url)
    const own = await openDatabase(
      { dataDir: folder, databaseUrl: undefined, databasePoolSize: 1 },
      { purpose: 'command' },
    )
    await own.close()
    project.provide('folderTemplate', folder)
  } catch (error) {
    await end()
    throw error
  }
  return end
}

/** Runs once: starts a server and creates the migrated database that the databases of tests are copied from. */
import type { TestProject } from 'vitest/node'
import { migrate } from '../../src/database/migrate.ts'
import { openPostgres } from '../../src/database/postgres.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'
import { adminQuery, withDatabase } from './postgres-databases.ts'
import { startPostgres } from './postgres-server.ts'

export const TEMPLATE = 'sojourn_template'

declare module 'vitest' {
  interface ProvidedContext {
    engine: 'embedded' | 'postgres'
    postgresBinaries: PostgresBinaries
    postgresUrl: string
    /** The file of the embedded database's migrated dump. */
    embeddedTemplate: string
    /** The same as a folder, closed. */
    embeddedFolder: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
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
  } catch (error) {
    await server.stop()
    throw error
  }
  return () => server.stop()
}

/** The service on a PostgreSQL server, and separate connections of the test to the same database. */
import { onTestFinished } from 'vitest'
import type { AppOptions } from '../../src/core/app-options.ts'
import type { Database } from '../../src/core/database/database.ts'
import { openPostgres, type PostgresOptions } from '../../src/core/database/postgres/postgres.ts'
import { type Instance, startInstance } from '../answer/instances.ts'
import { startTestApi, type TestApi, type TestApiOptions } from './api.ts'
import { afterwards, newPostgresDatabase } from './database.ts'

export interface ServedPostgres {
  /** of the superuser */
  readonly url: string
  /** uses separate connections without time-outs, so faults of the service's connections do not affect it */
  readonly api: TestApi
  /** starts an instance of the service, which `api.key` may call, and its database */
  serve(
    options?: Partial<PostgresOptions> & { readonly url?: string; readonly app?: Partial<AppOptions> },
  ): Promise<Instance & { readonly database: Database }>
}

/** Creates the database and connects the test to it. */
export async function servedPostgres(options: TestApiOptions = {}): Promise<ServedPostgres> {
  const url = await newPostgresDatabase()
  const database = openPostgres({ connection: { connectionString: url }, poolSize: 5, purpose: 'command' })
  afterwards(() => database.close())
  const api = await startTestApi({ ...options, database })
  return {
    url,
    api,
    async serve({ url: other = url, app, ...settings } = {}) {
      const served = openPostgres({
        connection: { connectionString: other },
        poolSize: 5,
        purpose: 'serve',
        ...settings,
      })
      onTestFinished(() => served.close())
      return { ...(await startInstance({ database: served }, api.key, app)), database: served }
    },
  }
}

/** A service of which a test sees every statement, and can let a request come next to another one's read. */
import { startTestApi, type TestApi } from './api.ts'
import { openTestDatabase } from './database.ts'
import { type WatchedDatabase, watchDatabase } from './watched-database.ts'
import type { TestRecord } from './world.ts'

export interface WatchedApi {
  readonly api: TestApi
  readonly watched: WatchedDatabase
  /** how many requests' keys were read so far */
  admitted(): number
  /** Sends a request. Resolves as soon as it waits for a slot at the database, or is being read. */
  sendDuring(send: () => void): Promise<void>
}

/** Answers are not cached. */
export async function startWatchedApi(records: readonly TestRecord[]): Promise<WatchedApi> {
  const database = await openTestDatabase()
  let admitted = 0
  const watched = watchDatabase({
    ...database,
    async queryReserved(statement) {
      const rows = await database.queryReserved(statement)
      admitted += 1
      return rows as never
    },
  })
  const api = await startTestApi({ database: watched.database, records, app: { answerCacheMb: 0 } })
  return {
    api,
    watched,
    admitted: () => admitted,
    async sendDuring(send) {
      const before = admitted
      send()
      while (admitted === before) await new Promise(setImmediate)
      await new Promise(setImmediate)
    },
  }
}

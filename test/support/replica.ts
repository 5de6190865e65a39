/** Databases that play the part of a replica. */
import type { Sql } from 'sql-template-tag'
import type { Database } from '../../src/core/database/database.ts'
import { createReplicas, type Replicas } from '../../src/core/database/replicas.ts'

/** A database that says of itself that it is a replica of the one that a service uses. */
export function asReplica(database: Database, reads?: Partial<Pick<Database, 'queryArrays'>>): Database {
  const query = async () => [{ standby: true, received: true }]
  return { ...database, query: query as Database['query'], close: async () => {}, ...reads }
}

/** Replicas in use from the first read on. @param monotonic the clock of the time that they are not used */
export async function inUse(
  primary: Pick<Database, 'query' | 'generation'>,
  servers: readonly Database[],
  monotonic?: () => number,
  said: string[] = [],
): Promise<Replicas> {
  const replicas = createReplicas({
    primary,
    servers: servers.map((database, at) => ({ place: `R${at + 1}`, database })),
    onChange: (sentence) => void said.push(sentence),
    ...(monotonic && { monotonic }),
  })
  const none = async () => {}
  while (replicas.numbers.usable < servers.length) {
    await replicas.read(primary.generation(), none)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return replicas
}

/** The texts of the statements that are read as rows. */
export const texts = (database: Database, seen: Sql[]): Pick<Database, 'queryArrays'> => ({
  queryArrays(sql, kind) {
    seen.push(sql)
    return database.queryArrays(sql, kind)
  },
})

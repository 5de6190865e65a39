import type { CenterId } from '../centers/center.ts'
import type { Database } from '../database/database.ts'

export type CenterReads = Pick<Database, 'queryArrays'>

/** Reads of one center's rows. On the embedded database they do not wait for another center's delivery. */
export const readsOf = (database: CenterReads, center: CenterId): CenterReads => ({
  queryArrays: (sql, kind) => database.queryArrays(sql, kind, center),
})

/** A database whose clock is wrong: what asks it for the moment is told another one. */
import { Sql } from 'sql-template-tag'
import type { Database, Queryable } from '../../src/database/database.ts'

/** @param now epoch ms that the database's clock shows */
export function clockedDatabase(database: Database, now: () => number): Database {
  const told = (statement: Sql): Sql => {
    const moment = `timestamptz '${new Date(now()).toISOString()}'`
    const strings = statement.strings.map((text) => text.replaceAll('clock_timestamp()', moment))
    return new Sql(strings, statement.values)
  }
  const clocked = (queryable: Queryable): Queryable => ({
    query: (statement) => queryable.query(told(statement)),
  })
  return {
    ...database,
    ...clocked(database),
    // What was read is not the newest for longer than the other clock stands still.
    commits: () => undefined,
    queryReserved: (statement) => database.queryReserved(told(statement)),
    transaction: (work, options) => database.transaction((tx) => work(clocked(tx)), options),
  }
}

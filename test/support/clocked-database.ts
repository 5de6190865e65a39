/** A database whose clock shows another time. */
import { Sql } from 'sql-template-tag'
import type { Database, Queryable } from '../../src/core/database/database.ts'

/** @param now epoch ms that the database's clock shows */
export function clockedDatabase(database: Database, now: () => number): Database {
  const reported = (statement: Sql): Sql => {
    const moment = `timestamptz '${new Date(now()).toISOString()}'`
    const strings = statement.strings.map((text) => text.replaceAll('clock_timestamp()', moment))
    return new Sql(strings, statement.values)
  }
  const clocked = (queryable: Queryable): Queryable => ({
    query: (statement) => queryable.query(reported(statement)),
  })
  return {
    ...database,
    ...clocked(database),
    queryArrays: (statement, kind) => database.queryArrays(reported(statement), kind),
    queryReserved: (statement) => database.queryReserved(reported(statement)),
    transaction: (work) => database.transaction((tx) => work(clocked(tx))),
  }
}

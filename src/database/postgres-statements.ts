/** How a statement is given to `pg`, and how `pg` gives its result back. */
import type pg from 'pg'
import type { Sql } from 'sql-template-tag'

export interface Result {
  readonly rows: readonly unknown[]
  readonly command: string
}

/** Prepared statements are named by their text; texts are few, because they depend on shapes, not values. */
const STATEMENT_NAMES_MAX = 500

/** @returns what makes a statement of `pg`, prepared under a name of its own */
export function createStatements(): (sql: Sql) => pg.QueryConfig {
  const names = new Map<string, string>()
  return (sql) => {
    let name = names.get(sql.text)
    if (name === undefined && names.size < STATEMENT_NAMES_MAX) {
      name = `s${names.size}`
      names.set(sql.text, name)
    }
    return { text: sql.text, values: sql.values, ...(name === undefined ? {} : { name }) }
  }
}

/** The same statement with its rows as arrays in select order. */
export const asArrays = (query: pg.QueryConfig): pg.QueryArrayConfig => ({ ...query, rowMode: 'array' })

/**
 * With a callback of ours, because the ones that `pg` makes for its promises and for `query_timeout` cost a third
 * of a first read. It writes `query.callback = (…) => …`, and V8 puts a function that is assigned to a property
 * into the old generation at once: it, and the rows it leads to, stay until the next full collection.
 */
export const ask = (client: pg.PoolClient, query: pg.QueryConfig): Promise<Result> =>
  new Promise((resolve, reject) => {
    client.query(query, (error: Error | null, result: Result) => {
      if (error === null || error === undefined) resolve(result)
      else reject(error)
    })
  })

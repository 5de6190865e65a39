/** How a statement is given to `pg`, and how `pg` gives its result back. */
import pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { forgetColumns } from './postgres-columns.ts'
import { PreparedNames, StatementNames } from './repeated-statements.ts'

export interface Result {
  readonly rows: readonly unknown[]
  readonly command: string
}

/** @returns what makes a statement of `pg`, prepared under a name of its own where it repeats */
export function createStatements(): (sql: Sql) => pg.QueryConfig {
  const names = new StatementNames()
  return (sql) => {
    // It is put together each time that it is asked for.
    const { text } = sql
    const name = names.nameOf(text)
    return { text, values: sql.values, ...(name === undefined ? {} : { name }) }
  }
}

/** The same statement with its rows as arrays in select order. */
export const asArrays = (query: pg.QueryConfig): pg.QueryArrayConfig => ({ ...query, rowMode: 'array' })

const preparedBy = new WeakMap<pg.PoolClient, PreparedNames>()

/**
 * With a callback of ours, because the ones that `pg` makes for its promises and for `query_timeout` cost a third
 * of a first read. It writes `query.callback = (…) => …`, and V8 puts a function that is assigned to a property
 * into the old generation at once: it, and the rows it leads to, stay until the next full collection.
 */
export function ask(client: pg.PoolClient, query: pg.QueryConfig): Promise<Result> {
  const old = makeRoom(client, query.name)
  return new Promise((resolve, reject) => {
    const callback = (error: Error | null, result: Result) => {
      if (error === null || error === undefined) resolve(result)
      else reject(error)
    }
    if (old === undefined) client.query(query, callback)
    else client.query(closingFirst({ ...query, callback }, old))
  })
}

/**
 * Notes the use of a statement's name on a connection. Exported for reads that go together.
 * @returns the name of the one that it takes the place of, to be closed in front of it
 */
export function makeRoom(client: pg.PoolClient, name: string | undefined): string | undefined {
  if (name === undefined) return undefined
  let prepared = preparedBy.get(client)
  if (prepared === undefined) {
    prepared = new PreparedNames()
    preparedBy.set(client, prepared)
  }
  return prepared.use(name)
}

/** A query of `pg` that closes another statement as it is sent: as a query of its own that would wait in a queue. */
function closingFirst(query: pg.QueryConfig & { readonly callback: unknown }, old: string): pg.Query {
  const asked = new pg.Query(query)
  const { submit } = asked
  asked.submit = (connection) => {
    closeStatement(connection, old)
    return submit.call(asked, connection)
  }
  return asked
}

/**
 * PostgreSQL's message for it rather than `deallocate`, which an aborted transaction refuses. Whatever goes wrong
 * with the connection, the statement behind it meets too.
 */
export function closeStatement(given: pg.Connection, name: string): void {
  // As pg has it; its types leave out what it remembers of a connection's statements.
  const connection = given as pg.Connection & {
    readonly parsedStatements: Record<string, string>
    close(message: { type: 'S'; name: string }): void
  }
  delete connection.parsedStatements[name]
  forgetColumns(connection, name)
  connection.close({ type: 'S', name })
}

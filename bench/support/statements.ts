/** The statement that the service sends for a request, from the operation itself. */
import type { Sql } from 'sql-template-tag'
import { centerId, readCenter } from '../../src/centers/center.ts'
import type { Database } from '../../src/database/database.ts'
import type { Operation } from '../../src/request/operation.ts'
import { readRawQuery } from '../../src/request/parameters.ts'

/** @param url of a request to the operation; it is never sent */
export async function statementOf(
  operation: Operation,
  database: Database,
  center: string,
  url: string,
): Promise<Sql> {
  const profile = await readCenter(database, centerId(center))
  if (profile === undefined) throw new Error(`there is no center ${center}`)
  const prepared = operation.parse({
    center: profile,
    language: 'en',
    today: '2025-06-01',
    query: readRawQuery(url),
    pathParameters: {},
  })
  let statement: Sql | undefined
  await prepared.answer({
    ...database,
    async queryArrays(sql) {
      statement ??= sql
      return database.queryArrays(sql)
    },
  })
  if (statement === undefined) throw new Error(`${operation.name} sent no statement`)
  return statement
}

/** The statement that the service sends for a request, taken from the operation itself. */
import type { Sql } from 'sql-template-tag'
import type { Database } from '../../src/core/database/database.ts'
import { centerId, readCenter } from '../../src/core/records/centers/center.ts'
import type { Operation } from '../../src/core/request/operation.ts'
import { readRawQuery } from '../../src/core/request/parameters.ts'

/** @param url of a request to the operation, which is not sent */
export async function statementOf(
  operation: Operation<'today' | 'language' | 'accepts' | 'pseudonyms'>,
  database: Database,
  center: string,
  url: string,
): Promise<Sql> {
  const profile = await readCenter(database, centerId(center))
  if (profile === undefined) throw new Error(`there is no center ${center}`)
  const plan = operation.parse({
    center: profile,
    language: 'en',
    today: '2025-06-01',
    accepts: 'json',
    pseudonyms: null,
    query: readRawQuery(url),
    pathParameters: {},
  })
  if ('refusal' in plan) throw plan.refusal
  if (plan.statement === undefined) throw new Error(`${operation.name} reads nothing`)
  return plan.statement
}

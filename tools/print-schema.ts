/**
 * The schema as the migrations make it, in one file to read: `npm run schema` writes schema.sql, and a test compares it.
 * It is read from the catalog, so it is what the database has and not what somebody wrote.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Queryable } from '../src/core/database/database.ts'
import { openDatabase } from '../src/core/database/open.ts'
import { schemaObjects } from '../src/core/database/schema/schema-objects.ts'

const TITLE =
  '-- The whole schema, generated from the migrations (npm run schema). The reasons are in migrations/*.sql.'

/** Tables, indexes, functions, the indexes that these functions make, triggers; each in the order of creation. */
export async function printSchema(database: Queryable): Promise<string> {
  const objects = await schemaObjects(database)
  const definitions = (wanted: string, isAfter = false) =>
    objects
      .filter(({ kind, afterFunctions = false }) => kind === wanted && afterFunctions === isAfter)
      .map(({ definition }) => definition)
  const parts = [
    TITLE,
    ...definitions('table'),
    definitions('index').join('\n'),
    ...definitions('function'),
    definitions('index', true).join('\n'),
    definitions('trigger').join('\n'),
  ]
  return `${parts.join('\n\n')}\n`
}

if (import.meta.main) {
  const dataDir = mkdtempSync(join(tmpdir(), 'sojourn-schema-'))
  const place = { dataDir, databaseUrl: undefined, databasePoolSize: 1 }
  const database = await openDatabase(place, { purpose: 'command' })
  writeFileSync(new URL('../src/core/database/schema.sql', import.meta.url), await printSchema(database))
  await database.close()
  rmSync(dataDir, { recursive: true })
}

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openPostgres } from '../../src/core/database/postgres/postgres.ts'
import { printSchema } from '../../tools/print-schema.ts'
import { newPostgresDatabase, openTestDatabase } from '../support/database.ts'

const written = () => readFileSync(new URL('../../src/core/database/schema.sql', import.meta.url), 'utf8')

test('schema.sql is what the migrations make; `npm run schema` writes it again', async () => {
  const database = await openTestDatabase()
  expect(await printSchema(database)).toBe(written())
})

test('schema.sql, run on an empty database, makes the same schema', async () => {
  const database = openPostgres({
    connection: { connectionString: await newPostgresDatabase('empty') },
    poolSize: 1,
    purpose: 'command',
  })
  await database.runScript(written())
  const printed = await printSchema(database)
  await database.close()
  expect(printed).toBe(written())
})

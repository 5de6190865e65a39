/** deploy/patroni.yml: its settings of the server exist, on the server of the tests. */
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { deployFile } from '../../tools/docs/deploy-blocks.ts'
import { postgresUrl } from '../support/database.ts'
import { adminQuery } from '../support/postgres-databases.ts'

const names = Object.keys(parse(deployFile('patroni.yml')).bootstrap.dcs.postgresql.parameters)

test('the file has settings of the server', () => {
  expect(names).toContain('hot_standby_feedback')
})

test('every setting is one of PostgreSQL', async () => {
  const { rows } = await adminQuery(postgresUrl(), 'select name from pg_settings')
  const known = new Set(rows.map(({ name }) => name))
  expect(names.filter((name) => !known.has(name))).toEqual([])
})

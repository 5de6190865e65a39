/** A record with more lines than are written together is what its lines make of it, one after the other. */
import { describe, expect, test } from 'vitest'
import { WRITTEN_LINES } from '../../src/core/intake/stage/stage.ts'
import { openTestDatabase } from '../support/database.ts'
import { booking, center, customer, customerRow, importAll, order, removed } from './import-lines.ts'

const change = (lastName: string) => ({ kind: 'customer', centerId: 'c', id: 'k', lastName })
const changes = Array.from({ length: 2 * WRITTEN_LINES }, (_, n) => change(`Ionescu ${n}`))

describe.each<[string, readonly unknown[]]>([
  ['as they are', []],
  ['next to records that refer to it', [booking('b')]],
])('records %s', (_, others) => {
  test('a new record may be given in its first line, and changed by all others', async () => {
    const database = await openTestDatabase()
    const records = [center(), customer('k'), ...changes, ...others]
    const { summary, problems } = await importAll(database, records)
    expect(problems.slice(0, 3)).toEqual([])
    expect(summary).toMatchObject({ applied: true, rejected: 0 })
    expect(summary.kinds.customer).toMatchObject({ created: 1, changed: changes.length })
    const last = changes.at(-1)?.lastName
    expect(await customerRow(database, 'k')).toMatchObject({ first_name: 'Ana', last_name: last })
  })

  test('the last line decides, also where it says what was there before', async () => {
    const database = await openTestDatabase()
    await importAll(database, [center(), customer('k')])
    // Its last batch is this line.
    const records = [...changes, change('Pop'), ...others]
    const { summary } = await importAll(database, records)
    expect(summary).toMatchObject({ applied: true, rejected: 0 })
    expect(await customerRow(database, 'k')).toMatchObject({ last_name: 'Pop' })
  })
})

test('so it is where all are judged first, and where only one of the others is wrong', async () => {
  const database = await openTestDatabase()
  await importAll(database, [center()])
  const right = await importAll(database, [customer('k'), ...changes])
  expect(right.problems.slice(0, 3)).toEqual([])
  expect(right.summary.applied).toBe(true)
  await importAll(database, [removed('customer', { id: 'k' })])
  const wrong = await importAll(database, [customer('k'), ...changes, order('o-1', { totalAmount: 'much' })])
  expect(wrong.places).toEqual([`${changes.length + 2} totalAmount`])
  expect(wrong.summary.kinds.customer).toMatchObject({ created: 1, changed: changes.length })
})

test('an older version stays behind a newer one of the batch before', async () => {
  const database = await openTestDatabase()
  await importAll(database, [center()])
  const versions = Array.from({ length: WRITTEN_LINES }, (_, n) =>
    customer('k', { lastName: `Ionescu ${n}`, version: n + 10 }),
  )
  const records = [...versions, customer('k', { lastName: 'Pop', version: 5 })]
  const { summary } = await importAll(database, records)
  expect(summary.kinds.customer).toMatchObject({ older: 1 })
  expect(await customerRow(database, 'k')).toMatchObject({ last_name: versions.at(-1)?.lastName })
})

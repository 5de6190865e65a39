import sql, { raw } from 'sql-template-tag'
import { expect, test } from 'vitest'
import { epochMs } from '../../src/core/database/json-rows.ts'
import { openTestDatabase } from '../support/database.ts'

/** Of the first, third and fourth, 240 of the milliseconds are a little less as a double than as they are written. */
const SECONDS = [
  '1900-04-29T23:58:01',
  '1969-12-31T23:59:59',
  '2004-04-14T20:31:17',
  '2038-01-20T17:05:43',
  '2199-12-31T23:59:59',
]

/** Each with the fraction of a second that the database holds, and the milliseconds that are to come of it. */
async function readBack(moments: readonly (readonly [text: string, ms: number])[]) {
  const database = await openTestDatabase()
  const texts = moments.map(([text]) => text)
  return database.query<{ text: string; ms: number }>(sql`
    select m.text, ${raw(epochMs('m.text::timestamptz'))} as ms
    from unnest(${texts}::text[]) with ordinality as m (text, position)
    order by m.position`)
}

test('every millisecond of a second comes as itself, from 1900 to 2199', async () => {
  const moments = SECONDS.flatMap((second) =>
    Array.from({ length: 1000 }, (_, ms) => {
      const text = `${second}.${String(ms).padStart(3, '0')}Z`
      return [text, Date.parse(text)] as const
    }),
  )
  expect(await readBack(moments)).toEqual(moments.map(([text, ms]) => ({ text, ms })))
})

test('what is finer than a millisecond is cut off: the last microsecond of a day stays in that day', async () => {
  const moments = ['2025-01-15T21:59:59', '1969-12-31T23:59:59'].flatMap((second) => {
    const last = Date.parse(`${second}.999Z`)
    return ['999', '999001', '999500', '999999'].map((fraction) => [`${second}.${fraction}Z`, last] as const)
  })
  expect(await readBack(moments)).toEqual(moments.map(([text, ms]) => ({ text, ms })))
})

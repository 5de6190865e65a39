/** Rows come from the database as one text with separators in it: whatever a center writes is shown as it is. */
import sql from 'sql-template-tag'
import { beforeAll, expect, it } from 'vitest'
import { SEPARATOR } from '../../../src/core/database/text-rows.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { guest, SPA, session, spa } from '../../support/world.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({
    records: [
      spa(),
      session('s1', '2025-01-06T12:00', '2025-01-12T12:00'),
      ...['b1', 'b2', 'b3'].flatMap((id) => guest(id, { sessionIds: ['s1'] })),
    ],
  })
})

it.each([
  SEPARATOR,
  `a${SEPARATOR}b`,
  // Separators of a whole row more.
  SEPARATOR.repeat(11),
  '=',
  '==',
  '\u0001\u0002\u001e',
])(
  'a name and an e-mail address of %j are returned unchanged, next to those of other guests',
  async (text) => {
    await api.database.query(sql`
    update customers set last_name = ${text}, email = ${text}, phone = null where center_id = ${SPA} and id = 'c-b2'`)
    const project = 'id,lastName,email,phone'
    const { body } = await api.get(`/v1/guests?sessionId=s1&project=${project}`)
    expect(body.data.map(({ id, lastName, email, phone }) => [id, lastName, email, phone])).toEqual([
      ['b1', 'Pop', null, null],
      ['b2', text, text, null],
      ['b3', 'Pop', null, null],
    ])
    expect(body.total).toBe(3)
  },
)

/** One page under many spellings of its query, asked over HTTP. */
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { DatabaseUnavailable } from '../../src/core/database/database.ts'
import { startTestApi } from '../support/api.ts'
import { afterwards, openTestDatabase } from '../support/database.ts'
import { watchDatabase } from '../support/watched-database.ts'
import { guest, LODGE, lodge, session, spa } from '../support/world.ts'

const WAYS = 90
const QUERY = { sessionId: 'winter', length: '1' }

/** Percent-encodes the characters of a text that the bits of a number name. */
const encoded = (text: string, bits: number) =>
  [...text].map((c, at) => (bits & (1 << at) ? `%${c.charCodeAt(0).toString(16)}` : c)).join('')

const spelling = (n: number) =>
  `/v1/guests?${Object.entries(QUERY)
    .map(([name, value]) => `${encoded(name, n)}=${encoded(value, n >> 1)}`)
    .join('&')}`

test('90 HEADs of one page, each spelled its own way, are one read and cost another center nothing', async () => {
  const watched = watchDatabase(await openTestDatabase())
  const api = await startTestApi({
    database: watched.database,
    records: [
      spa(),
      lodge(),
      session('winter', '2025-01-01T12:00', '2025-01-31T12:00'),
      ...guest('b1', { sessionIds: ['winter'] }),
      ...guest('b2', { sessionIds: ['winter'] }),
      ...guest('other', { centerId: LODGE }),
    ],
  })
  const neighbor = await api.createKey({ center: LODGE })
  await api.app.listen({ host: '127.0.0.1', port: 0 })
  afterwards(async () => api.app.server.closeAllConnections())
  const [at] = api.app.addresses()
  const port = typeof at === 'object' ? at.port : undefined
  const ask = (method: string, path: string, headers: Readonly<Record<string, string>>) =>
    new Promise<{ status: number | undefined; etag: unknown; length: unknown }>((resolve, reject) => {
      request({ port, method, path, headers }, (answer) => {
        const { etag, 'content-length': length } = answer.headers
        answer.resume().on('end', () => resolve({ status: answer.statusCode, etag, length }))
      })
        .on('error', reject)
        .end()
    })
  // From here on every read waits in memory for the trail.
  watched.before = ({ by }) => {
    if (by === 'transaction') throw new DatabaseUnavailable('the trail cannot be written')
  }
  watched.sent.splice(0)

  const paths = new Set(Array.from({ length: WAYS }, (_, n) => spelling(n)))
  expect(paths.size).toBe(WAYS)
  const answers = []
  for (const path of paths) answers.push(await ask('HEAD', path, api.key.headers))
  const [first] = answers
  expect(first?.status).toBe(200)
  for (const answer of answers) expect(answer).toEqual(first)
  expect(watched.sent.filter(({ by }) => by === 'queryArrays')).toHaveLength(1)
  const page = await ask('GET', '/v1/guests?startDate=2025-01-01&endDate=2025-01-31', neighbor.headers)
  expect(page.status).toBe(200)
})

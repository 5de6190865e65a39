/** `Strict-Transport-Security` of a service that clients reach by https. */
import { expect, it } from 'vitest'
import { startTestApi } from '../support/api.ts'
import { OPERATION_RECORDS, OPERATION_REQUESTS } from '../support/operations.ts'

const OTHERS = [
  '/',
  '/docs',
  '/docs/guide',
  '/console',
  '/v1/openapi.json',
  '/nothing',
  '/health/live',
  '/v1/guests',
  '/v1/guests?startDate=2025-01-06&endDate=2025-01-12&format=csv',
]

it('ruling 41: browsers reach a service whose address is https by https alone, for a year', async () => {
  const api = await startTestApi({
    records: OPERATION_RECORDS,
    app: { publicUrl: 'https://api.example.org' },
  })
  for (const url of [...OTHERS, ...OPERATION_REQUESTS.map(({ url }) => url)]) {
    for (const asker of [api, api.as(undefined)]) {
      for (let repeated = 0; repeated < 2; repeated += 1) {
        const { headers } = await asker.get(url)
        expect([url, headers['strict-transport-security']]).toEqual([
          url,
          'max-age=31536000; includeSubDomains',
        ])
      }
    }
  }
})

it('a service without an address, or with one of plain http, does not ask for it', async () => {
  for (const publicUrl of ['', 'http://127.0.0.1:8080']) {
    const api = await startTestApi({ app: { publicUrl } })
    expect((await api.get('/v1/me')).headers['strict-transport-security']).toBeUndefined()
  }
})

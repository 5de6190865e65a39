/** The name under which a file is stored follows from the operation, and never from the request. */
import { beforeAll, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { OPERATION_RECORDS } from '../../support/operations.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ records: OPERATION_RECORDS })
})

const WEEK = 'startDate=2025-01-06&endDate=2025-01-12'

it.each(['guests', 'sessions', 'orders'])(
  'a file of /%s has a fixed name without anything to encode',
  async (list) => {
    for (const format of ['csv', 'ndjson', 'xlsx']) {
      const { status, headers } = await api.get(`/v1/${list}?${WEEK}&format=${format}`)
      expect(status).toBe(200)
      expect(headers['content-disposition']).toBe(`attachment; filename="${list}.${format}"`)
      expect(String(headers['content-disposition'])).toMatch(/^attachment; filename="[a-z-]+\.[a-z]+"$/)
    }
  },
)

it('a request cannot give the file another name', async () => {
  for (const more of ['fileName=x.exe', 'filename=x.exe', 'name=x.exe']) {
    expect((await api.get(`/v1/sessions?${WEEK}&format=csv&${more}`)).status).toBe(400)
  }
  const { headers } = await api.get(
    `/v1/guests?${WEEK}&format=csv&q=${encodeURIComponent('x.exe"; filename=y.exe\r\nA: b')}`,
  )
  expect(headers['content-disposition']).toBe('attachment; filename="guests.csv"')
  expect(headers.a).toBeUndefined()
})

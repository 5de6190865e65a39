import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { makeLink } from '../parts/links/make-link.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { insertRow } from '../support/rows.ts'
import { SPA, session } from '../support/world.ts'

const PAGE = '/v1/sessions?startDate=2025-01-01&endDate=2025-12-31'

const RECORDS = [session('s1', '2025-03-01T12:00Z', '2025-03-10T12:00Z')]

/** Asks while a transaction is open that has changed the center, and has not said that it will stay. */
async function whileImporting<T>(api: TestApi, ask: () => Promise<T>): Promise<T> {
  return api.database.transaction(async (tx) => {
    await tx.query(sql`update sessions set name = 'Imported' where center_id = ${SPA}`)
    return ask()
  })
}

test('what has been answered is answered while an import is under way, as it stood before', async () => {
  const api = await startTestApi({ records: RECORDS })
  const before = await api.get(PAGE)
  const during = await whileImporting(api, () => api.get(PAGE))
  expect([during.status, during.text]).toEqual([200, before.text])
  const after = await api.get(PAGE)
  expect(after.body.data[0]?.name).toBe('Imported')
})

test('a client that has the answer gets a 304 meanwhile', async () => {
  const api = await startTestApi({ records: RECORDS })
  const { headers } = await api.get(PAGE)
  const etag = String(headers.etag)
  expect((await whileImporting(api, () => api.get(PAGE, { 'if-none-match': etag }))).status).toBe(304)
  expect((await api.get(PAGE, { 'if-none-match': etag })).status).toBe(200)
})

test('a key that has not read since the last commit is let in too', async () => {
  const api = await startTestApi({ records: RECORDS })
  const keys = [await api.createKey(), await api.createKey()]
  const before = await api.get(PAGE)
  const during = await api.database.transaction(async (tx) => {
    await tx.query(sql`update sessions set name = 'Imported' where center_id = ${SPA}`)
    return Promise.all(keys.map((key) => api.as(key).get(PAGE)))
  })
  expect(during.map(({ status, text }) => [status, text])).toEqual(keys.map(() => [200, before.text]))
})

test('a link that has not been opened since the last commit is answered too', async () => {
  const api = await startTestApi({ records: RECORDS })
  const { path } = await makeLink(api.database, { key: api.key.appId, question: PAGE }, Date.now())
  const before = await api.get(PAGE)
  const during = await api.database.transaction(async (tx) => {
    await tx.query(sql`update sessions set name = 'Imported' where center_id = ${SPA}`)
    return api.as(undefined).get(path)
  })
  expect([during.status, during.text]).toEqual([200, before.text])
})

test('an import that is undone leaves what was cached', async () => {
  const api = await startTestApi({ records: RECORDS })
  const before = await api.get(PAGE)
  const undone = api.database.transaction(async (tx) => {
    await tx.query(sql`update sessions set name = 'Imported' where center_id = ${SPA}`)
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect((await api.get(PAGE)).text).toBe(before.text)
})

test('a key that is taken back is refused from then on', async () => {
  const api = await startTestApi({ records: RECORDS })
  const key = await api.createKey()
  expect((await api.as(key).get(PAGE)).status).toBe(200)
  await api.database.query(sql`update api_keys set revoked_at = now() where public_key = ${key.publicKey}`)
  expect((await api.as(key).get(PAGE)).status).toBe(401)
})

test('the service is ready while an import is under way', async () => {
  const api = await startTestApi({ records: RECORDS })
  const during = await whileImporting(api, () => api.app.inject('/health/ready'))
  expect([during.statusCode, during.json()]).toEqual([200, { status: 'ready' }])
})

test('what a transaction inserts is seen by none before it is committed', async () => {
  const api = await startTestApi({ records: RECORDS })
  const { total } = (await api.get(PAGE)).body
  const inserted = {
    center_id: SPA,
    id: 'inserted',
    start_date: '2025-05-01T12:00Z',
    end_date: '2025-05-09T12:00Z',
  }
  const seen = await api.database.transaction(async (tx) => {
    await insertRow(tx, 'sessions', inserted)
    return (await api.get(PAGE)).body.total
  })
  expect([seen, (await api.get(PAGE)).body.total]).toEqual([total, total + 1])
})

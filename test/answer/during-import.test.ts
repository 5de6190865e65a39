/** What is answered while an import writes the same center: what was committed before it, by every operation. */
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Queryable } from '../../src/core/database/database.ts'
import { importRecords } from '../../src/core/intake/import-records.ts'
import { recordLines } from '../../src/core/intake/lines/record-line.ts'
import { startTestApi } from '../support/api.ts'
import { OPERATION_RECORDS, OPERATION_REQUESTS } from '../support/operations.ts'
import type { TestRecord } from '../support/world.ts'
import { startInstance } from './instances.ts'

/** Lists of requests, which contain those that this test has made before. */
const OF_REQUESTS = ['listReads', 'listKeys']

const FILE = '/v1/guests?startDate=2025-01-01&endDate=2025-01-31&format=csv'

/** A record with another value for something that answers show. */
function changed(record: TestRecord): TestRecord {
  if (record.kind === 'customer') return { ...record, firstName: 'Changed' }
  if (record.kind === 'booking') return { ...record, status: 'departed' }
  if (record.kind === 'order') return { ...record, number: 'Changed' }
  return { ...record, name: 'Changed' }
}

/** An import that has written, and commits on request. */
async function startImport(api: Awaited<ReturnType<typeof startTestApi>>) {
  const written = Promise.withResolvers<void>()
  const reported = Promise.withResolvers<void>()
  const alongside = async (tx: Queryable) => {
    await tx.query(sql`select pg_sleep(0.12) is null`)
    written.resolve()
    await reported.promise
  }
  const problems: unknown[] = []
  const onProblem = (problem: unknown) => void problems.push(problem)
  const records = OPERATION_RECORDS.map(changed)
  const done = importRecords(api.database, recordLines(records), { alongside, onProblem })
  done.then(() => written.reject(new Error(JSON.stringify(problems))), written.reject)
  await written.promise
  return {
    async commit() {
      reported.resolve()
      expect(await done).toMatchObject({ applied: true, rejected: 0 })
    },
  }
}

test('every operation answers as before an import, until it is committed', async () => {
  const api = await startTestApi({ records: OPERATION_RECORDS, now: '2025-01-12T08:00:00Z' })
  const start = () =>
    startInstance(api, api.key, { answerCacheMb: 0, clock: () => Date.parse('2025-01-12T08:00:00Z') })
  const answers = async () => {
    const instance = await start()
    const all = new Map<string, string>()
    for (const { name, url } of OPERATION_REQUESTS) {
      const { status, text } = await instance.get(url)
      expect([name, status]).toEqual([name, 200])
      if (!OF_REQUESTS.includes(name)) all.set(name, text)
    }
    return all
  }
  const before = await answers()
  const running = await startImport(api)
  expect(await answers()).toEqual(before)
  await running.commit()
  const after = await answers()
  const differing = [...after].filter(([name, text]) => text !== before.get(name)).map(([name]) => name)
  expect(differing).toEqual(
    expect.arrayContaining(['getOrder', 'listGuests', 'listOrders', 'listSessions', 'search']),
  )
})

test('a file that is requested during an import has what was committed before it, too', async () => {
  const api = await startTestApi({ records: OPERATION_RECORDS })
  const before = (await api.get(FILE)).text
  const running = await startImport(api)
  expect((await api.get(FILE)).text).toBe(before)
  await running.commit()
  expect((await api.get(FILE)).text).not.toBe(before)
})

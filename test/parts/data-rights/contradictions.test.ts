/** What contradicts something in the records of a person: exported without the others, and erased with the person. */
import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { beforeEach, expect, it } from 'vitest'
import { completeRewrites } from '../../../src/core/database/schema/rewrite-files.ts'
import { dismissContradiction } from '../../../src/parts/contradictions/dismiss-contradiction.ts'
import { eraseSubject } from '../../../src/parts/data-rights/erase-subject.ts'
import { exportSubject, type SubjectExport } from '../../../src/parts/data-rights/export-subject.ts'
import { subjectPage } from '../../../src/parts/data-rights/subject-page.ts'
import { evaluatorOf, inShort, listed } from '../../routes/contradictions/center.ts'
import { sendAction } from '../../support/action-requests.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { everyText } from '../../support/every-text.ts'
import { customer, guest, stay, term } from '../../support/world.ts'
import { MARKS, PERSON, person } from './person.ts'

const NOW = '2025-01-10T12:00:00Z'
const REASON = 'asked at the desk, it is her aunt'
const OTHER = 'Wilhelmina'

let api: TestApi
let evaluate: () => Promise<number>
beforeEach(async () => {
  const records = person().map((record) =>
    record.kind === 'booking' && record.id === 'b-1'
      ? { ...record, status: 'departed', acc: { roomId: 'r-1' } }
      : record,
  )
  api = await startTestApi({
    records: [
      ...records,
      term('room', 'r-1', 'Room 1', { beds: 1 }),
      ...stay('b-9', '2025-01-12', '2025-01-14', { acc: { roomId: 'r-1' } }),
      customer('c-b-9', { firstName: OTHER }),
      ...guest('b-8', { status: 'departed', endDate: '2025-01-20T10:00' }, { firstName: OTHER }),
    ],
    now: NOW,
  })
  const evaluator = evaluatorOf(api, 'test', NOW)
  evaluate = () => evaluator.look()
  await evaluate()
  const of = listed(await api.get('/v1/contradictions?kind=departedInFuture&guestId=b-1'))[0]
  const dismissal = { contradiction: of?.id, digest: of?.evidence.digest, reason: REASON, name: 'Maria' }
  expect((await sendAction(api, dismissContradiction, { body: JSON.stringify(dismissal) })).status).toBe(200)
})

const exported = (): Promise<SubjectExport> =>
  exportSubject(api.database, PERSON, { center: undefined, now: Date.parse(NOW) })

it('an export has those about the person, with the person’s values, and leaves the others out', async () => {
  const { contradictions } = await exported()
  const name = `${MARKS.firstName} ${MARKS.lastName}`
  expect(contradictions.map(({ kind }) => kind).sort()).toEqual(['departedInFuture', 'roomOverfull'])
  expect(contradictions.find(({ kind }) => kind === 'roomOverfull')).toMatchObject({
    records: [
      { kind: 'room', id: 'r-1', name: 'Room 1' },
      { kind: 'guest', id: 'b-1', name },
    ],
    compared: [
      { field: 'beds', values: [1, null] },
      { field: 'people', values: [2, null] },
      { field: 'nights', values: [['2025-01-12/2025-01-14'], null] },
    ],
    others: 1,
    dismissed: null,
  })
  expect(contradictions.find(({ kind }) => kind === 'departedInFuture')).toMatchObject({
    records: [{ kind: 'guest', id: 'b-1', name }],
    others: 0,
    dismissed: { by: 'Maria', reason: REASON },
  })
  expect(JSON.stringify(contradictions)).not.toMatch(new RegExp(`${OTHER}|b-9|b-8`))
})

it('the page for the person says what does not fit, since when, and who decided that nothing is to be done', async () => {
  const form = { language: 'en', zone: 'Europe/Bucharest', currency: 'RON', centerName: 'Spa' } as const
  const page = subjectPage(await exported(), form, new Set())
  for (const text of [
    'What does not fit between these records',
    'Room overfull',
    'The records of other people are left out: 1.',
    `Maria decided on January 10, 2025 at 2:00\u202fPM that nothing is to be done: ${REASON}`,
  ])
    expect(page.replaceAll(/\s+/g, ' ')).toContain(text.replaceAll(/\s+/g, ' '))
  expect(page).not.toContain(OTHER)
})

it('an erasure deletes them with their evidence and the reason, and an evaluation does not bring them back', async () => {
  await api.database.runScript('analyze contradictions, contradiction_records')
  expect(await inTables()).not.toEqual([])
  const before = inShort(await api.get('/v1/contradictions'))
  expect(before).toContain('roomOverfull r-1 b-1 b-9')
  await eraseSubject(
    api.database,
    { customer: PERSON, retentionMs: 0 },
    { random: randomBytes, now: Date.parse(NOW) },
  )
  // Without a rewrite of the files: those are made later.
  expect(await inTables()).toEqual([])
  await completeRewrites(api.database)
  await evaluate()
  expect(await inTables()).toEqual([])
  expect(inShort(await api.get('/v1/contradictions'))).toEqual(before.filter((one) => !one.includes('b-1')))
  expect(before.filter((one) => one.includes('b-8'))).toHaveLength(1)
})

/** What the tables of contradictions and their statistics still have of the person. */
async function inTables(): Promise<string[]> {
  const statistics = await api.database.query(sql`
    select most_common_vals::text, histogram_bounds::text from pg_stats
    where schemaname = 'public' and tablename in ('contradictions', 'contradiction_records')`)
  const rows = (await everyText(api.database)).split('\n').filter((line) => line.startsWith('contradiction'))
  const text = [...rows, JSON.stringify(statistics)].join('\n')
  return [MARKS.firstName, MARKS.lastName, PERSON, REASON].filter((needle) => text.includes(needle))
}

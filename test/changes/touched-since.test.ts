/** What the database says of the notes since a position is what `touches` says of each of them. */
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { beforeAll, expect, it } from 'vitest'
import {
  CHANGE_KINDS,
  type Change,
  type Dependency,
  touches,
  WHOLE_KIND,
} from '../../src/core/changes/change.ts'
import { selectTouchedSince } from '../../src/core/changes/snapshots-sql.ts'
import type { Database } from '../../src/core/database/database.ts'
import { centerId } from '../../src/core/records/centers/center.ts'
import { openTestDatabase } from '../support/database.ts'
import { insertRow } from '../support/rows.ts'

const C1 = centerId('c1')
/** Far from the transactions of the test itself. */
const TRANSACTION = 1_000_000_000_000

let database: Database
beforeAll(async () => {
  database = await openTestDatabase()
  await insertRow(database, 'centers', { center_id: 'c1' })
})

const names = (...of: string[]) => fc.uniqueArray(fc.constantFrom(...of), { maxLength: 2 })
/** No cached answer depends on sheets or contradictions. */
const kind = fc.constantFrom(...CHANGE_KINDS.filter((one) => one !== 'sheet' && one !== 'contradiction'))
const at = fc.integer({ min: 0, max: 9 }).map((n) => n * 1000)
const span = fc.tuple(at, at).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const)

const change: fc.Arbitrary<Change> = fc.record({
  kind,
  id: fc.constantFrom('a', 'b', WHOLE_KIND),
  operation: fc.constantFrom('created', 'changed', 'deleted'),
  columns: names('t.x', 't.y', 't.z'),
  sessionIds: names('s1', 's2'),
  during: fc.array(span, { maxLength: 2 }),
})

const dependency = fc.record(
  {
    kind,
    ids: names('a', 'b', 'c'),
    sessionIds: names('s1', 's2', 's3'),
    during: fc.oneof(
      span.map(([from, to]) => ({ from, to })),
      at.map((from) => ({ from, to: undefined })),
      at.map((to) => ({ from: undefined, to })),
    ),
    columns: names('t.x', 't.y').map((columns) => new Set(columns)),
  },
  { requiredKeys: ['kind'] },
) satisfies fc.Arbitrary<Dependency>

it('in commits of one note each', async () => {
  const outcomes = { touched: 0, untouched: 0 }
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { minLength: 1, maxLength: 3 }),
      fc.array(dependency, { minLength: 1, maxLength: 2 }),
      async (changes, dependencies) => {
        await database.query(sql`delete from change_commits where center_id = 'c1'`)
        await database.query(sql`delete from changes where center_id = 'c1'`)
        for (const [n, { during, sessionIds, ...note }] of changes.entries()) {
          const ranges = during.map(([from, to]) => `[${moment(from)},${moment(to)}]`)
          await database.query(sql`
            insert into change_commits (center_id, revision, transaction_id)
            values ('c1', ${n + 1}, ${String(TRANSACTION + n)}::xid8)`)
          await database.query(sql`
            insert into changes (center_id, transaction_id, kind, id, operation, columns, session_ids, during)
            values ('c1', ${String(TRANSACTION + n)}::xid8, ${note.kind}, ${note.id}, ${note.operation},
              ${note.columns}, ${sessionIds}, ${`{${ranges.join()}}`}::tstzmultirange)`)
        }
        for (let revision = 0; revision <= changes.length; revision += 1) {
          const [row] = await database.queryArrays(
            selectTouchedSince(C1, { revision, offset: 0 }, dependencies),
          )
          const isTouched = changes.slice(revision).some((one) => touches(one, dependencies))
          expect(row?.[5]).toBe(isTouched)
          outcomes[isTouched ? 'touched' : 'untouched'] += 1
        }
      },
    ),
    { numRuns: 150, seed: 20251122 },
  )
  expect(Math.min(outcomes.touched, outcomes.untouched)).toBeGreaterThan(50)
})

const moment = (ms: number) => new Date(ms).toISOString()

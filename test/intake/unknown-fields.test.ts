/** A record or an action sets what its schema names, and nothing else. */
import { expect, it } from 'vitest'
import { KIND_NAMES } from '../../src/core/intake/kinds/kind.ts'
import { ACTIONS } from '../../src/parts.ts'
import { ACTION_NOW, actionBody, addSubjects, EVERY_ACTION, sendAction } from '../support/action-requests.ts'
import { startTestApi } from '../support/api.ts'
import { openTestDatabase } from '../support/database.ts'
import { twinCenters } from '../support/twin-centers.ts'
import { center, everything, importTexts } from './import-lines.ts'

const FOREIGN = ['isAdmin', 'revision', 'center_id', '__proto__', 'constructor']

it.each(KIND_NAMES)(
  'a %s with a field that its schema does not name is refused by that field, and nothing is written',
  async (kind) => {
    const database = await openTestDatabase()
    for (const field of FOREIGN) {
      const { summary, places } = await importTexts(
        database,
        [
          JSON.stringify(center()),
          `{"kind":${JSON.stringify(kind)},"centerId":"c","id":"x",${JSON.stringify(field)}:true}`,
        ],
        { keys: true, audit: true },
      )
      expect([field, summary.applied, places]).toEqual([field, false, expect.arrayContaining([`2 ${field}`])])
    }
    expect((await everything(database)).length).toBe(0)
  },
)

it.each(EVERY_ACTION)('the action %s refuses each field that it does not name', async (_, action) => {
  const api = await startTestApi({ records: twinCenters(), now: ACTION_NOW })
  await addSubjects(api.database)
  for (const field of FOREIGN) {
    const body = actionBody(action).replace(/^\{/, `{${JSON.stringify(field)}:true,`)
    const { status, text } = await sendAction(api, action, { body })
    expect([field, status, text.includes(`There is no field \\"${field}\\"`)]).toEqual([field, 400, true])
  }
  expect(ACTIONS).toContain(action)
})

/** Every request that the documentation prints, pasted into a shell while the demo runs: it answers what is printed. */
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { demoRecords } from '../../src/parts/demo/demo-records.ts'
import { startTestApi } from '../support/api.ts'
import { examplesOf, PAGES, paste } from '../support/doc-examples.ts'

// Of the center that README.md has its reader load: test/docs/own-data.test.ts.
const OWN = 'sessionId=spring'

const EXAMPLES = PAGES.flatMap((page) => examplesOf(page)).filter(({ line }) => !line.includes(OWN))

let origin: string
let env: Readonly<Record<string, string>>
beforeAll(async () => {
  const api = await startTestApi({
    records: [...demoRecords({ today: '2026-05-14' })],
    // As the demo has it.
    app: { publicUrl: 'http://127.0.0.1:8080' },
  })
  origin = await api.app.listen({ port: 0, host: '127.0.0.1' })
  const { apiKey, appId, publicKey, secretKey } = api.key
  const CURSOR = String((await api.get('/v1/changes')).body.cursor)
  await api.database.query(sql`update bookings set doctor_name = 'Dr. Vasile' where id = 'booking-2025-1'`)
  env = { CURSOR, SOJOURN_KEY: apiKey, APP_ID: appId, PUBLIC_KEY: publicKey, SECRET_KEY: secretKey }
})

/** Each answer has its own. */
const withoutRequestId = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body, (key, value) => (key === 'requestId' ? 'its own' : value)))

describe('an example', () => {
  it.each(EXAMPLES)('of $page finds something: $line', async ({ line, answer }) => {
    const { status, body } = await paste(line, origin, env)
    const isError = typeof answer === 'object' && answer !== null && 'error' in answer
    expect(status).toBe(isError ? 400 : 200)
    // To follow changes one begins with none, and nothing was delivered here.
    const mayBeEmpty = isError || /\/v1\/(?:changes|sources)"$/.test(line)
    if (!mayBeEmpty) expect(JSON.stringify(body)).not.toMatch(/^\[\]$|"data":\[\]|"totalGuests":0/)
  })

  it.each(EXAMPLES.filter(({ answer }) => answer !== undefined))(
    'of $page answers what is printed below it: $line',
    async ({ line, answer }) => {
      const { body } = await paste(line, origin, env)
      expect(withoutRequestId(body)).toEqual(withoutRequestId(answer))
    },
  )

  it('is on each page that describes an answer', () => {
    const shown = EXAMPLES.filter(({ answer }) => answer !== undefined).map(({ page }) => page)
    expect(new Set(shown)).toEqual(
      new Set([
        'README.md',
        'docs/api-design.md',
        'docs/concepts.md',
        'docs/errors.md',
        'docs/fields.md',
        'docs/quick-start.md',
      ]),
    )
  })
})

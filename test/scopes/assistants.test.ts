/** What an assistant may read with a key: what the key may, less personal and medical data unless the key says so. */
import { beforeAll, describe, expect, it } from 'vitest'
import { SCOPES } from '../../src/core/access/keys/scopes.ts'
import { FIELD_GROUPS, GUEST_FIELDS } from '../../src/core/records/fields/guest-fields.ts'
import { readsInTrail } from '../audit/reads.ts'
import { type Asker, startTestApi, type TestApi } from '../support/api.ts'
import { OPERATION_REQUESTS } from '../support/operations.ts'
import { twinCenters } from '../support/twin-centers.ts'

const ASSISTANT = { 'sojourn-channel': 'assistant' }
const HELD = ['guests.personal', 'guests.medical', 'administration']
const guestsWith = (field: string) => `/v1/guests?sessionId=s-1&project=${field}`

let api: TestApi
let allowed: Asker

beforeAll(async () => {
  api = await startTestApi({ records: twinCenters() })
  allowed = api.as(await api.createKey({ allowAssistants: true }))
})

describe('an assistant', () => {
  const fields = [
    ...GUEST_FIELDS.map(({ name, scope }) => [name, scope] as const),
    ...FIELD_GROUPS.map((name) => [name, 'guests.financial'] as const),
    ['meta.shared', 'guests.personal'] as const,
  ]

  it('reads each field that is neither personal nor medical, and those only with a key that says so', async () => {
    for (const [field, scope] of fields) {
      const status = (await api.get(guestsWith(field), ASSISTANT)).status
      expect(status, field).toBe(HELD.includes(scope) ? 403 : 200)
      expect((await allowed.get(guestsWith(field), ASSISTANT)).status, field).toBe(200)
      expect((await api.get(guestsWith(field))).status, field).toBe(200)
    }
  })

  it('is informed what was refused, and how to go on', async () => {
    const { body } = await api.get(guestsWith('pin,weight1,meta.shared,financial.total'), ASSISTANT)
    expect(body.error.message).toBe(
      'This key does not allow assistants to read personal or medical data: pin, meta.shared need the scope guests.personal; weight1 needs the scope guests.medical. Remove it from the request, or ask the center for a key that was created with --allow-assistants.',
    )
  })

  it('gets from a key that has not the scope what everybody gets', async () => {
    const asker = api.as(await api.createKey({ scopes: ['guests'], allowAssistants: true }))
    const [one, other] = [await asker.get(guestsWith('pin'), ASSISTANT), await asker.get(guestsWith('pin'))]
    expect(one.status).toBe(403)
    expect(one.body.error.message).toBe(other.body.error.message)
  })

  it('is shown by GET /me and GET /fields what it may read, not what the key may', async () => {
    const scopesOf = async (asker: Asker) => {
      const me: { key: { scopes: string[] } } = JSON.parse((await asker.get('/v1/me', ASSISTANT)).text)
      return me.key.scopes
    }
    expect(await scopesOf(api)).toEqual(SCOPES.filter((scope) => !HELD.includes(scope)))
    expect(await scopesOf(allowed)).toEqual(SCOPES)
    const { body } = await api.get('/v1/fields', ASSISTANT)
    for (const { name, scope, readable } of body.data) {
      expect(readable, String(name)).toBe(!HELD.includes(String(scope)))
    }
  })

  it('gets no cached answer that it may not read, whole or as 304', async () => {
    const url = guestsWith('dob')
    const full = await api.get(url)
    for (const headers of [{}, { 'if-none-match': String(full.headers.etag) }, { 'if-none-match': '*' }]) {
      const answer = await api.get(url, { ...ASSISTANT, ...headers })
      expect(answer.status).toBe(403)
      expect(answer.headers.etag).toBeUndefined()
    }
    expect((await api.get(url)).status).toBe(200)
  })
})

describe('the header Sojourn-Channel', () => {
  it.each(['asistant', 'Assistant', '', 'assistant, assistant', 'program'])(
    'is refused as %j',
    async (word) => {
      const { status, body } = await api.get('/v1/sessions?startDate=2025-01-01&endDate=2025-01-31', {
        'sojourn-channel': word,
      })
      expect(status).toBe(400)
      expect(body.error.details).toEqual([
        { parameter: 'Sojourn-Channel', message: 'Sojourn-Channel must be assistant or absent.' },
      ])
    },
  )

  it('says nothing to who has no key', async () => {
    const answer = await api.as(undefined).get('/v1/me', { 'sojourn-channel': 'nonsense' })
    expect(answer.status).toBe(401)
  })
})

describe('the trail', () => {
  it('says of each read whether an assistant asked, however close they follow each other', async () => {
    const world = await startTestApi({ records: twinCenters() })
    const asked: string[] = []
    for (const { url, name } of OPERATION_REQUESTS) {
      for (const headers of [{}, ASSISTANT]) {
        const answer = await world.get(url, headers)
        if (answer.status === 200)
          asked.push(`${name} ${'sojourn-channel' in headers ? 'assistant' : 'null'}`)
      }
    }
    await world.app.close()
    const reported = (await readsInTrail(world.database)).map(
      ({ operation, channel }) => `${operation} ${channel}`,
    )
    expect(reported.sort()).toEqual(asked.sort())
    expect(new Set(reported).size).toBeGreaterThan(10)
  })
})

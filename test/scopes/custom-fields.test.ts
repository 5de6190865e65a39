/** Keys that open some custom fields and nothing else that is personal (`keys create --meta`), on every endpoint that shows them. */
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Asker, startTestApi, type TestApi, type TestKey } from '../support/api.ts'
import { guest, metaField, session, spa } from '../support/world.ts'

const ASSISTANT = { 'sojourn-channel': 'assistant' }
const SESSION = '/v1/guests?sessionId=s1'
const PORTIONS = '/v1/meals/portions?startDate=2025-01-11&endDate=2025-01-11&includeGuests=true'

let api: TestApi
let dietKey: TestKey
let diets: Asker
let plain: Asker

beforeAll(async () => {
  api = await startTestApi({
    records: [
      spa({ mealRules: { dietFields: [{ field: 'diet' }, { field: 'allergy', allergies: ['nuts'] }] } }),
      metaField('diet'),
      metaField('allergy', { of: 'booking' }),
      metaField('note'),
      session('s1', '2025-01-10T12:00', '2025-01-15T12:00'),
      ...guest(
        'b1',
        { sessionIds: ['s1'], meta: { allergy: 'nuts' } },
        { pin: '42', meta: { diet: 'vegan', note: 'afraid of dogs' } },
      ),
    ],
  })
  dietKey = await api.createKey({ scopes: ['guests', 'meals'], customFields: ['diet'] })
  diets = api.as(dietKey)
  plain = api.as(await api.createKey({ scopes: ['guests', 'meals'] }))
})

describe('a key with a custom field reads', () => {
  it('this field of guests, and no other that is personal', async () => {
    const { status, body } = await diets.get(`${SESSION}&project=meta.diet,firstName`)
    expect(status).toBe(200)
    expect(body.data[0]).toMatchObject({ firstName: 'Ana', meta: { diet: 'vegan' } })
    for (const field of [
      'meta.allergy',
      'meta.note',
      'pin',
      'age',
      'meta.diet,meta.note',
      'meta.Diet',
      'meta.diet.x',
    ]) {
      const refused = await diets.get(`${SESSION}&project=${field}`)
      expect(refused.status, field).toBe(403)
      expect(refused.body.error.message).not.toMatch(/meta\.diet(,| need)/)
      expect(refused.text).not.toContain('vegan')
    }
  })

  it('this diet in portions, and the others are named as withheld', async () => {
    const { body, text } = await diets.get(PORTIONS)
    expect(body.diets).toMatchObject({ fields: [{ field: 'diet' }], withheld: ['allergy'] })
    expect(text).toContain('vegan')
    expect(text).not.toContain('nuts')
    const csv = await diets.get(`${PORTIONS}&format=csv`)
    expect(csv.text).toContain('vegan')
    expect(csv.text).not.toContain('nuts')
  })

  it('of an assistant only where the key lets assistants', async () => {
    expect((await diets.get(`${SESSION}&project=meta.diet`, ASSISTANT)).status).toBe(403)
    expect((await diets.get(PORTIONS, ASSISTANT)).body.diets).toMatchObject({ withheld: ['diet', 'allergy'] })
    const allowed = api.as(
      await api.createKey({ scopes: ['guests'], customFields: ['diet'], allowAssistants: true }),
    )
    expect((await allowed.get(`${SESSION}&project=meta.diet`, ASSISTANT)).status).toBe(200)
  })

  it('nothing that was cached for another key, whole or as 304', async () => {
    for (const url of [`${SESSION}&project=meta.allergy`, `${SESSION}&project=meta.diet`]) {
      const { headers } = await api.get(url)
      const answer = await plain.get(url, { 'if-none-match': String(headers.etag) })
      expect(answer.status).toBe(403)
    }
    const whole = await api.get(PORTIONS)
    const part = await diets.get(PORTIONS, { 'if-none-match': String(whole.headers.etag) })
    expect(part.status).toBe(200)
    expect(part.text).not.toContain('nuts')
  })

  it('from the next request on no more, once the key has the field no more', async () => {
    const key = await api.createKey({ scopes: ['guests'], customFields: ['diet'] })
    const url = `${SESSION}&project=meta.diet`
    expect((await api.as(key).get(url)).status).toBe(200)
    await api.database.query(
      sql`update api_keys set custom_fields = '{}' where public_key = ${key.publicKey}`,
    )
    expect((await api.as(key).get(url)).status).toBe(403)
  })
})

describe('what a key with a custom field reads', () => {
  it('by GET /me and GET /fields', async () => {
    expect((await diets.get('/v1/me')).body.key).toMatchObject({ customFields: ['diet'] })
    expect((await plain.get('/v1/me')).body.key).toMatchObject({ customFields: [] })
    const { body } = await diets.get('/v1/fields')
    const readable = body.data.filter((field) => field.readable).map(({ name }) => String(name))
    expect(readable).toContain('meta.diet')
    for (const name of ['meta.allergy', 'meta.note', 'pin']) expect(readable).not.toContain(name)
  })

  it('by the changes: that a custom field changed, as no one else without the scope', async () => {
    const before = (await diets.get('/v1/changes')).body.cursor
    await api.database.query(sql`
      update customers set meta = meta || '{"diet": "vegan"}' || '{"note": "afraid of cats"}'
      where center_id = 'spa' and id = 'c-b1'`)
    const moved = async (asker: Asker) => (await asker.get(`/v1/changes?after=${before}`)).body.data
    expect(await moved(diets)).toMatchObject([{ kind: 'guests', id: 'b1', groups: ['guests.personal'] }])
    expect(await moved(plain)).toEqual([])
  })
})

describe('a key is not made', () => {
  it.each([
    ['a field that the center does not define', ['diets'], ['meals'], 'Did you mean diet?'],
    ['no scope that shows it', ['diet'], ['orders'], 'scope guests or meals'],
    ['more than fifty', Array.from({ length: 51 }, (_, at) => `f${at}`), ['meals'], 'at most 50'],
  ] as const)('with %s', async (_, customFields, scopes, message) => {
    await expect(api.createKey({ customFields, scopes })).rejects.toThrow(message)
  })

  it.each([
    [0, 'it defines none'],
    [10, 'it defines f0, f1, f2, f3, f4, f5, f6, f7, f8, f9'],
    [11, 'it defines f0, f1, f10, f2, f3, f4, f5, f6, f7, f8 and more'],
  ])(
    'with a field that is like none of the center’s %d: at most ten of them are named',
    async (count, there) => {
      const { id } = await api.newCenter(Array.from({ length: count }, (_, at) => metaField(`f${at}`)))
      await expect(
        api.createKey({ center: id, customFields: ['allergy'], scopes: ['meals'] }),
      ).rejects.toThrow(new RegExp(`^"allergy" is not a custom field of this center; ${there}\\.$`))
    },
  )
})

/** What a key may see of the fields it may name. */
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { GUEST_FIELDS } from '../../../src/core/records/fields/guest-fields.ts'
import { BOOKING_STATUSES, ROLES } from '../../../src/core/records/fields/statuses.ts'
import { startTestApi, type TestApi, type TestKey } from '../../support/api.ts'
import { metaField } from '../../support/world.ts'

interface Field {
  readonly name: string
  readonly label: string
  readonly readable: boolean
  readonly custom: boolean
  readonly type: string
  readonly raw: { readonly type: string; readonly format: string | null } | null
  readonly values: readonly { readonly value: string; readonly label: string }[] | null
}

let api: TestApi

beforeAll(async () => {
  api = await startTestApi({ records: [metaField('shoeSize', { label: 'Shoe size', type: 'number' })] })
})

async function fieldsOf(key: TestKey, locale = 'en'): Promise<Map<string, Field>> {
  const { text } = await api.as(key).get('/v1/fields', { 'x-locale': locale })
  const { data }: { data: Field[] } = JSON.parse(text)
  return new Map(data.map((field) => [field.name, field]))
}

describe('GET /fields', () => {
  it('lists every field that can be projected, in the order of the documentation, custom ones last', async () => {
    const names = [...(await fieldsOf(api.key)).keys()]
    expect(names).toEqual([...GUEST_FIELDS.map(({ name }) => name), 'meta.shoeSize'])
    const { status } = await api.get(
      `/v1/guests?startDate=2025-01-01&endDate=2025-01-31&project=${names.join(',')}`,
    )
    expect(status).toBe(200)
  })

  it('says of each field whether this key may read it, exactly as GET /guests decides', async () => {
    const keys = [
      await api.createKey({ scopes: ['guests', 'guests.medical'] }),
      await api.createKey({ scopes: ['guests.personal', 'orders'] }),
    ]
    for (const key of keys) {
      const fields = await fieldsOf(key)
      for (const name of ['firstName', 'dob', 'weight1', 'financial.total', 'meta.shoeSize']) {
        const { status } = await api
          .as(key)
          .get(`/v1/guests?startDate=2025-01-01&endDate=2025-01-31&project=${name}`)
        expect(fields.get(name)?.readable, name).toBe(status === 200)
      }
    }
  })

  it('shows labels and the values of enumerations in the language asked for', async () => {
    const english = await fieldsOf(api.key)
    expect(english.get('dob')).toMatchObject({
      label: 'Date of birth',
      type: 'string',
      raw: { type: 'string', format: 'date' },
      values: null,
    })
    expect(english.get('status')?.values?.map(({ value }) => value)).toEqual(BOOKING_STATUSES)
    expect(english.get('role')?.values?.map(({ value }) => value)).toEqual(ROLES)
    const romanian = await fieldsOf(api.key, 'ro')
    expect(romanian.get('dob')?.label).toBe('Data nașterii')
    expect(romanian.get('role')?.values?.[1]).toEqual({ value: 'companion', label: 'Însoțitor' })
  })

  it('has the custom fields of the key’s own center alone, and shows a new one at once', async () => {
    const spa = await api.newCenter([metaField('diet', { label: 'Diet' })])
    const custom = async () =>
      [...(await fieldsOf(spa.key)).values()].filter((field) => field.custom).map(({ label }) => label)
    expect(await custom()).toEqual(['Diet'])
    await api.database.query(
      sql`update meta_fields set label = 'Special diet' where center_id = ${spa.id} and key = 'diet'`,
    )
    expect(await custom()).toEqual(['Special diet'])
    expect((await fieldsOf(api.key)).has('meta.diet')).toBe(false)
  })

  it('takes no parameter', async () => {
    expect((await api.get('/v1/fields?scope=guests')).status).toBe(400)
  })
})

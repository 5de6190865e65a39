/** Settings of the center through the administration: checked as a record of an import, and seen by the kitchen at once. */
import { beforeAll, describe, expect, it } from 'vitest'
import { ADMINISTRATION } from '../../../src/core/access/keys/scopes.ts'
import { entriesOf } from '../../audit/reads.ts'
import { ACTION_NOW, actionHeaders } from '../../support/action-requests.ts'
import { type Asker, startTestApi, type TestApi, type TestCenter } from '../../support/api.ts'
import { guest, metaField } from '../../support/world.ts'

let api: TestApi
let other: TestCenter
let by: Asker
beforeAll(async () => {
  const records = [
    metaField('food', { label: 'Food' }),
    metaField('born', { type: 'date' }),
    ...guest('b-1', {}, { meta: { food: 'Hazelnuts, oat milk' } }),
  ]
  api = await startTestApi({ records, now: ACTION_NOW })
  other = await api.newCenter(records)
  by = api.as(await api.createKey({ scopes: [ADMINISTRATION] }))
})

const act = (name: string, body: object, asker = by) =>
  asker.request('POST', `/v1/actions/${name}`, actionHeaders(), JSON.stringify(body))
const set = (changes: object) => act('set-center', { changes })
const settings = async (asker = by) => (await asker.get('/v1/administration/settings')).body
const named = ({ body }: Awaited<ReturnType<typeof act>>) =>
  body.error.details?.map(({ parameter, message }) => `${parameter}: ${message}`)
const HAZELNUT = { field: 'food', value: 'hazelnuts', otherSpellings: ['filberts'], meaning: 'allergy' }

describe('settings of the center', () => {
  it('are what an import stored, with the defaults in place of what it left out', async () => {
    expect(await settings()).toMatchObject({
      locale: 'en',
      automaticBookingIds: false,
      bookingIdFormat: 'YY-SN-BN',
      mealRules: { mealTimes: { breakfast: null }, arrivalMeals: ['dinner'], dietFields: [] },
      customFields: [
        { key: 'born', label: null, type: 'date' },
        { key: 'food', label: 'Food', type: 'string' },
      ],
      contradictionKinds: { roomOverfull: true, guestWithoutOrder: false },
    })
  })

  it('change as in an import: what is left out stays, null clears, and the kitchen sees it at once', async () => {
    const first = await set({
      mealRules: { mealTimes: { lunch: '12:15', dinner: '18:40' }, mealEnds: { lunch: '13:50' } },
      contradictionKinds: { guestWithoutOrder: true },
    })
    expect(first.body).toEqual({ changed: true })
    expect((await set({ mealRules: { mealTimes: { dinner: null } }, locale: 'ro' })).status).toBe(200)
    const { rules } = (await api.get('/v1/meals/portions?startDate=2025-01-11&endDate=2025-01-11')).body
    expect(rules).toMatchObject({
      mealTimes: { breakfast: null, lunch: '12:15', dinner: null },
      mealEnds: { breakfast: null, lunch: '13:50', dinner: null },
    })
    expect(await settings()).toMatchObject({
      locale: 'ro',
      contradictionKinds: { guestWithoutOrder: true, roomOverfull: true },
    })
    expect((await set({ locale: 'ro' })).body).toEqual({ changed: false })
  })

  it('are refused with every problem, and then nothing changes', async () => {
    const before = await settings()
    const refused = await set({
      locale: 'de',
      mealRules: { mealTimes: { lunch: '25:00' }, dietFields: [{ field: 'absent' }] },
    })
    expect(refused.status).toBe(400)
    expect(named(refused)?.join('\n')).toContain('changes.mealRules.mealTimes.lunch: ')
    expect(named(await set({ mealRules: { mealEnds: { dinner: '20:00' } } }))?.join('\n')).toContain(
      'an end needs the time at which the meal begins',
    )
    expect(named(await set({ mealRules: { dietFields: [{ field: 'absent' }] } }))).toEqual([
      'changes.mealRules.dietFields[0].field: mealRules.dietFields[0].field is "absent"; there is no such custom field, neither in the database nor among these records.',
    ])
    expect(named(await set({ apiAccess: false, locales: 'en' }))).toEqual([
      expect.stringContaining('changes.apiAccess: This is no setting of the center that an action sets'),
      expect.stringContaining('Did you mean locale?'),
    ])
    expect((await act('set-center', { changes: [] })).status).toBe(400)
    expect(await settings()).toEqual(before)
  })
})

describe('a diet', () => {
  it('becomes an allergy in the kitchen, by each of its spellings, and the rest of the text is unknown', async () => {
    expect((await act('set-diet', HAZELNUT)).body).toEqual({ changed: true })
    const kinds = async () => {
      const { days } = (
        await api.get('/v1/meals/portions?startDate=2025-01-11&endDate=2025-01-11&includeGuests=true')
      ).body as unknown as { days: { guestList: { diets: { value: string; kind: string }[] }[] }[] }
      return days[0]?.guestList[0]?.diets.map(({ value, kind }) => `${value} ${kind}`)
    }
    expect(await kinds()).toEqual(['oat milk unknown', 'hazelnuts allergy'])
    await act('set-diet', { field: 'food', value: 'oat milk', otherSpellings: [], meaning: 'diet' })
    expect(await kinds()).toEqual(['hazelnuts allergy', 'oat milk diet'])
    // The same value again replaces it.
    await act('set-diet', { ...HAZELNUT, otherSpellings: [] })
    expect((await settings()).mealRules).toMatchObject({
      dietFields: [
        {
          field: 'food',
          values: [
            { value: 'oat milk', isAllergy: false },
            { value: 'hazelnuts', otherSpellings: [], isAllergy: true },
          ],
        },
      ],
    })
    await act('set-diet', { ...HAZELNUT, meaning: 'unknown' })
    expect(await kinds()).toEqual(['Hazelnuts unknown', 'oat milk diet'])
  })

  it('that an import called an allergy stays one when a value is added', async () => {
    const center = await api.newCenter([metaField('food')], {
      mealRules: { dietFields: [{ field: 'food', allergies: ['egg'] }] },
    })
    const own = api.as(await api.createKey({ center: center.id, scopes: [ADMINISTRATION] }))
    await act('set-diet', { field: 'food', value: 'vegan', otherSpellings: [], meaning: 'diet' }, own)
    expect((await settings(own)).mealRules).toMatchObject({
      dietFields: [
        {
          allergies: [],
          values: [
            { value: 'egg', isAllergy: true },
            { value: 'vegan', isAllergy: false },
          ],
        },
      ],
    })
  })

  it.each([
    ['born', 'a custom field of the type date'],
    ['absent', 'there is no such custom field'],
  ])('cannot be of the field %s', async (field, why) => {
    expect(named(await act('set-diet', { ...HAZELNUT, field }))?.join()).toContain(why)
  })

  it('cannot have a spelling of another one, or a sign at which text is split', async () => {
    await act('set-diet', HAZELNUT)
    expect(
      named(await act('set-diet', { ...HAZELNUT, value: 'nougat', otherSpellings: ['FILBERTS'] }))?.join(),
    ).toContain('compared without case and accents')
    expect(named(await act('set-diet', { ...HAZELNUT, value: 'a, b' }))?.join()).toContain(
      'at which text is split',
    )
  })
})

it('settings of one center are of no other, and the trail names what changed without its text', async () => {
  await act('set-diet', { field: 'food', value: 'Plantedword', otherSpellings: [], meaning: 'allergy' })
  const theirs = api.as(await api.createKey({ center: other.id, scopes: [ADMINISTRATION] }))
  expect((await settings(theirs)).mealRules).toMatchObject({ dietFields: [] })
  const entries = (await entriesOf(api.database)).filter(({ center_id }) => center_id === 'spa')
  const trail = JSON.stringify(entries, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  expect(trail).toContain('setDiet')
  expect(trail).toContain('mealRules.mealTimes')
  expect(trail).not.toContain('Plantedword')
})

import { beforeAll, describe, expect, it } from 'vitest'
import { namedParameters, startTestApi, type TestApi } from '../../support/api.ts'
import { guest, metaField, session, spa, term } from '../../support/world.ts'

const JANUARY = 'startDate=2025-01-01&endDate=2025-01-31'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({
    records: [
      spa(),
      session('s1', '2025-01-06T12:00', '2025-01-12T12:00'),
      term('program', 'detox', 'Detox'),
      metaField('shoeSize', { type: 'number' }),
      metaField('diet', { of: 'booking' }),
      metaField('first.stay', { type: 'date' }),
      ...guest(
        'b1',
        {
          sessionIds: ['s1'],
          programId: 'detox',
          skippingMeals: { breakfast: ['2025-01-12', '2025-01-11'] },
          financial: { total: 1234.5, deposit: { amount: 100, notes: 'by phone' } },
          meta: { diet: 'vegan' },
        },
        {
          firstName: 'Ioana',
          lastName: 'Popescu',
          email: 'ioana@example.com',
          dob: '1980-01-12',
          address: { city: 'Brașov', zip: '500001' },
          meta: { shoeSize: 38.5, 'first.stay': '2020-05-01' },
        },
      ),
    ],
  })
})
const record = async (query: string) => {
  const answer = await api.get(`/v1/guests?${JANUARY}${query}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data[0] ?? { ids: {} }
}

describe('200', () => {
  it('ruling 20: without project exactly the fields of the interface’s sample come', async () => {
    expect(await record('')).toEqual({
      firstName: 'Ioana',
      lastName: 'Popescu',
      email: 'ioana@example.com',
      startDate: '01/10/2025',
      endDate: '01/15/2025',
      status: 'Confirmed',
      role: 'Patient',
      skippingMeals: { breakfast: ['2025-01-11', '2025-01-12'], lunch: [], dinner: [] },
      ids: { role: 'patient', status: 'confirmed', sessionId: 's1' },
    })
  })
  it('ruling 20: with project exactly the named fields come, and ids', async () => {
    expect(await record('&project=firstName,email')).toEqual({
      firstName: 'Ioana',
      email: 'ioana@example.com',
      ids: { role: 'patient', status: 'confirmed', sessionId: 's1' },
    })
  })
  it('interface, ids: startDate and endDate are ISO timestamps and come only when named', async () => {
    expect((await record('')).ids).not.toHaveProperty('startDate')
    expect((await record('&project=firstName,startDate')).ids).toEqual({
      role: 'patient',
      status: 'confirmed',
      sessionId: 's1',
      startDate: '2025-01-10T12:00:00.000Z',
    })
    expect((await record('&project=endDate,startDate')).ids).toMatchObject({
      startDate: '2025-01-10T12:00:00.000Z',
      endDate: '2025-01-15T08:00:00.000Z',
    })
  })
  it('ruling 9: project takes commas, repetition, or both, and a name twice is named once', async () => {
    const expected = await record('&project=firstName,lastName,email')
    expect(await record('&project=firstName&project=lastName&project=email')).toEqual(expected)
    expect(await record('&project=firstName,lastName&project=email,firstName')).toEqual(expected)
    expect(await record('&project=firstName,%20lastName%20,+email')).toEqual(expected)
  })
  it('ruling 9: ids may be named and changes nothing', async () => {
    expect(await record('&project=firstName,ids')).toEqual(await record('&project=firstName'))
    expect(await record('&project=ids')).toEqual({
      ids: { role: 'patient', status: 'confirmed', sessionId: 's1' },
    })
  })
  it('ruling 21: a dotted name comes back nested, and its neighbours stay away', async () => {
    expect(await record('&project=address.city')).toMatchObject({ address: { city: 'Brașov' } })
    expect((await record('&project=address.city,address.zip')).address).toEqual({
      city: 'Brașov',
      zip: '500001',
    })
    expect((await record('&project=address.city')).address).toEqual({ city: 'Brașov' })
  })
  it('ruling 21: a named field without a value is null, never absent', async () => {
    expect(await record('&project=phone,address.street,dob,orderNumber,meta.diet')).toEqual({
      phone: null,
      address: { street: null },
      dob: '01/12/1980',
      orderNumber: null,
      meta: { diet: 'vegan' },
      ids: { role: 'patient', status: 'confirmed', sessionId: 's1', dob: '1980-01-12' },
    })
    expect(await record('&project=bookedAt,acc.roomId')).toMatchObject({
      bookedAt: null,
      acc: { roomId: null },
      ids: { bookedAt: null, acc: { roomId: null } },
    })
  })
  it('ruling 21: financial.deposit is short for all below it', async () => {
    const named = await record('&project=financial.deposit')
    expect(named.financial).toEqual({
      deposit: { amount: '€100.00', notes: 'by phone', paidAt: null, paymentType: null },
    })
    expect(named.ids.financial).toEqual({ deposit: { amount: 100, paidAt: null, paymentType: null } })
  })
  it('ruling 21: financial.fullPayment is short for all below it, null where nothing was paid', async () => {
    expect((await record('&project=financial.fullPayment')).financial).toEqual({
      fullPayment: { amount: null, notes: null, paidAt: null, paymentType: null },
    })
  })
  it('ruling 21: a group and a field of it named together come once', async () => {
    expect(await record('&project=financial.deposit,financial.deposit.amount,financial.total')).toEqual(
      await record('&project=financial.total,financial.deposit'),
    )
  })
  it('ruling 22: where a named field is humanized, ids carries its raw value under the same path', async () => {
    expect(await record('&project=programId,dob,financial.total,financial.deposit.amount,status')).toEqual({
      programId: 'Detox',
      dob: '01/12/1980',
      financial: { total: '€1,234.50', deposit: { amount: '€100.00' } },
      status: 'Confirmed',
      ids: {
        role: 'patient',
        status: 'confirmed',
        sessionId: 's1',
        programId: 'detox',
        dob: '1980-01-12',
        financial: { total: 1234.5, deposit: { amount: 100 } },
      },
    })
  })
  it('ruling 22: a field that is shown as it is has nothing in ids', async () => {
    expect(Object.keys((await record('&project=firstName,email,address.city,skippingMeals')).ids)).toEqual([
      'role',
      'status',
      'sessionId',
    ])
  })
  it('ruling 23: id is the booking’s own identifier, and the report names the same', async () => {
    expect((await record('&project=id')).id).toBe('b1')
    const report = await api.get('/v1/guests/meal-skipping-report?sessionId=s1')
    expect(Object.keys(report.body.byGuest)).toEqual(['b1'])
  })
  it('ruling 23: id comes only where it is named', async () => {
    expect(await record('')).not.toHaveProperty('id')
    expect((await record('')).ids).not.toHaveProperty('id')
  })
  it('interface, meta: custom fields of customer and booking come under their prefix', async () => {
    expect(await record('&project=meta.shoeSize,meta.diet')).toMatchObject({
      meta: { shoeSize: 38.5, diet: 'vegan' },
    })
  })
  it('interface, meta: a key with a dot is one key, and a date is localized with its raw value in ids', async () => {
    const named = await record('&project=meta.first.stay')
    expect(named.meta).toEqual({ 'first.stay': '05/01/2020' })
    expect(named.ids.meta).toEqual({ 'first.stay': '2020-05-01' })
  })
  it('interface, skippingMeals: all three meals are there, an empty array where none is skipped', async () => {
    const own = await api.newCenter(guest('b2'))
    const answer = await own.get(`/v1/guests?${JANUARY}&project=skippingMeals`)
    expect(answer.body.data[0]?.skippingMeals).toEqual({ breakfast: [], lunch: [], dinner: [] })
  })
})

describe('400', () => {
  it('ruling 26: a custom field that the center does not define is refused, and the ones it has are named', async () => {
    const answer = await api.get(`/v1/guests?${JANUARY}&project=meta.hatSize`)
    expect(answer.status).toBe(400)
    expect(namedParameters(answer)).toEqual(['project'])
    expect(answer.text).toContain('meta.shoeSize')
  })
  it('ruling 26: a custom field of another center is as unknown as any', async () => {
    const own = await api.newCenter([metaField('ours')])
    expect((await own.get(`/v1/guests?${JANUARY}&project=meta.ours`)).status).toBe(200)
    expect((await own.get(`/v1/guests?${JANUARY}&project=meta.shoeSize`)).status).toBe(400)
  })
  it('interface, meta: a custom field without its prefix is refused with the prefix', async () => {
    const answer = await api.get(`/v1/guests?${JANUARY}&project=shoeSize`)
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('meta.shoeSize')
  })
  it.each(['address', 'financial', 'acc', 'formData', 'medicalLetter', 'medicalData', 'meta'])(
    'ruling 21: the group %s is not itself in the list and is refused',
    async (group) => {
      const answer = await api.get(`/v1/guests?${JANUARY}&project=${group}`)
      expect(answer.status).toBe(400)
      expect(namedParameters(answer)).toEqual(['project'])
    },
  )
  it('ruling 21: a refused group names its fields', async () => {
    const answer = await api.get(`/v1/guests?${JANUARY}&project=address`)
    expect(answer.text).toContain('address.street, address.city')
  })
  it.each([
    ['firstname', 'firstName'],
    ['first_name', 'firstName'],
    ['lastNam', 'lastName'],
    ['skipingMeals', 'skippingMeals'],
    ['adress.city', 'address.city'],
    ['financial.totl', 'financial.total'],
  ])('ruling 8: the unknown field %s is refused with %s as what was meant', async (given, meant) => {
    const answer = await api.get(`/v1/guests?${JANUARY}&project=${given}`)
    expect(answer.status).toBe(400)
    expect(answer.body.error.message).toContain(`Did you mean ${meant}?`)
  })
  it('ruling 8: every unknown name of a projection is named in one answer', async () => {
    const answer = await api.get(`/v1/guests?${JANUARY}&project=one,firstName,two,address`)
    expect(namedParameters(answer)).toEqual(['project', 'project', 'project'])
  })
  it.each([
    '*',
    'id;drop table bookings',
    "firstName'",
    'constructor',
    '__proto__',
    'toString',
    'ids.role',
    'meta.__proto__',
    'meta.',
    'firstName.length',
    'x\u0000y',
    'ab\ud800',
    'x'.repeat(10_000),
  ])('ruling 9: %j is no field, never a 500', async (name) => {
    const answer = await api.get(`/v1/guests?${JANUARY}&${new URLSearchParams({ project: name })}`)
    expect(answer.status).toBe(400)
    expect(namedParameters(answer)).toEqual(['project'])
  })
})

it('a custom field is that of the center that asks, whichever asked first', async () => {
  const one = await api.newCenter([metaField('onlyHere')])
  const other = await api.newCenter([])
  const status = async (center: typeof one) =>
    (await center.get(`/v1/guests?${JANUARY}&project=firstName,meta.onlyHere`)).status
  expect([await status(other), await status(one), await status(other)]).toEqual([400, 200, 400])
})

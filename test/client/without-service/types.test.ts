/** What the client's types promise and refuse: `npm run check:types` compiles this file. */
import { describe, expectTypeOf, it } from 'vitest'
import { type Guest, type GuestFieldName, type Projected, Sojourn } from '../../../client/src/index.ts'

const GUEST = { id: 'b-1', address: {}, meta: {}, ids: {} }
const fetchOne = async () => Response.json({ data: [GUEST], total: 1 })
const options = { url: 'http://sojourn.example', key: 'sjn_key_test', fetch: fetchOne }
const sojourn = new Sojourn<{ shoeSize: number; diet: string }>(options)

describe('a projection', () => {
  it('gives exactly what was named, and its raw values in ids', async () => {
    const { data } = await sojourn.guests.list({ sessionId: 's', project: ['name', 'dob', 'address.city'] })
    const guest = data[0]!
    expectTypeOf<keyof typeof guest>().toEqualTypeOf<'name' | 'dob' | 'address' | 'ids'>()
    expectTypeOf(guest.name).toEqualTypeOf<string>()
    expectTypeOf(guest.address).toEqualTypeOf<{ city: string | null }>()
    expectTypeOf(guest.ids.dob).toEqualTypeOf<string | null>()
    expectTypeOf(guest.ids.role).toEqualTypeOf<'patient' | 'companion' | 'guest'>()
    expectTypeOf<keyof typeof guest.ids>().toEqualTypeOf<
      'role' | 'status' | 'sessionId' | 'sessionIds' | 'dob'
    >()
  })

  it('is short for all fields of a group, where it names the group', () => {
    type Paid = Projected<readonly ['financial.deposit']>
    expectTypeOf<Paid['financial']>().toEqualTypeOf<{
      deposit: {
        amount: string | null
        notes: string | null
        paidAt: string | null
        paymentType: string | null
      }
    }>()
    expectTypeOf<Paid['ids']['financial']['deposit']['amount']>().toEqualTypeOf<number | null>()
  })

  it('joins names of one group', () => {
    type Both = Projected<readonly ['address.city', 'address.zip']>
    expectTypeOf<Both['address']>().toEqualTypeOf<{ city: string | null; zip: string | null }>()
  })

  it('has custom fields as the type argument says', async () => {
    for await (const guest of sojourn.guests.all({ sessionId: 's', project: ['id', 'meta.shoeSize'] })) {
      expectTypeOf(guest.meta).toEqualTypeOf<{ shoeSize: number | null }>()
      expectTypeOf(guest.id).toEqualTypeOf<string>()
    }
    for await (const guest of new Sojourn(options).guests.all({ sessionId: 's', project: ['meta.any'] })) {
      expectTypeOf(guest.meta).toEqualTypeOf<{ any: unknown }>()
    }
  })

  it('is of the usual fields, where none are named', async () => {
    const { data } = await sojourn.guests.list({ sessionId: 's' })
    const guest = data[0]!
    expectTypeOf(guest.email).toEqualTypeOf<string | null>()
    expectTypeOf(guest.ids.startDate).toEqualTypeOf<string>()
    // @ts-expect-error a field that was not asked for
    void guest.dob
  })

  it('is of perhaps any field, where the names are known only when the program runs', async () => {
    const names: GuestFieldName[] = ['name']
    const { data } = await sojourn.guests.list({ sessionId: 's', project: names })
    expectTypeOf(data).toEqualTypeOf<Guest[]>()
  })
})

it('what the service would refuse does not compile', () => {
  const calls = () => [
    // @ts-expect-error neither dates nor a session
    sojourn.guests.list({}),
    // @ts-expect-error one date alone
    sojourn.guests.list({ startDate: '2025-01-01' }),
    // @ts-expect-error sessions that are only excluded
    sojourn.guests.list({ sessionIdsExclude: ['s'] }),
    // @ts-expect-error a parameter that there is not
    sojourn.guests.list({ sessionId: 's', sessionID: 's' }),
    // @ts-expect-error a label in place of a state
    sojourn.guests.list({ sessionId: 's', status: 'Confirmed' }),
    // @ts-expect-error a field that no guest has
    sojourn.guests.list({ sessionId: 's', project: ['frstName'] }),
    // @ts-expect-error a custom field that the center has not
    sojourn.guests.list({ sessionId: 's', project: ['meta.hatSize'] }),
    // @ts-expect-error a list as a text
    sojourn.guests.list({ sessionId: 's', project: 'name' }),
    // @ts-expect-error a Date
    sojourn.guests.list({ startDate: new Date(), endDate: new Date() }),
    // @ts-expect-error `all` counts the pages itself
    sojourn.guests.all({ sessionId: 's', start: 2 }),
    // @ts-expect-error no range
    sojourn.sessions.list({}),
    // @ts-expect-error half a range
    sojourn.orders.list({ startDate: '2025-01-01' }),
    // @ts-expect-error not a boolean
    sojourn.orders.list({ startDate: '2025-01-01', endDate: '2025-01-31', includeGuestNames: 'yes' }),
    // @ts-expect-error an order by its number
    sojourn.orders.get(12),
    // @ts-expect-error a kind that there is not
    sojourn.changes.list({ kinds: ['rooms'] }),
    // @ts-expect-error neither dates nor a session
    sojourn.guests.mealSkippingReport({}),
    // @ts-expect-error no key
    new Sojourn({ url: 'http://sojourn.example' }),
  ]
  expectTypeOf(calls).toBeFunction()
})

it('what is asked for right compiles', () => {
  const calls = () => [
    sojourn.guests.list({ startDate: '2025-01-01', endDate: '2025-01-31', sessionIdsExclude: ['s'] }),
    sojourn.guests.list({ sessionIds: ['a', 'b'], role: 'patient', status: 'arrived', start: 2, length: 10 }),
    sojourn.guests.mealSkippingReport({ startDate: '2025-01-01', endDate: '2025-01-31' }),
    sojourn.guests.mealSkippingReport({ sessionId: 's' }, { signal: AbortSignal.abort() }),
    sojourn.orders.get('order_123456', { includeGuestNames: true }),
    sojourn.usage({ startDate: '2025-01-01' }),
    sojourn.sessions.all({ startDate: '2025-01-01', endDate: '2025-01-31' }),
    sojourn.changes.follow({ kinds: ['guests'], sessionId: 's' }),
  ]
  expectTypeOf(calls).toBeFunction()
})

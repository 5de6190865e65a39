/** `GET /search`: one search for guests and orders of all dates. */
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Scope } from '../../../src/core/access/keys/scopes.ts'
import { phoneDigits } from '../../../src/parts/search/search.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { booking, customer, guest, LODGE, lodge, order, spa, stay, term } from '../../support/world.ts'

const NOW = '2025-01-12T10:00:00Z'

const RECORDS = [
  spa(),
  lodge(),
  term('room', 'r-205', '205', { names: { de: 'Zimmer 205' } }),
  term('room', 'r-cabin', 'Cabin by the Lake'),
  order('order-171', { number: '2026-00171', paymentStatus: 'paid', status: 'completed' }),
  order('order-9', { number: '2026-00009', orderDate: '2024-12-05T12:00' }),
  ...guest(
    'jasper',
    {
      orderUuid: 'order-171',
      isOrderMainGuest: true,
      bookingId: '25-S1-019',
      acc: { roomId: 'r-205' },
    },
    {
      firstName: 'Jasper',
      lastName: 'Merrowdale',
      email: 'j.merrowdale@example.org',
      phone: '+47 555 01 342',
    },
  ),
  booking('jasper-next', {
    customerId: 'c-jasper',
    startDate: '2025-03-01T14:00',
    endDate: '2025-03-05T10:00',
    acc: { roomId: 'r-cabin' },
  }),
  ...guest(
    'fiona',
    { orderUuid: 'order-171', acc: { roomId: 'Loft 7' } },
    { firstName: 'Fiona', lastName: 'Merrowdale', secondaryPhone: '0722 / 123 456' },
  ),
  ...stay('harriet', '2024-09-08', '2024-09-17', {
    orderUuid: 'order-9',
    acc: { roomId: 'r-205' },
  }).map((record) =>
    record.kind === 'customer' ? { ...record, firstName: 'Harriet', lastName: 'Merrowdale' } : record,
  ),
  ...guest('gone', { status: 'cancelled' }, { firstName: 'Edmund', lastName: 'Merrowdale' }),
  ...guest('iulia', {}, { firstName: 'Юлия', lastName: 'Шевченко' }),
  ...guest(
    'moves',
    {
      accSegments: [
        { from: '2025-01-10', until: '2025-01-12', roomId: 'r-cabin' },
        { from: '2025-01-12', until: '2025-01-15', roomId: 'r-205' },
      ],
    },
    { firstName: 'Mona', lastName: 'Moves' },
  ),
  ...guest('ursula', {}, { firstName: 'Ursula', lastName: 'Wiesental', dob: '1961-04-09' }),
  ...guest('turned', {}, { firstName: 'Otto', lastName: 'Brandeis', dob: '1961-09-04' }),
  ...guest('bo', {}, { firstName: 'Bo', lastName: 'Li', email: 'bo@example.org' }),
  customer('c-nobody', { firstName: 'Never', lastName: 'Merrowbooked' }),
  customer('c-other', {
    centerId: LODGE,
    firstName: 'Olga',
    lastName: 'Merrowdale',
    phone: '+47 555 01 342',
  }),
  booking('other', { centerId: LODGE, customerId: 'c-other', acc: { roomId: 'r-205' } }),
]

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ records: RECORDS, now: NOW })
})

interface Group {
  readonly total: number
  readonly complete: boolean
  readonly comparedWith: readonly string[]
  readonly data: readonly { id: string; uuid: string; matched: readonly unknown[]; [more: string]: unknown }[]
}

async function search(q: string, more = '', as: Pick<TestApi, 'get'> = api) {
  const answer = await as.get(`/v1/search?q=${encodeURIComponent(q)}${more}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.body as unknown as {
    guests: Group | null
    orders: Group | null
    withheld: readonly unknown[]
  }
}
const ids = async (q: string) => (await search(q)).guests?.data.map(({ id }) => id)
const uuids = async (q: string) => (await search(q)).orders?.data.map(({ uuid }) => uuid)

const withScopes = async (scopes: readonly Scope[], center?: string) =>
  api.as(await api.createKey({ scopes, ...(center === undefined ? {} : { center }) }))

describe('200', () => {
  it.each([
    ['merrow', ['fiona', 'jasper', 'harriet', 'gone']],
    ['MERROWDALE fiona', ['fiona']],
    ['Shevchenko', ['iulia']],
    ['j.merrow', ['jasper']],
    ['J.Merrowdale@Example.org', ['jasper']],
    ['merrowdale@exa', ['jasper']],
    ['bo@example.org', ['bo']],
    ['j.merrowdale@elsewhere.org', []],
    ['01 342', ['jasper']],
    ['+47 555', ['jasper']],
    ['0047 555 01', ['jasper']],
    ['0722123', ['fiona']],
    ['123-456', ['fiona']],
    ['25-S1', ['jasper']],
    ['019', ['jasper']],
    ['205', ['jasper', 'moves', 'harriet']],
    ['zimmer 205', ['jasper', 'moves', 'harriet']],
    ['LÖFT 7', ['fiona']],
    ['loft 7', ['fiona']],
    ['lake', ['moves', 'jasper-next']],
    ['nobody here', []],
    // One letter of a word is wrong, missing, too many, or exchanged with the next one.
    ['Wiesentel', ['ursula']],
    ['wisental', ['ursula']],
    ['Wiesenthall', ['ursula']],
    ['Wiesetnal ursula', ['ursula']],
    ['Ursla Wiesental', ['ursula']],
    ['Wiesemt', ['ursula']],
    ['Shevchemko', ['iulia']],
    ['Шевченго', ['iulia']],
    // Two are.
    ['Wizentel', []],
    ['Ursla Wiesentel', []],
    // Of a date, the exact one first; day and month may be exchanged.
    ['09.04.1961', ['ursula', 'turned']],
    ['1961-09-04', ['turned', 'ursula']],
    ['9. 4. 61', ['ursula', 'turned']],
    ['٠٩/٠٤/١٩٦١', ['turned', 'ursula']],
    ['09.05.1961', []],
  ])('ruling 41: guests of all dates are found by what people know of them: %s', async (q, expected) => {
    expect(await ids(q)).toEqual(expected)
  })

  it.each([
    ['00171', ['order-171']],
    ['171', ['order-171']],
    ['2026 001', ['order-171']],
    ['2026-0', ['order-171', 'order-9']],
    ['order-9', ['order-9']],
    ['merrowdale', ['order-171', 'order-9']],
    ['01 342', []],
  ])('orders are found by number, identifier and the names of their guests: %s', async (q, expected) => {
    expect(await uuids(q)).toEqual(expected)
  })

  it('a person is shown once, with the stay of now, and with the value that was found', async () => {
    const { guests, orders, withheld } = await search('01 342')
    expect(guests).toEqual({
      total: 1,
      complete: true,
      comparedWith: ['name', 'room', 'bookingId', 'email', 'phone'],
      data: [
        {
          id: 'jasper',
          firstName: 'Jasper',
          lastName: 'Merrowdale',
          room: '205',
          startDate: '01/10/2025',
          endDate: '01/15/2025',
          status: 'Confirmed',
          when: 'here',
          matched: [{ by: 'phone', value: '+47 555 01 342' }],
          similar: false,
          ids: {
            room: 'r-205',
            startDate: '2025-01-10T12:00:00.000Z',
            endDate: '2025-01-15T08:00:00.000Z',
            status: 'confirmed',
          },
        },
      ],
    })
    expect(orders).toEqual({
      total: 0,
      complete: true,
      comparedWith: ['orderNumber', 'uuid', 'name'],
      data: [],
    })
    expect(withheld).toEqual([])
  })

  it('an order has its number, labels and the first names of its guests', async () => {
    expect((await search('00171')).orders?.data).toEqual([
      {
        uuid: 'order-171',
        orderNumber: '2026-00171',
        orderDate: '01/05/2025',
        status: 'Completed',
        paymentStatus: 'Paid',
        guestNames: ['Jasper Merrowdale', 'Fiona Merrowdale'],
        guests: 2,
        matched: [{ by: 'orderNumber' }],
        similar: false,
        ids: { orderDate: '2025-01-05T10:00:00.000Z', status: 'completed', paymentStatus: 'paid' },
      },
    ])
  })

  it('those in the house come first, then those to come, those of the past, and bookings that are not active', async () => {
    const found = (await search('merrow')).guests?.data.map(({ id, when }) => [id, when])
    expect(found).toEqual([
      ['fiona', 'here'],
      ['jasper', 'here'],
      ['harriet', 'past'],
      ['gone', 'inactive'],
    ])
  })

  it('exact names come before similar ones, of guests and of orders, and say which they are', async () => {
    const { id, key } = await api.newCenter([
      order('of-exact', { orderDate: '2024-01-05T12:00' }),
      order('of-similar', { orderDate: '2025-01-05T12:00' }),
      ...guest('similar', { orderUuid: 'of-similar' }, { firstName: 'Vera', lastName: 'Halvorson' }),
      ...stay('exact', '2024-09-08', '2024-09-17', { orderUuid: 'of-exact' }).map((record) =>
        record.kind === 'customer' ? { ...record, firstName: 'Tom', lastName: 'Halvorsen' } : record,
      ),
    ])
    expect(id).not.toBe('')
    const { guests, orders } = await search('halvorsen', '', api.as(key))
    const said = (group: Group | null) =>
      group?.data.map(({ id, uuid, similar, matched }) => [id ?? uuid, similar, matched])
    expect(said(guests)).toEqual([
      ['exact', false, [{ by: 'name', value: null }]],
      ['similar', true, [{ by: 'similarName', value: null }]],
    ])
    expect(said(orders)).toEqual([
      ['of-exact', false, [{ by: 'name' }]],
      ['of-similar', true, [{ by: 'similarName' }]],
    ])
  })

  it('a date of birth is shown with what was found, and needs guests.personal', async () => {
    const { guests } = await search('09.04.1961')
    expect(guests?.comparedWith).toContain('dob')
    expect(guests?.data.map(({ matched, similar }) => [matched, similar])).toEqual([
      [[{ by: 'dob', value: '04/09/1961' }], false],
      [[{ by: 'dob', value: '09/04/1961' }], true],
    ])
    const desk = await withScopes(['guests'])
    const [known, unknown] = [await search('09.04.1961', '', desk), await search('09.05.1961', '', desk)]
    expect(known).toEqual(unknown)
    expect(known.guests).toMatchObject({ total: 0, comparedWith: expect.not.arrayContaining(['dob']) })
    expect(known.withheld).toContainEqual({ group: 'datesOfBirth', scopes: ['guests.personal'] })
    expect((await search('wiesental', '', desk)).withheld).not.toContainEqual(
      expect.objectContaining({ group: 'datesOfBirth' }),
    )
  })

  it('length bounds each group, and total counts all', async () => {
    const { guests, orders } = await search('merrow', '&length=1')
    expect([guests?.data.length, guests?.total, guests?.complete]).toEqual([1, 4, true])
    expect([orders?.data.length, orders?.total, orders?.complete]).toEqual([1, 2, true])
  })

  it('says that there are more than it looks for', async () => {
    const many = await api.newCenter(
      Array.from({ length: 220 }, (_, at) =>
        guest(`b${at}`, {}, { firstName: 'Crowd', lastName: `Number ${at}` }),
      ).flat(),
    )
    const { guests } = await search('crowd', '', many)
    expect([guests?.data.length, guests?.total, guests?.complete]).toEqual([10, 201, false])
  })

  it('texts are values: quotes, operators and scripts find nothing, and change nothing', async () => {
    for (const q of [
      "a' & b:* | c!()",
      'abc\\',
      '<script>alert(1)</script>',
      '%%%aaa___',
      '〇〇〇',
      'ﷺﷺﷺ',
      '🙂abc🙂',
    ]) {
      const answer = await api.get(`/v1/search?q=${encodeURIComponent(q)}`)
      expect(answer.status, answer.text).toBe(200)
      expect(answer.body).toMatchObject({ guests: { total: 0, data: [] }, orders: { total: 0, data: [] } })
    }
  })
})

describe('what a key may not read', () => {
  it('ruling 6: a group needs its scope, and one that was not searched is listed without a count', async () => {
    const finance = await withScopes(['orders'])
    const found = await search('merrow', '', finance)
    expect(found.guests).toBeNull()
    expect(found.orders?.total).toBe(2)
    expect(found.withheld).toEqual([{ group: 'guests', scopes: ['guests'] }])
    const desk = await search('merrow', '', await withScopes(['guests']))
    expect(desk.orders).toBeNull()
    expect(desk.withheld).toEqual([{ group: 'orders', scopes: ['orders'] }])
  })

  it('ruling 6: what is withheld is the same whether there is anything in it or not, so it is no oracle', async () => {
    const finance = await withScopes(['orders'])
    const [existing, missing] = await Promise.all([
      search('01 342', '', finance),
      search('99 999', '', finance),
    ])
    expect(existing).toEqual(missing)
  })

  it('a key with only orders finds none by a phone number, an e-mail address, a room or a booking number', async () => {
    const finance = await withScopes(['orders'])
    for (const q of ['01 342', 'j.merrowdale@example', '205', '25-S1-019', 'loft 7']) {
      expect((await search(q, '', finance)).orders?.data, q).toEqual([])
    }
  })

  it.each([[['guests.medical'] as const], [['meals', 'sessions', 'rooms'] as const]])(
    '403 without one of the scopes: %s',
    async (scopes) => {
      const { status, body } = await (await withScopes(scopes)).get('/v1/search?q=merrow')
      expect(status).toBe(403)
      expect(body.error.message).toContain('guests')
    },
  )

  it('ruling 45: a key that reads under pseudonyms may not search', async () => {
    const lab = await api.newCenter(guest('g1', {}, { lastName: 'Merrowdale' }), { pseudonymousReads: true })
    const key = await api.createKey({ center: lab.id, scopes: ['guests.medical'] })
    expect((await api.as(key).get('/v1/search?q=merrow')).status).toBe(403)
  })

  it('one center never finds anything of another', async () => {
    const other = await withScopes(['guests', 'orders'], LODGE)
    const { guests } = await search('merrow', '', other)
    expect(guests?.data.map(({ id }) => id)).toEqual(['other'])
    for (const q of ['25-S1', '00171', 'order-171', 'loft 7', 'zimmer 205', 'Shevchenko']) {
      const found = await search(q, '', other)
      expect([found.guests?.total, found.orders?.total], q).toEqual([0, 0])
    }
  })
})

describe('400', () => {
  it.each([
    ['', 'q is required. Give at least 3 letters or digits.'],
    ['?q=', 'q is empty. Give it a value or leave it out.'],
    ['?q=ab', 'q has fewer than 3 letters or digits. Give at least 3.'],
    ['?q=-%20-a%20b-', 'q has fewer than 3 letters or digits. Give at least 3.'],
    ['?q=abc&length=51', 'length 51 is above 50. Ask for 50 or fewer.'],
    [`?q=${'a'.repeat(101)}`, 'The value has 101 characters; at most 100 are allowed.'],
    ['?q=abc%00', 'The value contains a NUL character, which is not allowed.'],
  ])('%s says what is wrong', async (query, message) => {
    const asker = await withScopes(['guests', 'orders'])
    const { status, body } = await asker.get(`/v1/search${query}`)
    expect(status).toBe(400)
    expect(body.error.details?.map((one) => one.message)).toContain(message)
    expect(JSON.stringify(body)).not.toContain('aaaa')
  })
})

describe('its own limit', () => {
  it('ruling 41: 429 after 60 searches a minute, while other requests of the key go on', async () => {
    const key = await api.createKey({ scopes: ['guests'] })
    const asker = api.as(key)
    for (let at = 0; at < 60; at += 1) {
      expect((await asker.get(`/v1/search?q=${at % 2 === 0 ? 'merrow' : 'ab'}`)).status).not.toBe(429)
    }
    const refused = await asker.get('/v1/search?q=merrow')
    expect(refused.status).toBe(429)
    expect(refused.headers['retry-after']).toBe('60')
    expect(refused.body.error.message).toBe(
      'This key may make 60 search requests a minute and 600 search requests an hour. Retry in 60 s.',
    )
    expect((await asker.get('/v1/guests?inHouse=2025-01-12')).status).toBe(200)
  })
})

it('ruling 41: the trail has the search with its scopes and records, and not its words', async () => {
  const key = await api.createKey({ scopes: ['guests'] })
  await search('merrowdale fiona', '', api.as(key))
  await api.app.close()
  const entries = await api.database.query<{
    operation: string
    query: string
    scopes: string
    records: number
  }>(sql`select operation, query, scopes, records from audit_entries where public_key = ${key.publicKey}`)
  expect(entries).toEqual([{ operation: 'search', query: 'q=%28hidden%29', scopes: 'guests', records: 1 }])
})

it.each([
  ['07221', '7221'],
  ['+47 (0) 555', '47555'],
  ['555 01', '55501'],
  ['205', undefined],
  ['00171', undefined],
  ['12a45', undefined],
])('the digits of a part of a phone number: %s', (q, digits) => {
  expect(phoneDigits(q)).toBe(digits)
})

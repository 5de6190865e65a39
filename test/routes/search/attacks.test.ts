/** `GET /search` used to learn what a key may not read: fields, groups, other centers; and texts that are written to break it. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { Scope } from '../../../src/core/access/keys/scopes.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import {
  booking,
  customer,
  guest,
  metaField,
  order,
  session,
  spa,
  type TestRecord,
} from '../../support/world.ts'

const NOW = '2025-01-12T10:00:00Z'

/** Each value is in one field that a search does not compare, and nowhere else. */
const HIDDEN = {
  pin: 'PIN7731HIDDEN',
  internalId: 'INT8842HIDDEN',
  street: 'Hiddenstreet',
  city: 'Hiddencity',
  referral: 'Hiddenreferral',
  meta: 'Hiddenmeta',
  condition: 'Hiddencondition',
  note: 'Hiddennote',
  doctor: 'Hiddendoctor',
  payment: 'Hiddenpayment',
  orderNote: 'Hiddenordernote',
  billing: 'Hiddenbilling',
  item: 'Hiddenitem',
  session: 'Hiddensession',
  // The part of an address that thousands share.
  host: 'hiddenhost',
} as const

const RECORDS: TestRecord[] = [
  spa(),
  metaField('diet', { label: 'Diet' }),
  session('s1', '2025-01-06T12:00', '2025-01-19T12:00', { name: HIDDEN.session }),
  order('order-1', {
    number: '2026-00171',
    notes: HIDDEN.orderNote,
    billingAddress: { street: HIDDEN.billing, city: HIDDEN.billing },
    items: [{ itemId: HIDDEN.item, name: HIDDEN.item, quantity: 1, price: 1 }],
  }),
  ...guest(
    'jasper',
    {
      sessionIds: ['s1'],
      orderUuid: 'order-1',
      doctorName: HIDDEN.doctor,
      formData: { medicalConditions: HIDDEN.condition },
      medicalData: { notes: HIDDEN.note },
      financial: { deposit: { amount: 5, notes: HIDDEN.payment } },
    },
    {
      firstName: 'Jasper',
      lastName: 'Merrowdale',
      email: `jasper.m@${HIDDEN.host}.example`,
      phone: '+47 555 01 342',
      pin: HIDDEN.pin,
      internalId: HIDDEN.internalId,
      address: { street: HIDDEN.street, city: HIDDEN.city },
      referralType: HIDDEN.referral,
      meta: { diet: HIDDEN.meta },
    },
  ),
]

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ records: RECORDS, now: NOW })
})

type Asker = Pick<TestApi, 'get'>
const keyWith = async (scopes: readonly Scope[], center?: string): Promise<Asker> =>
  api.as(await api.createKey({ scopes, ...(center === undefined ? {} : { center }) }))

interface Group {
  readonly total: number
  readonly complete: boolean
  readonly data: readonly { readonly id: string }[]
}

async function search(q: string, asker: Asker) {
  const answer = await asker.get(`/v1/search?q=${encodeURIComponent(q)}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.body as unknown as { guests: Group | null; orders: Group | null; withheld: unknown }
}

describe('fields', () => {
  it.each(Object.entries(HIDDEN))(
    '%s is compared with nothing, whatever the key may read',
    async (_, value) => {
      for (const asker of [api, await keyWith(['guests', 'orders'])]) {
        const { guests, orders } = await search(value, asker)
        expect([guests?.total, guests?.complete, orders?.total, orders?.complete]).toEqual([0, true, 0, true])
      }
    },
  )

  it('ruling 6: a key with only orders is answered the same whether guests without an order have the name or not', async () => {
    const crowd = (name: string) =>
      Array.from({ length: 230 }, (_, at) =>
        guest(`b${at}`, {}, { firstName: name, lastName: `N${at}` }),
      ).flat()
    const [many, none] = await Promise.all([
      api.newCenter(crowd('Merrowdale')),
      api.newCenter(crowd('Somebody')),
    ])
    const answers = await Promise.all(
      [many, none].map(async ({ id }) => search('merrowdale', await keyWith(['orders'], id))),
    )
    expect(answers[0]).toEqual(answers[1])
    expect(answers[0]?.orders).toMatchObject({ total: 0, complete: true })
  })

  it('a key with only orders finds the order of a guest whose name very many have', async () => {
    const crowd = Array.from({ length: 230 }, (_, at) =>
      guest(`b${at}`, {}, { firstName: 'Crowd', lastName: `N${at}` }),
    ).flat()
    const center = await api.newCenter([
      ...crowd,
      order('o1'),
      ...guest('last', { orderUuid: 'o1' }, { firstName: 'Crowd', lastName: 'Last' }),
    ])
    const { orders } = await search('crowd', await keyWith(['orders'], center.id))
    expect(orders).toMatchObject({ total: 1, complete: true, data: [{ uuid: 'o1' }] })
  })

  it('a key with only guests learns nothing of orders', async () => {
    const desk = await keyWith(['guests'])
    const [existing, missing] = await Promise.all([search('2026-00171', desk), search('2026-00999', desk)])
    expect(existing).toEqual(missing)
    expect(existing.orders).toBeNull()
  })
})

describe('centers', () => {
  // The entries of the indexes begin with the center and a sign.
  it.each(['spa-', 'spa-jas', 'spa:jasper', 'spa_47555', 'spajasper', 'sp'])(
    'one whose identifier looks like an entry of another finds nothing of it, and the other way round: %s',
    async (id) => {
      const apart = await startTestApi({
        now: NOW,
        records: [
          ...RECORDS,
          { ...spa(), id, name: 'Other' },
          customer('c-other', {
            centerId: id,
            firstName: 'Jasper',
            lastName: 'Perlman',
            phone: '+47 555 01 999',
          }),
          booking('other', { centerId: id, customerId: 'c-other', bookingId: 'jas-per-1' }),
        ],
      })
      const own = apart.as(await apart.createKey({ scopes: ['guests', 'orders'] }))
      const other = apart.as(await apart.createKey({ scopes: ['guests', 'orders'], center: id }))
      for (const q of ['jasper', 'per', '4755501', 'jas-per', '2026-00171']) {
        const found = [await search(q, own), await search(q, other)]
        const [ids, others] = found.map(({ guests }) => guests?.data.map((one) => one.id) ?? [])
        expect(ids).not.toContain('other')
        expect(others).not.toContain('jasper')
      }
    },
  )
})

describe('texts', () => {
  it.each([
    // Patterns of SQL, of regular expressions, and of a search for text
    ['%%%%'],
    ['___abc___'],
    ['J%%sper'],
    ['Jasp_r'],
    ['.*.*jas.*zzz'],
    ['(j+a+)+$x'],
    ['^Jas.er$'],
    ['jas:* | per:*'],
    ["jas' | 'per"],
    ['!jasper & (zzz | :*)'],
    ['jasper <-> zzz'],
    ["'); drop table customers; --zzz"],
    ["' or 1=1 or 'a'='a"],
    ['abc\\'],
    ["\\'abc\\'"],
    ['$$abc$$ zzz'],
    ['$' + '{jasper}zzz'],
    // Very long words, and words that grow when they are normalized
    ['a'.repeat(100)],
    ['jasper'.repeat(16)],
    ['ﷺ'.repeat(100)],
    ['e\u0301'.repeat(50)],
    ['\u0344'.repeat(99)],
    ['a b '.repeat(25)],
    // Text that is not what it looks like
    ['\u202ejasper\u202czzz'],
    ['𝓙𝓪𝓼𝓹𝓮𝓻 zzz'],
    ['🙂🙂🙂abc'],
    ['\ud800abc'],
  ])('%j is a value: it finds nobody, and breaks nothing', async (q) => {
    const answer = await api.get(`/v1/search?q=${encodeURIComponent(q.toWellFormed())}`)
    expect([200, 400]).toContain(answer.status)
    if (answer.status === 200) {
      expect(answer.body).toMatchObject({ guests: { total: 0 }, orders: { total: 0 } })
    }
  })

  it.each(['a\u200b\u200b', '\u00ad\u00ad\u00adj', 'a\u0301\u0302\u0303', '\u202e\u202cab', '🙂🙂🙂'])(
    'signs that nobody sees are no letters: %j',
    async (q) => {
      const { status, body } = await api.get(`/v1/search?q=${encodeURIComponent(q)}`)
      expect(status).toBe(400)
      expect(body.error.details?.[0]?.message).toBe('q has fewer than 3 letters or digits. Give at least 3.')
    },
  )

  it.each([
    'Ｊａｓｐｅｒ',
    'JASPER\u00a0MERROWDALE',
    'jas\u200bper',
    'mér\u0301rowdale',
    '５５５ ０１ ３４２',
  ])('and other ways to write a name or a number find it or nothing: %j', async (q) => {
    const { guests } = await search(q, api)
    expect(guests?.data.map(({ id }) => id).filter((id) => id !== 'jasper')).toEqual([])
  })
})

describe('its limit', () => {
  it('counts both paths and both methods of a key together', async () => {
    const key = await api.createKey({ scopes: ['guests'] })
    const asker = api.as(key)
    const paths = ['/v1/search?q=merrow', '/search?q=merrow', '/search/?q=merrow&length=5']
    for (let at = 0; at < 60; at += 1) {
      expect((await asker.get(paths[at % 3] ?? '')).status).toBe(200)
    }
    for (const path of paths) expect((await asker.get(path)).status).toBe(429)
    expect((await asker.request('HEAD', paths[0] ?? '')).status).toBe(429)
  })
})

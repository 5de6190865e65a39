/** `GET /contradictions` and its dismissal: who may read which kind, what is counted as withheld, files, and changes. */
import { beforeAll, describe, expect, it } from 'vitest'
import { SCOPES, type Scope } from '../../../src/core/access/keys/scopes.ts'
import { dismissContradiction } from '../../../src/parts/contradictions/dismiss-contradiction.ts'
import { sendAction } from '../../support/action-requests.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import {
  booking,
  customer,
  lodge,
  metaField,
  order,
  spa,
  stay,
  type TestRecord,
} from '../../support/world.ts'
import { evaluatorOf, inShort, type Listed, listed, NOW } from './center.ts'

const twice = (id: string, fields: Record<string, unknown> = {}): TestRecord[] => [
  customer(`c-${id}`, { firstName: id }),
  booking(`${id}1`, { customerId: `c-${id}`, ...fields }),
  booking(`${id}2`, {
    customerId: `c-${id}`,
    startDate: '2025-01-12T14:00',
    endDate: '2025-01-20T10:00',
    ...fields,
  }),
]

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({
    records: [
      spa({ mealRules: { dietFields: [{ field: 'diet', allergies: ['nuts'] }] } }),
      lodge(),
      metaField('diet', { of: 'booking' }),
      ...twice('a', { orderUuid: 'o', isOrderMainGuest: true }),
      ...stay('d', '2025-01-10', '2025-01-20', { status: 'departed', orderUuid: 'o' }),
      order('o', {
        totalAmount: 100,
        items: [{ itemId: 'i', name: 'Room', quantity: 1, price: 90 }],
        paymentStatus: 'paid',
      }),
      customer('c-n'),
      booking('n1', { customerId: 'c-n', meta: { diet: 'nuts' }, orderUuid: 'o' }),
      booking('n2', {
        customerId: 'c-n',
        startDate: '2025-02-10T14:00',
        endDate: '2025-02-12T10:00',
        meta: { diet: 'vegan' },
        orderUuid: 'o',
      }),
    ],
    now: NOW,
  })
  await evaluatorOf(api).look()
})

const ALL = [
  'allergiesDiffer n1 n2',
  'departedInFuture d',
  'orderDoesNotAddUp o',
  'overlappingStays a1 a2',
  'paymentDoesNotFit o',
]
const withheldOf = (body: Record<string, unknown>) =>
  body.withheld as { kind: string; count: number | null; scopes: Scope[] }[]
const as = async (scopes: readonly Scope[], customFields: readonly string[] = []) =>
  api.as(await api.createKey({ scopes, customFields }))

describe('who may read which kind', () => {
  it('ruling 49: a key with every scope reads every kind, and nothing is withheld', async () => {
    const answer = await api.get('/v1/contradictions')
    expect(inShort(answer)).toEqual(ALL)
    expect(answer.body).toMatchObject({ total: 5, withheld: [], complete: true })
  })

  it.each<[readonly Scope[], readonly string[]]>([
    [['contradictions'], []],
    [
      ['contradictions', 'guests'],
      ['departedInFuture d', 'overlappingStays a1 a2'],
    ],
    [['contradictions', 'orders'], ['orderDoesNotAddUp o']],
    [
      ['contradictions', 'orders', 'guests.financial'],
      ['orderDoesNotAddUp o', 'paymentDoesNotFit o'],
    ],
    [
      ['contradictions', 'guests', 'guests.personal'],
      ['allergiesDiffer n1 n2', 'departedInFuture d', 'overlappingStays a1 a2'],
    ],
  ])(
    'a key with %j reads the kinds whose compared fields it may read; others are counted',
    async (scopes, shown) => {
      const answer = await (await as(scopes)).get('/v1/contradictions')
      expect(inShort(answer)).toEqual(shown)
      expect(answer.body.total).toBe(shown.length)
      const withheld = withheldOf(answer.body)
      expect(withheld.reduce((sum, { count }) => sum + (count ?? 0), 0)).toBe(ALL.length - shown.length)
      for (const one of withheld) {
        expect(one.scopes.length).toBeGreaterThan(0)
        for (const scope of one.scopes) expect(scopes).not.toContain(scope)
      }
      // Nothing of them but their number is in the answer.
      if (!scopes.includes('guests')) expect(answer.text).not.toMatch(/"(a1|d|n1)"/)
    },
  )

  it.each([
    'guestId=n1',
    'startDate=2025-01-01',
    'endDate=2025-12-31',
    'startDate=2025-01-12T09:00:00Z&endDate=2025-01-12T10:00:00Z',
    'kind=allergiesDiffer&guestId=n2',
    'severity=high&dismissed=false&guestId=n1',
    'changedAfter=CURSOR',
    'changedAfter=CURSOR&guestId=a1',
  ])(
    'who may not read, may not learn: with %s, kinds that the key may not read are named and not counted',
    async (query) => {
      const key = await as(['contradictions', 'guests'])
      const { cursor } = (await key.get('/v1/changes')).body
      const [whole, narrow] = await Promise.all([
        key.get('/v1/contradictions'),
        key.get(`/v1/contradictions?${query.replace('CURSOR', encodeURIComponent(String(cursor)))}`),
      ])
      const kinds = withheldOf(narrow.body)
      expect(narrow.status).toBe(200)
      expect(kinds.map(({ kind }) => kind)).toContain('allergiesDiffer')
      expect(kinds.map(({ count }) => count)).toEqual(kinds.map(() => null))
      expect(kinds.every(({ scopes }) => scopes.length > 0)).toBe(true)
      // Of all guests and of all time, their number is reported.
      expect(withheldOf(whole.body).find(({ kind }) => kind === 'allergiesDiffer')?.count).toBe(1)
    },
  )

  it('allergies are shown to a key that may read every diet field', async () => {
    const kitchen = await as(['contradictions', 'guests'], ['diet'])
    expect(inShort(await kitchen.get('/v1/contradictions?kind=allergiesDiffer'))).toEqual([
      'allergiesDiffer n1 n2',
    ])
  })

  it('no key reads them without the scope', async () => {
    const key = await as(SCOPES.filter((scope) => scope !== 'contradictions'))
    expect((await key.get('/v1/contradictions')).status).toBe(403)
  })

  it('a file, which cannot say what is withheld, needs the scopes of its kinds', async () => {
    const key = await as(['contradictions', 'guests'])
    const refused = await key.get('/v1/contradictions?format=csv')
    expect(refused.status).toBe(403)
    expect(refused.body.error.message).toContain('guests.personal')
    const own = await key.get('/v1/contradictions?format=csv&kind=overlappingStays')
    expect(own.status).toBe(200)
    expect(own.text).toContain('overlappingStays,high')
  })
})

it('no other center reads or counts them', async () => {
  const other = api.as(await api.createKey({ center: 'lodge' }))
  await evaluatorOf(api).look()
  expect((await other.get('/v1/contradictions')).body).toMatchObject({ data: [], total: 0, withheld: [] })
})

it('are found by kind, severity, guest and time, in pages', async () => {
  const short = async (query: string) => inShort(await api.get(`/v1/contradictions?${query}`))
  expect(await short('severity=high')).toEqual(['allergiesDiffer n1 n2', 'overlappingStays a1 a2'])
  expect(await short('guestId=a2')).toEqual(['overlappingStays a1 a2'])
  expect(await short('kind=orderDoesNotAddUp,departedInFuture')).toEqual([
    'departedInFuture d',
    'orderDoesNotAddUp o',
  ])
  expect(await short('startDate=2025-01-12&endDate=2025-01-12')).toEqual(ALL)
  expect(await short('endDate=2025-01-11')).toEqual([])
  const pages = await Promise.all(
    [1, 2, 3].map((start) => api.get(`/v1/contradictions?length=2&start=${start}`)),
  )
  expect(pages.flatMap(inShort).sort()).toEqual(ALL)
  expect(pages[0]?.headers.link).toContain('rel="next"')
})

it('have an ETag', async () => {
  const { headers } = await api.get('/v1/contradictions')
  expect((await api.get('/v1/contradictions', { 'if-none-match': String(headers.etag) })).status).toBe(304)
})

it('a file waits until everything is evaluated', async () => {
  const center = await api.newCenter(twice('x'))
  const refused = await center.get('/v1/contradictions?format=ndjson')
  expect(refused.status).toBe(503)
  expect(refused.headers['retry-after']).toBe('2')
  await evaluatorOf(api).look()
  const file = await center.get('/v1/contradictions?format=ndjson')
  expect(file.text.trim().split('\n')).toHaveLength(2)
})

describe('a dismissal', () => {
  const dismiss = (
    by: Pick<TestApi, 'request' | 'get'>,
    one: Listed | undefined,
    fields: Record<string, unknown> = {},
  ) =>
    sendAction(by, dismissContradiction, {
      body: JSON.stringify({
        contradiction: one?.id,
        digest: one?.evidence.digest,
        reason: 'He pays for both rooms',
        name: 'Maria',
        ...fields,
      }),
    })

  it('ruling 48: has a reason and a name, is listed apart, and can be taken back', async () => {
    const center = await api.newCenter(twice('x'))
    await evaluatorOf(api).look()
    const [one] = listed(await center.get('/v1/contradictions'))
    expect((await dismiss(center, one)).status).toBe(200)
    expect(listed(await center.get('/v1/contradictions'))[0]?.dismissed).toMatchObject({
      by: 'Maria',
      reason: 'He pays for both rooms',
    })
    expect((await center.get('/v1/contradictions?dismissed=false')).body.total).toBe(0)
    expect((await center.get('/v1/contradictions?dismissed=true')).body.total).toBe(1)
    expect((await dismiss(center, one, { reason: null })).body).toMatchObject({ dismissedAt: null })
    expect((await center.get('/v1/contradictions?dismissed=false')).body.total).toBe(1)
  })

  it('ends when the evidence changes, and not when a name changes', async () => {
    const center = await api.newCenter(twice('x'))
    const change = async (record: TestRecord) => {
      await api.load([{ ...record, centerId: center.id }])
      await evaluatorOf(api).look()
      return listed(await center.get('/v1/contradictions'))[0]
    }
    await evaluatorOf(api).look()
    const [one] = listed(await center.get('/v1/contradictions'))
    await dismiss(center, one)
    const renamed = await change(customer('c-x', { firstName: 'Xenia' }))
    expect(renamed?.dismissed).not.toBeNull()
    const moved = await change({ kind: 'booking', id: 'x2', endDate: '2025-01-19T10:00' })
    expect(moved?.id).toBe(one?.id)
    expect(moved?.dismissed).toBeNull()
    // The old evidence cannot be dismissed any more.
    expect((await dismiss(center, one)).status).toBe(404)
    expect((await dismiss(center, moved)).status).toBe(200)
  })

  it('of a kind that the key may not read is a 404, and so is one of another center', async () => {
    const [allergy] = listed(await api.get('/v1/contradictions?kind=allergiesDiffer'))
    expect((await dismiss(await as(['contradictions', 'guests']), allergy)).status).toBe(404)
    const other = api.as(await api.createKey({ center: 'lodge' }))
    expect((await dismiss(other, allergy)).status).toBe(404)
    expect((await dismiss(await as(SCOPES.filter((one) => one !== 'contradictions')), allergy)).status).toBe(
      403,
    )
  })
})

it('are a kind of the change feed, which says which one, and not what it is about', async () => {
  const center = await api.newCenter([])
  const { cursor } = (await center.get('/v1/changes')).body
  await api.load(twice('x').map((record) => ({ ...record, centerId: center.id })))
  await evaluatorOf(api).look()
  const feed = await center.get(`/v1/changes?kinds=contradictions&after=${String(cursor)}`)
  const [one] = listed(await center.get('/v1/contradictions'))
  expect(feed.body.data).toMatchObject([
    { kind: 'contradictions', id: one?.id, operation: 'created', groups: ['contradictions'], days: [] },
  ])
  // It is a change since then of the list, too.
  expect((await center.get(`/v1/contradictions?changedAfter=${String(cursor)}`)).body.total).toBe(1)
  // An identifier can be computed from the records, so it would tell that two stays of a guest differ in what is withheld.
  const desk = api.as(
    await api.createKey({
      center: center.id,
      scopes: ['contradictions', 'guests', 'guests.personal', 'rooms'],
    }),
  )
  const ofDesk = await desk.get(`/v1/changes?kinds=contradictions&after=${String(cursor)}`)
  expect(ofDesk.body.data).toMatchObject([
    { kind: 'contradictions', id: null, operation: 'readAgain', groups: ['contradictions'], days: [] },
  ])
  expect(ofDesk.text).not.toContain(one?.id)
  const guestsOnly = api.as(await api.createKey({ center: center.id, scopes: ['guests'] }))
  const all = await guestsOnly.get(`/v1/changes?after=${String(cursor)}`)
  expect(all.body.data.map(({ kind }) => kind)).not.toContain('contradictions')
})

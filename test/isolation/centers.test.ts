/** Nothing of one center ever shows in an answer to another, even where both use the same identifiers. */
import { beforeAll, describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../src/core/locale/languages.ts'
import { GUEST_FIELDS } from '../../src/core/records/fields/guest-fields.ts'
import { BOOKING_STATUSES, ROLES } from '../../src/core/records/fields/statuses.ts'
import { type Asker, startTestApi, type TestApi, type TestKey } from '../support/api.ts'
import {
  EVERY_OPERATION,
  fullQuery,
  lookedFor,
  plainQuery,
  urlOf,
  urlsOf,
} from '../support/operation-requests.ts'
import { LODGE_MARK, SPA_MARK, twinCenters } from '../support/twin-centers.ts'
import { LODGE } from '../support/world.ts'

/** Dates, amounts, labels, and identifiers that both centers have: they say nothing of their center. */
const MARKLESS = [
  'dob',
  'gender',
  'id',
  'customerId',
  'centerId',
  'startDate',
  'endDate',
  'bookedAt',
  'status',
  'role',
  'orderUuid',
  'financial.subtotal',
  'financial.total',
  'financial.deposit.amount',
  'financial.deposit.paidAt',
  'financial.fullPayment.amount',
  'financial.fullPayment.paidAt',
  'paid',
  'sessionInterval',
  'sessionStartDate',
  'sessionEndDate',
]

let api: TestApi
let lodgeKey: TestKey
let lodge: Asker

beforeAll(async () => {
  // Wrong credentials come from one address here, many at a time.
  api = await startTestApi({ records: twinCenters(), app: { failedCredentialsPerMinute: 100_000 } })
  lodgeKey = await api.createKey({ center: LODGE })
  lodge = api.as(lodgeKey)
})

/** The mark is matched whatever its case: names come in capitals too, and addresses in small letters. */
const has = (text: string, mark: string) => text.toLowerCase().includes(mark.toLowerCase())

const YEAR = 'startDate=2024-01-01&endDate=2025-12-31'
const META = ['meta.shared', 'meta.stayNote']
const FIELD_LISTS = [
  ...GUEST_FIELDS.map(({ name }) => name),
  'financial.deposit,financial.fullPayment',
  ...META,
  [...GUEST_FIELDS.map(({ name }) => name), ...META].join(','),
]

describe.each(EVERY_OPERATION)('%s', (_, operation) => {
  const queries = [plainQuery(operation), fullQuery(operation)]
  const urls = queries.flatMap((query) => urlsOf(operation, query))

  it('answers each of two centers with its own records only', async () => {
    for (const url of urls) {
      const [ofSpa, ofLodge] = await Promise.all([api.get(url), lodge.get(url)])
      expect([ofSpa.status, ofLodge.status], url).toEqual([200, 200])
      expect(has(ofSpa.text, LODGE_MARK), url).toBe(false)
      expect(has(ofLodge.text, SPA_MARK), url).toBe(false)
      expect(ofSpa.headers.etag).not.toBe(ofLodge.headers.etag)
    }
  })

  it('finds nobody and nothing of another center, whatever it is looked for by', async () => {
    for (const [name, value] of Object.entries(lookedFor(operation))) {
      const url = urlOf(operation, { ...plainQuery(operation), [name]: value })
      const [ofSpa, ofLodge] = await Promise.all([api.get(url), lodge.get(url)])
      expect([ofSpa.status, ofLodge.status], url).toEqual([200, 200])
      expect(has(ofLodge.text, SPA_MARK), url).toBe(false)
      // A state that guests of each center may have.
      if (name === 'paid') continue
      expect(has(ofSpa.text, SPA_MARK), url).toBe(true)
      expect(has(ofLodge.text, LODGE_MARK), url).toBe(false)
    }
  })

  it('caches an answer for the center that asked, whichever center asks the same next', async () => {
    const url = urlOf(operation, fullQuery(operation))
    const first = await api.get(url)
    const theirs = await lodge.get(url, { 'if-none-match': String(first.headers.etag) })
    expect(theirs.status).toBe(200)
    const again = await api.get(url, { 'if-none-match': String(theirs.headers.etag) })
    expect(again.status).toBe(200)
    expect(again.text).toBe(first.text)
  })

  it('answers in every language with one’s own names', async () => {
    // Operations with a limit of their own take some requests of each key.
    const asker = api.as(await api.createKey())
    for (const language of LANGUAGES) {
      const answer = await asker.get(urlOf(operation), { 'x-locale': language })
      expect(answer.status).toBe(200)
      expect(has(answer.text, LODGE_MARK), language).toBe(false)
    }
  })

  it('takes no key whose three headers are of two centers, nor two keys at once', async () => {
    const url = urlOf(operation)
    const names = Object.keys(api.key.headers)
    for (let mixture = 1; mixture < 2 ** names.length - 1; mixture++) {
      const headers = Object.fromEntries(
        names.map((name, at) => [name, (mixture & (2 ** at) ? lodgeKey : api.key).headers[name] ?? '']),
      )
      const answer = await api.as(undefined).get(url, headers)
      expect(answer.status, `mixture ${mixture}`).toBe(401)
    }
    for (const [one, other] of [
      [api.key, lodgeKey],
      [lodgeKey, api.key],
    ] as const) {
      const answer = await api.as(one).get(url, other.bearer)
      expect(answer.status).toBe(401)
    }
    // Both schemes of one key are that key.
    expect((await api.get(url, api.key.bearer)).status).toBe(200)
  })
})

describe('GET /guests of two centers with the same identifiers', () => {
  it.each(FIELD_LISTS)('shows one’s own values of %s', async (names) => {
    const url = `/v1/guests?${YEAR}&project=${names}`
    const [ofSpa, ofLodge] = await Promise.all([api.get(url), lodge.get(url)])
    expect([ofSpa.status, ofLodge.status]).toEqual([200, 200])
    expect(has(ofSpa.text, LODGE_MARK)).toBe(false)
    expect(has(ofLodge.text, SPA_MARK)).toBe(false)
    expect([ofSpa.body.total, ofLodge.body.total]).toEqual([5, 9])
  })

  it('shows a value of each field that has one, so that a leak would be seen', async () => {
    const names = GUEST_FIELDS.filter(({ schema }) => schema.type === 'string').map(({ name }) => name)
    const silent: string[] = []
    for (const name of names) {
      const answer = await lodge.get(`/v1/guests?${YEAR}&project=${name}`)
      if (!has(answer.text, LODGE_MARK)) silent.push(name)
    }
    expect(silent).toEqual(MARKLESS)
  })

  it.each([...BOOKING_STATUSES.map((status) => `status=${status}`), ...ROLES.map((role) => `role=${role}`)])(
    'counts one’s own guests with %s',
    async (filter) => {
      const url = `/v1/guests?${YEAR}&${filter}`
      const [ofSpa, ofLodge] = await Promise.all([api.get(url), lodge.get(url)])
      const expected = { 'status=departed': [1, 1], 'status=confirmed': [4, 8], 'role=patient': [5, 9] }
      expect([ofSpa.body.total, ofLodge.body.total]).toEqual(
        expected[filter as keyof typeof expected] ?? [0, 0],
      )
    },
  )

  it('refuses a custom field that only the other center defines like one that nobody does, and names none of it', async () => {
    const [theirs, nobodys] = await Promise.all(
      [`meta.${LODGE_MARK}Only`, 'meta.QqqOnly'].map((name) => api.get(`/v1/guests?${YEAR}&project=${name}`)),
    )
    expect([theirs?.status, nobodys?.status]).toEqual([400, 400])
    expect(theirs?.body.error.message.replace(`${LODGE_MARK}Only`, '')).toBe(
      nobodys?.body.error.message.replace('QqqOnly', ''),
    )
  })
})

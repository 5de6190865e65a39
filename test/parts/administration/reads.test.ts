/** Who read what, for a key of the administration (ruling 49): by guest, by key and by day, without any guest. */
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { ADMINISTRATION } from '../../../src/core/access/keys/scopes.ts'
import { type Asker, startTestApi, type TestApi, type TestKey } from '../../support/api.ts'
import { SPA_MARK, twinCenters } from '../../support/twin-centers.ts'
import { LODGE } from '../../support/world.ts'

interface Entry {
  readonly at: string
  readonly reads: number
  readonly key: { readonly name: string; readonly appId: string } | null
  readonly command: { readonly user: string } | null
  readonly operation: string
  readonly records: number
  readonly named: boolean
  readonly parameters: readonly { readonly name: string; readonly value: string }[]
  readonly entry: number
}

let api: TestApi
let reader: TestKey
let by: Asker
let today: string

const DAY_MS = 86_400_000
const dayOf = (moment: number) => new Date(moment).toISOString().slice(0, 10)

beforeAll(async () => {
  api = await startTestApi({ records: twinCenters() })
  reader = await api.createKey({ scopes: ['guests', 'meals', 'orders'] })
  by = api.as(await api.createKey({ scopes: [ADMINISTRATION] }))
  today = dayOf(Date.now())
})

/** Of yesterday until tomorrow: the center's day may be another one than that of UTC. */
async function reads(query = '', given?: Asker): Promise<readonly Entry[]> {
  // Each key has a limit of its own for this, which waiting for the trail would use up.
  const asker = given ?? api.as(await api.createKey({ scopes: [ADMINISTRATION] }))
  const days = `startDate=${dayOf(Date.now() - DAY_MS)}&endDate=${dayOf(Date.now() + DAY_MS)}`
  const answer = await asker.get(`/v1/administration/reads?${days}&length=100${query}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data as unknown as Entry[]
}

/** Asks until the trail has what was just read. */
async function readsWhen(
  isThere: (entries: readonly Entry[]) => boolean,
  query = '',
): Promise<readonly Entry[]> {
  return expect
    .poll(() => reads(query), { timeout: 60_000, interval: 200 })
    .toSatisfy(isThere)
    .then(() => reads(query))
}

const YEAR = 'startDate=2024-01-01&endDate=2025-12-31'
const operations = (entries: readonly Entry[]) => entries.map(({ operation }) => operation)

describe('GET /administration/reads', () => {
  it('ruling 49: says who read a guest, on every path that names one, and not who read another', async () => {
    const as = api.as(reader)
    await as.get(`/v1/guests?${YEAR}&project=name`)
    await as.get(`/v1/guests/meal-skipping-report?${YEAR}`)
    await as.get(`/v1/meals/portions?startDate=2025-01-11&endDate=2025-01-11&includeGuests=true`)
    await as.get(`/v1/search?q=b-1+${SPA_MARK.toLowerCase()}fi`)
    const found = await readsWhen(
      (entries) =>
        ['listGuests', 'mealSkippingReport', 'mealPortions', 'search'].every((one) =>
          operations(entries).includes(one),
        ),
      '&guest=b-1',
    )
    for (const entry of found) expect(entry.key?.appId).toBe(reader.appId)
    expect(await reads('&guest=nobody')).toEqual([])
    expect((await reads('&guest=b-1')).length).toBe(found.length)
  })

  it('takes a booking number, and all bookings of a customer', async () => {
    const [booking] = await api.database.query<{ booking_id: string; customer_id: string }>(
      sql`select booking_id, customer_id from bookings where center_id = 'spa' and id = 'b-1'`,
    )
    expect(booking).toBeDefined()
    const ofBooking = await reads('&guest=b-1')
    if (booking?.booking_id !== null) {
      expect(await reads(`&guest=${encodeURIComponent(booking?.booking_id ?? '')}`)).toEqual(ofBooking)
    }
    expect((await reads(`&customer=${booking?.customer_id}`)).length).toBeGreaterThanOrEqual(ofBooking.length)
  })

  it('by key: only what this application read', async () => {
    const found = await reads(`&key=${reader.appId}`)
    expect(found.length).toBeGreaterThan(0)
    expect(new Set(found.map(({ key }) => key?.appId))).toEqual(new Set([reader.appId]))
    expect((await reads(`&key=${reader.publicKey}`)).length).toBe(found.length)
    expect(await reads('&key=sjn_app_0000000000000000')).toEqual([])
  })

  it('by day: nothing of other days, in the center’s time', async () => {
    const answer = await by.get('/v1/administration/reads?startDate=2020-01-01&endDate=2020-01-31')
    expect(answer.body).toEqual({ data: [], next: null })
    // An entry at 23:30 in Bucharest is of that day, and of the next one in UTC.
    await api.database.query(sql`
      insert into audit_entries (center_id, seq, at, batch, public_key, app_id, key_name, operation, query, scopes, records,
        record_list, revision, reads, requests, channel, previous_hash, hash)
      select center_id, 1000000, '2021-03-01T21:30:00Z', batch, public_key, app_id, key_name, operation, query, scopes, records,
        record_list, revision, 1, '0 200 of-the-night', channel, previous_hash, hash
      from audit_entries where center_id = 'spa' and operation = 'listGuests' limit 1`)
    const ofDay = async (day: string) =>
      (await by.get(`/v1/administration/reads?startDate=${day}&endDate=${day}`)).body.data.length
    expect([await ofDay('2021-02-28'), await ofDay('2021-03-01'), await ofDay('2021-03-02')]).toEqual([
      0, 1, 0,
    ])
    await api.database.query(sql`delete from audit_entries where center_id = 'spa' and seq = 1000000`)
  })

  it('is in pages that miss nothing and repeat nothing', async () => {
    const all = await reads(`&key=${reader.appId}`)
    const seen: number[] = []
    let after = ''
    for (let page = 0; page < 50; page += 1) {
      const days = `startDate=${dayOf(Date.now() - DAY_MS)}&endDate=${dayOf(Date.now() + DAY_MS)}`
      const answer = await by.get(`/v1/administration/reads?${days}&length=2${after}&key=${reader.appId}`)
      seen.push(...(answer.body.data as unknown as Entry[]).map(({ entry }) => entry))
      if (answer.body.next === null) break
      after = `&after=${String(answer.body.next)}`
    }
    const own = all.filter(({ key }) => key?.appId === reader.appId).map(({ entry }) => entry)
    expect(seen).toEqual(own)
    expect(seen.length).toBeGreaterThan(2)
  })

  it('names no guest: neither who was searched for nor whose records were read', async () => {
    await api.as(reader).get(`/v1/guests/match?${YEAR}&name=${encodeURIComponent('Abcfirst Abclast')}`)
    const found = await readsWhen((entries) => operations(entries).includes('matchGuests'))
    const text = JSON.stringify(found)
    expect(text.toLowerCase()).not.toContain('abcfirst')
    expect(text).not.toContain('"b-1"')
    // The search of the administration itself is hidden too.
    await reads('&guest=b-1')
    const own = await readsWhen((entries) =>
      entries.some(
        ({ operation, parameters }) =>
          operation === 'listReads' && parameters.some(({ name }) => name === 'guest'),
      ),
    )
    const guests = own.flatMap(({ parameters }) =>
      parameters.filter(({ name }) => name === 'guest' || name === 'customer'),
    )
    expect(new Set(guests.map(({ value }) => value))).toEqual(new Set(['(hidden)']))
  })

  it('ruling 49: is recorded itself, with the key that asked', async () => {
    const own = await api.createKey({ scopes: [ADMINISTRATION] })
    await reads('', api.as(own))
    await readsWhen((entries) =>
      entries.some(({ operation, key }) => operation === 'listReads' && key?.appId === own.appId),
    )
    await api.as(own).get('/v1/administration/keys')
    const found = await readsWhen((entries) =>
      entries.some(({ operation, key }) => operation === 'listKeys' && key?.appId === own.appId),
    )
    expect(operations(found)).toContain('listReads')
  })

  it('another center has another trail, also of bookings with the same identifier', async () => {
    const theirs = api.as(await api.createKey({ center: LODGE, scopes: [ADMINISTRATION] }))
    expect(await reads('&guest=b-1', theirs)).toEqual([])
    expect(await reads(`&key=${reader.appId}`, theirs)).toEqual([])
  })

  it.each([
    ['', ['startDate']],
    ['startDate=2025-01-01', ['endDate']],
    ['startDate=2025-01-31&endDate=2025-01-01', ['endDate']],
    ['startDate=2025-01-01&endDate=2025-04-03', ['endDate']],
    ['startDate=2025-01-01&endDate=2025-01-31&guest=a&customer=b', ['customer']],
    ['startDate=2025-01-01&endDate=2025-01-31&key=anna', ['key']],
    ['startDate=2025-01-01&endDate=2025-01-31&after=x', ['after']],
    ['startDate=2025-01-01&endDate=2025-01-31&length=1001', ['length']],
    [`startDate=2025-01-01&endDate=2025-01-31&guest=${'x'.repeat(65)}`, ['guest']],
  ])('refuses %s', async (query, named) => {
    const answer = await by.get(`/v1/administration/reads?${query}`)
    expect(answer.status).toBe(400)
    expect(answer.body.error.details?.map(({ parameter }) => parameter)).toEqual(named)
  })

  it('repeats no secret that was typed in place of a key', async () => {
    const answer = await by.get(
      `/v1/administration/reads?startDate=${today}&endDate=${today}&key=${reader.secretKey}`,
    )
    expect(answer.status).toBe(400)
    expect(answer.text).not.toContain(reader.secretKey)
  })

  it('has a limit of its own', async () => {
    const often = api.as(await api.createKey({ scopes: [ADMINISTRATION] }))
    const statuses: number[] = []
    for (let n = 0; n < 31; n += 1) {
      statuses.push((await often.get(`/v1/administration/reads?startDate=${today}&endDate=${today}`)).status)
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(30)
    expect(statuses.at(-1)).toBe(429)
  })

  it('ruling 49: needs the scope, and no link shows it', async () => {
    const answer = await api.as(reader).get(`/v1/administration/reads?startDate=${today}&endDate=${today}`)
    expect(answer.status).toBe(403)
  })
})

/** A saved question, answered to every person who has its URL: what it shows, and when it stops. */
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { revokeKey } from '../../../src/core/access/keys/revoke-key.ts'
import { rotateKey } from '../../../src/core/access/keys/rotate-key.ts'
import { revokeLink } from '../../../src/parts/links/manage-links.ts'
import { readsInTrail } from '../../audit/reads.ts'
import { guestIds, startTestApi, type TestApi, type TestKey } from '../../support/api.ts'
import { OPERATION_RECORDS, OPERATION_REQUESTS } from '../../support/operations.ts'
import { metaField, SPA, session, spa, stay } from '../../support/world.ts'
import { DAY_MS, makeLink } from './make-link.ts'

/** 23:30 at the center, of the 10th. */
let now = Date.parse('2025-01-10T21:30:00Z')
let api: TestApi

beforeAll(async () => {
  api = await startTestApi({
    clock: () => now,
    records: [
      session('s-1', '2025-01-01', '2025-01-31'),
      metaField('diet'),
      ...stay('a', '2025-01-09', '2025-01-11'),
      ...stay('b', '2025-01-11', '2025-01-14'),
      ...stay('c', '2025-02-01', '2025-02-03'),
    ],
  })
})

const ask = (path: string, headers: Record<string, string> = {}) => api.as(undefined).get(path, headers)
const link = (key: TestKey, question: string, more: Partial<Parameters<typeof makeLink>[1]> = {}) =>
  makeLink(api.database, { key: key.appId, question, ...more }, now)
const WEEK = '/guests?startDate=2025-01-06&endDate=2025-01-12&project=id'

describe('a link answers', () => {
  it('what a key is answered, with the same bytes and tag, to HEAD too', async () => {
    const { path } = await link(api.key, WEEK)
    const [linked, keyed] = [await ask(path), await api.get(`/v1${WEEK}`)]
    expect(linked.status).toBe(200)
    expect(linked.text).toBe(keyed.text)
    expect(linked.headers.etag).toBe(keyed.headers.etag)
    expect((await ask(path, { 'if-none-match': String(linked.headers.etag) })).status).toBe(304)
    const head = await api.as(undefined).request('HEAD', path)
    expect([head.status, head.text, head.headers.etag]).toEqual([200, '', linked.headers.etag])
  })

  it('every operation, with and without days that move', async () => {
    const questions = [
      '/v1/sessions?startDate=month-start&endDate=month-end',
      'https://sojourn.example.com/v1/meals/portions/?startDate=week-start&endDate=week-end&format=csv',
      '/guests/meal-skipping?startDate=today&endDate=today+6',
      '/orders?startDate=today-30&endDate=today',
      '/orders/control?startDate=month-start&endDate=month-end',
      '/meals/sheets/today',
      '/fields',
      '/me',
    ]
    for (const question of questions) {
      const { path } = await link(api.key, question, { allowSensitive: true })
      expect((await ask(path)).status, question).toBe(200)
    }
  })

  it('every operation of the interface as it answers a key, but for searches, which it never shows', async () => {
    const world = await startTestApi({ clock: () => now, records: [spa(), ...OPERATION_RECORDS] })
    const paths = new Map<string, string>()
    const requests = OPERATION_REQUESTS.filter(
      ({ name, scope }) => name !== 'search' && scope !== 'administration',
    )
    expect(requests.length).toBeGreaterThan(10)
    for (const { url } of requests) {
      const made = await makeLink(
        world.database,
        { key: world.key.appId, question: url, allowSensitive: true },
        now,
      )
      paths.set(url, made.path)
    }
    for (const { name, url } of requests) {
      const keyed = await world.get(url)
      const linked = await world.as(undefined).get(paths.get(url) ?? '')
      expect([linked.status, linked.headers['content-type']], url).toEqual([
        200,
        keyed.headers['content-type'],
      ])
      // These two are about who asks.
      if (!['getMe', 'getUsage'].includes(name)) expect(linked.text, url).toBe(keyed.text)
    }
  })

  it('for the center’s local today, which is another one after midnight there', async () => {
    const { path } = await link(api.key, '/guests?startDate=today&endDate=today&project=id')
    const ids = async () => (await ask(path)).body.data.map(({ id }) => id)
    expect(await ids()).toEqual(['a'])
    now += 3_600_000
    expect(await ids()).toEqual(['a', 'b'])
    now -= 3_600_000
    expect(await ids()).toEqual(['a'])
  })

  it('in its own language and format, whatever the client would rather have', async () => {
    const { path } = await link(api.key, '/meals/portions?startDate=today&endDate=today&format=csv', {
      language: 'ro',
    })
    const answer = await ask(path, { 'x-locale': 'en', accept: 'application/json' })
    expect(answer.headers['content-language']).toBe('ro')
    expect(answer.headers['content-type']).toContain('text/csv')
    const json = await link(api.key, '/meals/portions?startDate=today&endDate=today')
    expect((await ask(json.path, { accept: 'text/csv' })).headers['content-type']).toContain(
      'application/json',
    )
  })

  it('what was imported since, at once', async () => {
    const { path } = await link(api.key, '/guests?startDate=2025-03-01&endDate=2025-03-31&project=id')
    expect((await ask(path)).body.total).toBe(0)
    await api.load(stay('d', '2025-03-02', '2025-03-04'))
    expect((await ask(path)).body.total).toBe(1)
  })

  it('a list in pages, and leads to each of them at its own address', async () => {
    const question = '/guests?startDate=2025-01-01&endDate=2025-02-28&project=id&length=1'
    const { path, remarks } = await link(api.key, question)
    expect(remarks).toContainEqual(expect.stringContaining('Link header leads to the others'))
    const ids: unknown[] = []
    for (let at: string | undefined = path; at !== undefined; ) {
      const answer = await ask(at)
      expect(answer.body.total).toBe(3)
      ids.push(...answer.body.data.map(({ id }) => id))
      const next = /<([^>]*)>; rel="next"/.exec(String(answer.headers.link))?.[1]
      // Relative to the address, which is a secret.
      expect(next ?? '?start=').toMatch(/^\?start=/)
      at = next && `${path}${next}`
    }
    expect(ids).toEqual(['a', 'b', 'c'])
    expect((await ask(`${path}?start=0`)).body.error.message).toContain('start')
    expect((await api.get(`/v1${question}`)).headers.link).toContain('/v1/guests?')
  })

  it('all pages of one snapshot, where its question asks for that', async () => {
    const { path } = await link(
      api.key,
      '/guests?startDate=2025-01-01&endDate=2025-02-28&length=2&snapshot=true',
    )
    const first = await ask(path)
    const next = /<([^>]*)>; rel="next"/.exec(String(first.headers.link))?.[1] ?? ''
    const last = await ask(`${path}${next}`)
    expect([last.status, last.body.data.length, last.headers['snapshot-count']]).toEqual([200, 1, '3'])
  })

  it('one page where its question names one, and leads to no other', async () => {
    const question = '/guests?startDate=2025-01-01&endDate=2025-02-28&length=1'
    const { path: all } = await link(api.key, question)
    const { path } = await link(api.key, `${question}&start=2`)
    // The same request, of a link that leads on.
    expect((await ask(`${all}?start=2`)).headers.link).toContain('rel="next"')
    for (let time = 0; time < 2; time += 1) expect((await ask(path)).headers.link).toBeUndefined()
    expect((await ask(`${path}?start=1`)).status).toBe(400)
    expect((await api.get(`/v1${question}`)).headers.link).toContain('rel="next"')
  })

  it('the whole of a list as a file, however long a page is', async () => {
    const question = '/guests?startDate=2025-01-01&endDate=2025-02-28&project=id,status&sort=-startDate&q=a'
    for (const format of ['csv', 'ndjson', 'xlsx']) {
      const { path, remarks } = await link(api.key, `${question}&format=${format}`)
      expect(remarks.join()).not.toContain('pages')
      const answer = await ask(path)
      const keyed = await api.get(`/v1${question}&format=${format}`)
      expect([answer.status, answer.headers['snapshot-count']], format).toEqual([
        200,
        keyed.headers['snapshot-count'],
      ])
      if (format !== 'xlsx') expect(answer.text, format).toBe(keyed.text)
    }
  })

  it('with headers that keep its address from other sites and from search engines', async () => {
    const { path } = await link(api.key, WEEK)
    const { headers } = await ask(path)
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(headers['cache-control']).toBe('private, no-store')
    expect(headers['x-robots-tag']).toBe('noindex')
  })
})

describe('a link stops', () => {
  const world = async (question = WEEK) => {
    const key = await api.createKey()
    const made = await link(key, question)
    expect((await ask(made.path)).status).toBe(200)
    return { key, ...made }
  }

  it('when it is revoked, which may be done twice', async () => {
    const { path, link: made } = await world()
    expect(await revokeLink(api.database, made.id, { now })).toEqual([made.id])
    expect(await revokeLink(api.database, made.id, { now })).toEqual([])
    expect((await ask(path)).status).toBe(404)
  })

  it('when it expires, by the database’s clock', async () => {
    const { path } = await world()
    now += 90 * DAY_MS
    expect((await ask(path)).status).toBe(404)
    now -= 90 * DAY_MS
    expect((await ask(path)).status).toBe(200)
  })

  it('when its key is revoked', async () => {
    const { key, path } = await world()
    await revokeKey(api.database, key.appId, { now })
    expect((await ask(path)).status).toBe(404)
  })

  it('when its key expires', async () => {
    const { key, path } = await world()
    await api.database.query(sql`
      update api_keys set expires_at = ${new Date(now + 1000).toISOString()} where app_id = ${key.appId}`)
    expect((await ask(path)).status).toBe(200)
    now += 1000
    expect((await ask(path)).status).toBe(404)
  })

  it('not when its key is rotated: the application has a key all the time', async () => {
    const { key, path } = await world()
    await rotateKey(api.database, key.appId, {
      random: (count) => crypto.getRandomValues(new Uint8Array(count)),
      now,
      overlapMs: 0,
    })
    now += 1
    expect((await ask(path)).status).toBe(200)
  })

  it('when its key loses the scope, and says which', async () => {
    const { key, path } = await world()
    await api.database.query(sql`update api_keys set scopes = '{meals}' where app_id = ${key.appId}`)
    const answer = await ask(path)
    expect(answer.status).toBe(403)
    expect(answer.body.error.message).toContain('need the scope guests')
    await api.database.query(sql`update api_keys set scopes = '{guests}' where app_id = ${key.appId}`)
    expect((await ask(path)).status).toBe(200)
  })

  it('while its center has API access off', async () => {
    const { path } = await world()
    await api.database.query(sql`update centers set api_access = false where center_id = ${SPA}`)
    expect((await ask(path)).status).toBe(403)
    await api.database.query(sql`update centers set api_access = true where center_id = ${SPA}`)
    expect((await ask(path)).status).toBe(200)
  })

  it('for addresses that neither it nor its key may be used from', async () => {
    const key = await api.createKey()
    const { path } = await link(key, WEEK, { allowedAddresses: ['192.0.2.0/24'] })
    const from = async (remoteAddress: string) =>
      (await api.app.inject({ url: path, remoteAddress })).statusCode
    expect([await from('192.0.2.7'), await from('198.51.100.7')]).toEqual([200, 403])
    await api.database.query(sql`
      update api_keys set allowed_addresses = '{198.51.100.0/24}' where app_id = ${key.appId}`)
    expect([await from('192.0.2.7'), await from('198.51.100.7')]).toEqual([403, 403])
  })
})

describe('a link is refused when it is created', () => {
  it.each([
    ['/guest?startDate=today', 'is no path of the interface. The paths are /guests, '],
    [
      '/guests?startDat=today',
      'startDat: "startDat" is not a parameter of this endpoint. Did you mean startDate?',
    ],
    [
      '/guests?startDate=tody',
      'startDate: "tody" is not a date. Give a day that exists as YYYY-MM-DD, a relative',
    ],
    ['/guests?startDate=tody', 'Relative days are today, tomorrow, yesterday, week-start, '],
    ['/meals/sheets/tody', 'Relative days are today, tomorrow, yesterday, week-start, '],
    ['/search?q=Ana+Pop', '/search is for words that a person types, so a link cannot show it.'],
    ['/guests?startDate=today&project=firstNam', 'Did you mean firstName?'],
    ['/sessions?startDate=today', 'endDate is required'],
    ['/changes/stream', 'is no path of the interface'],
  ])('as %s', async (question, sentence) => {
    await expect(link(api.key, question)).rejects.toThrow(sentence)
  })

  it('without the list of relative days where no day is wrong', async () => {
    const message = await link(api.key, '/guests?inHouse=today&project=firstNam').then(
      () => 'created',
      (error: Error) => error.message,
    )
    expect(message).toContain('Did you mean firstName?')
    expect(message).not.toContain('Relative days')
  })

  it('for what its key may not read', async () => {
    const kitchen = await api.createKey({ scopes: ['meals'] })
    await expect(link(kitchen, WEEK)).rejects.toThrow('GET /guests needs the scope guests')
  })

  it.each(['pin', 'weight1', 'meta.diet'])('for %s, unless the creator says so', async (field) => {
    const question = `/guests?startDate=today&endDate=today&project=${field}`
    await expect(link(api.key, question)).rejects.toThrow('--allow-sensitive')
    const { path } = await link(api.key, question, { allowSensitive: true })
    expect((await ask(path)).status).toBe(200)
    // Of a link that lost the permission, as of one that never had it.
    await api.database.query(sql`update links set allow_sensitive = false`)
    expect((await ask(path)).status).toBe(403)
  })

  it('not for what an answer shows to those alone who may see it: that is left out', async () => {
    const kitchen = await startTestApi({
      clock: () => now,
      records: [
        spa({ mealRules: { dietFields: [{ field: 'diet' }] } }),
        metaField('diet', { of: 'booking' }),
        ...stay('a', '2025-01-09', '2025-01-11', { meta: { diet: 'vegan' } }),
      ],
    })
    const question = '/meals/portions?startDate=today&endDate=today'
    const answerOf = async (allowSensitive: boolean) => {
      const input = { key: kitchen.key.appId, question, allowSensitive }
      return kitchen.as(undefined).get((await makeLink(kitchen.database, input, now)).path)
    }
    const [plain, sensitive] = [await answerOf(false), await answerOf(true)]
    expect([plain.status, plain.text.includes('vegan')]).toEqual([200, false])
    expect([sensitive.status, sensitive.text.includes('vegan')]).toEqual([200, true])
  })

  it('for a question of 4001 characters, and not for one of 4000', async () => {
    // A comma is stored as three characters: 19 + 66 × (57 + 3) + the last identifier.
    const asking = (last: number) =>
      `/guests?sessionIds=${[...Array<string>(66).fill('x'.repeat(57)), 'y'.repeat(last)].join(',')}`
    expect((await link(api.key, asking(21))).link.question).toHaveLength(4000)
    await expect(link(api.key, asking(22))).rejects.toThrow(
      'The query of a link may have 4000 characters; this one has 4001.',
    )
  })

  it('without an end, or a key in force, or limits', async () => {
    const key = await api.createKey()
    await expect(link(key, WEEK, { expiresAt: () => now })).rejects.toThrow('already be expired')
    await expect(link(key, WEEK, { perHour: 0 })).rejects.toThrow('from 1 to')
    await expect(link(key, WEEK, { language: 'xx' })).rejects.toThrow('is not a language')
    await expect(link(key, WEEK, { name: ' ' })).rejects.toThrow('A link needs a name')
    await revokeKey(api.database, key.appId, { now })
    await expect(link(key, WEEK)).rejects.toThrow('no active key')
  })
})

describe('the trail', () => {
  it('has what a link showed under its own name, and its making and its end', async () => {
    const world = await startTestApi({ clock: () => now, records: stay('a', '2025-01-09', '2025-01-11') })
    const made = await makeLink(
      world.database,
      { key: world.key.appId, question: '/guests?startDate=today&endDate=today', name: 'Front desk' },
      now,
    )
    expect(await guestIds(world, 'startDate=2025-01-10&endDate=2025-01-10')).toEqual(['a'])
    expect((await world.as(undefined).get(made.path)).status).toBe(200)
    await revokeLink(world.database, made.link.id, { now })
    await world.app.close()
    expect(await readsInTrail(world.database, { key: made.link.id })).toMatchObject([
      {
        key: { name: 'Front desk', appId: made.link.id, publicKey: world.key.publicKey },
        operation: 'listGuests',
        channel: 'link',
        filters: { startDate: '2025-01-10', endDate: '2025-01-10' },
        recordIds: ['a'],
      },
    ])
    const done = await readsInTrail(world.database, { operations: ['createLink', 'revokeLink'] })
    expect(done.map(({ operation, filters }) => [operation, filters.link])).toEqual([
      ['revokeLink', made.link.id],
      ['createLink', made.link.id],
    ])
  })

  it.each([
    [
      'of a link that looks for somebody, and not for whom',
      '/guests?startDate=today&endDate=today&email=somebody%40example.com',
      '/guests?startDate=today&endDate=today&email=(hidden)',
    ],
    ['of a link without parameters, as its path alone', '/fields', '/fields'],
  ])('has the question %s', async (_, question, reported) => {
    const made = await link(api.key, question)
    const [entry] = await api.database.query<{ query: string }>(sql`
      select query from audit_entries where operation = 'createLink' and query like ${`%${made.link.id}%`}`)
    expect(new URLSearchParams(entry?.query).get('question')).toBe(reported)
  })
})

/** What guests are found by next to range and session, alone and together; and the order in which they stand. */
import { beforeAll, describe, expect, it } from 'vitest'
import { guestIds, startTestApi, type TestApi, type TestCenter } from '../../support/api.ts'
import { guest, session } from '../../support/world.ts'

const YEAR = 'startDate=2025-01-01&endDate=2025-12-31'

let service: TestApi
let api: TestCenter

beforeAll(async () => {
  service = await startTestApi()
  api = await service.newCenter([
    session('s1', '2025-01-10T14:00', '2025-01-15T10:00'),
    session('s2', '2025-02-10T14:00', '2025-02-15T10:00'),
    ...guest(
      'ana',
      { sessionIds: ['s1'], bookingId: '25-1-01', bookedAt: '2024-11-01T10:00:00Z' },
      {
        firstName: 'Ana',
        lastName: 'Popescu',
        email: 'Ana.Popescu@Example.com',
        phone: '+40 721 234 567',
        internalId: 'C-7',
        dob: '1980-05-01',
      },
    ),
    ...guest(
      'ben',
      {
        sessionIds: ['s1', 's2'],
        status: 'arrived',
        startDate: '2025-01-11T14:00',
        endDate: '2025-02-15T10:00',
        bookingId: '25-1-02',
        acc: { roomId: '205' },
        bookedAt: '2024-10-01T10:00:00Z',
      },
      {
        firstName: 'Ben',
        lastName: 'Țurcanu',
        email: 'ben@example.com',
        phone: '0721/234.568',
        secondaryPhone: '0040 722 000 111',
        dob: '1990-05-01',
      },
    ),
    ...guest(
      'cora',
      { role: 'companion', status: 'paid', startDate: '2025-03-30T02:30', endDate: '2025-04-02T10:00' },
      { firstName: 'Cora', lastName: 'popa', phone: '+44 (0)20 7946 0958', internalId: 'c-7' },
    ),
    ...guest('dan', {}, { firstName: 'Dan', lastName: 'Øst', phone: '112', email: '' }),
  ])
})

const found = (filter: string, where = YEAR) => guestIds(api, [where, filter].filter(Boolean).join('&'))

describe('200', () => {
  describe('of several values at once', () => {
    it('ruling 9: status and role take commas, repetition, or both', async () => {
      expect(await found('status=arrived,paid')).toEqual(['ben', 'cora'])
      expect(await found('status=arrived&status=confirmed')).toEqual(['ana', 'dan', 'ben'])
      expect(await found('role=companion,guest')).toEqual(['cora'])
      expect(await found('role=companion, patient&status=paid')).toEqual(['cora'])
    })

    it('the order and number of values make no other request', async () => {
      const [one, other] = await Promise.all(
        ['status=arrived,paid', 'status=paid,paid&status=arrived'].map((status) =>
          api.get(`/v1/guests?${YEAR}&${status}`),
        ),
      )
      expect(one?.headers.etag).toBe(other?.headers.etag)
    })
  })

  describe('of days', () => {
    it('ruling 12: arriving, departing and inHouse are the center’s local days', async () => {
      expect(await found('arriving=2025-01-11')).toEqual(['ben'])
      expect(await found('departing=2025-02-15')).toEqual(['ben'])
      expect(await found('inHouse=2025-01-15')).toEqual(['ana', 'dan', 'ben'])
      expect(await found('inHouse=2025-01-16')).toEqual(['ben'])
      // The clocks of the center go from 3 to 4 on this day.
      expect(await found('arriving=2025-03-30')).toEqual(['cora'])
    })

    it('ruling 12: a day is a range, where the request has neither dates nor a session', async () => {
      expect(await found('arriving=2025-01-10', '')).toEqual(['ana', 'dan'])
      expect(await found('departing=2025-02-15', '')).toEqual(['ben'])
      expect(await found('inHouse=2025-01-12', '')).toEqual(['ana', 'dan', 'ben'])
      expect(await found('inHouse=2025-01-12&departing=2025-01-15', '')).toEqual(['ana', 'dan'])
      expect(await found('arriving=2025-01-10', 'sessionId=s1')).toEqual(['ana'])
    })
  })

  it('ruling 16: email is the same in upper and lower case', async () => {
    expect(await found('email=ana.popescu@EXAMPLE.com')).toEqual(['ana'])
    expect(await found('email=ana.popescu@example')).toEqual([])
  })

  it.each([
    '+40721234567',
    '%2B40 721 234 567',
    '0040721234567',
    '0721 234 567',
    '721-234-567',
    '(0721) 234567 ext. 12',
    'tel. 0721.234.567',
    '40721234567',
  ])('ruling 16: phone is compared by its digits, whatever is written around them: %s', async (phone) => {
    expect(await found(`phone=${phone}`)).toEqual(['ana'])
  })

  it('phone finds secondary numbers, and numbers written with a zero in brackets', async () => {
    expect(await found('phone=0722000111')).toEqual(['ben'])
    expect(await found('phone=020 7946 0958')).toEqual(['cora'])
    expect(await found('phone=%2B442079460958')).toEqual(['cora'])
  })

  it('phone keeps apart what differs, and countries where both are named', async () => {
    expect(await found('phone=%2B49 721 234 567')).toEqual([])
    expect(await found('phone=0721 234 568')).toEqual(['ben'])
    // The same last seven digits.
    expect(await found('phone=0731 234 567')).toEqual([])
    expect(await found('phone=1234567')).toEqual(['ana'])
  })

  it.each([
    ['Ana Popescu', ['ana']],
    ['popescu  ANA', ['ana']],
    ['po', ['ana', 'cora']],
    ['po c', ['cora']],
    ['turcanu', ['ben']],
    ['Țurcanu,Ben', ['ben']],
    ['Oest', ['dan']],
    ['Попеску', ['ana']],
    ['opescu', []],
    ['Ana Popescu-Maria', []],
  ])(
    'ruling 16: q finds names by the beginnings of their words, whatever the case, order and script: %s',
    async (q, ids) => {
      expect(await found(`q=${encodeURIComponent(q)}`)).toEqual(ids)
    },
  )

  it('ruling 16: internalId and bookingId are found as they are written', async () => {
    expect(await found('internalId=C-7')).toEqual(['ana'])
    expect(await found('internalId=c-7')).toEqual(['cora'])
    expect(await found('bookingId=25-1-02')).toEqual(['ben'])
    expect(await found('bookingId=25-1')).toEqual([])
  })

  const FILTERS = [
    'arriving=2025-01-11',
    'departing=2025-02-15',
    'inHouse=2025-01-12',
    'bookingId=25-1-02',
    'q=turc',
    'email=BEN@example.com',
    'phone=0722000111',
    'status=arrived,paid',
    'personOf=ben',
    'room=205',
  ]
  const PLACES = [YEAR, 'sessionId=s2', 'sessionIds=s1,s2', `sessionIds=s1,s2&sessionId=s2&${YEAR}`]

  it.each(PLACES)(
    'ruling 16: what guests are found by combines with AND, wherever is looked: %s',
    async (place) => {
      const cursor = String((await api.get('/v1/changes')).body.cursor)
      for (const filter of [...FILTERS, FILTERS.join('&')]) {
        const answer = await api.get(`/v1/guests?${place}&${filter}&project=id&snapshot=true`)
        expect(answer.text, filter).toContain('"ben"')
        expect(answer.body.total, filter).toBe(answer.body.data.length)
        expect(answer.headers['snapshot-count'], filter).toBe(String(answer.body.total))
        expect(await found(`${filter}&internalId=nobody`, place)).toEqual([])
        expect(await found(`${filter}&changedAfter=${cursor}`, place)).toEqual([])
      }
    },
  )

  describe('sorted', () => {
    it.each([
      ['-startDate', ['cora', 'ben', 'ana', 'dan']],
      ['endDate', ['ana', 'dan', 'ben', 'cora']],
      ['-endDate', ['cora', 'ben', 'ana', 'dan']],
      ['status,-startDate', ['ben', 'ana', 'dan', 'cora']],
      ['role', ['cora', 'ana', 'dan', 'ben']],
      ['bookedAt', ['ben', 'ana', 'dan', 'cora']],
      ['-bookedAt', ['ana', 'ben', 'dan', 'cora']],
      ['-bookingId', ['ben', 'ana', 'dan', 'cora']],
      ['-dob', ['ben', 'ana', 'dan', 'cora']],
      // Ø as o, and popa before Popescu.
      ['lastName', ['dan', 'cora', 'ana', 'ben']],
      ['-lastName,firstName', ['ben', 'ana', 'cora', 'dan']],
      ['firstName', ['ana', 'ben', 'cora', 'dan']],
    ])('ruling 18: by %s, what has no value last', async (sort, ids) => {
      expect(await found(`sort=${sort}`)).toEqual(ids)
      const pages = await Promise.all(
        [1, 2].map((page) => api.get(`/v1/guests?${YEAR}&project=id&sort=${sort}&length=2&start=${page}`)),
      )
      expect(pages.flatMap(({ body }) => body.data.map(({ id }) => id))).toEqual(ids)
    })

    it('within a session, and the pages of a snapshot prove that order', async () => {
      expect(await found('sort=-startDate', 'sessionId=s1')).toEqual(['ben', 'ana'])
      const [usual, turned] = await Promise.all(
        ['sort=startDate', 'sort=-startDate'].map((sort) =>
          api.get(`/v1/guests?${YEAR}&${sort}&project=id&snapshot=true`),
        ),
      )
      expect(usual?.headers['snapshot-digest']).not.toBe(turned?.headers['snapshot-digest'])
    })

    it('by startDate is the order that the list has anyway', async () => {
      const [one, other] = await Promise.all(
        ['', '&sort=startDate'].map((sort) => api.get(`/v1/guests?${YEAR}${sort}`)),
      )
      expect(one?.headers.etag).toBe(other?.headers.etag)
    })
  })
})

describe('400', () => {
  it.each([
    ['email=a@example.com', 'or one day with inHouse, arriving or departing, such as inHouse=YYYY-MM-DD.'],
    ['status=arrived,nonsense', '\\"nonsense\\" is not allowed'],
    ['status=,', 'status is empty'],
    ['role=guest,guests', 'Did you mean guest?'],
    [`${YEAR}&phone=12 34 56`, 'at least 7 digits'],
    [`${YEAR}&email=%00`, 'NUL'],
    [`${YEAR}&email=ana+spa@example.com`, 'If this one has a plus sign, send it as %2B.'],
    [`${YEAR}&email=a b@example.com`, 'An e-mail address has no spaces.'],
    [`${YEAR}&bookingId=%20`, 'only spaces'],
    [`${YEAR}&internalId=${'x'.repeat(201)}`, '201 characters'],
    [`${YEAR}&email=a@example.com&email=b@example.com`, 'email was given 2 times'],
    [`${YEAR}&q=-.-`, 'no letters or digits'],
    ['arriving=2025-02-30', 'is not a date'],
    ['arriving=2025-02-20T10:00', 'is not a date'],
    ['arriving=2025-02-20&startDate=2025-02-20', 'Give startDate and endDate'],
    [`${YEAR}&sort=startdate`, 'Did you mean startDate?'],
    [`${YEAR}&sort=endDate,-endDate`, 'endDate was given in both orders'],
    [`${YEAR}&sort=pin`, 'cannot be sorted by'],
  ])('%s', async (query, said) => {
    const answer = await api.get(`/v1/guests?${query}`)
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(said)
  })

  it.each(['/v1/guests', '/v1/guests/match?name=Ana'])(
    '%s without a range says once what is missing',
    async (path) => {
      const { error } = JSON.parse((await api.get(path)).text)
      expect(error.details).toEqual([{ parameter: 'startDate', message: error.message }])
      // What it names works, with days in it.
      const query = /startDate=[^)]+/
        .exec(error.details[0].message)?.[0]
        .replaceAll('YYYY-MM-DD', '2025-01-15')
      expect((await api.get(`${path}${path.includes('?') ? '&' : '?'}${query}`)).status).toBe(200)
    },
  )

  it('ruling 8: a refusal does not repeat who was looked for', async () => {
    const answer = await api.get(`/v1/guests?${YEAR}&phone=Ioana&email=${'secret'.repeat(60)}`)
    expect(answer.status).toBe(400)
    expect(answer.text).not.toMatch(/Ioana|secret/)
  })
})

describe('403', () => {
  it('ruling 6: what a key may not see it may not filter or sort by', async () => {
    const lesser = service.as(await service.createKey({ center: api.id, scopes: ['guests'] }))
    for (const [query, what] of [
      ['internalId=C-7', 'internalId'],
      ['sort=-dob', 'sort=-dob'],
      ['sort=lastName,dob,nonsense', 'sort=dob'],
    ]) {
      const answer = await lesser.get(`/v1/guests?${YEAR}&${query}`)
      expect(answer.status).toBe(403)
      expect(answer.text).toContain(`${what} needs the scope guests.personal`)
    }
    expect((await lesser.get(`/v1/guests?${YEAR}&email=a@example.com&sort=-endDate`)).status).toBe(200)
  })
})

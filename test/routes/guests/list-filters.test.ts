import { beforeAll, describe, expect, it } from 'vitest'
import { BOOKING_STATUSES, ROLES } from '../../../src/core/records/fields/statuses.ts'
import { type Asker, guestIds, namedParameters, startTestApi, type TestApi } from '../../support/api.ts'
import { booking, customer, guest, session, stay } from '../../support/world.ts'

const JANUARY = 'startDate=2025-01-01&endDate=2025-01-31'

let service: TestApi
beforeAll(async () => {
  service = await startTestApi()
})

describe('200', () => {
  describe('of sessions', () => {
    let api: Asker
    beforeAll(async () => {
      api = await service.newCenter([
        session('s1', '2025-01-06T12:00', '2025-01-12T12:00'),
        session('s2', '2025-01-13T12:00', '2025-01-19T12:00'),
        session('s3', '2025-02-03T12:00', '2025-02-09T12:00'),
        ...stay('in-1', '2025-01-06', '2025-01-12', { sessionIds: ['s1'] }),
        ...stay('in-1-and-2', '2025-01-07', '2025-01-19', { sessionIds: ['s1', 's2'] }),
        ...stay('in-2', '2025-01-13', '2025-01-19', { sessionIds: ['s2'], role: 'companion' }),
        ...stay('in-3', '2025-02-03', '2025-02-09', { sessionIds: ['s3'] }),
        ...stay('in-none', '2025-01-14', '2025-01-16'),
      ])
      await service.newCenter([
        session('other-session', '2025-01-06T12:00', '2025-01-12T12:00'),
        ...stay('of-the-other', '2025-01-06', '2025-01-12', { sessionIds: ['other-session'] }),
      ])
    })

    it('interface, filter rule: startDate and endDate alone are enough', async () => {
      expect(await guestIds(api, JANUARY)).toEqual(['in-1', 'in-1-and-2', 'in-2', 'in-none'])
    })
    it('interface, filter rule: sessionId alone is enough', async () => {
      expect(await guestIds(api, 'sessionId=s3')).toEqual(['in-3'])
    })
    it('interface, filter rule: sessionIds alone is enough, separated by commas', async () => {
      expect(await guestIds(api, 'sessionIds=s2,s3')).toEqual(['in-1-and-2', 'in-2', 'in-3'])
    })
    it('interface, filter rule: sessionIdsExclude combines with startDate and endDate', async () => {
      expect(await guestIds(api, `${JANUARY}&sessionIdsExclude=s2`)).toEqual(['in-1', 'in-none'])
      expect(await guestIds(api, `${JANUARY}&sessionIdsExclude=s1,s2`)).toEqual(['in-none'])
    })
    it('ruling 16: a booking belongs to each of its sessions', async () => {
      expect(await guestIds(api, 'sessionId=s1')).toEqual(['in-1', 'in-1-and-2'])
      expect(await guestIds(api, 'sessionId=s2')).toEqual(['in-1-and-2', 'in-2'])
    })
    it('ruling 16: a booking of several of the sessions asked for comes once', async () => {
      const answer = await api.get('/v1/guests?sessionIds=s1,s2&project=id')
      expect(answer.body.data.map((record) => record.id)).toEqual(['in-1', 'in-1-and-2', 'in-2'])
      expect(answer.body.total).toBe(3)
    })
    it('ruling 16: ids.sessionId is the first session and ids.sessionIds all of them where there are several', async () => {
      const answer = await api.get('/v1/guests?sessionIds=s2&project=id')
      expect(answer.body.data).toEqual([
        {
          id: 'in-1-and-2',
          ids: { role: 'patient', status: 'confirmed', sessionId: 's1', sessionIds: ['s1', 's2'] },
        },
        { id: 'in-2', ids: { role: 'companion', status: 'confirmed', sessionId: 's2' } },
      ])
    })
    it('ruling 16: a booking without a session has ids.sessionId null and no ids.sessionIds', async () => {
      const answer = await api.get(`/v1/guests?${JANUARY}&sessionIdsExclude=s1,s2`)
      expect(answer.body.data[0]?.ids).toEqual({ role: 'patient', status: 'confirmed', sessionId: null })
    })
    it('ruling 16: sessionId and sessionIds combine with AND, over all sessions of a booking', async () => {
      expect(await guestIds(api, 'sessionId=s1&sessionIds=s2,s3')).toEqual(['in-1-and-2'])
      expect(await guestIds(api, 'sessionId=s1&sessionIds=s1,s2')).toEqual(['in-1', 'in-1-and-2'])
      expect(await guestIds(api, 'sessionId=s3&sessionIds=s1')).toEqual([])
    })
    it('ruling 16: a session filter and sessionIdsExclude combine with AND', async () => {
      expect(await guestIds(api, 'sessionId=s1&sessionIdsExclude=s2')).toEqual(['in-1'])
      expect(await guestIds(api, 'sessionIds=s1,s2&sessionIdsExclude=s1')).toEqual(['in-2'])
      expect(await guestIds(api, 'sessionId=s1&sessionIdsExclude=s1')).toEqual([])
    })
    it('ruling 16: a session filter and dates combine with AND', async () => {
      expect(await guestIds(api, 'sessionIds=s1,s2&startDate=2025-01-13&endDate=2025-01-31')).toEqual([
        'in-1-and-2',
        'in-2',
      ])
    })
    it('ruling 16: with a session filter each single bound applies too', async () => {
      expect(await guestIds(api, 'sessionIds=s1,s2&startDate=2025-01-13')).toEqual(['in-1-and-2', 'in-2'])
      expect(await guestIds(api, 'sessionIds=s1,s2&endDate=2025-01-06')).toEqual(['in-1'])
      expect(await guestIds(api, 'sessionId=s2&endDate=2025-01-07')).toEqual(['in-1-and-2'])
    })
    it('ruling 17: an unknown session is an empty page with total 0', async () => {
      for (const query of ['sessionId=nowhere', 'sessionIds=nowhere,neither']) {
        const answer = await api.get(`/v1/guests?${query}`)
        expect(answer).toMatchObject({ status: 200, body: { data: [], total: 0 } })
      }
    })
    it('ruling 17: an unknown session next to a known one changes nothing', async () => {
      expect(await guestIds(api, 'sessionIds=s3,nowhere')).toEqual(['in-3'])
      expect(await guestIds(api, `${JANUARY}&sessionIdsExclude=nowhere`)).toHaveLength(4)
    })
    it('ruling 7: a session of another center answers as an unknown one does', async () => {
      const answer = await api.get('/v1/guests?sessionId=other-session')
      expect(answer).toMatchObject({ status: 200, body: { data: [], total: 0 } })
      expect(await guestIds(api, 'sessionIds=s3,other-session')).toEqual(['in-3'])
    })
    it('ruling 9: a list takes commas, repetition, or both, and each entry counts once', async () => {
      const expected = ['in-1', 'in-1-and-2', 'in-2', 'in-3']
      expect(await guestIds(api, 'sessionIds=s1,s2,s3')).toEqual(expected)
      expect(await guestIds(api, 'sessionIds=s1&sessionIds=s2&sessionIds=s3')).toEqual(expected)
      expect(await guestIds(api, 'sessionIds=s1,s2&sessionIds=s3,s1')).toEqual(expected)
      expect(await guestIds(api, `${JANUARY}&sessionIdsExclude=s1&sessionIdsExclude=s2`)).toEqual(['in-none'])
    })
    it.each(['s2,s3,', 's2,,s3', ', ,s2,s3', 's2&sessionIds=&sessionIds=s3'])(
      'ruling 9: an empty entry next to others is ignored: sessionIds=%s',
      async (list) => {
        expect(await guestIds(api, `sessionIds=${list}`)).toEqual(['in-1-and-2', 'in-2', 'in-3'])
      },
    )
    it.each([
      'sessionIds[]=s2&sessionIds[]=s3',
      'sessionIds%5B%5D=s2&sessionIds%5B%5D=s3',
      'sessionIds[0]=s2&sessionIds[1]=s3',
      'sessionIds[]=s2,s3&_=1699999999999',
      'sessionIds=s2&sessionIds[]=s3&_=&_=2',
      'sessionIds[1]=s3&sessionIds[0]=s2&sessionIds[]=',
    ])('ruling 9: a list is taken as query builders write it: %s', async (query) => {
      expect(await guestIds(api, query)).toEqual(['in-1-and-2', 'in-2', 'in-3'])
    })
    it('ruling 9: brackets exclude sessions, name fields and combine with other filters as the list does', async () => {
      expect(await guestIds(api, `${JANUARY}&sessionIdsExclude[]=s1&sessionIdsExclude[]=s2`)).toEqual([
        'in-none',
      ])
      const plain = await api.get('/v1/guests?sessionIds=s2&project=firstName,role')
      const built = await api.get('/v1/guests?sessionIds[]=s2&project[0]=firstName&project[1]=role')
      expect(built.text).toBe(plain.text)
    })
    it('ruling 9: spaces around the entries of a list are not part of them', async () => {
      for (const list of ['s2, s3', ' s2 ,s3 ', 's2+,+s3']) {
        const encoded = list.replaceAll(' ', '%20')
        expect(await guestIds(api, `sessionIds=${encoded}`)).toEqual(['in-1-and-2', 'in-2', 'in-3'])
        expect(await guestIds(api, `${JANUARY}&sessionIdsExclude=${encoded}`)).toEqual(['in-1', 'in-none'])
      }
    })
    it('interface, sessionIds: a comma may be percent-encoded', async () => {
      expect(await guestIds(api, 'sessionIds=s2%2Cs3')).toEqual(['in-1-and-2', 'in-2', 'in-3'])
    })
    it('interface, GET /guests: a guest that changes session is found in the new one at once', async () => {
      const own = await service.newCenter([
        session('a', '2025-01-06T12:00', '2025-01-12T12:00'),
        session('b', '2025-01-06T12:00', '2025-01-12T12:00'),
        ...stay('g', '2025-01-06', '2025-01-12', { sessionIds: ['a'] }),
      ])
      expect(await guestIds(own, 'sessionId=a')).toEqual(['g'])
      await service.database.runScript(
        `update bookings set session_ids = '{b}' where center_id = '${own.id}'`,
      )
      expect(await guestIds(own, 'sessionId=a')).toEqual([])
      expect(await guestIds(own, 'sessionId=b')).toEqual(['g'])
    })
  })

  describe('of roles and states', () => {
    let api: Asker
    beforeAll(async () => {
      api = await service.newCenter([
        ...ROLES.flatMap((role) => guest(`role-${role}`, { role, status: 'registered' })),
        ...BOOKING_STATUSES.flatMap((status) =>
          guest(`status-${status}`, {
            status,
            role: 'guest',
            startDate: '2025-03-01T14:00',
            endDate: '2025-03-05T10:00',
          }),
        ),
      ])
    })

    it.each(ROLES)('interface, role: %s lets through the guests of this role', async (role) => {
      const answer = await api.get(`/v1/guests?${JANUARY}&role=${role}`)
      expect(answer.body.data.map((record) => record.ids.role)).toEqual([role])
      expect(answer.body.total).toBe(1)
    })
    it.each(BOOKING_STATUSES)(
      'interface, status: %s lets through the bookings in this state',
      async (status) => {
        const answer = await api.get(`/v1/guests?startDate=2025-03-01&endDate=2025-03-31&status=${status}`)
        expect(answer.body.data.map((record) => record.ids.status)).toEqual([status])
        expect(answer.body.total).toBe(1)
      },
    )
    it('interface, GET /guests: without status, bookings of every state come', async () => {
      const answer = await api.get('/v1/guests?startDate=2025-03-01&endDate=2025-03-31')
      expect(answer.body.data.map((record) => record.ids.status).toSorted()).toEqual(
        [...BOOKING_STATUSES].sort(),
      )
    })
    it('ruling 16: role and status combine with AND', async () => {
      expect(await guestIds(api, `${JANUARY}&role=patient&status=registered`)).toEqual(['role-patient'])
      expect(await guestIds(api, `${JANUARY}&role=patient&status=paid`)).toEqual([])
    })
  })

  it('ruling 16: a guest is one booking of one customer, so a customer who comes twice is two', async () => {
    const api = await service.newCenter([
      customer('c'),
      booking('first', { customerId: 'c' }),
      booking('second', {
        customerId: 'c',
        startDate: '2025-01-20T14:00',
        endDate: '2025-01-25T10:00',
      }),
    ])
    expect(await guestIds(api, JANUARY)).toEqual(['first', 'second'])
  })

  it('ruling 7: guests of another center never appear, though their identifiers are the same', async () => {
    const s1 = session('s1', '2025-01-06T12:00', '2025-01-12T12:00')
    const ours = await service.newCenter([s1, ...guest('b1', { sessionIds: ['s1'] }, { firstName: 'Ours' })])
    const theirs = await service.newCenter([
      s1,
      ...guest('b1', { sessionIds: ['s1'] }, { firstName: 'Theirs' }),
      ...guest('b2', { sessionIds: ['s1'] }, { firstName: 'Theirs' }),
    ])
    for (const query of [JANUARY, 'sessionId=s1', 'sessionIds=s1', `${JANUARY}&sessionIds=s1&role=patient`]) {
      const own = await ours.get(`/v1/guests?${query}`)
      expect(own.body.data.map((record) => record.firstName)).toEqual(['Ours'])
      expect(own.body.total).toBe(1)
      const other = await theirs.get(`/v1/guests?${query}`)
      expect(other.body.data.map((record) => record.firstName)).toEqual(['Theirs', 'Theirs'])
    }
  })
})

describe('400', () => {
  it.each([
    ['', ['startDate']],
    ['?startDate=2025-01-01', ['endDate']],
    ['?endDate=2025-01-31', ['startDate']],
    ['?role=patient', ['startDate']],
    ['?sessionIdsExclude=s1', ['startDate']],
    ['?sessionIdsExclude=s1&startDate=2025-01-01', ['endDate']],
    ['?start=1&length=10&project=firstName', ['startDate']],
  ])('interface, filter rule: "%s" has neither both dates nor a session', async (query, missing) => {
    const answer = await service.get(`/v1/guests${query}`)
    expect(answer.status).toBe(400)
    expect(answer.body.error.code).toBe('INVALID_PARAMETER')
    expect(namedParameters(answer)).toEqual(missing)
  })
  it('ruling 16: sessionIdsExclude alone is not enough, and the answer says so', async () => {
    const answer = await service.get('/v1/guests?sessionIdsExclude=s1')
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('sessionIdsExclude alone is not enough')
  })
  it('ruling 9: more than 500 identifiers in one list are refused, and the answer says how many are taken', async () => {
    const many = Array.from({ length: 501 }, (_, n) => `s${n}`).join(',')
    const answer = await service.get(`/v1/guests?sessionIds=${many}`)
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('at most 500')
    expect((await service.get(`/v1/guests?sessionIds=${many.slice(0, many.lastIndexOf(','))}`)).status).toBe(
      200,
    )
  })
})

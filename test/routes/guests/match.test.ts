/** Whom somebody may be: by name, date of birth, e-mail address and personal number. */
import { hash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { likeness } from '../../../src/core/api/guests/match-likeness.ts'
import { nameSimilarity } from '../../../src/core/api/guests/match-names.ts'
import { startTestApi, type TestApi, type TestCenter } from '../../support/api.ts'
import { guest, session } from '../../support/world.ts'

const YEAR = 'startDate=2025-01-01&endDate=2025-12-31'

let service: TestApi
let api: TestCenter
beforeAll(async () => {
  service = await startTestApi()
  api = await service.newCenter([
    session('s1', '2025-01-10T14:00', '2025-01-15T10:00'),
    ...guest(
      'ioana',
      { sessionIds: ['s1'], bookingId: '25-1-01' },
      {
        firstName: 'Ioana',
        lastName: 'Popescu',
        email: 'io@example.com',
        dob: '1980-03-05',
        pin: '280-0115 1234x',
      },
    ),
    ...guest(
      'ionel',
      { status: 'cancelled' },
      { firstName: 'Ionel', lastName: 'Popescu', dob: '1980-03-05' },
    ),
    ...guest('stefan', { sessionIds: ['s1'] }, { firstName: 'Ștefan', lastName: 'Müller' }),
    ...guest('maria', {}, { firstName: 'Anna-Maria', lastName: 'Шевченко', email: 'io@example.com' }),
  ])
})

const matches = async (query: string, where = YEAR) => {
  const answer = await api.get(`/v1/guests/match?${where}&${query}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data as unknown as readonly { id: string; score: number; reasons: unknown }[]
}
const ids = async (query: string, where = YEAR) => (await matches(query, where)).map(({ id }) => id)

describe('200', () => {
  it.each([
    ['Popescu Ioana', 'ioana'],
    ['IONA POPESKU', 'ioana'],
    ['Ppoescu, Ioana', 'ioana'],
    ['Ioana Maria Popescu', 'ioana'],
    ['Mueller Stefan', 'stefan'],
    ['Stephan Muler', 'stefan'],
    ['S. Müller', 'stefan'],
    ['Shevcenko Annamaria', 'maria'],
    ['Шевченко Анна Мария', 'maria'],
  ])('ruling 41: a name is found whatever its order, writing and typing errors: %s', async (name, id) => {
    expect((await ids(`name=${encodeURIComponent(name)}`))[0]).toBe(id)
  })

  it('ruling 41: each candidate has a score and the reasons', async () => {
    const [first] = await matches('name=Popescu Ioana&dob=1980-05-03&email=IO@example.com')
    expect(first).toEqual({
      id: 'ioana',
      score: 0.94,
      reasons: [
        { by: 'name', agreement: 1 },
        { by: 'dob', agreement: 0.8 },
        { by: 'email', agreement: 1 },
      ],
      bookingId: '25-1-01',
      firstName: 'Ioana',
      lastName: 'Popescu',
      startDate: '2025-01-10T12:00:00.000Z',
      endDate: '2025-01-15T08:00:00.000Z',
      status: 'confirmed',
      sessionIds: ['s1'],
    })
  })

  it('ruling 41: a personal number is compared by its letters and digits, or by their hash', async () => {
    const hashed = `sha256:${hash('sha256', '28001151234X', 'hex')}`
    for (const pin of [
      '28001151234x',
      '280 0115-1234X',
      hashed,
      hashed.toUpperCase().replace('SHA256', 'sha256'),
    ]) {
      expect(await ids(`pin=${encodeURIComponent(pin)}`), pin).toEqual(['ioana'])
    }
    expect(await ids('pin=28001151235x')).toEqual([])
    // With anything before or behind it, it is a number that nobody has.
    for (const pin of [`x${hashed}`, `${hashed}0`]) expect(await ids(`pin=${pin}`), pin).toEqual([])
  })

  it('looks within the session or the range, and within the states', async () => {
    expect(await ids('email=io@example.com')).toEqual(['ioana', 'maria'])
    expect(await ids('email=io@example.com', 'sessionId=s1')).toEqual(['ioana'])
    expect(await ids('dob=1980-03-05', 'startDate=2025-01-01&endDate=2025-01-31&status=confirmed')).toEqual([
      'ioana',
    ])
    expect(await ids('name=Ioana Popescu', 'startDate=2024-01-01&endDate=2024-12-31')).toEqual([])
    expect(await ids('name=Popescu&length=1')).toHaveLength(1)
    expect(await ids('name=Xyz Uvw')).toEqual([])
  })
})

it('compares ten words of a name, however many there are', () => {
  const ten = 'ana bea cat dan eva fay gil hal ida jon'
  expect(nameSimilarity(`${ten} kim leo`, `${ten} moe ned`)).toBe(1)
  expect(nameSimilarity('ana', 'bob')).toBe(0)
})

describe('400 and 403', () => {
  it.each([
    [YEAR, 'Give at least one of name, dob, email and pin'],
    ['name=Ana', 'Give startDate and endDate'],
    [`${YEAR}&name=.`, 'no letters or digits'],
    [`${YEAR}&dob=1980-02-30`, 'dob is not a date'],
    [`${YEAR}&name=Ana&length=51`, 'above 50'],
  ])('%s', async (query, said) => {
    const answer = await api.get(`/v1/guests/match?${query}`)
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(said)
    expect(answer.text).not.toContain('1980')
  })

  it('ruling 6: what is personal needs its scope', async () => {
    const lesser = service.as(await service.createKey({ center: api.id, scopes: ['guests'] }))
    for (const by of ['dob=1980-03-05', 'pin=1', 'dob=', 'pin=']) {
      const answer = await lesser.get(`/v1/guests/match?${YEAR}&name=Ana&${by}`)
      expect(answer.status).toBe(403)
      expect(answer.text).toContain('needs the scope guests.personal')
    }
    expect((await lesser.get(`/v1/guests/match?${YEAR}&name=Ana&email=a`)).status).toBe(200)
  })
})

describe('what a guest does not have', () => {
  const known = { asked: ['ana'], stored: ['ana'], sameEmail: null, born: null, samePin: null }

  it('speaks neither for nor against them', () => {
    const wanted = {
      name: 'Ana',
      dob: '1980-03-05',
      days: ['1980-03-05'],
      email: 'a@example.com',
      pinHash: '00',
    }
    expect(likeness(wanted, known)).toEqual({
      score: 1,
      reasons: [
        { by: 'name', agreement: 1 },
        { by: 'dob', agreement: null },
        { by: 'email', agreement: null },
        { by: 'pin', agreement: null },
      ],
    })
    expect(likeness(wanted, { ...known, samePin: false }).score).toBeLessThan(0.6)
  })
})

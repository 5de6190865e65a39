/** Rulings 15, 24, 25 and 36 on guests: what people read, and what is computed for them. */
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Asker, type Fields, startTestApi, type TestApi } from '../../support/api.ts'
import { booking, customer, guest, order, session, type TestRecord, term } from '../../support/world.ts'

const TODAY = '2026-05-14T12:00:00Z'
let now = TODAY
let service: TestApi
beforeAll(async () => {
  service = await startTestApi({ clock: () => Date.parse(now) })
})
afterEach(() => {
  now = TODAY
})

const JANUARY = '/v1/guests?startDate=2025-01-01&endDate=2025-01-31'

/** The fields of the first guest of all time, in a language. */
async function fields(api: Asker, project: string, language?: string): Promise<Fields & { ids: Fields }> {
  const answer = await api.get(
    `/v1/guests?startDate=1900-01-01&endDate=2999-12-31&project=${project}`,
    language === undefined ? {} : { 'x-locale': language },
  )
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data[0] ?? { ids: {} }
}

describe('200', () => {
  describe('dates', () => {
    it.each([
      ['ro', '31.12.2025'],
      ['no', '31.12.2025'],
      ['nb', '31.12.2025'],
      ['nn-NO', '31.12.2025'],
      ['en', '12/31/2025'],
      ['de', '12/31/2025'],
      ['fr', '12/31/2025'],
      ['da', '12/31/2025'],
      ['hu', '12/31/2025'],
    ])('ruling 36: in %s a date is %s', async (language, shown) => {
      const api = await service.newCenter(
        guest('g', { startDate: '2025-12-31T14:00', endDate: '2026-01-02T10:00' }),
      )
      expect((await fields(api, 'startDate', language)).startDate).toBe(shown)
    })
    it.each([
      ['Pacific/Kiritimati', '01/11/2025'],
      ['Europe/Bucharest', '01/11/2025'],
      ['UTC', '01/10/2025'],
      ['America/St_Johns', '01/10/2025'],
      ['Asia/Kathmandu', '01/11/2025'],
    ])(
      'ruling 15: in %s a localized date is the center’s local day, and ids has UTC',
      async (timezone, shown) => {
        const moments = { startDate: '2025-01-10T22:30:00Z', endDate: '2025-01-20T22:30:00.123Z' }
        const api = await service.newCenter(guest('g', moments), { timezone })
        const record = await fields(api, 'startDate,endDate')
        expect(record.startDate).toBe(shown)
        expect(record.ids).toMatchObject({
          startDate: '2025-01-10T22:30:00.000Z',
          endDate: '2025-01-20T22:30:00.123Z',
        })
      },
    )
    it('ruling 15: a stay that ends at midnight ends on the day that begins', async () => {
      const api = await service.newCenter(guest('g', { endDate: '2025-01-15T00:00' }))
      expect((await fields(api, 'endDate')).endDate).toBe('01/15/2025')
    })
  })

  describe('amounts', () => {
    const paid: TestRecord[] = guest('g', { financial: { total: 1234.5 } })
    it.each([
      ['en', 'EUR', '€1,234.50'],
      ['ro', 'EUR', '1.234,50 EUR'],
      ['ro', 'RON', '1.234,50 RON'],
      ['de', 'EUR', '1.234,50 €'],
      ['no', 'NOK', '1 234,50 kr'],
      ['en', 'JPY', '¥1,235'],
      ['en', 'KWD', 'KWD 1,234.500'],
    ])('ruling 36: in %s an amount in %s is %s', async (language, currency, shown) => {
      const api = await service.newCenter(paid, { currency })
      const record = await fields(api, 'financial.total', language)
      const { total } = record.financial as { total: string }
      expect(total.replaceAll(/[\u00a0\u202f]/g, ' ')).toBe(shown)
      expect(record.ids.financial).toEqual({ total: 1234.5 })
    })
    it('ruling 36: nothing owed is an amount of 0, not null', async () => {
      const api = await service.newCenter(guest('g', { financial: { total: 0 } }))
      expect((await fields(api, 'financial.total')).financial).toEqual({ total: '€0.00' })
    })
  })

  describe('names of things', () => {
    const named = [
      term('program', 'detox', 'Detox', { names: { ro: 'Detoxifiere', 'nb-NO': 'Rens' } }),
      ...guest('g', { programId: 'detox', packageId: 'as written', acc: { roomId: 'A-12', floor: '2' } }),
    ]
    it.each([
      ['ro', 'Detoxifiere'],
      ['nn', 'Rens'],
      ['de', 'Detox'],
    ])('ruling 24: in %s the program shows as %s', async (language, shown) => {
      const api = await service.newCenter(named)
      const record = await fields(api, 'programId', language)
      expect(record.programId).toBe(shown)
      expect(record.ids.programId).toBe('detox')
    })
    it('ruling 24: what names no term shows as it was written', async () => {
      const api = await service.newCenter(named)
      expect(await fields(api, 'packageId,acc.roomId')).toMatchObject({
        packageId: 'as written',
        acc: { roomId: 'A-12' },
        ids: { packageId: 'as written', acc: { roomId: 'A-12' } },
      })
    })
    it('ruling 24: a term of another set or of another center does not lend its name', async () => {
      await service.newCenter([term('package', 'plain', 'Of another center')])
      const api = await service.newCenter([
        term('room', 'plain', 'Of another set'),
        ...guest('g', { packageId: 'plain' }),
      ])
      expect((await fields(api, 'packageId')).packageId).toBe('plain')
    })
    it('ruling 24: each of many things has its name, however many the center has', async () => {
      const programs = Array.from({ length: 60 }, (_, n) => term('program', `p${n}`, `Program ${n}`))
      const api = await service.newCenter([
        ...programs,
        ...programs.flatMap(({ id }) => guest(`of-${id}`, { programId: id })),
      ])
      const { body } = await api.get(`${JANUARY}&length=100&project=programId`)
      const names = body.data.map(({ programId }: Fields) => programId)
      expect(names.toSorted()).toEqual(programs.map(({ name }) => name).toSorted())
    })
    it('ruling 24: a list of things keeps its order, and is null where nothing was recorded', async () => {
      const api = await service.newCenter([
        term('discount', 'b', 'Second'),
        term('discount', 'a', 'First'),
        ...guest('g', { financial: { discountIds: ['b', 'unknown', 'a'] } }),
      ])
      const record = await fields(api, 'financial.discountIds,medicalLetter.recommendationsIds')
      expect(record).toMatchObject({
        financial: { discountIds: ['Second', 'unknown', 'First'] },
        medicalLetter: { recommendationsIds: null },
        ids: {
          financial: { discountIds: ['b', 'unknown', 'a'] },
          medicalLetter: { recommendationsIds: null },
        },
      })
    })
    it('ruling 24: an empty list of things is an empty list', async () => {
      const api = await service.newCenter(guest('g', { financial: { discountIds: [] } }))
      const record = await fields(api, 'financial.discountIds')
      expect(record.financial).toEqual({ discountIds: [] })
      expect(record.ids.financial).toEqual({ discountIds: [] })
    })
    it('ruling 24: where another system wrote something else than a list, the page is answered and shows null', async () => {
      const api = await service.newCenter(guest('g', { financial: { total: 10 } }))
      await service.database.runScript(
        `update bookings set financial = '{"total": 10, "discountIds": "early"}' where center_id = '${api.id}'`,
      )
      const record = await fields(api, 'financial.discountIds,financial.total')
      expect(record.financial).toEqual({ discountIds: null, total: '€10.00' })
    })
    it('ruling 24: centerId is the identifier itself', async () => {
      const api = await service.newCenter(guest('g'))
      const record = await fields(api, 'centerId')
      expect(record.centerId).toBe(api.id)
      expect(record.ids).not.toHaveProperty('centerId')
    })
  })

  describe('names of people', () => {
    it.each([
      ['en', 'Iris', 'IRIS'],
      ['tr', 'Iris İpek', 'IRİS İPEK'],
      ['el', 'Γιάννης', 'ΓΙΑΝΝΗΣ'],
      ['de', 'Weiß', 'WEISS'],
      ['ro', 'Ștefan', 'ȘTEFAN'],
    ])(
      'ruling 25: in a center of %s the capitals of %s are %s in every language',
      async (locale, name, capitals) => {
        const records = guest('g', {}, { firstName: name, lastName: name })
        const api = await service.newCenter(records, { locale })
        for (const language of ['en', 'tr', 'el', undefined]) {
          expect(await fields(api, 'firstNameCaps,lastNameCaps,name', language)).toMatchObject({
            firstNameCaps: capitals,
            lastNameCaps: capitals,
            name: `${name} ${name}`,
          })
        }
      },
    )
  })

  describe('age', () => {
    it.each([
      ['2000-05-14', 26],
      ['2000-05-15', 25],
      ['2000-02-29', 26],
      ['2026-05-14', 0],
    ])('ruling 25: on 14 May 2026 somebody born on %s is %i', async (dob, age) => {
      const api = await service.newCenter(guest('g', {}, { dob }))
      expect((await fields(api, 'age')).age).toBe(age)
    })
    it('ruling 25: age goes by the center’s today, which west of UTC is still yesterday', async () => {
      // 2026-05-14T12:00Z is 15 May, 02:00, in Kiritimati, and 14 May in Bucharest.
      const east = await service.newCenter(guest('g', {}, { dob: '2000-05-15' }), {
        timezone: 'Pacific/Kiritimati',
      })
      const home = await service.newCenter(guest('g', {}, { dob: '2000-05-15' }))
      expect((await fields(east, 'age')).age).toBe(26)
      expect((await fields(home, 'age')).age).toBe(25)
    })
    it('ruling 25: somebody born on 29 February is a year older on 28 February of other years', async () => {
      const api = await service.newCenter(guest('g', {}, { dob: '2000-02-29' }))
      now = '2025-02-27T12:00:00Z'
      expect((await fields(api, 'age')).age).toBe(24)
      now = '2025-02-28T12:00:00Z'
      expect((await fields(api, 'age')).age).toBe(25)
    })
    it('ruling 25: an age changes with the center’s midnight, without any change of data', async () => {
      const api = await service.newCenter(guest('g', {}, { dob: '2000-05-15' }))
      now = '2026-05-14T20:59:59Z'
      expect((await fields(api, 'age')).age).toBe(25)
      now = '2026-05-14T21:00:00Z'
      expect((await fields(api, 'age')).age).toBe(26)
    })
  })

  describe('birthday during the stay', () => {
    it.each([
      ['1980-01-09', '2025-01-10T14:00', '2025-01-15T10:00', false],
      ['1980-01-10', '2025-01-10T14:00', '2025-01-15T10:00', true],
      ['1980-01-15', '2025-01-10T14:00', '2025-01-15T10:00', true],
      ['1980-01-16', '2025-01-10T14:00', '2025-01-15T10:00', false],
      // over New Year
      ['1980-01-01', '2024-12-28T14:00', '2025-01-03T10:00', true],
      ['1980-12-31', '2024-12-28T14:00', '2025-01-03T10:00', true],
      ['1980-01-04', '2024-12-28T14:00', '2025-01-03T10:00', false],
      // the 29th of February
      ['1980-02-29', '2024-02-28T14:00', '2024-02-28T22:00', false],
      ['1980-02-29', '2024-02-29T14:00', '2024-03-02T10:00', true],
      ['1980-02-29', '2025-02-28T14:00', '2025-03-02T10:00', true],
      ['1980-02-29', '2025-03-01T14:00', '2025-03-02T10:00', false],
      ['1980-02-28', '2024-02-28T14:00', '2024-02-28T22:00', true],
      // a year or more
      ['1980-07-01', '2024-08-01T14:00', '2025-08-01T10:00', true],
      // to midnight, which begins the last day
      ['1980-01-15', '2025-01-10T14:00', '2025-01-15T00:00', true],
    ])('ruling 25: born on %s, there from %s to %s: %s', async (dob, startDate, endDate, expected) => {
      const api = await service.newCenter(guest('g', { startDate, endDate }, { dob }))
      expect((await fields(api, 'birthDateDuringStay')).birthDateDuringStay).toBe(expected)
    })
    it('ruling 25: the stay’s days are local ones', async () => {
      const moments = { startDate: '2025-01-10T22:30:00Z', endDate: '2025-01-12T10:00:00Z' }
      const bucharest = await service.newCenter(guest('g', moments, { dob: '1980-01-10' }))
      const newfoundland = await service.newCenter(guest('g', moments, { dob: '1980-01-10' }), {
        timezone: 'America/St_Johns',
      })
      expect((await fields(bucharest, 'birthDateDuringStay')).birthDateDuringStay).toBe(false)
      expect((await fields(newfoundland, 'birthDateDuringStay')).birthDateDuringStay).toBe(true)
    })
  })

  describe('body mass index', () => {
    it.each([
      [{ weight1: 82.5, weight2: 80.1, height: 172 }, 27.9, 27.1],
      [{ weight1: 82.5, weight2: 80.1, height: 172, bmi1: 30.25, bmi2: 20 }, 30.25, 20],
      [{ weight1: 82.5, height: 172 }, 27.9, null],
      [{ weight1: 82.5, weight2: 80 }, null, null],
      [{ weight1: 82.5, weight2: 80, height: 0 }, null, null],
      [{ bmi1: 22 }, 22, null],
    ])('ruling 25: %j gives %s on arrival and %s on departure', async (measured, bmi1, bmi2) => {
      const api = await service.newCenter(guest('g', measured))
      expect(await fields(api, 'bmi1,bmi2')).toMatchObject({ bmi1, bmi2 })
    })
  })

  describe('sessions of the guest', () => {
    it('ruling 25: interval and session dates are those of the main session, which is the first', async () => {
      const api = await service.newCenter([
        session('early', '2025-01-06T12:00', '2025-01-12T12:00'),
        session('main', '2025-01-13T12:00', '2025-01-19T12:00'),
        ...guest('g', { sessionIds: ['main', 'early'] }),
      ])
      const record = await fields(api, 'sessionInterval,sessionStartDate,sessionEndDate', 'ro')
      expect(record).toMatchObject({
        sessionInterval: '13.01.2025 - 19.01.2025',
        sessionStartDate: '13.01.2025',
        sessionEndDate: '19.01.2025',
        ids: {
          sessionId: 'main',
          sessionIds: ['main', 'early'],
          sessionStartDate: '2025-01-13T10:00:00.000Z',
          sessionEndDate: '2025-01-19T10:00:00.000Z',
        },
      })
      expect((await fields(api, 'sessionInterval', 'en')).sessionInterval).toBe('01/13/2025 - 01/19/2025')
    })

    const HISTORY =
      'sessionsAttendedBefore,sessionsAttendedBeforeCount,sessionsRegisteredFuture,sessionsRegisteredFutureCount'
    const past = (id: string, status: string, sessionIds = [`s-${id}`]) =>
      booking(id, {
        customerId: 'c',
        status,
        sessionIds,
        startDate: '2024-01-01T12:00',
        endDate: '2024-12-01T12:00',
      })
    const now = booking('now', {
      customerId: 'c',
      startDate: '2023-06-01T12:00',
      endDate: '2023-06-10T12:00',
    })
    const statuses = [
      'registered',
      'waitingList',
      'review',
      'confirmed',
      'arrived',
      'paid',
      'cancelled',
      'voided',
      'registeredOnline',
      'offer',
      'departed',
    ]

    it('ruling 25: attended before are sessions of bookings that arrived, paid or departed', async () => {
      const api = await service.newCenter([
        customer('c'),
        ...statuses.flatMap((status, n) => [
          session(`s-${status}`, `2022-01-${10 + n}T12:00`, `2022-01-${10 + n}T18:00`, { name: status }),
          { ...past(status, status), startDate: '2024-01-01T12:00' },
        ]),
        now,
      ])
      expect(await fields(api, HISTORY)).toMatchObject({
        sessionsAttendedBefore: ['arrived', 'paid', 'departed'],
        sessionsAttendedBeforeCount: 3,
        sessionsRegisteredFuture: [],
        sessionsRegisteredFutureCount: 0,
      })
    })
    it('ruling 25: registered future are sessions of bookings that are registered in whatever way', async () => {
      const api = await service.newCenter([
        customer('c'),
        ...statuses.flatMap((status, n) => [
          session(`s-${status}`, `2025-01-${10 + n}T12:00`, `2025-01-${10 + n}T18:00`, { name: status }),
          past(status, status),
        ]),
        now,
      ])
      expect(await fields(api, HISTORY)).toMatchObject({
        sessionsAttendedBefore: [],
        sessionsRegisteredFuture: ['registered', 'confirmed', 'arrived', 'paid', 'registeredOnline'],
        sessionsRegisteredFutureCount: 5,
      })
    })
    it('ruling 25: both are in date order, each session once, whichever booking named it first', async () => {
      const api = await service.newCenter([
        customer('c'),
        session('s-2', '2022-02-01T12:00', '2022-02-05T12:00', { name: 'Second' }),
        session('s-1', '2022-01-01T12:00', '2022-01-05T12:00', { name: 'First' }),
        past('a', 'departed', ['s-2', 's-1']),
        past('b', 'paid', ['s-1']),
        now,
      ])
      const record = await fields(api, HISTORY)
      expect(record.sessionsAttendedBefore).toEqual(['First', 'Second'])
      expect(record.ids.sessionsAttendedBefore).toEqual(['s-1', 's-2'])
      expect(record.sessionsAttendedBeforeCount).toBe(2)
    })
    it('ruling 25: a session that ends just as the stay begins, or begins just as it ends, is neither', async () => {
      const api = await service.newCenter([
        customer('c'),
        session('touching-before', '2023-05-20T12:00', '2023-06-01T12:00'),
        session('before', '2023-05-20T12:00', '2023-06-01T11:59:59.999'),
        session('touching-after', '2023-06-10T12:00', '2023-06-20T12:00'),
        session('after', '2023-06-10T12:00:00.001', '2023-06-20T12:00'),
        past('a', 'arrived', ['touching-before', 'before', 'touching-after', 'after']),
        now,
      ])
      expect(await fields(api, HISTORY)).toMatchObject({
        ids: { sessionsAttendedBefore: ['before'], sessionsRegisteredFuture: ['after'] },
      })
    })
    it('ruling 25: the sessions of another customer, or of the same one elsewhere, do not count', async () => {
      const records = [
        session('s-a', '2022-01-01T12:00', '2022-01-05T12:00'),
        customer('c'),
        past('a', 'departed'),
      ]
      await service.newCenter(records)
      const api = await service.newCenter([
        customer('c'),
        now,
        session('s-x', '2022-01-01T12:00', '2022-01-05T12:00'),
        ...guest('x', {
          status: 'departed',
          sessionIds: ['s-x'],
          startDate: '2024-06-01',
          endDate: '2024-06-02',
        }),
      ])
      expect(await fields(api, HISTORY)).toMatchObject({
        sessionsAttendedBefore: [],
        sessionsAttendedBeforeCount: 0,
      })
    })
  })

  it('interface, order link: number, status and main guest come from the booking’s order', async () => {
    const api = await service.newCenter([
      order('o1', { number: '77', status: 'refunded' }),
      ...guest('g', { orderUuid: 'o1', isOrderMainGuest: false }),
    ])
    expect(await fields(api, 'orderNumber,orderStatus,isOrderMainGuest')).toMatchObject({
      orderNumber: '77',
      orderStatus: 'Refunded',
      isOrderMainGuest: false,
      ids: { orderStatus: 'refunded' },
    })
  })
  it('ruling 21: isOrderMainGuest is false for a booking of an order that is not marked, null without an order', async () => {
    const api = await service.newCenter([
      order('o1'),
      ...guest('main', { orderUuid: 'o1', isOrderMainGuest: true }),
      ...guest('other', { orderUuid: 'o1' }),
      ...guest('none'),
    ])
    const { body } = await api.get(`${JANUARY}&project=id,isOrderMainGuest`)
    const shown = body.data.map(({ id, isOrderMainGuest }) => [id, isOrderMainGuest])
    expect(Object.fromEntries(shown)).toEqual({ main: true, other: false, none: null })
  })
  it('ruling 23: orderUuid is the order’s own identifier, so that guests and orders join', async () => {
    const api = await service.newCenter([
      order('o1'),
      ...guest('a', { orderUuid: 'o1' }),
      ...guest('b', { orderUuid: 'o1' }),
      ...guest('c'),
    ])
    const { body } = await api.get(`${JANUARY}&project=id,orderUuid`)
    expect(Object.fromEntries(body.data.map(({ id, orderUuid }) => [id, orderUuid]))).toEqual({
      a: 'o1',
      b: 'o1',
      c: null,
    })
    expect((await api.get(`/v1/orders/${body.data[0]?.orderUuid}`)).body.uuid).toBe('o1')
  })
  it('ruling 37: a payment type is shown by its term, then by the payment method’s label, then readable', async () => {
    const paid = (paymentType: string) => ({ financial: { deposit: { amount: 1, paymentType } } })
    const api = await service.newCenter([
      term('paymentType', 'cash', 'Till', { names: { ro: 'Casierie' } }),
      ...guest('term', paid('cash')),
      ...guest('label', paid('bank_transfer')),
      ...guest('readable', paid('bank_slip')),
      ...guest('text', paid('Paid at the pre-sale')),
      ...guest('none'),
    ])
    const url = `${JANUARY}&project=id,financial.deposit.paymentType`
    const record = (id: string, shown: string | null, raw: string | null) => ({
      id,
      financial: { deposit: { paymentType: shown } },
      ids: { financial: { deposit: { paymentType: raw } } },
    })
    expect((await api.get(url, { 'x-locale': 'ro' })).body.data).toMatchObject([
      record('label', 'Transfer bancar', 'bank_transfer'),
      record('none', null, null),
      record('readable', 'Bank slip', 'bank_slip'),
      record('term', 'Casierie', 'cash'),
      record('text', 'Paid at the pre-sale', 'Paid at the pre-sale'),
    ])
    const inGerman = (await api.get(url, { 'x-locale': 'de' })).body.data
    expect(inGerman[0]).toMatchObject(record('label', 'Überweisung', 'bank_transfer'))
    expect(inGerman[3]).toMatchObject(record('term', 'Till', 'cash'))
  })
  it('ruling 37: F and M are genders', async () => {
    const api = await service.newCenter([
      ...guest('f', {}, { gender: 'F' }),
      ...guest('m', {}, { gender: 'm' }),
    ])
    const { body } = await api.get(`${JANUARY}&project=id,gender`)
    expect(body.data).toMatchObject([
      { id: 'f', gender: 'Female', ids: { gender: 'F' } },
      { id: 'm', gender: 'Male', ids: { gender: 'm' } },
    ])
  })
})

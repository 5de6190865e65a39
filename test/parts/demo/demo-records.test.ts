import { describe, expect, test } from 'vitest'
import { EXAMPLE_ORDER_UUID, TODAY_SESSION_ID } from '../../../src/parts/demo/demo-records.ts'
import { awkwardDays, bookingsOf, DEMO_CENTER_ID, demo, isConflict, recordsOf } from './demo-data.ts'

const today = '2026-05-14'
const records = demo(today)
const bookings = bookingsOf(records)

test('the session of January 2025 is the same on every day, so that documentation can show it', () => {
  const archived = (day: string) =>
    demo(day).filter(({ id, uuid }) => /-2025-|^(3b1f8a54|9c84d7e1)/.test(String(id ?? uuid)))
  expect(archived(today)).toHaveLength(11)
  for (const day of awkwardDays) expect(archived(day)).toEqual(archived(today))
})

test('dates follow today, also inside of texts', () => {
  const [customer] = recordsOf(demo('2027-12-31'), 'customer')
  expect(customer).toMatchObject({ dob: '1987-09-22', pin: '0870922410080' })
  const [order] = recordsOf(demo('2028-01-01'), 'order')
  expect(order).toMatchObject({ orderDate: '2027-07-17T11:50:00+03:00', number: '2027-00001' })
})

describe.each(awkwardDays)('on %s', (day) => {
  const all = demo(day)
  const booked = bookingsOf(all)

  test('there are about 400 bookings in 14 numbered sessions', () => {
    expect(booked.length).toBeGreaterThan(370)
    expect(booked.length).toBeLessThan(440)
    const numbers = recordsOf(all, 'session')
      .filter(({ id }) => id !== 'session-2025-01')
      .map(({ number }) => number)
    expect(numbers).toEqual(Array.from({ length: 14 }, (_, index) => String(index + 1)))
  })

  test('one session runs today with about 30 guests, and several of them skip a meal today', () => {
    const running = recordsOf(all, 'session').filter(
      ({ startDate, endDate }) => String(startDate) < day && String(endDate) > day,
    )
    expect(running.map(({ id }) => id)).toEqual([TODAY_SESSION_ID])

    const here = booked.filter(({ sessionIds }) => sessionIds?.includes(TODAY_SESSION_ID))
    expect(here.length).toBeGreaterThanOrEqual(30)
    expect(here.length).toBeLessThanOrEqual(38)
    const active = here.filter(({ status }) => status === 'arrived' || status === 'paid')
    expect(active.length).toBeGreaterThanOrEqual(22)
    const skipping = active.filter(({ skippingMeals }) =>
      Object.values(skippingMeals ?? {})
        .flat()
        .includes(day),
    )
    expect(skipping.length).toBeGreaterThanOrEqual(5)
  })

  test('every status and every role occurs', () => {
    const statuses =
      'arrived cancelled confirmed departed offer paid registered registeredOnline review voided'
    expect(new Set(booked.map(({ status }) => status))).toEqual(
      new Set([...statuses.split(' '), 'waitingList']),
    )
    expect(new Set(booked.map(({ role }) => role))).toEqual(new Set(['patient', 'companion', 'guest']))
  })

  test('statuses fit the date', () => {
    const where = { past: new Set<string>(), future: new Set<string>() }
    for (const { status, startDate, endDate } of booked) {
      if (endDate.slice(0, 10) < day) where.past.add(status)
      if (startDate.slice(0, 10) > addOne(day)) where.future.add(status)
    }
    expect([...where.past].sort()).toEqual(['cancelled', 'departed', 'paid', 'voided'])
    for (const done of ['departed', 'arrived', 'paid']) expect(where.future).not.toContain(done)
  })

  test('no room has more guests than beds on a night, and one guest moves today', () => {
    const rooms = recordsOf(all, 'term').filter(({ set }) => set === 'room')
    const beds = new Map(rooms.map(({ id, beds }) => [String(id), Number(beds)]))
    const sleeping = new Map<string, number>()
    let moving = 0
    for (const booking of booked.filter((one) => !isConflict(one))) {
      const segments = booking.accSegments as { from: string; until: string; roomId: string }[] | undefined
      if (segments?.[1]?.from === day) moving += 1
      const { roomId } = (booking.acc ?? {}) as { roomId?: string }
      const whole = { from: booking.startDate.slice(0, 10), until: booking.endDate.slice(0, 10), roomId }
      for (const { from, until, roomId: room = '' } of segments ?? [whole]) {
        for (let night = from; night < until; night = addOne(night)) {
          const key = `${room} ${night}`
          sleeping.set(key, (sleeping.get(key) ?? 0) + 1)
          if (beds.has(room)) expect(sleeping.get(key), key).toBeLessThanOrEqual(beds.get(room)!)
        }
      }
    }
    expect(beds.size).toBe(14)
    expect(moving).toBe(1)
  })

  test('nothing was booked or paid after today', () => {
    const moments = booked.flatMap(({ bookedAt, financial }) => {
      const paid = JSON.stringify(financial ?? {}).matchAll(/"paidAt":"([^"]+)"/g)
      return [bookedAt, ...[...paid].map(([, moment]) => moment)].filter((value) => typeof value === 'string')
    })
    expect(moments.length).toBeGreaterThan(500)
    for (const moment of moments) expect(moment.slice(0, 10) < day).toBe(true)
  })
})

describe('bookings', () => {
  test('some span two sessions, some three, some have none', () => {
    const spans = new Set(bookings.map(({ sessionIds }) => sessionIds?.length ?? 0))
    expect(spans).toEqual(new Set([0, 1, 2, 3]))
  })

  test('some guests were here before, are here now and come again', () => {
    const has = (customerId: string, fits: (status: string, start: string, end: string) => boolean) =>
      bookings.some(
        (booking) =>
          booking.customerId === customerId && fits(booking.status, booking.startDate, booking.endDate),
      )
    const regulars = bookings.filter(
      ({ customerId, sessionIds }) =>
        sessionIds?.includes(TODAY_SESSION_ID) &&
        has(customerId, (status, _, end) => end < today && status === 'departed') &&
        has(customerId, (status, start) => start > today && status === 'confirmed'),
    )
    expect(regulars.length).toBeGreaterThanOrEqual(3)
  })

  test('nobody has two bookings at the same time, but for one conflict', () => {
    for (const one of bookings.filter((booking) => !isConflict(booking))) {
      const same = bookings.filter(
        (other) =>
          other.customerId === one.customerId &&
          other.startDate <= one.endDate &&
          other.endDate >= one.startDate,
      )
      expect(same).toHaveLength(1)
    }
  })

  test('only a few carry a booking identifier: the database gives the others', () => {
    const numbers = bookings.map(({ bookingId }) => bookingId).filter(Boolean)
    expect(numbers).toEqual(['VIP-001', 'VIP-002', 'PRESS-001', '25-W-01'])
  })

  test('skipped meals lie inside the stay, but for a few left over from a stay that was moved', () => {
    const outside = bookings.filter(({ startDate, endDate, skippingMeals }) =>
      Object.values(skippingMeals ?? {})
        .flat()
        .some((day) => day < startDate.slice(0, 10) || day > endDate.slice(0, 10)),
    )
    expect(outside.length).toBeGreaterThan(5)
    expect(outside.length).toBeLessThan(60)
  })
})

describe('people', () => {
  const customers = recordsOf(records, 'customer')

  test('some are known only by name', () => {
    const bare = customers.filter((customer) => Object.keys(customer).length === 5)
    expect(bare.length).toBeGreaterThan(10)
  })

  test('some were born on 29 February', () => {
    expect(customers.filter(({ dob }) => String(dob).endsWith('-02-29')).length).toBeGreaterThanOrEqual(3)
  })

  test.each(awkwardDays)('on %s somebody here has a birthday tomorrow', (day) => {
    const all = demo(day)
    const here = bookingsOf(all).filter(({ sessionIds }) => sessionIds?.includes(TODAY_SESSION_ID))
    const ids = new Set(here.map(({ customerId }) => customerId))
    const birthdays = recordsOf(all, 'customer').filter(
      ({ id, dob }) => ids.has(String(id)) && [addOne(day).slice(5), '02-28'].includes(String(dob).slice(5)),
    )
    expect(birthdays.length).toBeGreaterThanOrEqual(1)
  })

  test('names are unique and hold letters of all three languages', () => {
    const names = customers.map(({ firstName, lastName }) => `${firstName} ${lastName}`)
    expect(new Set(names).size).toBe(names.length)
    for (const letter of 'șțăâøåë') expect(names.join('').toLowerCase()).toContain(letter)
  })

  test('addresses for mail are unique and lead nowhere', () => {
    const emails = customers.flatMap(({ email }) => (typeof email === 'string' ? [email] : []))
    expect(new Set(emails).size).toBe(emails.length)
    for (const email of emails) expect(email).toMatch(/^[a-z.-]+@example\.(com|org|net)$/)
  })

  test('telephone numbers belong to nobody', () => {
    const phones = customers.flatMap(({ phone, secondaryPhone }) => [phone, secondaryPhone]).filter(Boolean)
    for (const phone of phones)
      expect(phone).toMatch(/^\+(40 000 000 \d{3}|47 00 00 0\d \d\d|44 7700 900\d{3})$/)
  })
})

describe('orders', () => {
  const orders = recordsOf(records, 'order')
  const total = (items: unknown) =>
    (items as { quantity: number; price: number }[]).reduce(
      (sum, { quantity, price }) => sum + quantity * price,
      0,
    )

  test('the total is the sum of the items, but for one conflict', () => {
    const right = orders.filter((order) => !isConflict(order))
    expect(right).toHaveLength(orders.length - 1)
    for (const { totalAmount, items } of right) expect(totalAmount).toBeCloseTo(total(items), 2)
  })

  test('the example order belongs to three guests of the session that runs today, one of them the main guest', () => {
    for (const day of awkwardDays) {
      const guests = bookingsOf(demo(day)).filter(({ orderUuid }) => orderUuid === EXAMPLE_ORDER_UUID)
      expect(guests.map(({ role }) => role)).toEqual(['patient', 'companion', 'guest'])
      expect(guests.map(({ isOrderMainGuest }) => isOrderMainGuest)).toEqual([true, false, false])
      expect(guests.every(({ sessionIds }) => sessionIds?.[0] === TODAY_SESSION_ID)).toBe(true)
    }
  })

  test("identifiers are UUIDs but for a few in another system's form", () => {
    const opaque = orders
      .map(({ uuid }) => String(uuid))
      .filter((uuid) => !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(uuid))
    expect(opaque).toEqual(['order_123456', 'order_123457', 'order_204118', 'WEB:2024-0042'])
  })

  test('statuses, ways to pay and currencies vary', () => {
    const kinds = (field: string) => new Set(orders.map((order) => order[field]))
    for (const status of ['confirmed', 'pending', 'completed', 'cancelled'])
      expect(kinds('status')).toContain(status)
    expect(kinds('paymentMethod').size).toBeGreaterThanOrEqual(5)
    expect(kinds('paymentStatus')).toContain('refunded')
    expect(kinds('currency')).toEqual(new Set([undefined, 'EUR', 'NOK']))
  })

  test('none was changed before it was made', () => {
    for (const { createdAt, updatedAt } of orders) {
      if (createdAt)
        expect(Date.parse(String(updatedAt))).toBeGreaterThanOrEqual(Date.parse(String(createdAt)))
    }
  })
})

test('the demo center takes care of booking identifiers by itself', () => {
  expect(recordsOf(records, 'center')).toMatchObject([
    {
      id: DEMO_CENTER_ID,
      timezone: 'Europe/Bucharest',
      currency: 'RON',
      locale: 'en',
      automaticBookingIds: true,
    },
  ])
})

function addOne(day: string): string {
  return Temporal.PlainDate.from(day).add({ days: 1 }).toString()
}

/** Orders: by months, and some one by one. */
import { bytewise, endOf, startOf } from '../../test/support/guests-oracle.ts'
import { american, at, collator, monthsOf } from './calendar.ts'
import type { CenterFile, OrderRecord } from './center-file.ts'
import { check, type Fields, type Get } from './comparison.ts'

export async function verifyOrders(get: Get, file: CenterFile): Promise<void> {
  const { timezone: zone, currency } = file.center
  const guestsOf = Map.groupBy(
    file.bookings.filter((booking) => booking.orderUuid !== undefined),
    (booking) => booking.orderUuid,
  )
  const namesOf = (order: OrderRecord) => {
    const main = new Map<string, boolean>()
    for (const { customerId, isOrderMainGuest } of guestsOf.get(order.uuid) ?? []) {
      main.set(customerId, main.get(customerId) === true || isOrderMainGuest === true)
    }
    return [...main]
      .map(([id, isMain]) => ({ ...file.customers.get(id), isMain }))
      .sort(
        (a, b) =>
          Number(b.isMain) - Number(a.isMain) ||
          collator.compare(a.lastName ?? '', b.lastName ?? '') ||
          collator.compare(a.firstName ?? '', b.firstName ?? ''),
      )
      .map((person) => `${person.firstName} ${person.lastName}`)
  }
  const money = (order: OrderRecord, amount: number) =>
    new Intl.NumberFormat('en', { style: 'currency', currency: order.currency ?? currency }).format(amount)
  let listed = 0
  for (const month of monthsOf(
    file.orders.map((order) => order.orderDate),
    zone,
  )) {
    const [lower, upper] = [startOf(month.from, zone), endOf(month.to, zone)]
    const counted = file.orders
      .filter((order) => at(order.orderDate) >= lower && at(order.orderDate) <= upper)
      .sort((a, b) => at(a.orderDate) - at(b.orderDate) || bytewise(a.uuid, b.uuid))
    const body = await get(`/v1/orders?startDate=${month.from}&endDate=${month.to}&includeGuestNames=true`)
    const answered = body as unknown as Fields[]
    listed += answered.length
    check(`orders of ${file.center.id}, ${month.from}: how many`, answered.length, counted.length)
    for (const [n, order] of counted.entries()) {
      const { uuid, orderNumber, orderDate, totalAmount, guestNames, items } = answered[n] ?? {}
      check(
        `order ${order.uuid}`,
        { uuid, orderNumber, orderDate, totalAmount, guestNames, items },
        {
          uuid: order.uuid,
          orderNumber: order.number ?? null,
          orderDate: american(order.orderDate, zone),
          totalAmount: money(order, order.totalAmount),
          guestNames: namesOf(order).join(', '),
          items: (order.items ?? []).map((item) => ({
            name: item.name,
            quantity: item.quantity,
            price: money(order, item.price),
          })),
        },
      )
    }
  }
  check(`orders of ${file.center.id}: all months together`, listed, file.orders.length)
  // One in twenty, read one by one.
  for (const order of file.orders.filter((_, n) => n % 20 === 0)) {
    const { uuid, orderDate, totalAmount, status, guestNames, items } = await get(
      `/v1/orders/${order.uuid}?includeGuestNames=true`,
    )
    check(
      `GET /orders/${order.uuid}`,
      { uuid, orderDate, totalAmount, status, guestNames, items },
      {
        uuid: order.uuid,
        orderDate: new Date(at(order.orderDate)).toISOString(),
        totalAmount: order.totalAmount,
        status: order.status,
        guestNames: namesOf(order),
        items: (order.items ?? []).map(({ name, quantity, price, itemId }) => ({
          name,
          quantity,
          price,
          itemId,
        })),
      },
    )
  }
}

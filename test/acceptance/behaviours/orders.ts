import { type BehaviourGroup, behaviour } from '../behaviour.ts'
import {
  AMERICAN_DATE,
  DOTTED_DATE,
  exactly,
  fields,
  ISO_MOMENT,
  list,
  must,
  refused,
  refusesParameters,
  same,
  status,
  strings,
} from '../expectations.ts'

const LISTED = [
  ...['uuid', 'orderNumber', 'orderDate', 'totalAmount', 'status', 'items', 'paymentMethod', 'paymentStatus'],
  ...['createdAt', 'updatedAt', 'ids'],
]
const IDS = [
  ...['orderDate', 'totalAmount', 'currency', 'status', 'items', 'paymentMethod', 'paymentStatus'],
  ...['createdAt', 'updatedAt'],
]
const ONE = [
  ...['uuid', 'orderDate', 'totalAmount', 'status', 'items', 'billingAddress', 'paymentMethod'],
  ...['paymentStatus', 'notes', 'createdAt', 'updatedAt'],
]
const path = (uuid: unknown) => `/v1/orders/${encodeURIComponent(String(uuid))}`

export const orders: BehaviourGroup = {
  title: 'Orders',
  behaviours: [
    behaviour('A listed order is humanized, and has exactly its fields.', async (site, discovery) => {
      const { query } = await discovery.rangeWithOrders()
      const answer = await site.get(`/v1/orders?${query}`, { 'x-locale': 'en' })
      status(answer, 200, 'GET /orders')
      for (const item of list(answer.json, 'GET /orders')) {
        const order = fields(item, 'an order')
        exactly(order, LISTED, 'a listed order')
        must(AMERICAN_DATE.test(String(order.orderDate)), `orderDate is ${order.orderDate}`)
        must(typeof order.totalAmount === 'string', 'totalAmount is no formatted amount')
        const ids = fields(order.ids, 'ids of an order')
        exactly(ids, IDS, 'ids of an order')
        must(typeof ids.totalAmount === 'number', 'ids.totalAmount is no number')
        must(/^[A-Z]{3}$/.test(String(ids.currency)), `ids.currency is ${ids.currency}`)
        must(ISO_MOMENT.test(String(ids.orderDate)), `ids.orderDate is ${ids.orderDate}`)
        for (const part of list(order.items, 'items')) {
          const one = fields(part, 'an item')
          exactly(one, ['name', 'quantity', 'price'], 'an item')
          must(typeof one.price === 'string', 'price is no formatted amount')
        }
      }
    }),
    behaviour(
      'guestNames come only where they are asked for: a text in the list, an array in one order.',
      async (site, discovery) => {
        const { query, orders: found } = await discovery.rangeWithOrders()
        const named = await site.get(`/v1/orders?${query}&includeGuestNames=true`)
        for (const [n, item] of list(named.json, 'GET /orders').slice(0, 3).entries()) {
          const order = fields(item, 'an order')
          same(order.uuid, found[n]?.uuid, 'the order of orders')
          const one = fields((await site.get(`${path(order.uuid)}?includeGuestNames=true`)).json, 'an order')
          same(strings(one.guestNames, 'guestNames').join(', '), order.guestNames, 'guestNames')
        }
      },
    ),
    behaviour('One order is raw: numbers, raw values, ISO timestamps.', async (site, discovery) => {
      const { orders: found } = await discovery.rangeWithOrders()
      const answer = await site.get(path(found[0]?.uuid), { 'x-locale': 'ro' })
      status(answer, 200, 'GET /orders/{uuid}')
      const order = fields(answer.json, 'the order')
      exactly(order, ONE, 'the order')
      must(typeof order.totalAmount === 'number', 'totalAmount is no number')
      must(ISO_MOMENT.test(String(order.orderDate)), `orderDate is ${order.orderDate}`)
      for (const part of list(order.items, 'items')) {
        const one = fields(part, 'an item')
        exactly(one, ['name', 'quantity', 'price', 'itemId'], 'an item')
        must(typeof one.price === 'number', 'price is no number')
      }
    }),
    behaviour(
      'formatDates=true localizes the orderDate of one order, and no other date of it.',
      async (site, discovery) => {
        const { orders: found } = await discovery.rangeWithOrders()
        const answer = await site.get(`${path(found[0]?.uuid)}?formatDates=true`, { 'x-locale': 'ro' })
        const { orderDate, createdAt, updatedAt } = fields(answer.json, 'the order')
        must(DOTTED_DATE.test(String(orderDate)), 'orderDate is not localized')
        for (const at of [createdAt, updatedAt]) {
          must(at === null || ISO_MOMENT.test(String(at)), `${at} is no ISO timestamp`)
        }
      },
    ),
    behaviour('Every order of the list is found by its uuid.', async (site, discovery) => {
      const { orders: found } = await discovery.rangeWithOrders()
      for (const { uuid } of found.slice(-3)) {
        const answer = await site.get(path(uuid))
        status(answer, 200, 'GET /orders/{uuid}')
        same(fields(answer.json, 'the order').uuid, uuid, 'uuid')
      }
    }),
    behaviour(
      'A UUID that is nowhere is a 404, anything else a 404 or a 400, the same for all.',
      async (site) => {
        const nowhere = '00000000-0000-0000-0000-00000000acce'
        refused(await site.get(path(nowhere)), 404, 'NOT_FOUND', nowhere)
        const texts = ['acceptance_nothing', '12', 'a b', "'"]
        const answers = await Promise.all(texts.map((text) => site.get(path(text))))
        const hadOthers = answers[0]?.status === 404
        for (const [at, answer] of answers.entries()) {
          if (hadOthers) refused(answer, 404, 'NOT_FOUND', texts[at] ?? '')
          else refusesParameters(answer, ['uuid'], texts[at] ?? '')
        }
      },
    ),
    behaviour('A range without orders is an empty array.', async (site) => {
      const answer = await site.get('/v1/orders?startDate=1900-01-01&endDate=1900-01-31')
      status(answer, 200, 'GET /orders')
      same(answer.json, [], 'orders of 1900')
    }),
  ],
}

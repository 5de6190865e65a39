/** The order rules of a center: a status means one thing (ruling 51). */
import { expect, it } from 'vitest'
import { checkOrderRules } from '../../src/core/intake/kinds/order-rules.ts'

it('a status in two lists is refused, with both lists', () => {
  const rules = {
    orderStatuses: { valid: ['completed', 'confirmed'], void: ['cancelled', 'confirmed'] },
    paymentStatuses: { open: ['unpaid'], refunded: ['unpaid'] },
  }
  expect(checkOrderRules(rules)).toMatchObject([
    {
      field: 'orderRules.orderStatuses.void',
      message: 'has "confirmed", which is also in orderRules.orderStatuses.valid; a status is in one list',
    },
    {
      field: 'orderRules.paymentStatuses.refunded',
      message: 'has "unpaid", which is also in orderRules.paymentStatuses.open; a status is in one list',
    },
  ])
})

it.each([
  undefined,
  null,
  {},
  { orderStatuses: null },
  { orderStatuses: { valid: ['paid'] }, paymentStatuses: { valid: ['paid'] } },
])('nothing is wrong with %j', (rules) => {
  expect(checkOrderRules(rules)).toEqual([])
})

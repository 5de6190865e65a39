/** The order of a guest, which leads to its page for a key that may read it. */
import { type ComponentChild, h } from 'preact'
import { nameOfOrder } from '../../../src/documents/order-name.ts'
import { to } from '../base/routes.ts'
import { may, words } from '../base/signed-in.ts'
import type { DayGuest } from './day-guests.ts'

export function OrderOf({ guest: { orderUuid, orderNumber } }: { readonly guest: DayGuest }): ComponentChild {
  if (orderUuid === null) return h('span', { class: 'soft' }, words.value('noOrder'))
  const name = nameOfOrder({ orderNumber, uuid: orderUuid })
  return may('orders') ? h('a', { href: to('orders/one', { uuid: orderUuid }) }, name) : name
}

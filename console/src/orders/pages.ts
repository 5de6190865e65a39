/** The orders, for the navigation. */
import type { Page } from '../base/page.ts'
import { may } from '../base/signed-in.ts'

const isOpen = () => may('orders')

export const ORDERS_PAGES: readonly Page[] = [
  {
    path: 'orders',
    title: 'orders',
    isInBar: true,
    isOpen,
    load: async () => (await import('./orders-page.ts')).OrdersPage,
  },
  {
    path: 'orders/one',
    title: 'order',
    isOpen,
    load: async () => (await import('./one-order.ts')).OneOrder,
  },
]

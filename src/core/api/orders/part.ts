import type { Part } from '../../part.ts'
import { getOrder } from './get-order.ts'
import { listOrders } from './list-orders.ts'
import { orderControl } from './order-control.ts'

export const orders: Part = {
  name: 'orders',
  operations: () => [listOrders, getOrder, orderControl],
}

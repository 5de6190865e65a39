/** Example answers about orders, by operation. */
import { ARCHIVED_ORDER_UUID } from '../../commands/demo/archive.ts'
import type { AnswerExample } from './answer-example.ts'

export const ORDER_EXAMPLES: Readonly<Record<string, AnswerExample>> = {
  listOrders: {
    request: '/orders?startDate=2025-01-01&endDate=2025-01-05',
    answer: [
      {
        uuid: ARCHIVED_ORDER_UUID,
        orderNumber: '2025-W-1',
        orderDate: '01/03/2025',
        totalAmount: '€3,099.98',
        status: 'Completed',
        items: [
          { name: 'Complete', quantity: 1, price: '€1,850.00' },
          { name: 'Companion', quantity: 1, price: '€1,200.00' },
          { name: 'Herbal tea box', quantity: 2, price: '€24.99' },
        ],
        paymentMethod: 'Credit card',
        paymentStatus: 'Paid',
        createdAt: '2025-01-03T08:00:00.000Z',
        updatedAt: '2025-01-24T08:30:00.000Z',
        ids: {
          orderDate: '2025-01-03T08:00:00.000Z',
          totalAmount: 3099.98,
          currency: 'EUR',
          status: 'completed',
          items: [{ price: 1850 }, { price: 1200 }, { price: 24.99 }],
          paymentMethod: 'credit_card',
          paymentStatus: 'paid',
          createdAt: '2025-01-03T08:00:00.000Z',
          updatedAt: '2025-01-24T08:30:00.000Z',
        },
      },
    ],
  },
  getOrder: {
    request: `/orders/${ARCHIVED_ORDER_UUID}`,
    answer: {
      uuid: ARCHIVED_ORDER_UUID,
      orderNumber: '2025-W-1',
      orderDate: '2025-01-03T08:00:00.000Z',
      totalAmount: 3099.98,
      currency: 'EUR',
      status: 'completed',
      items: [
        { name: 'Complete', quantity: 1, price: 1850, itemId: 'package-complete' },
        { name: 'Companion', quantity: 1, price: 1200, itemId: 'package-companion' },
        { name: 'Herbal tea box', quantity: 2, price: 24.99, itemId: 'extra-tea' },
      ],
      billingAddress: { street: 'Strada Lungă 1', city: 'Brașov', zip: '500001', country: 'Romania' },
      paymentMethod: 'credit_card',
      paymentStatus: 'paid',
      notes: null,
      createdAt: '2025-01-03T08:00:00.000Z',
      updatedAt: '2025-01-24T08:30:00.000Z',
    },
  },
  orderControl: {
    request:
      '/orders/control?startDate=2025-01-01&endDate=2025-01-05&includePayments=true&includeGuestNames=true',
    answer: {
      orders: 1,
      currencies: [
        {
          currency: 'EUR',
          orders: 1,
          total: 3099.98,
          totalLabel: '€3,099.98',
          byStatus: [
            {
              status: 'completed',
              label: 'Completed',
              orders: 1,
              total: 3099.98,
              totalLabel: '€3,099.98',
            },
          ],
          byDay: [
            {
              date: '2025-01-03',
              orders: 1,
              total: 3099.98,
              totalLabel: '€3,099.98',
            },
          ],
        },
      ],
      notChecked: [],
      doNotFit: 1,
      mismatches: [
        {
          uuid: '3b1f8a54-6c0d-4e7a-9d52-81f0c4a7e2b6',
          orderNumber: '2025-W-1',
          date: '2025-01-03',
          currency: 'EUR',
          total: 3099.98,
          totalLabel: '€3,099.98',
          status: 'completed',
          statusLabel: 'Completed',
          paymentStatus: 'paid',
          paymentStatusLabel: 'Paid',
          guestNames: ['Ioana Popescu', 'Mihai Popescu'],
          problems: [
            {
              kind: 'paidWithoutPayment',
              amount: null,
              guestId: null,
            },
          ],
        },
      ],
      looseDeposits: 0,
      depositsWithoutOrder: [],
    },
  },
}

import Type from 'typebox'
import {
  amount,
  currency,
  filledText,
  identifier,
  label,
  list,
  longText,
  moment,
  number,
  text,
} from '../../fields/values.ts'
import type { Kind } from './kind.ts'

const { Optional } = Type

/** An order with its items and payment. Bookings may belong to it. */
export const order = {
  name: 'order',
  table: 'orders',
  key: [{ field: 'uuid', column: 'uuid' }],
  schema: Type.Object({
    uuid: identifier('Identifier of the order: a UUID, or one in another form.'),
    number: Optional(label('Order number.')),
    orderDate: moment('When it was ordered.'),
    totalAmount: amount('Total amount.'),
    currency: Optional(currency("Currency of its amounts; the center's by default.")),
    status: filledText('Status of the order.'),
    paymentMethod: Optional(text('Payment method.')),
    paymentStatus: Optional(text('Payment status.')),
    billingAddress: Optional(
      Type.Object(
        {
          street: Optional(text('Street and number.')),
          city: Optional(text('City.')),
          zip: Optional(label('Postal code.')),
          country: Optional(text('Country.')),
        },
        { description: 'Billing address.' },
      ),
    ),
    notes: Optional(longText('Notes.')),
    items: Optional(
      list(
        'Items of the order.',
        Type.Object({
          itemId: label('Identifier of the item.'),
          name: filledText('Name of the item.'),
          quantity: number('How many.'),
          price: amount('Price of one.'),
        }),
      ),
    ),
    createdAt: Optional(moment('When the order was created.')),
    updatedAt: Optional(moment('When it was last changed.')),
  }),
  columns: [
    { name: 'number', type: 'text', field: 'number' },
    { name: 'order_date', type: 'timestamptz', field: 'orderDate' },
    { name: 'total_amount', type: 'numeric', field: 'totalAmount' },
    { name: 'currency', type: 'text', field: 'currency' },
    { name: 'status', type: 'text', field: 'status' },
    { name: 'payment_method', type: 'text', field: 'paymentMethod' },
    { name: 'payment_status', type: 'text', field: 'paymentStatus' },
    { name: 'billing_address', type: 'jsonb', field: 'billingAddress' },
    { name: 'notes', type: 'text', field: 'notes' },
    { name: 'items', type: 'jsonb', field: 'items', empty: [] },
    { name: 'created_at', type: 'timestamptz', field: 'createdAt' },
    { name: 'updated_at', type: 'timestamptz', field: 'updatedAt' },
  ],
} as const satisfies Kind

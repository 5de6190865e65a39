/** The JSON Schemas of orders, as listed and as read one by one. */
const STRING = { type: 'string' }
const NULLABLE_STRING = { type: ['string', 'null'] }
const object = (properties: Record<string, unknown>, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
})
const MOMENT = {
  type: ['string', 'null'],
  description: 'ISO 8601 timestamp; a localized date when formatDates=true',
}

export const ORDER_LIST_SCHEMA = {
  type: 'array',
  items: object(
    {
      uuid: STRING,
      orderNumber: NULLABLE_STRING,
      orderDate: { ...STRING, description: 'localized date' },
      totalAmount: { ...STRING, description: 'formatted amount with currency symbol' },
      status: { ...STRING, description: 'localized label' },
      guestNames: {
        ...STRING,
        description: 'names joined by a comma and a space; only with includeGuestNames=true',
      },
      items: {
        type: 'array',
        items: object({
          name: STRING,
          quantity: { type: 'number' },
          price: { ...STRING, description: 'formatted amount' },
        }),
      },
      paymentMethod: { ...NULLABLE_STRING, description: 'localized label' },
      paymentStatus: { ...NULLABLE_STRING, description: 'localized label' },
      createdAt: MOMENT,
      updatedAt: MOMENT,
    },
    [
      'uuid',
      'orderNumber',
      'orderDate',
      'totalAmount',
      'status',
      'items',
      'paymentMethod',
      'paymentStatus',
      'createdAt',
      'updatedAt',
    ],
  ),
}

export const ORDER_SCHEMA = object(
  {
    uuid: STRING,
    orderDate: { ...MOMENT, type: 'string' },
    totalAmount: { type: 'number' },
    status: STRING,
    guestNames: { type: 'array', items: STRING, description: 'only with includeGuestNames=true' },
    items: {
      type: 'array',
      items: object({
        name: STRING,
        quantity: { type: 'number' },
        price: { type: 'number' },
        itemId: STRING,
      }),
    },
    billingAddress: {
      ...object({
        street: NULLABLE_STRING,
        city: NULLABLE_STRING,
        zip: NULLABLE_STRING,
        country: NULLABLE_STRING,
      }),
      type: ['object', 'null'],
    },
    paymentMethod: NULLABLE_STRING,
    paymentStatus: NULLABLE_STRING,
    notes: NULLABLE_STRING,
    createdAt: MOMENT,
    updatedAt: MOMENT,
  },
  [
    'uuid',
    'orderDate',
    'totalAmount',
    'status',
    'items',
    'billingAddress',
    'paymentMethod',
    'paymentStatus',
    'notes',
    'createdAt',
    'updatedAt',
  ],
)

/**
 * The fields of an order, and of its items. Record, SELECT, answers, `ids`, files, OpenAPI and documentation follow from
 * them. The order of the table is that of records and files.
 */

import { formatAmount } from '../locale/amounts.ts'
import { formatMomentDate } from '../locale/dates.ts'
import { compareNames, fullName } from '../locale/names.ts'
import type { Center } from './centers/center.ts'
import { asItIs, asMoment, type Field, field, type ShowContext } from './fields/field.ts'
import { asIs, labelled } from './fields/shown.ts'
import { type Made, order } from './fields/source.ts'
import { type JsonSchema, MOMENT, NUMBER, STRING, value } from './fields/value-kinds.ts'
import { itemSchemas } from './intake-fields.ts'
import { defineRecord } from './record.ts'

const about = (description: string) => ({ scope: 'orders', group: 'Orders', description }) as const

const CURRENCY: JsonSchema = { ...STRING, description: 'ISO 4217 code', examples: ['EUR'] }
const LABEL: JsonSchema = { ...STRING, description: 'localized label' }
/** Of a moment that is shown as a date if the request formats it. */
const FORMATTED: JsonSchema = {
  ...STRING,
  description: 'ISO 8601 timestamp; a localized date when formatDates=true',
}

/** The interface prints one order without it, and clients may refuse fields that they do not know (ruling 40). */
const inDetails = (schema: JsonSchema) => ({
  requestedBy: 'includeDetails',
  schema: {
    ...schema,
    description: [schema.description, 'only with includeDetails=true'].filter(Boolean).join('; '),
  },
})

interface Item {
  readonly name: string
  readonly quantity: number
  readonly price: number
  readonly itemId: string
}

const currency = order.column('currency', value.currency)
const orderDate = order.required('order_date', value.moment)
const total = order.required('total_amount', value.total)

const price = order.itemRequired('items', 'price', value.amount)
const ITEM_FIELDS: readonly Field[] = [
  asIs('name', order.itemRequired('items', 'name', value.filledText), {
    ...about('Name of the item.'),
    example: 'Complete',
  }),
  asIs('quantity', order.itemRequired('items', 'quantity', value.number), {
    ...about('How many.'),
    example: 1,
  }),
  field('price', {
    ...about('Price of one.'),
    stored: price,
    schema: { ...STRING, description: 'formatted amount' },
    example: '€1,850.00',
    sources: [price],
    show: showAmount,
    raw: { schema: NUMBER, example: 1850, value: asItIs },
  }),
  {
    ...asIs('itemId', order.itemRequired('items', 'itemId', value.label), {
      ...about('Identifier of the item.'),
      example: 'package-complete',
    }),
    single: { only: 'single' },
  },
]

/** Records have the identifier first. */
const items = order.required(
  'items',
  value.records<Item>(() => itemSchemas(ITEM_FIELDS, ['itemId'])),
)

/** First and last name, of which a person may lack one, and whether the guest is the order's main one. */
export type OrderGuest = readonly [first: string | null, last: string | null, main: boolean]

/** The names are recorded as a column of orders (migrations/0040-baseline.sql). */
const guests: Made<readonly OrderGuest[]> = {
  from: 'made',
  name: 'guestNames',
  columns: ['orders.guests'],
}

const ORDER_FIELDS: readonly Field[] = [
  asIs('uuid', order.required('uuid', value.identifier), {
    ...about('Identifier of the order: a UUID, or one in another form.'),
    example: '3b1f8a54-6c0d-4e7a-9d52-81f0c4a7e2b6',
  }),
  {
    ...asIs('orderNumber', order.column('number', value.label), {
      ...about('Order number.'),
      example: '2025-W-1',
    }),
    recordName: 'number',
    single: inDetails(STRING),
  },
  field('orderDate', {
    ...about('When it was ordered.'),
    stored: orderDate,
    schema: { ...STRING, description: 'localized date' },
    example: '01/03/2025',
    sources: [orderDate],
    show: localDate,
    raw: { schema: MOMENT, example: '2025-01-03T08:00:00.000Z', value: asMoment },
    single: { isFormatted: true, schema: FORMATTED },
  }),
  field('totalAmount', {
    ...about('Total amount.'),
    stored: total,
    schema: { ...STRING, description: 'formatted amount with currency symbol' },
    example: '€3,099.98',
    sources: [total],
    show: showAmount,
    raw: { schema: NUMBER, example: 3099.98, value: asItIs },
  }),
  field('currency', {
    ...about("Currency of its amounts; the center's by default."),
    stored: currency,
    schema: CURRENCY,
    example: 'EUR',
    isAlwaysThere: true,
    sources: [currency],
    show: currencyOf,
    raw: { schema: CURRENCY, example: 'EUR', value: currencyOf },
    single: { ...inDetails(CURRENCY), only: 'ids' },
  }),
  labelledAs('status', 'orderStatus', order.required('status', value.filledText), {
    ...about('Status of the order.'),
    example: ['Completed', 'completed'],
  }),
  labelledAs('paymentMethod', 'paymentMethod', order.column('payment_method', value.text), {
    ...about('Payment method.'),
    example: ['Credit card', 'credit_card'],
  }),
  labelledAs('paymentStatus', 'paymentStatus', order.column('payment_status', value.text), {
    ...about('Payment status.'),
    example: ['Paid', 'paid'],
  }),
  ...(
    [
      ['street', value.text, 'Street and number.', 'Strada Lungă 1'],
      ['city', value.text, 'City.', 'Brașov'],
      ['zip', value.label, 'Postal code.', '500001'],
      ['country', value.text, 'Country.', 'Romania'],
    ] as const
  ).map(([name, kind, description, example]) => ({
    ...asIs(`billingAddress.${name}`, order.json('billing_address', name, kind), {
      ...about(description),
      example,
    }),
    single: { only: 'single' } as const,
  })),
  {
    ...asIs('notes', order.column('notes', value.longText), { ...about('Notes.'), example: 'By e-mail' }),
    single: { only: 'single' },
  },
  field('items', {
    ...about('Items of the order.'),
    stored: items,
    empty: [],
    schema: { type: 'array' },
    example: [],
    sources: [items],
    items: ITEM_FIELDS,
    show: asItIs,
    raw: { schema: { type: 'array' }, example: [], value: asItIs },
  }),
  moment('createdAt', order.column('created_at', value.moment), 'When the order was created.'),
  moment('updatedAt', order.column('updated_at', value.moment), 'When it was last changed.'),
  field('guestNames', {
    ...about('Names of the guests of the order.'),
    requestedBy: 'includeGuestNames',
    schema: {
      ...STRING,
      description:
        'names joined by a comma and a space, empty if the order has no guests; only with includeGuestNames=true',
    },
    example: 'Ioana Popescu, Mihai Popescu',
    isAlwaysThere: true,
    sources: [guests],
    show: (_, of) => namesInOrder(of ?? []).join(', '),
    single: {
      schema: {
        type: 'array',
        items: STRING,
        description: 'empty if the order has no guests; only with includeGuestNames=true',
      },
      value: (_, of: readonly OrderGuest[] | null) => namesInOrder(of ?? []),
    },
  }),
]

export const ORDER = defineRecord({
  name: 'Order',
  kind: 'order',
  table: 'orders',
  alias: 'o',
  key: 'uuid',
  during: ['order_date', 'order_date'],
  fields: ORDER_FIELDS,
  firstInAnswers: [
    ...['uuid', 'orderNumber', 'orderDate', 'totalAmount', 'currency', 'status', 'guestNames', 'items'],
    ...['billingAddress.street', 'billingAddress.city', 'billingAddress.zip', 'billingAddress.country'],
  ],
  currency: 'currency',
})

/** Main guest first, then by last name, first name (ruling 32). */
export function guestsInOrder<Guest extends readonly [...OrderGuest, ...unknown[]]>(
  guests: readonly Guest[],
): { readonly name: string; readonly of: Guest }[] {
  return [...guests]
    .sort(
      ([firstA, lastA, mainA], [firstB, lastB, mainB]) =>
        Number(mainB) - Number(mainA) ||
        compareNames(lastA ?? firstA ?? '', lastB ?? firstB ?? '') ||
        compareNames(firstA ?? lastA ?? '', firstB ?? lastB ?? ''),
    )
    .map((of) => ({ name: fullName(of[0], of[1]), of }))
}

export const namesInOrder = (guests: readonly OrderGuest[]): string[] =>
  guestsInOrder(guests).map(({ name }) => name)

function labelledAs(
  name: string,
  kind: Parameters<typeof labelled>[2],
  stored: Parameters<typeof labelled>[1],
  said: Parameters<typeof labelled>[3],
): Field {
  return { ...labelled(name, stored, kind, said), schema: LABEL }
}

/** For programs, so in ISO 8601 wherever it is (rulings 30 and 31). */
function moment(
  name: string,
  stored: ReturnType<typeof order.column<typeof value.moment>>,
  says: string,
): Field {
  const example = '2025-01-03T08:00:00.000Z'
  return field(name, {
    ...about(says),
    stored,
    schema: MOMENT,
    example,
    sources: [stored],
    show: asMoment,
    raw: { schema: MOMENT, example, value: asMoment },
  })
}

function localDate({ center, language }: ShowContext, at: number): string {
  return formatMomentDate(language, center.timezone, at)
}

function showAmount({ language, center, currency: own }: ShowContext, amount: number | null): string {
  return formatAmount(language, own ?? center.currency, amount as number)
}

/** Of an order without a currency, the center's. */
function currencyOf({ center }: { readonly center: Pick<Center, 'currency'> }, own: string | null): string {
  return own ?? center.currency
}

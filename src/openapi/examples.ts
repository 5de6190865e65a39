/**
 * Examples of the document: values that the demo center knows, so that a copied line answers, and one answer
 * of each operation. A test holds every one to its schema.
 */
import { DEFAULT_FIELD_NAMES, GUEST_FIELDS } from '../guests/fields.ts'
import type { JsonObject } from './json.ts'

/** By parameter; a parameter without an entry shows its schema's first value, or its default. */
export const PARAMETER_EXAMPLES: Readonly<Record<string, unknown>> = {
  sessionId: 'session-08',
  sessionIds: ['session-08', 'session-09'],
  sessionIdsExclude: ['session-07'],
  status: 'confirmed',
  project: ['firstName', 'lastName', 'programId', 'address.city'],
  uuid: '7d3f1c52-8a4e-4b6f-9c21-0e5a6b7c8d90',
}

/** A guest as it comes without `project`, made of the registry's own examples. */
function exampleGuest(): JsonObject {
  const field = (name: string) => GUEST_FIELDS.find((entry) => entry.name === name)
  return {
    ...Object.fromEntries(DEFAULT_FIELD_NAMES.map((name) => [name, field(name)?.example])),
    ids: {
      role: field('role')?.raw?.example,
      status: field('status')?.raw?.example,
      sessionId: 'session-08',
    },
  }
}

const ORDER_ITEM = { name: 'Ten days', quantity: 1, price: 3100, itemId: 'package-full' }

/** By operation: the body of a 200. */
export const ANSWER_EXAMPLES: Readonly<Record<string, unknown>> = {
  listGuests: { data: [exampleGuest()], total: 1 },
  mealSkippingReport: {
    summary: {
      totalGuests: 24,
      guestsWithSkipping: 1,
      datesWithSkipping: ['2025-01-16'],
      mealsAffected: ['breakfast'],
    },
    byDate: {
      '2025-01-16': {
        breakfast: { count: 1, guests: [{ id: 'booking-0160', name: 'Ioana Popescu' }] },
        lunch: { count: 0, guests: [] },
        dinner: { count: 0, guests: [] },
      },
    },
    byGuest: {
      'booking-0160': {
        name: 'Ioana Popescu',
        skippedMeals: [{ date: '2025-01-16', meals: ['breakfast'] }],
        totalSkippedBreakfast: 1,
        totalSkippedLunch: 0,
        totalSkippedDinner: 0,
      },
    },
  },
  listOrders: [
    {
      uuid: '7d3f1c52-8a4e-4b6f-9c21-0e5a6b7c8d90',
      orderNumber: '2025-00012',
      orderDate: '01/15/2025',
      totalAmount: '€3,100.00',
      status: 'Confirmed',
      items: [{ name: 'Ten days', quantity: 1, price: '€3,100.00' }],
      paymentMethod: 'Credit card',
      paymentStatus: 'Paid',
      createdAt: '2025-01-15T08:00:00.000Z',
      updatedAt: '2025-01-15T08:00:00.000Z',
    },
  ],
  getOrder: {
    uuid: '7d3f1c52-8a4e-4b6f-9c21-0e5a6b7c8d90',
    orderDate: '2025-01-15T08:00:00.000Z',
    totalAmount: 3100,
    status: 'confirmed',
    items: [ORDER_ITEM],
    billingAddress: { street: 'Strada Lungă 1', city: 'Brașov', zip: '500001', country: 'Romania' },
    paymentMethod: 'credit_card',
    paymentStatus: 'paid',
    notes: null,
    createdAt: '2025-01-15T08:00:00.000Z',
    updatedAt: '2025-01-15T08:00:00.000Z',
  },
  listSessions: {
    data: [
      {
        _id: 'session-08',
        name: 'White Spring',
        number: '8',
        text: 'Ten days with daily treatments and a final talk.',
        availablePrograms: [{ _id: 'program-restore', name: 'Restore & Rebuild' }],
        availableUnits: [{ _id: 'unit-spring', name: 'Spring House' }],
        startDate: '2025-01-15T13:00:00.000Z',
        endDate: '2025-01-24T09:00:00.000Z',
      },
    ],
    total: 1,
  },
}

/**
 * Examples of the document: values that the demo center has, so that a copied request returns data, and the demo's own
 * answer to one request of each operation. A test sends each request to the demo. Values that depend on the client or
 * on the time are invented.
 */

import type { AnswerExample, Operation } from '../../core/request/operation.ts'
import { ADMINISTRATION_EXAMPLES } from './administration-examples.ts'
import { ARCHIVED_ORDER_UUID, ARCHIVED_SESSION_ID } from './archived-session.ts'
import { CONTRADICTION_EXAMPLES } from './contradiction-examples.ts'
import { KITCHEN_EXAMPLES } from './kitchen-examples.ts'
import { ORDER_EXAMPLES } from './order-examples.ts'

/** Only the form is real: a cursor is signed by the database that created it. */
export const EXAMPLE_CURSOR = 'ASqXUWxzMAhxAAAAABJnAAAAAAAAAAZEKrB0cABhTt1YA6SRTGjr'

/**
 * By parameter, or by operation and parameter. For one without an entry, the first value of its schema or its default
 * is shown.
 */
export const PARAMETER_EXAMPLES: Readonly<Record<string, unknown>> = {
  startDate: '2025-01-01',
  endDate: '2025-01-31',
  sessionId: ARCHIVED_SESSION_ID,
  sessionIds: [ARCHIVED_SESSION_ID, 'session-08'],
  sessionIdsExclude: ['session-07'],
  role: ['patient', 'companion'],
  paid: ['paid', 'partlyPaid'],
  status: ['departed', 'paid'],
  arriving: '2025-01-15',
  departing: '2025-01-24',
  inHouse: '2025-01-20',
  active: true,
  bookingId: '25-W-01',
  q: 'popescu io',
  name: 'Popesku Iona',
  dob: '1980-01-20',
  pin: 'sha256:d556eda3c8c3ab3bcb9d9bb10ba4d0c1f0f33c1a1f2c0dd9ac0bf0d9a3ab4cbd',
  email: 'ioana@example.com',
  phone: '+40 000 000 101',
  internalId: 'C-1042',
  sort: ['-startDate', 'status'],
  orderNumber: '2025-W-1',
  'listOrders.status': ['completed'],
  'orderControl.status': ['completed'],
  group: ['valid', 'open'],
  paymentStatus: ['paid', 'partially_paid'],
  project: ['firstName', 'lastName', 'programId', 'address.city'],
  uuid: ARCHIVED_ORDER_UUID,
  guest: '25-W-01',
  customer: 'C-1042',
  key: 'sjn_app_h2pMSS0L1KpjLDc4',
  'listReads.after': '1767225600000000.12',
  day: '2025-01-16',
  kinds: ['guests', 'sessions'],
  kind: ['overlappingStays', 'roomOverfull'],
  severity: ['high'],
  dismissed: false,
  guestId: 'booking-2025-1',
  personOf: 'booking-2025-1',
  room: 'room-205',
  after: EXAMPLE_CURSOR,
  changedAfter: EXAMPLE_CURSOR,
  snapshot: true,
}

/** As `GET /changes/stream` sends them: the cursor to continue from, a change, and a heartbeat. */
export const EXAMPLE_EVENTS = `retry: 3000

id: ${EXAMPLE_CURSOR}

id: ${EXAMPLE_CURSOR}
data: {"kind":"guests","id":"booking-2025-1","operation":"changed","groups":["guests"],"sessionIds":["${ARCHIVED_SESSION_ID}"],"days":[{"from":"2025-01-15","to":"2025-01-24"}],"at":"2025-01-15T08:00:00.000Z"}

id: ${EXAMPLE_CURSOR}

`

/** By name of the operation, for those whose value has none. */
const ANSWER_EXAMPLES: Readonly<Record<string, AnswerExample>> = {
  ...KITCHEN_EXAMPLES,
  ...ORDER_EXAMPLES,
  ...CONTRADICTION_EXAMPLES,
  listGuests: {
    request: `/guests?sessionId=${ARCHIVED_SESSION_ID}&length=1`,
    answer: {
      data: [
        {
          firstName: 'Ioana',
          lastName: 'Popescu',
          email: 'ioana@example.com',
          startDate: '01/15/2025',
          endDate: '01/24/2025',
          status: 'Departed',
          role: 'Patient',
          skippingMeals: { breakfast: ['2025-01-16'], lunch: [], dinner: [] },
          ids: { role: 'patient', status: 'departed', sessionId: ARCHIVED_SESSION_ID },
        },
      ],
      total: 4,
    },
  },
  matchGuests: {
    request: `/guests/match?sessionId=${ARCHIVED_SESSION_ID}&name=Popesku+Iona&dob=1980-01-20&length=1`,
    answer: {
      data: [
        {
          id: 'booking-2025-1',
          score: 0.97,
          reasons: [
            { by: 'name', agreement: 0.94 },
            { by: 'dob', agreement: 1 },
          ],
          bookingId: '25-W-01',
          firstName: 'Ioana',
          lastName: 'Popescu',
          startDate: '2025-01-15T13:00:00.000Z',
          endDate: '2025-01-24T09:00:00.000Z',
          status: 'departed',
          sessionIds: [ARCHIVED_SESSION_ID],
        },
      ],
      complete: true,
    },
  },
  search: {
    request: '/search?q=Popescu+Ioana&length=1',
    answer: {
      guests: {
        total: 1,
        complete: true,
        data: [
          {
            id: 'booking-2025-1',
            firstName: 'Ioana',
            lastName: 'Popescu',
            room: null,
            startDate: '01/15/2025',
            endDate: '01/24/2025',
            status: 'Departed',
            when: 'past',
            matched: [{ by: 'name', value: null }],
            similar: false,
            ids: {
              room: null,
              startDate: '2025-01-15T13:00:00.000Z',
              endDate: '2025-01-24T09:00:00.000Z',
              status: 'departed',
            },
          },
        ],
        comparedWith: ['name', 'room', 'bookingId', 'email'],
      },
      orders: {
        total: 1,
        complete: true,
        data: [
          {
            uuid: '3b1f8a54-6c0d-4e7a-9d52-81f0c4a7e2b6',
            orderNumber: '2025-W-1',
            orderDate: '01/03/2025',
            status: 'Completed',
            paymentStatus: 'Paid',
            guestNames: ['Ioana Popescu', 'Mihai Popescu'],
            guests: 2,
            matched: [{ by: 'name' }],
            similar: false,
            ids: { orderDate: '2025-01-03T08:00:00.000Z', status: 'completed', paymentStatus: 'paid' },
          },
        ],
        comparedWith: ['orderNumber', 'uuid', 'name'],
      },
      withheld: [],
    },
  },
  listChanges: { request: '/changes', answer: { data: [], cursor: EXAMPLE_CURSOR, more: false } },
  listSources: {
    request: undefined,
    answer: {
      data: [
        {
          name: 'watch',
          kinds: [{ kind: 'bookings', receivedAt: '2025-01-15T01:02:00.000Z', expected: true }],
          schedule: 'every night by 04:00',
          everySeconds: 86_400,
          late: false,
          dueAt: '2025-01-16T02:04:00.000Z',
          problems: [],
          deliveries: [
            {
              import: '8f0f3c1e-52a5-4a0e-9f0b-3f8f7c2f1f6e',
              at: '2025-01-15T01:02:00.000Z',
              way: 'watch',
              outcome: 'done',
              lines: 412,
              counts: [{ kind: 'bookings', created: 3, changed: 9, unchanged: 400, removed: 0, older: 0 }],
              rejected: 0,
              causes: [],
              fileTime: '2025-01-15T01:00:00.000Z',
              files: [
                {
                  sha256: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
                  bytes: 81_920,
                },
              ],
            },
          ],
        },
      ],
    },
  },
  ...ADMINISTRATION_EXAMPLES,
  getUsage: {
    request: undefined,
    answer: {
      startDate: '2025-01-01',
      endDate: '2025-01-31',
      days: [
        {
          date: '2025-01-15',
          endpoint: '/guests',
          requests: 288,
          unchanged: 251,
          refusals: 0,
          errors: 12,
          bytes: 481_230,
        },
      ],
      errors: [
        {
          firstAt: '2025-01-15T01:00:02.114Z',
          lastAt: '2025-01-15T01:55:01.870Z',
          times: 12,
          endpoint: '/guests',
          status: 400,
          code: 'INVALID_PARAMETER',
          message: '"…" is not a projectable field. Did you mean programId?',
          details: [
            { parameter: 'project', message: '"…" is not a projectable field. Did you mean programId?' },
          ],
          requestId: '0b6c3f5e-6a0e-4a3f-9d0a-6f1f3f0c5a55',
          publicKey: 'sjn_pk_5uUXHNNqNFHhB3xw',
        },
      ],
    },
  },
  getMe: {
    request: undefined,
    answer: {
      center: {
        id: 'demo',
        name: 'Izvorul Alb',
        timezone: 'Europe/Bucharest',
        currency: 'EUR',
        language: 'en',
        maximumPageLength: 100,
        standardTimes: { arrival: [], departure: [] },
      },
      key: {
        appId: 'sjn_app_h2pMSS0L1KpjLDc4',
        publicKey: 'sjn_pk_5uUXHNNqNFHhB3xw',
        name: 'Lab',
        scopes: ['guests', 'guests.medical', 'sessions'],
        customFields: [],
        allowedAddresses: [],
        expiresAt: '2027-01-15T00:00:00.000Z',
        sees: [
          'names',
          'contact',
          'stays',
          'rooms',
          'programs',
          'staff',
          'sessions',
          'skippedMeals',
          'medical',
          'orderNumbers',
        ],
        seesNot: [
          'portions',
          'diets',
          'personal',
          'address',
          'customFields',
          'orders',
          'payments',
          'paid',
          'contradictions',
          'sources',
          'sheets',
          'administration',
        ],
      },
      limits: {
        minute: { requests: 100, remaining: 98, resetsInSeconds: 41 },
        hour: { requests: 1000, remaining: 871, resetsInSeconds: 2210 },
      },
      languages: ['en', 'ro', 'no'],
    },
  },
  listFields: {
    request: undefined,
    // A linter treats an object with `type` and `example` as a schema, so each example here is a schema of its type.
    answer: {
      data: [
        {
          name: 'dob',
          label: 'Date of birth',
          group: 'Personal details',
          description: 'Date of birth.',
          scope: 'guests.personal',
          readable: true,
          custom: false,
          type: 'string',
          example: '01/15/1980',
          raw: { type: 'string', format: 'date', example: '1980-01-15' },
          values: null,
        },
        {
          name: 'weight1',
          label: 'Weight on arrival (kg)',
          group: 'Measurements',
          description: 'Weight on arrival in kilograms.',
          scope: 'guests.medical',
          readable: false,
          custom: false,
          type: 'number',
          example: 82.5,
          raw: null,
          values: null,
        },
      ],
    },
  },
}

/** The example answer of an operation. */
export const answerExample = ({
  name,
  example,
}: Pick<Operation, 'name' | 'example'>): AnswerExample | undefined => ANSWER_EXAMPLES[name] ?? example

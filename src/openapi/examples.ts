/**
 * Examples of the document: values that the demo center has, so that a copied request returns data, and the demo's own
 * answer to one request of each operation. A test sends each request to the demo. Values that depend on the client or
 * on the time are invented.
 */
import { ARCHIVED_ORDER_UUID, ARCHIVED_SESSION_ID } from '../demo/archive.ts'

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
  status: ['departed', 'paid'],
  arriving: '2025-01-15',
  departing: '2025-01-24',
  inHouse: '2025-01-20',
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
  paymentStatus: ['paid', 'partially_paid'],
  project: ['firstName', 'lastName', 'programId', 'address.city'],
  uuid: ARCHIVED_ORDER_UUID,
  day: '2025-01-16',
  kinds: ['guests', 'sessions'],
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

interface AnswerExample {
  /** path and query of the request, without the `/v1` prefix; undefined if the answer is invented */
  readonly request: string | undefined
  /** the body of the response with status 200 */
  readonly answer: unknown
}

const NOBODY = { present: 0, skipping: 0 }

/** A meal that is cooked for everybody who is present and does not skip it. */
const mealOf = (present: number, skipping: number) => ({
  served: true,
  present,
  skipping,
  portions: present - skipping,
  notCookedFor: { voided: NOBODY, offer: NOBODY },
})

/** A day of the portions, without the list of its guests. */
const PORTION_DAY = {
  date: '2025-01-16',
  guests: 4,
  arriving: 0,
  departing: 0,
  meals: {
    breakfast: mealOf(4, 2),
    lunch: mealOf(4, 0),
    dinner: mealOf(4, 0),
  },
  byRole: [
    {
      role: 'patient',
      label: 'Patient',
      breakfast: 1,
      lunch: 2,
      dinner: 2,
    },
    {
      role: 'companion',
      label: 'Companion',
      breakfast: 0,
      lunch: 1,
      dinner: 1,
    },
    {
      role: 'guest',
      label: 'Guest',
      breakfast: 1,
      lunch: 1,
      dinner: 1,
    },
  ],
  byProgram: [
    {
      program: 'program-rest',
      label: 'Rest & Sleep',
      breakfast: 1,
      lunch: 1,
      dinner: 1,
    },
    {
      program: 'program-restore',
      label: 'Restore & Rebuild',
      breakfast: 0,
      lunch: 1,
      dinner: 1,
    },
    {
      program: null,
      label: 'No program',
      breakfast: 1,
      lunch: 2,
      dinner: 2,
    },
  ],
  byRoom: [
    {
      room: null,
      label: 'No room',
      breakfast: 2,
      lunch: 4,
      dinner: 4,
    },
  ],
  byDiet: [
    {
      field: null,
      value: null,
      label: 'No diet on record',
      allergy: false,
      breakfast: 2,
      lunch: 4,
      dinner: 4,
    },
  ],
}

const DIETS = {
  fields: [
    {
      field: 'dietaryPreference',
      label: 'Dietary preference',
      allergies: ['uten nøtter', 'fără gluten', 'no lactose'],
    },
  ],
  withheld: [],
}

/** By name of the operation. */
export const ANSWER_EXAMPLES: Readonly<Record<string, AnswerExample>> = {
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
  mealSkippingReport: {
    request: `/guests/meal-skipping-report?sessionId=${ARCHIVED_SESSION_ID}`,
    answer: {
      summary: {
        totalGuests: 4,
        guestsWithSkipping: 2,
        datesWithSkipping: ['2025-01-16'],
        mealsAffected: ['breakfast'],
      },
      byDate: {
        '2025-01-16': {
          breakfast: {
            count: 2,
            guests: [
              { id: 'booking-2025-1', name: 'Ioana Popescu' },
              { id: 'booking-2025-2', name: 'Mihai Popescu' },
            ],
          },
          lunch: { count: 0, guests: [] },
          dinner: { count: 0, guests: [] },
        },
      },
      byGuest: {
        'booking-2025-1': {
          name: 'Ioana Popescu',
          skippedMeals: [{ date: '2025-01-16', meals: ['breakfast'] }],
          totalSkippedBreakfast: 1,
          totalSkippedLunch: 0,
          totalSkippedDinner: 0,
        },
        'booking-2025-2': {
          name: 'Mihai Popescu',
          skippedMeals: [{ date: '2025-01-16', meals: ['breakfast'] }],
          totalSkippedBreakfast: 1,
          totalSkippedLunch: 0,
          totalSkippedDinner: 0,
        },
      },
    },
  },
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
  listSessions: {
    request: '/sessions?startDate=2025-01-01&endDate=2025-01-31',
    answer: {
      data: [
        {
          _id: ARCHIVED_SESSION_ID,
          name: 'White Winter',
          number: 'W1',
          text: 'Ten days with daily treatments and a final talk.',
          availablePrograms: [
            { _id: 'program-restore', name: 'Restore & Rebuild' },
            { _id: 'program-rest', name: 'Rest & Sleep' },
          ],
          availableUnits: [{ _id: 'unit-spring', name: 'Spring House' }],
          startDate: '2025-01-15T13:00:00.000Z',
          endDate: '2025-01-24T09:00:00.000Z',
        },
      ],
      total: 1,
    },
  },
  mealPortions: {
    request: `/meals/portions?sessionId=${ARCHIVED_SESSION_ID}&startDate=2025-01-16&endDate=2025-01-16&includeGuests=true`,
    answer: {
      rules: {
        mealTimes: {
          breakfast: '07:30',
          lunch: '12:30',
          dinner: '18:30',
        },
        arrivalMeals: ['dinner'],
        departureMeals: ['breakfast'],
        alsoCookFor: [],
      },
      diets: DIETS,
      days: [
        {
          ...PORTION_DAY,
          guestList: [
            {
              id: 'booking-2025-4',
              name: 'Edward Finch',
              role: 'guest',
              roleLabel: 'Guest',
              room: null,
              program: null,
              eats: ['breakfast', 'lunch', 'dinner'],
              skips: [],
              diets: [],
            },
            {
              id: 'booking-2025-3',
              name: 'Ingrid Solberg',
              role: 'patient',
              roleLabel: 'Patient',
              room: null,
              program: 'Rest & Sleep',
              eats: ['breakfast', 'lunch', 'dinner'],
              skips: [],
              diets: [],
            },
            {
              id: 'booking-2025-1',
              name: 'Ioana Popescu',
              role: 'patient',
              roleLabel: 'Patient',
              room: null,
              program: 'Restore & Rebuild',
              eats: ['lunch', 'dinner'],
              skips: ['breakfast'],
              diets: [],
            },
            {
              id: 'booking-2025-2',
              name: 'Mihai Popescu',
              role: 'companion',
              roleLabel: 'Companion',
              room: null,
              program: null,
              eats: ['lunch', 'dinner'],
              skips: ['breakfast'],
              diets: [],
            },
          ],
        },
      ],
    },
  },
  mealSheet: {
    request: undefined,
    answer: {
      sheet: 2,
      takenAt: '2025-01-16T04:00:00.000Z',
      diets: DIETS,
      day: PORTION_DAY,
      changes: {
        meals: {
          breakfast: {
            was: 2,
            now: 2,
            diets: false,
          },
          lunch: {
            was: 4,
            now: 3,
            diets: true,
          },
          dinner: {
            was: 4,
            now: 4,
            diets: false,
          },
        },
        byDiet: [
          {
            field: null,
            value: null,
            label: 'No diet on record',
            allergy: false,
            breakfast: {
              was: 2,
              now: 2,
            },
            lunch: {
              was: 4,
              now: 3,
            },
            dinner: {
              was: 4,
              now: 4,
            },
          },
        ],
        guests: [
          {
            guestId: 'booking-2025-2',
            room: null,
            kind: 'changed',
            more: [],
            fewer: ['lunch'],
            dietsAdded: [],
            dietsRemoved: [],
            changedAt: '2025-01-16T08:02:11.000Z',
          },
        ],
      },
    },
  },
  listChanges: { request: '/changes', answer: { data: [], cursor: EXAMPLE_CURSOR, more: false } },
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
      },
      key: {
        appId: 'sjn_app_h2pMSS0L1KpjLDc4',
        publicKey: 'sjn_pk_5uUXHNNqNFHhB3xw',
        name: 'Lab',
        scopes: ['guests', 'guests.medical', 'sessions'],
        customFields: [],
        allowedAddresses: [],
        expiresAt: '2027-01-15T00:00:00.000Z',
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

/** Text answers, by operation, then by format. */
export const TEXT_EXAMPLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  sessionCalendar: {
    calendar: `BEGIN:VCALENDAR
BEGIN:VEVENT
UID:session.${ARCHIVED_SESSION_ID}@demo.sojourn
DTSTAMP:20250115T130000Z
DTSTART:20250115T130000Z
DTEND:20250124T090000Z
SUMMARY:White Winter
END:VEVENT
END:VCALENDAR
`,
  },
  guestArrivals: {
    calendar: `BEGIN:VCALENDAR
BEGIN:VEVENT
UID:arrivals.2025-01-15@demo.sojourn
DTSTAMP:20250115T000000Z
DTSTART;VALUE=DATE:20250115
DTEND;VALUE=DATE:20250116
SUMMARY:Arrivals: 4
DESCRIPTION:Patient: 2\\nCompanion: 1\\nGuest: 1
END:VEVENT
END:VCALENDAR
`,
  },
  mealSkippingReport: {
    csv: `date,meal,id,name
2025-01-16,breakfast,booking-2025-1,Ioana Popescu
2025-01-16,breakfast,booking-2025-2,Mihai Popescu
`,
  },
  mealPortions: {
    csv: `date,row,field,id,label,allergy,room,diets,breakfast,lunch,dinner
2025-01-16,portions,,,,,,,2,4,4
2025-01-16,present,,,,,,,4,4,4
2025-01-16,skipping,,,,,,,2,0,0
`,
  },
  listGuests: {
    csv: `First name,Last name,Email,Start of stay,End of stay,Status,Role,Skipped meals: breakfast,Skipped meals: lunch,Skipped meals: dinner
Ioana,Popescu,ioana@example.com,2025-01-15,2025-01-24,Departed,Patient,2025-01-16,,
`,
    ndjson: `{"firstName":"Ioana","lastName":"Popescu","email":"ioana@example.com","startDate":"01/15/2025","endDate":"01/24/2025","status":"Departed","role":"Patient","skippingMeals":{"breakfast":["2025-01-16"],"lunch":[],"dinner":[]},"ids":{"role":"patient","status":"departed","sessionId":"${ARCHIVED_SESSION_ID}"}}
{"manifest":{"rows":1,"digest":"5bf867a3dde37872ae75fdb847124ff5d6cc6ec368945186aab535c6948f5b61","cursor":"${EXAMPLE_CURSOR}"}}
`,
  },
  listSessions: {
    csv: `_id,name,number,text,availablePrograms,availableUnits,startDate,endDate
${ARCHIVED_SESSION_ID},White Winter,W1,Ten days with daily treatments and a final talk.,"Restore & Rebuild, Rest & Sleep",Spring House,2025-01-15,2025-01-24
`,
  },
  listOrders: {
    csv: `uuid,orderNumber,orderDate,totalAmount,currency,status,paymentMethod,paymentStatus,items,createdAt,updatedAt
${ARCHIVED_ORDER_UUID},2025-W-1,2025-01-03,3099.98,EUR,Completed,Credit card,Paid,"1 × Complete (€1,850.00), 1 × Companion (€1,200.00), 2 × Herbal tea box (€24.99)",2025-01-03,2025-01-24
`,
  },
}

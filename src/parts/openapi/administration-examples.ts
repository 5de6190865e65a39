/** Examples of the answers about the administration, invented: the demo's keys are those of the person who started it. */
import type { AnswerExample } from '../../core/request/operation.ts'

export const ADMINISTRATION_EXAMPLES: Readonly<Record<string, AnswerExample>> = {
  listLinks: {
    request: undefined,
    answer: {
      data: [
        {
          id: 'sjn_link_7Yc1nGq0TtVbWz3k',
          appId: 'sjn_app_h2pMSS0L1KpjLDc4',
          name: 'Kitchen plan in Excel',
          query: '/meals/portions?startDate=today&endDate=today%2B6&format=csv',
          language: null,
          allowSensitive: false,
          allowedAddresses: [],
          status: 'active',
          createdAt: '2026-03-02T08:15:04.120Z',
          expiresAt: '2026-12-31T22:00:00.000Z',
          revokedAt: null,
          requests: 212,
          lastUsedOn: '2026-03-03',
        },
      ],
      total: 1,
    },
  },
  getSettings: {
    request: undefined,
    answer: {
      locale: 'en',
      languages: ['en', 'ro', 'no'],
      automaticBookingIds: true,
      bookingIdSession: 'number',
      bookingIdFormat: 'YY-SN-BN',
      mealReportExcludedStatuses: ['cancelled', 'waitingList', 'review'],
      mealRules: {
        mealTimes: { breakfast: '08:00', lunch: '12:30', dinner: '18:30' },
        mealEnds: { breakfast: null, lunch: '14:00', dinner: null },
        standardTimes: { arrival: ['15:00'], departure: ['11:00'] },
        arrivalMeals: ['dinner'],
        departureMeals: ['breakfast'],
        daysNotServed: { breakfast: [], lunch: ['sunday'], dinner: [] },
        alsoCookFor: [],
        cutOffs: { breakfast: null, lunch: { daysBefore: 0, time: '09:00' }, dinner: null },
        dietFields: [
          {
            field: 'allergies',
            allergies: [],
            values: [{ value: 'nuts', otherSpellings: ['peanuts'], isAllergy: true, isNone: false }],
          },
        ],
      },
      customFields: [{ key: 'allergies', label: 'Allergies', type: 'string' }],
      orderRules: {
        orderStatuses: { valid: ['confirmed'], open: ['new'], void: ['cancelled'], refunded: [] },
        paymentStatuses: { valid: ['paid'], open: ['unpaid'], void: [], refunded: ['refunded'] },
      },
      contradictionKinds: {
        samePersonTwice: true,
        overlappingStays: true,
        roomOverfull: true,
        sessionsAtOneTime: true,
        allergiesDiffer: true,
        arrivedWithoutIdentifier: true,
        departedInFuture: true,
        depositTwice: true,
        stayOutsideSession: true,
        orderDoesNotAddUp: true,
        paymentDoesNotFit: true,
        guestWithoutOrder: false,
        orderWithoutGuests: false,
      },
    },
  },
  listDevices: {
    request: undefined,
    answer: {
      data: [
        {
          id: 'sjn_dev_4kT0cWb8XrEu2nLs',
          appId: 'sjn_app_h2pMSS0L1KpjLDc4',
          publicKey: 'sjn_pk_rOuj6acjcdlE0dQv7Zs1Kx2fX9Ym',
          name: 'Kitchen wall',
          status: 'waiting',
          createdAt: '2026-03-02T08:15:04.120Z',
          expiresAt: '2026-03-02T08:30:04.120Z',
          usedAt: null,
        },
      ],
      total: 1,
    },
  },
  listCenterSources: {
    request: undefined,
    answer: {
      data: [
        {
          name: 'watch',
          kinds: [{ kind: 'bookings', receivedAt: '2026-03-03T02:06:11.004Z', expected: true }],
          schedule: 'every night by 04:00',
          everySeconds: 86_400,
          late: false,
          dueAt: '2026-03-04T02:04:00.000Z',
          problems: [],
          deliveries: [],
          appId: null,
        },
      ],
      addresses: ['office@example.org'],
      imports: [
        {
          source: 'watch',
          publicKey: null,
          import: 'sjn_import_9Xb2mHr1UuWcYa4l',
          at: '2026-03-03T02:06:11.004Z',
          way: 'watch',
          outcome: 'done',
          lines: 214,
          counts: [{ kind: 'bookings', created: 4, changed: 9, unchanged: 201, removed: 0, older: 0 }],
          rejected: 0,
          causes: [],
          fileTime: '2026-03-03T02:05:58.000Z',
          files: [
            { sha256: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9', bytes: 48_211 },
          ],
        },
      ],
    },
  },
  listReports: {
    request: undefined,
    answer: {
      data: [
        {
          id: 'sjn_report_7Yc1nGq0TtVbWz3k',
          appId: 'sjn_app_h2pMSS0L1KpjLDc4',
          name: 'Kitchen',
          kind: 'day',
          query: null,
          format: 'pdf',
          language: null,
          times: ['06:00', '17:00'],
          days: 'daily',
          destinations: ['mail:kitchen@example.org'],
          nextAt: '2026-03-03T15:00:00.000Z',
          hasKey: true,
          runs: [
            {
              scheduledAt: '2026-03-03T04:00:00.000Z',
              state: 'sent',
              isCopy: false,
              problem: null,
              destinations: [{ destination: 'mail:kitchen@example.org', state: 'sent', problem: null }],
            },
          ],
        },
      ],
    },
  },
  listWebhooks: {
    request: undefined,
    answer: {
      data: [
        {
          id: 'sjn_hook_7Yc1nGq0TtVbWz3k',
          name: 'Lab',
          url: 'https://lab.example.org/hook',
          scopes: ['guests', 'sessions'],
          kinds: ['guests', 'sessions'],
          state: 'active',
          createdAt: '2026-03-02T08:15:04.120Z',
          deliveredAt: '2026-03-03T05:58:11.004Z',
          failingSince: null,
          nextAttemptAt: null,
          attempts: 0,
          deliveries: [
            {
              at: '2026-03-03T05:58:11.004Z',
              attempt: 1,
              changes: 3,
              outcome: 'delivered',
              status: 204,
              milliseconds: 84,
            },
          ],
        },
      ],
    },
  },
  listReads: {
    request: undefined,
    answer: {
      data: [
        {
          at: '2026-03-03T08:15:04.120Z',
          reads: 1,
          key: {
            name: 'Reception',
            appId: 'sjn_app_h2pMSS0L1KpjLDc4',
            publicKey: 'sjn_pk_rOuj6acjcdlE0dQv7Zs1Kx2fX9Ym',
          },
          command: null,
          operation: 'listGuests',
          channel: null,
          scopes: ['guests'],
          records: 12,
          named: true,
          parameters: [{ name: 'inHouse', value: '2026-03-03' }],
          requestId: 'c102010e-b7cd-4537-8506-688bf0391b97',
          entry: 1042,
        },
      ],
      next: null,
    },
  },
  listKeys: {
    request: undefined,
    answer: {
      data: [
        {
          appId: 'sjn_app_h2pMSS0L1KpjLDc4',
          publicKey: 'sjn_pk_rOuj6acjcdlE0dQv7Zs1Kx2fX9Ym',
          name: 'Kitchen wall',
          scopes: ['meals', 'sessions', 'meals.confirm'],
          customFields: ['diet', 'allergies'],
          intake: false,
          grants: [],
          allowAssistants: false,
          allowedAddresses: [],
          responsible: 'Doina, kitchen',
          reviewOn: '2026-12-31',
          status: 'active',
          createdAt: '2026-03-02T08:15:04.120Z',
          expiresAt: null,
          revokedAt: null,
          lastUsedAt: '2026-03-03T05:58:11.004Z',
        },
      ],
      total: 1,
      grants: ['guests', 'meals', 'sessions', 'meals.confirm'],
      presets: [{ name: 'kitchen', scopes: ['meals', 'sessions', 'meals.confirm'] }],
      subjects: [
        { subject: 'names', scopes: [['guests'], ['meals'], ['orders']] },
        { subject: 'contact', scopes: [['guests']] },
      ],
    },
  },
}

/** Example answers about contradictions, by operation. */
import type { AnswerExample } from '../../core/request/operation.ts'

export const CONTRADICTION_EXAMPLES: Readonly<Record<string, AnswerExample>> = {
  listContradictions: {
    // The demo center has none of this kind.
    request: undefined,
    answer: {
      data: [
        {
          id: 'Zk3nVq0hF2xWc8dLr5uPbA',
          kind: 'overlappingStays',
          severity: 'high',
          since: '2025-01-12T09:00:00.412Z',
          changedAt: '2025-01-12T09:00:00.412Z',
          evidence: {
            digest: 'm1T7yQe4sXoJ9wKg6aRzNu',
            records: [
              { kind: 'guest', id: 'booking-2025-1', name: 'Ioana Popescu' },
              { kind: 'guest', id: 'booking-2025-9', name: 'Ioana Popescu' },
            ],
            compared: [
              { field: 'startDate', values: ['2025-01-15T13:00:00.000Z', '2025-01-20T13:00:00.000Z'] },
              { field: 'endDate', values: ['2025-01-24T09:00:00.000Z', '2025-01-27T09:00:00.000Z'] },
              { field: 'status', values: ['confirmed', 'registered'] },
            ],
          },
          dismissed: null,
        },
      ],
      total: 1,
      withheld: [],
      notReported: ['guestWithoutOrder', 'orderWithoutGuests'],
      complete: true,
    },
  },
}

/** `GET /sessions`: the sessions within a date range, paginated. */
import type { Problem } from '../../errors/api-error.ts'
import { defineList } from '../../lists/define-list.ts'
import { inactiveStatuses } from '../../records/fields/active-statuses.ts'
import { SESSION } from '../../records/session.ts'
import { booleanParameter, dateOrMomentParameter } from '../../request/parameter-kinds.ts'
import { guestCounts, SESSION_GUESTS_BY } from './sessions-sql.ts'

const COUNTS_OF_CHANGED: Problem = {
  parameter: 'includeGuestCounts',
  message:
    'includeGuestCounts does not combine with changedAfter: sessions whose own record has not changed would be missing although their counts have. Leave out one of them.',
}

export const listSessions = defineList({
  name: 'listSessions',
  summary: 'List sessions',
  description:
    'The sessions within a date range, paginated. A session is in the range when any part of it is: it ends at or after the lower bound and begins at or before the upper bound.',
  path: '/sessions',
  scope: 'sessions',
  record: SESSION,
  example: {
    request: '/sessions?startDate=2025-01-01&endDate=2025-01-31',
    answer: {
      data: [
        {
          _id: 'session-2025-01',
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
  range: {
    startDate: dateOrMomentParameter({
      description: 'Lower bound: sessions that end at or after it. Required.',
    }),
    endDate: dateOrMomentParameter({
      description: 'Upper bound: sessions that begin at or before it. Required.',
    }),
  },
  pages: true,
  filters: {},
  shows: {
    includeGuestCounts: booleanParameter({
      description:
        'When true, each session has the number of its active bookings, by role. Needs the scope `guests`; not with `changedAfter`, because a count changes with bookings and not with the session.',
    }),
  },
  shown({ includeGuestCounts }, sent, { center }) {
    if (!includeGuestCounts) return {}
    const inactive = inactiveStatuses(center)
    return {
      requiredScopes: [{ scope: 'guests', what: 'includeGuestCounts' }],
      problems: sent.has('changedAfter') ? [COUNTS_OF_CHANGED] : [],
      made: { guestCounts: guestCounts(center.id, inactive) },
      normal: [{ inactive }],
      // The bookings of all sessions of a page are counted.
      daysPerCost: 31,
      // Which sessions the page has is not known before it is read, so a guest of any session can change it.
      dependencies: (ids) => [
        { kind: 'guest', columns: SESSION_GUESTS_BY, ...(ids === undefined ? {} : { sessionIds: ids }) },
      ],
    }
  },
})

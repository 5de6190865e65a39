/**
 * Every pair of the filters of `GET /guests`, executed and counted by hand: a filter that is right alone can still make a
 * statement that the database refuses next to another. More of them at once are in list-compared.test.ts, at random.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { fileParameters } from '../../../src/core/answer/files/file-parameters.ts'
import { listGuests } from '../../../src/core/api/guests/list-guests.ts'
import { type Asker, startTestApi } from '../../support/api.ts'
import {
  byStart,
  type CountedFilters,
  type CountedStay,
  endOf,
  isListed,
  startOf,
} from '../../support/guests-oracle.ts'
import { guest, session, type TestRecord } from '../../support/world.ts'

interface Stay extends CountedStay {
  readonly from: string
  readonly to: string
  /** changed after `CURSOR` */
  readonly moved: boolean
}

/** What a parameter means: filters of the model, or a condition that the model does not have. */
type Meaning = CountedFilters & { readonly also?: (stay: Stay) => boolean }

const FIRST = '2025-02-01'
const LAST = '2025-02-28'
/** means the center's own */
const CURSOR = 'CURSOR'

/** Combined in filters.test.ts, each alone and all together, with every kind of range; `paid` in paid.test.ts. */
const FOUND_BY = [
  ...['arriving', 'departing', 'inHouse', 'bookingId', 'q', 'email', 'phone', 'internalId'],
  ...['personOf', 'room', 'paid'],
]

const ZONE = 'Europe/Bucharest'

/** What each parameter may be, and what that means; the first choice is not to send it. */
const CHOICES: Readonly<Record<string, readonly (readonly [sent: string, means: Meaning])[]>> = {
  startDate: [
    ['', {}],
    [FIRST, { from: startOf(FIRST, ZONE) }],
  ],
  endDate: [
    ['', {}],
    [LAST, { to: endOf(LAST, ZONE) }],
  ],
  sessionId: [
    ['', {}],
    ['s1', { sessions: [['s1']] }],
  ],
  sessionIds: [
    ['', {}],
    ['s2', { sessions: [['s2']] }],
    ['s3,s2', { sessions: [['s3', 's2']] }],
  ],
  sessionIdsExclude: [
    ['', {}],
    ['s4', { sessionsExcluded: ['s4'] }],
  ],
  role: [
    ['', {}],
    ['patient', { roles: ['patient'] }],
    ['guest,patient', { roles: ['guest', 'patient'] }],
  ],
  status: [
    ['', {}],
    ['confirmed,paid', { statuses: ['confirmed', 'paid'] }],
  ],
  active: [
    ['', {}],
    ['true', { also: ({ status }) => status !== 'cancelled' }],
  ],
  changedAfter: [
    ['', {}],
    [CURSOR, { also: ({ moved }) => moved }],
  ],
}

const SESSIONS = ['s1', 's2', 's3', 's4']
const subsets = (of: readonly string[]) =>
  Array.from({ length: 2 ** of.length }, (_, set) => of.filter((_one, at) => set & (2 ** at)))

/** Before the range, in it, over all of it for more than 31 days, and after it. */
const STAYS = [
  ['2025-01-10', '2025-01-20'],
  ['2025-02-10', '2025-02-20'],
  ['2025-01-15', '2025-03-15'],
  ['2025-03-10', '2025-03-20'],
] as const

const stays: readonly Stay[] = STAYS.flatMap(([from, to]) =>
  subsets(SESSIONS).flatMap((sessionIds) =>
    ['patient', 'companion'].flatMap((role) =>
      ['confirmed', 'cancelled'].map((status) => {
        const [start, end] = [`${from}T14:00`, `${to}T10:00`].map(
          (local) => Temporal.PlainDateTime.from(local).toZonedDateTime(ZONE).epochMilliseconds,
        ) as [number, number]
        return { from, to, start, end, sessionIds, role, status }
      }),
    ),
  ),
).map((stay, at) => ({ ...stay, id: `b${String(at).padStart(3, '0')}`, moved: at % 3 === 0 }))

const records: readonly TestRecord[] = [
  ...SESSIONS.map((id) => session(id, '2025-02-01T12:00', '2025-02-20T12:00')),
  ...stays.flatMap(({ from, to, id, sessionIds, role, status }) =>
    guest(id, { sessionIds, role, status, startDate: `${from}T14:00`, endDate: `${to}T10:00` }),
  ),
]

interface Combination {
  readonly query: string
  readonly means: readonly Meaning[]
}

const sentChoices = Object.entries(CHOICES).flatMap(([name, choices]) =>
  choices.slice(1).map(([sent, means]) => ({ name, query: `&${name}=${sent}`, means })),
)

/** Any two choices of different parameters next to nothing, to the dates, to a session, and to both; and each choice alone. */
const combinations: readonly Combination[] = [
  [],
  ['startDate', 'endDate'],
  ['sessionId'],
  ['startDate', 'endDate', 'sessionId'],
].flatMap((bases) => {
  const base = sentChoices.filter(({ name }) => bases.includes(name))
  const others = sentChoices.filter(({ name }) => !bases.includes(name))
  const pairs = others.flatMap((one, at) =>
    others.slice(at + 1).flatMap((other) => (other.name === one.name ? [] : [[one, other]])),
  )
  return [[], ...others.map((one) => [one]), ...pairs].map((some) => combine([...base, ...some]))
})

function combine(choices: typeof sentChoices): Combination {
  return {
    query: choices.map(({ query }) => query).join(''),
    means: choices.map(({ means }) => means),
  }
}

/** The stays that a list must contain, in its order. */
const counted = (means: readonly Meaning[]): readonly Stay[] =>
  stays
    .filter((stay) =>
      means.every(({ also = () => true, ...filters }) => also(stay) && isListed(stay, filters)),
    )
    .toSorted(byStart)

const isAllowed = (query: string) =>
  /&sessionIds?=/.test(query) || (query.includes('&startDate=') && query.includes('&endDate='))

let api: Asker
let everybody: Asker
let cursor: string
beforeAll(async () => {
  const service = await startTestApi()
  const center = await service.newCenter(records, { maximumPageLength: 500 })
  api = center
  cursor = String((await api.get('/v1/changes')).body.cursor)
  const moved = stays.filter((stay) => stay.moved).map(({ id }) => `'${id}'`)
  await service.database.runScript(
    `update bookings set created_by = 'desk' where center_id = '${center.id}' and id in (${moved.join()})`,
  )
  everybody = await service.newCenter(records, { mealReportExcludedStatuses: [] })
})

it('is made of every parameter that filters', () => {
  const others = [
    'start',
    'length',
    'project',
    'snapshot',
    'sort',
    ...Object.keys(fileParameters),
    ...FOUND_BY,
  ]
  expect(Object.keys(CHOICES)).toEqual(
    Object.keys(listGuests.parameters).filter((name) => !others.includes(name)),
  )
})

describe('200', () => {
  it('ruling 16: filters combine with AND', async () => {
    for (const { query, means } of combinations.filter((one) => isAllowed(one.query))) {
      const right = counted(means)
      const answer = await api.get(
        `/v1/guests?project=id,createdBy&length=500&snapshot=true${query.replace(CURSOR, cursor)}`,
      )
      expect(answer.status, `${query} ${answer.text}`).toBe(200)
      expect(
        answer.body.data.map((record) => record.id),
        query,
      ).toEqual(right.map(({ id }) => id))
      expect(answer.headers['snapshot-count'], query).toBe(String(right.length))
    }
  })

  it('ruling 27: the report counts all states where the center excludes none', async () => {
    for (const choices of [['startDate', 'endDate'], ['sessionId'], ['startDate', 'endDate', 'sessionId']]) {
      const { query, means } = combine(sentChoices.filter(({ name }) => choices.includes(name)))
      const answer = await everybody.get(`/v1/guests/meal-skipping-report?${query.slice(1)}`)
      expect([answer.status, answer.body.summary?.totalGuests], query).toEqual([200, counted(means).length])
    }
    expect((await everybody.get('/v1/guests/meal-skipping-report')).status).toBe(400)
  })
})

describe('400', () => {
  it('interface, filter rule: neither both dates nor a session', async () => {
    const refused = combinations.filter(({ query }) => !isAllowed(query))
    expect(refused.length).toBeGreaterThan(20)
    for (const { query } of refused) {
      const answer = await api.get(`/v1/guests?${query.slice(1).replace(CURSOR, cursor)}`)
      expect(answer.status, query).toBe(400)
    }
  })
})

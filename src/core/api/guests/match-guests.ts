/** `GET /guests/match`: finds the guests that a name, a date of birth or a number may refer to. */
import { hash } from 'node:crypto'
import type { Problem } from '../../errors/api-error.ts'
import { isLocalDate, isoMoment } from '../../locale/dates.ts'
import { BOOKING_STATUSES } from '../../records/fields/statuses.ts'
import { costOf, resolveBounds } from '../../request/bounds.ts'
import { type Answer, defineOperation, type Rows } from '../../request/operation.ts'
import {
  countParameter,
  dateOrMomentParameter,
  enumsParameter,
  identifierParameter,
  identifiersParameter,
} from '../../request/parameter-kinds.ts'
import {
  datesNotSent,
  type Parameter,
  readParameters,
  refusalOf,
  type SentParameters,
} from '../../request/parameters.ts'
import { textParameter } from '../../request/text-parameters.ts'
import { guestFilterParameters, rangeProblems } from './guest-filters.ts'
import { type GuestFilters, guestsMatching } from './guests-sql.ts'
import { BY, daysMeant, likeness, SCORE_MIN, type Wanted } from './match-likeness.ts'
import {
  CANDIDATES_MAX,
  selectCandidates,
  selectGuestsOf,
  selectWanted,
  type WantedPosition,
} from './match-sql.ts'
import { scopesOfNames } from './projection.ts'

const MATCHES = 10
const MATCHES_MAX = 50

/** Up to this many days, the guests of the range are read; for more, the stays of the possible customers. */
const NARROW_DAYS = 31
const DAYS_OF_PAGE = 31

const dob: Parameter<string> = {
  description: 'Date of birth, YYYY-MM-DD. Needs the scope `guests.personal`.',
  list: false,
  personal: true,
  schema: { type: 'string', format: 'date', examples: ['1980-01-20'] },
  read: ([text = '']) =>
    isLocalDate(text)
      ? { value: text }
      : { problem: 'dob is not a date. Give a day that exists as YYYY-MM-DD.' },
}

const parameters = {
  startDate: dateOrMomentParameter({ description: 'Only stays that end at or after this; with `endDate`.' }),
  endDate: dateOrMomentParameter({
    description: 'Only stays that begin at or before this; with `startDate`.',
  }),
  sessionId: identifierParameter({ description: 'One session identifier.' }),
  sessionIds: identifiersParameter({ description: 'Comma-separated session identifiers.' }),
  status: enumsParameter({
    description: 'Only guests with one of these booking statuses.',
    values: BOOKING_STATUSES,
  }),
  name: textParameter({
    description:
      'First and last name in any order. Typing errors are tolerated; case, diacritics and common spelling variants make no difference, and romanizations of Greek, Cyrillic and Arabic names are found.',
    maximum: 200,
    personal: true,
    rule: { pattern: '[\\p{L}\\p{N}]', problem: 'It has no letters or digits. Give a name.' },
  }),
  dob,
  email: guestFilterParameters.email,
  pin: textParameter({
    description:
      'National identification number, or `sha256:` and the SHA-256, in 64 hexadecimal digits, of its letters and digits in upper case. Needs the scope `guests.personal`.',
    maximum: 200,
    personal: true,
    rule: {
      pattern: '[A-Za-z0-9]',
      problem: 'It has no letters or digits. Give a number, or its hash.',
    },
  }),
  length: countParameter({
    name: 'length',
    description: `Maximum number of matches, up to ${MATCHES_MAX}.`,
    default: MATCHES,
  }),
} as const

const STRING = { type: 'string' } as const
const STRING_OR_NULL = { type: ['string', 'null'] } as const

export const matchGuests = defineOperation({
  name: 'matchGuests',
  summary: 'Find a person among the guests',
  description:
    'Guests of a session or a date range who may be the person with this name, date of birth, e-mail address or personal identification number: the best match first, each with a score from 0 to 1 and the reasons. Give at least one of `name`, `dob`, `email` and `pin`. The service does not log these values, but a proxy may log the URL, so send a `pin` as its hash.',
  paths: ['/guests/match'],
  scope: 'guests',
  dependsOn: ['language'],
  parameters,
  response: {
    type: 'object',
    required: ['data', 'complete'],
    properties: {
      data: {
        type: 'array',
        items: {
          type: 'object',
          required: [
            'id',
            'score',
            'reasons',
            'bookingId',
            'firstName',
            'lastName',
            'startDate',
            'endDate',
            'status',
            'sessionIds',
          ],
          properties: {
            id: { ...STRING, description: 'The identifier of the booking.' },
            score: { type: 'number', minimum: 0, maximum: 1 },
            reasons: {
              type: 'array',
              items: {
                type: 'object',
                required: ['by', 'agreement'],
                properties: {
                  by: { type: 'string', enum: BY },
                  agreement: {
                    type: ['number', 'null'],
                    description: 'From 0 (different) to 1 (the same); null if the guest has no such value.',
                  },
                },
              },
            },
            bookingId: { type: ['string', 'null'] },
            firstName: STRING_OR_NULL,
            lastName: STRING_OR_NULL,
            startDate: { ...STRING, format: 'date-time' },
            endDate: { ...STRING, format: 'date-time' },
            status: { type: 'string', enum: BOOKING_STATUSES },
            sessionIds: { type: 'array', items: STRING },
          },
        },
      },
      complete: {
        type: 'boolean',
        description: `Whether all candidates were compared. At most ${CANDIDATES_MAX} are; if false, request a session or a shorter range.`,
      },
    },
  },

  parse(context) {
    const { values, sent, problems } = readParameters(parameters, context.query)
    const { center } = context
    const { bounds, problems: order } = resolveBounds(values, center.timezone)
    const requiredScopes = scopesOfNames(BY.filter((by) => sent.has(by))).filter(
      ({ scope }) => scope !== 'guests',
    )
    const refusal = refusalOf([...problems, ...order, ...missing(sent), ...tooLong(values.length)])
    if (refusal !== undefined) return { requiredScopes, refusal }
    const { name, dob, email, pin, sessionId, sessionIds, status, length } = values
    const wanted: Wanted = {
      name,
      dob,
      days: daysMeant(dob),
      email,
      pinHash: pin === undefined ? undefined : pinHash(pin),
    }
    const sessions = sessionId === undefined ? (sessionIds?.length ?? 0) : 1
    const cost = costOf({ bounds, sessions, daysPerCost: DAYS_OF_PAGE })
    const isNarrow = sessions > 0 || cost <= 1 + NARROW_DAYS / DAYS_OF_PAGE
    const filters: GuestFilters = {
      ...bounds,
      ...(sessionId === undefined ? { sessionIds } : { sessionIds: [sessionId], alsoInSessions: sessionIds }),
      status,
      mayBe: { wanted, isNarrow },
    }
    const select = () => selectCandidates(center.id, filters, wanted)
    const customersAfter = (after: WantedPosition | undefined) => selectWanted(center.id, wanted, { after })
    return {
      requiredScopes,
      normalForm: JSON.stringify([filters, length]),
      cost,
      dependencies: [guestsMatching(filters, SHOWN)],
      statement: isNarrow ? select() : customersAfter(undefined),
      revisionOf: (rows) => asRows(rows)[0]?.[0],
      following: {
        kind: 'more rows',
        after(rows, all) {
          const customers = asRows(rows)[0]?.[4] ?? []
          const limit = CANDIDATES_MAX + 1 - candidatesOf(all).length
          if (customers.length > 0) return selectGuestsOf(center.id, filters, wanted, customers, limit)
          // The row before this one had the customers.
          const after = asRows(all).at(-2)?.[3] ?? undefined
          return after === undefined || limit === 0 ? undefined : customersAfter(after)
        },
        all: select,
      },
      present: (rows) => presentMatches(rows, wanted, length),
    }
  },
})

const SHOWN = ['bookings.booking_id']

function missing(sent: SentParameters): Problem[] {
  const problems: Problem[] = []
  if (!BY.some((by) => sent.has(by))) {
    problems.push({ parameter: 'name', message: 'Give at least one of name, dob, email and pin.' })
  }
  if (!sent.has('sessionId') && !sent.has('sessionIds')) {
    problems.push(...rangeProblems(datesNotSent(sent), '.'))
  }
  return problems
}

const tooLong = (length: number): Problem[] =>
  length <= MATCHES_MAX
    ? []
    : [
        {
          parameter: 'length',
          message: `length ${length} is above ${MATCHES_MAX}. Ask for ${MATCHES_MAX} or fewer.`,
        },
      ]

/** The same as the database's `pin_hash`. */
function pinHash(pin: string): string {
  const [, given] = /^sha256:([0-9a-f]{64})$/i.exec(pin) ?? []
  return given?.toLowerCase() ?? hash('sha256', pin.replaceAll(/[^A-Za-z0-9]+/g, '').toUpperCase(), 'hex')
}

/** In the order of the select list. */
type Candidate = readonly [
  id: string,
  bookingId: string | null,
  firstName: string | null,
  lastName: string | null,
  starts: number,
  ends: number,
  status: string,
  sessionIds: readonly string[],
  readings: readonly string[] | null,
  sameEmail: boolean | null,
  dob: string | null,
  samePin: boolean | null,
]

/** A row of the statement. A center that was never changed has no revision. */
type Part = readonly [
  revision: number | null,
  asked: readonly string[] | null,
  candidates: readonly Candidate[],
  /** of the customers, if there may be more */
  last: WantedPosition | null,
  /** whose guests the next statement reads; null: the row has guests */
  customers: readonly string[] | null,
]

/** Each statement returns one row. */
const asRows = (rows: Rows) => rows as readonly unknown[] as readonly Part[]
const candidatesOf = (rows: Rows) => asRows(rows).flatMap(([, , candidates]) => candidates)

function presentMatches(rows: Rows, wanted: Wanted, length: number): Answer {
  const [first] = asRows(rows)
  const asked = first?.[1] ?? null
  const candidates = candidatesOf(rows)
  const data = candidates
    .slice(0, CANDIDATES_MAX)
    .map((candidate) => matchOf(candidate, asked, wanted))
    .filter(({ score }) => score >= SCORE_MIN)
    .sort(
      (a, b) =>
        b.score - a.score ||
        (a.startDate < b.startDate ? -1 : a.startDate > b.startDate ? 1 : a.id < b.id ? -1 : 1),
    )
    .slice(0, length)
  const complete = candidates.length <= CANDIDATES_MAX
  return {
    body: JSON.stringify({ data, complete }),
    revision: first?.[0] ?? 0,
    records: { count: data.length, ids: data.map(({ id }) => id) },
  }
}

function matchOf(candidate: Candidate, asked: readonly string[] | null, wanted: Wanted) {
  const [
    id,
    bookingId,
    firstName,
    lastName,
    starts,
    ends,
    status,
    sessionIds,
    stored,
    sameEmail,
    born,
    samePin,
  ] = candidate
  const { score, reasons } = likeness(wanted, { asked, stored, sameEmail, born, samePin })
  return {
    id,
    score,
    reasons,
    bookingId,
    firstName,
    lastName,
    startDate: isoMoment(starts),
    endDate: isoMoment(ends),
    status,
    sessionIds,
  }
}

/** Finds the identifier of a customer by a person's own data: name, date of birth, e-mail address. */

import { type FoundRow, selectPossible } from '../../core/api/guests/find-customers-sql.ts'
import { daysMeant, likeness, SCORE_MIN, type Wanted } from '../../core/api/guests/match-likeness.ts'
import { recordAct } from '../../core/audit/record-act.ts'
import type { Queryable, Transacting } from '../../core/database/database.ts'
import { type CenterId, centerId } from '../../core/records/centers/center.ts'
import { type CenterRow, selectCenters } from '../../core/records/centers/centers-sql.ts'
import { readCenterZone } from '../../core/records/centers/find-center.ts'
import { SubjectError } from './subject.ts'

export interface FoundSubject {
  readonly customerId: string
  /** null if the person has a single name, which is the other one */
  readonly firstName: string | null
  readonly lastName: string | null
  /** YYYY-MM-DD */
  readonly dob: string | null
  /** similarity from 0 to 1 */
  readonly score: number
  readonly stays: readonly {
    readonly id: string
    readonly bookingId: string | null
    /** local days of the center, YYYY-MM-DD */
    readonly arrival: string
    readonly departure: string
    readonly status: string
  }[]
}

export interface FindInput {
  readonly center: string | undefined
  readonly name?: string | undefined
  /** YYYY-MM-DD */
  readonly dob?: string | undefined
  readonly email?: string | undefined
}

/** The number of candidates compared, those with the most in common first, and the number returned. */
const COMPARED_MAX = 200
const FOUND_MAX = 20

/**
 * Searches customers and returns the best matches first, at most twenty. The search itself is not stored. The audit
 * trail records whose stays were shown.
 * @throws {SubjectError} if it is not clear which center is meant
 * @throws {NoSuchCenter}
 */
export async function findSubjects(
  database: Transacting,
  { center, name, dob, email }: FindInput,
): Promise<{ center: string; found: FoundSubject[] }> {
  const { id, timezone } = await oneCenter(database, center)
  const wanted: Wanted = { name, dob, days: daysMeant(dob), email, pinHash: undefined }
  const found = await database.transaction(async (tx) => {
    const rows = await tx.query<FoundRow>(selectPossible(id, wanted, COMPARED_MAX))
    const best = rows
      .map((row) => foundSubject(row, wanted, timezone))
      .filter(({ score }) => score >= SCORE_MIN)
      .sort((a, b) => b.score - a.score)
      .slice(0, FOUND_MAX)
    const by = Object.entries({ name, dob, email }).flatMap(([field, value]) =>
      value === undefined ? [] : field,
    )
    await recordAct(tx, {
      center: id,
      name: 'findGuest',
      facts: { by: by.join(','), found: String(best.length) },
      scopes: ['guests', 'guests.personal'],
      shown: best.flatMap(({ stays }) => stays.map((stay) => stay.id)),
    })
    return best
  })
  return { center: id, found }
}

async function oneCenter(
  queryable: Queryable,
  wanted: string | undefined,
): Promise<{ id: CenterId; timezone: string }> {
  if (wanted !== undefined) {
    return { timezone: await readCenterZone(queryable, wanted), id: centerId(wanted) }
  }
  const [center, ...others] = await queryable.query<CenterRow>(selectCenters())
  if (center === undefined) throw new SubjectError('No center has been imported yet.')
  if (others.length > 0) {
    const ids = [center, ...others].slice(0, 20).map(({ center_id }) => center_id)
    throw new SubjectError(`Say which center with --center: ${ids.join(', ')}.`)
  }
  return { id: centerId(center.center_id), timezone: center.timezone }
}

function foundSubject(row: FoundRow, wanted: Wanted, zone: string): FoundSubject {
  const day = (ms: number) =>
    Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDate().toString()
  const { score } = likeness(wanted, {
    asked: row.wanted,
    stored: row.readings,
    sameEmail: row.same_email,
    born: row.dob,
    samePin: null,
  })
  return {
    customerId: row.id,
    firstName: row.first_name,
    lastName: row.last_name,
    dob: row.dob,
    score,
    stays: row.stays.map(({ id, booking_id, starts, ends, status }) => ({
      id,
      bookingId: booking_id,
      arrival: day(starts),
      departure: day(ends),
      status,
    })),
  }
}

/** What contradicts something in the records of one person, without anything of the others who are compared. */

import type { Queryable } from '../../core/database/database.ts'
import { isoMoment } from '../../core/locale/dates.ts'
import type { Evidence } from '../contradictions/evidence.ts'
import type { Subject } from './subject.ts'
import { selectContradictionsAbout } from './subjects-sql.ts'

export interface ContradictionAbout {
  readonly kind: string
  /** ISO 8601 */
  readonly since: string
  readonly changedAt: string
  /** the person's bookings and orders, and the room */
  readonly records: Evidence['records']
  /** a value of each of these records; of a room, the room's own */
  readonly compared: Evidence['compared']
  /** number of records of other people that are compared, and left out */
  readonly others: number
  /** why nothing is to be done, who decided so, and when; null if nobody has */
  readonly dismissed: { readonly at: string; readonly by: string; readonly reason: string } | null
}

interface Row {
  readonly kind: string
  /** epoch ms */
  readonly since: number
  readonly changed_at: number
  readonly evidence: Evidence
  readonly dismissed_at: number | null
  readonly dismissed_by: string | null
  readonly dismissed_reason: string | null
}

/** Those that are stored, oldest first. None are stored for a center in which no key may read contradictions. */
export async function contradictionsAbout(
  queryable: Queryable,
  { center, customer, stays, orders }: Subject,
): Promise<ContradictionAbout[]> {
  const own = new Set([...stays.map(({ id }) => `guest:${id}`), ...orders.map((uuid) => `order:${uuid}`)])
  const rows = await queryable.query<Row>(selectContradictionsAbout(center, [`customer:${customer}`, ...own]))
  return rows.map(({ kind, since, changed_at, evidence, dismissed_at, dismissed_by, dismissed_reason }) => ({
    kind,
    since: isoMoment(since),
    changedAt: isoMoment(changed_at),
    ...ownPart(evidence, own),
    dismissed:
      dismissed_at === null
        ? null
        : { at: isoMoment(dismissed_at), by: dismissed_by ?? '', reason: dismissed_reason ?? '' },
  }))
}

function ownPart({ records, compared }: Evidence, own: ReadonlySet<string>) {
  const isOwn = records.map(({ kind, id }) => kind === 'room' || own.has(`${kind}:${id}`))
  return {
    records: records.filter((_, at) => isOwn[at]),
    compared: compared.map(({ field, values }) => ({ field, values: values.filter((_, at) => isOwn[at]) })),
    others: isOwn.filter((mine) => !mine).length,
  }
}

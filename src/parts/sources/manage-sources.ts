/** Sets and removes the sources of a center for the operator. All input is checked here. */

import { recordAct } from '../../core/audit/record-act.ts'
import type { Transacting } from '../../core/database/database.ts'
import { didYouMean } from '../../core/errors/suggest.ts'
import { UserError } from '../../core/errors/user-error.ts'
import { readCenterZone } from '../../core/records/centers/find-center.ts'
import {
  COMMITTED_KINDS,
  isSourceKind,
  SOURCE_KINDS,
  type SourceKind,
  SQL_SOURCE,
} from '../../core/records/sources/delivery.ts'
import { readSchedule } from '../../core/records/sources/schedule.ts'
import {
  countSources,
  deleteSource,
  type SourceRow,
  selectSender,
  setSource,
} from '../../core/records/sources/sources-sql.ts'

/** An input that is not possible. The message says why and how to go on. */
export class SourceError extends UserError {
  override readonly name = 'SourceError'
  /** of the input that the message is about, if it is one */
  readonly field: 'application' | undefined
  constructor(message: string, field?: 'application') {
    super(message)
    this.field = field
  }
}

export interface SourceInput {
  readonly centerId: string
  readonly name: string
  readonly kinds?: readonly string[] | undefined
  /** `none` ends it */
  readonly schedule?: string | undefined
  /** an application with intake keys, whose deliveries are this source; `none` ends that */
  readonly appId?: string | undefined
}

/** A center has one or two booking systems. */
const SOURCES_MAX = 50

/**
 * Sets what is given of a source, which may be new.
 * @throws {SourceError | NoSuchCenter}
 */
export async function saveSource(database: Transacting, input: SourceInput): Promise<SourceRow> {
  const { centerId, name } = input
  const kinds = input.kinds === undefined ? undefined : readKinds(input.kinds)
  if (name === SQL_SOURCE && kinds?.includes('terms')) {
    throw new SourceError(
      `The source ${SQL_SOURCE} is what a program writes with SQL, and no commit says that it brought terms; its kinds are ${COMMITTED_KINDS.join(', ')}.`,
    )
  }
  const schedule = input.schedule === 'none' ? null : input.schedule
  const read = typeof schedule === 'string' ? readSchedule(schedule) : undefined
  if (read !== undefined && 'problem' in read) throw new SourceError(read.problem)
  await readCenterZone(database, centerId)
  const appId = input.appId === 'none' ? null : input.appId
  if (typeof appId === 'string') {
    const [found] = await database.query(selectSender(centerId, appId))
    if (found === undefined) {
      throw new SourceError(
        `${centerId} has no intake key of the application ${JSON.stringify(appId.slice(0, 60))}; "sojourn keys list --center ${centerId}" shows the appId of each key.`,
        'application',
      )
    }
  }
  return database.transaction(async (tx) => {
    const [row] = await tx.query<SourceRow>(setSource(centerId, { name, kinds, schedule, appId }))
    if (row === undefined) throw new Error('a source was not stored')
    if (row.schedule !== null && row.kinds === null) {
      throw new SourceError('A schedule needs the kinds that are expected: add --kinds bookings,customers.')
    }
    const [counted] = await tx.query<{ count: number }>(countSources(centerId))
    if ((counted?.count ?? 0) > SOURCES_MAX) {
      throw new SourceError(`A center may have at most ${SOURCES_MAX} sources; remove one that has ended.`)
    }
    const facts = { source: name, schedule: row.schedule ?? 'none', kinds: (row.kinds ?? []).join(',') }
    await recordAct(tx, { center: centerId, name: 'setSource', facts, scopes: [] })
    return row
  })
}

function readKinds(given: readonly string[]): SourceKind[] {
  const wrong = given.find((kind) => !isSourceKind(kind))
  if (wrong !== undefined || given.length === 0) {
    throw new SourceError(
      `There is no kind ${JSON.stringify((wrong ?? '').slice(0, 60))}; the kinds are ${SOURCE_KINDS.join(', ')}${didYouMean(wrong ?? '', SOURCE_KINDS) || '.'}`,
    )
  }
  return SOURCE_KINDS.filter((kind) => given.includes(kind))
}

/** Removes a source that has ended. Its deliveries stay in the log of imports. @throws {SourceError | NoSuchCenter} */
export async function removeSource(database: Transacting, centerId: string, name: string): Promise<void> {
  await readCenterZone(database, centerId)
  await database.transaction(async (tx) => {
    const [row] = await tx.query<SourceRow>(deleteSource(centerId, name))
    if (row === undefined) {
      throw new SourceError(
        `${centerId} has no source ${JSON.stringify(name.slice(0, 60))}; "sojourn sources list --center ${centerId}" lists them.`,
      )
    }
    await recordAct(tx, { center: centerId, name: 'removeSource', facts: { source: name }, scopes: [] })
  })
}

/** The one touch of the database: a plan's rows become its answer, read once for all who ask at the moment. */
import type { Database } from '../database/database.ts'
import type { Answer, Plan, StreamPlan } from '../request/operation.ts'
import { type AnswerCache, type KeptAnswer, ownBytes } from './answer-cache.ts'
import { answerTag, type Basis } from './names.ts'

/** An answer too long to hold, of the revision that was current when it was found to be. */
export interface LongAnswer extends Pick<Answer, 'records'> {
  readonly etag: string
  readonly revision: number
  readonly pieces: () => AsyncIterable<string>
}

/**
 * Requests for one answer that come while it is read wait for that reading, and share what comes of it.
 * @param tag the answer's, at the revision of its basis
 */
export type ReadOnce = (plan: Plan, basis: Basis, tag: string) => Promise<KeptAnswer | LongAnswer>

export function createReadOnce(database: Database, cache: AnswerCache): ReadOnce {
  const underWay = new Map<string, Promise<KeptAnswer | LongAnswer>>()
  return (plan, basis, tag) => {
    const reading = underWay.get(tag)
    if (reading !== undefined) return reading
    const started = read(plan, basis).finally(() => underWay.delete(tag))
    underWay.set(tag, started)
    return started
  }

  async function read(plan: Plan, basis: Basis): Promise<KeptAnswer | LongAnswer> {
    const rows = plan.statement === undefined ? [] : await database.queryArrays(plan.statement)
    // The answer shows the revision it was read at, which may be newer than the one the request was let in at.
    // Where it says none it has that one: to be newer than its name does no harm.
    const named = (shown: number | undefined) => {
      const revision = shown ?? basis.revision
      return { revision, etag: answerTag(basis, plan.normalForm, revision) }
    }
    if (plan.stream !== undefined && rows.length > plan.stream.heldRowsMax) {
      return { ...named(plan.stream.revisionOf(rows)), ...(await long(plan.stream)) }
    }
    const { body, page, records, revision } = plan.present(rows)
    const answer: KeptAnswer = {
      etag: named(revision).etag,
      center: basis.center,
      page,
      records,
      identity: ownBytes(body),
      encoded: new Map(),
    }
    cache.set(answer)
    return answer
  }

  async function long(plan: StreamPlan): Promise<Pick<LongAnswer, 'records' | 'pieces'>> {
    const [counted] = await database.queryArrays(plan.count)
    return {
      records: { count: counted?.[0] as number, ids: [] },
      pieces: () => plan.present(database.stream(plan.statement, plan.rowsPerPiece)),
    }
  }
}

/** The one touch of the database: a plan's rows become its answer, read once for all who ask at the moment. */
import { hash } from 'node:crypto'
import type { Database, ReadKind } from '../database/database.ts'
import { isHeavy } from '../database/fair-queue.ts'
import type { FairTurns, Place } from '../database/fair-turns.ts'
import { SeparatorInValue, unguessableSeparator } from '../database/text-rows.ts'
import type { Answer, Plan, Rows, StreamPlan } from '../request/operation.ts'
import type { Sliced } from '../request/slices.ts'
import { type AnswerCache, type KeptAnswer, ownBytes } from './answer-cache.ts'
import { bytesOfPieces, inSlices } from './in-slices.ts'
import { type Basis, contentTag, longTag, readingName } from './names.ts'
import { readRows } from './read-rows.ts'
import { tooWideOr } from './too-wide.ts'

/** An answer too long to hold, of the revision that was current when it was found to be. */
export interface LongAnswer extends Pick<Answer, 'records'> {
  readonly etag: string
  readonly revision: number
  readonly pieces: () => AsyncIterable<string>
}

/**
 * Requests for one answer that come while it is read wait for that reading, and share what comes of it.
 * @param name of the answer (names.ts)
 * @param appId whose turn at the database it takes
 */
export type ReadOnce = (
  plan: Plan,
  basis: Basis,
  name: string,
  appId: string,
) => Promise<KeptAnswer | LongAnswer>

export function createReadOnce(database: Database, turns: FairTurns, cache: AnswerCache): ReadOnce {
  const underWay = new Map<string, Promise<KeptAnswer | LongAnswer>>()
  return (plan, basis, name, appId) => {
    const reading = readingName(name, basis)
    const shared = underWay.get(reading)
    if (shared !== undefined) return shared
    const turn = { center: basis.center, key: appId, kind: basis.operation, cost: plan.cost ?? 1 }
    const started = turns
      .inTurn(turn, (place) => read(plan, basis, name, place, isHeavy(turn) ? 'heavy' : 'light'))
      .catch((error: unknown) => {
        throw tooWideOr(error, plan.madeFrom)
      })
      .finally(() => underWay.delete(reading))
    underWay.set(reading, started)
    return started
  }

  async function read(
    plan: Plan,
    basis: Basis,
    name: string,
    place: Place,
    kind: ReadKind,
  ): Promise<KeptAnswer | LongAnswer> {
    const rows = await readRows(database, plan, place, kind)
    plan.check?.judge(await database.queryArrays(plan.check.statement))
    // The answer shows the revision it was read at, which may be newer than the one the request was let in at.
    // Where it says none it has that one: to be newer than it says does no harm.
    if (plan.stream !== undefined && rows.length > plan.stream.heldRowsMax) {
      const revision = plan.stream.revisionOf(rows) ?? basis.revision
      return { etag: longTag(name, revision), revision, ...(await long(plan.stream, basis.center)) }
    }
    const presented = await present(plan, rows)
    const rest = (tookMs: number) => turns.rest(basis.center, tookMs)
    // Nothing more is read, and it may take a while.
    if ('next' in presented) place.leave()
    const {
      body,
      page,
      records,
      revision,
      isQuiet = false,
    } = 'next' in presented ? await inSlices(presented, rest) : presented
    const { bytes: identity, sha256 } =
      typeof body === 'string' ? bytesOf(body) : await inSlices(bytesOfPieces(body), rest)
    const answer: KeptAnswer = {
      name,
      etag: contentTag(basis, plan.normalForm, sha256),
      revision: revision ?? basis.revision,
      madeFrom: plan.madeFrom,
      center: basis.center,
      page,
      records,
      isQuiet,
      identity,
      encoded: new Map(),
    }
    if (plan.keeps !== false) cache.set(answer)
    return answer
  }

  async function present(plan: Plan, rows: Rows): Promise<Answer | Sliced<Answer>> {
    try {
      return plan.present(rows)
    } catch (error) {
      if (!(error instanceof SeparatorInValue) || plan.withSeparator === undefined) throw error
      const again = plan.withSeparator(unguessableSeparator())
      return again.present(again.statement === undefined ? [] : await database.queryArrays(again.statement))
    }
  }

  async function long(plan: StreamPlan, center: string): Promise<Pick<LongAnswer, 'records' | 'pieces'>> {
    const [counted] = await database.queryArrays(plan.count, 'heavy')
    return {
      records: { count: counted?.[0] as number, ids: [] },
      pieces: () => rested(plan.present(database.stream(plan.statement, plan.rowsPerChunk)), center),
    }
  }

  /** The pieces, with a rest after each one: to make them takes all that there is of the event loop. */
  async function* rested(pieces: AsyncIterable<string>, center: string): AsyncGenerator<string> {
    let since = performance.now()
    for await (const piece of pieces) {
      const tookMs = performance.now() - since
      yield piece
      await turns.rest(center, tookMs)
      since = performance.now()
    }
  }
}

function bytesOf(body: string): { bytes: Buffer; sha256: string } {
  const bytes = ownBytes(body)
  return { bytes, sha256: hash('sha256', bytes, 'base64url') }
}

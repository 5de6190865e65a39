/**
 * The only file that reads the database for an answer: it makes an answer of a plan's rows, once for all
 * simultaneous requests.
 */

import type { Database, ReadKind } from '../database/database.ts'
import { requireGeneration } from '../database/generation.ts'
import type { DatabaseQueue, Slot } from '../database/queue/database-queue.ts'
import { isHeavy } from '../database/queue/fair-queue.ts'
import { NoRevision, type Replicas, TooOld } from '../database/replicas.ts'
import { SeparatorInValue, unguessableSeparator } from '../database/text-rows.ts'
import type { CenterId } from '../records/centers/center.ts'
import type { Answer, Pin, Plan, Rows, Snapshot, StreamPlan } from '../request/operation.ts'
import type { Sliced } from '../request/slices.ts'
import { type AnswerCache, bytesOf, type CachedAnswer } from './answer-cache.ts'
import { type Basis, contentTag, longTag, readKey } from './cache-keys.ts'
import { bytesOfPieces, inSlices } from './in-slices.ts'
import { rested } from './open-file.ts'
import { type RecordsRead, recordsRead } from './read-event.ts'
import { type CenterReads, readAllRows, stored } from './read-rows.ts'
import { JSON_TYPE } from './send.ts'
import { atPin, checkPin, prove } from './snapshots.ts'
import { tooWideOr } from './too-wide.ts'

/** Everything that reading an answer needs. */
interface Reading {
  readonly plan: Plan
  readonly basis: Basis
  readonly cacheKey: string
  readonly reads: CenterReads
  readonly pin: Pin | undefined
  readonly slot: Slot
  readonly kind: ReadKind
}

const WHOLE: Pick<Answer, 'page' | 'records'> = { records: { count: 0, ids: [] } }

/**
 * An answer that is sent in pieces because it is too long to hold in memory. Its revision is the one that was current
 * when its length became known.
 */
export interface LongAnswer {
  readonly records: RecordsRead
  readonly etag: string
  readonly revision: number
  readonly snapshot: Snapshot | undefined
  readonly pieces: () => AsyncIterable<string | Uint8Array>
}

/**
 * Requests for an answer that is being read wait for that read and share its result.
 * @param cacheKey of the answer (cache-keys.ts)
 * @param appId the application that the read is charged to
 */
export type ReadOnce = (
  plan: Plan,
  basis: Basis,
  cacheKey: string,
  appId: string,
) => Promise<CachedAnswer | LongAnswer>

/** @param clock epoch ms */
export function createReadOnce(
  database: Database,
  queue: DatabaseQueue,
  cache: Pick<AnswerCache, 'set'>,
  clock: () => number,
  replicas?: Replicas,
): ReadOnce {
  const underWay = new Map<string, Promise<CachedAnswer | LongAnswer>>()
  return (plan, basis, cacheKey, appId) => {
    const reading = readKey(cacheKey, basis)
    const shared = underWay.get(reading)
    if (shared !== undefined) return shared
    const queued = {
      center: basis.center,
      key: appId,
      kind: basis.operation,
      cost: plan.cost ?? 1,
      statement: onlyStatement(plan),
    }
    const started = queue
      .run(queued, (slot) => {
        const { center } = basis
        const primary: CenterReads = database
        const kind = isHeavy(queued) ? 'heavy' : 'light'
        const readFrom = (reads: CenterReads) => {
          const reading = { plan, basis, cacheKey, reads, slot, kind } as const
          const { snapshot } = plan
          if (snapshot === undefined) return read({ ...reading, pin: undefined })
          return atPin(reads, center, snapshot, (pin) => read({ ...reading, pin }))
        }
        if (replicas === undefined || plan.revisionOf === undefined) return readFrom(primary)
        return replicas.read(basis.generation, (replica) =>
          readFrom(replica === undefined ? primary : notOlder(replica, plan, basis)),
        )
      })
      .catch((error: unknown) => {
        throw tooWideOr(error, plan.dependencies)
      })
      .finally(() => underWay.delete(reading))
    underWay.set(reading, started)
    return started
  }

  async function read({
    plan,
    basis,
    cacheKey,
    reads,
    pin,
    slot,
    kind,
  }: Reading): Promise<CachedAnswer | LongAnswer> {
    const { center, generation } = basis
    const { statement, following } = plan
    const read =
      statement === undefined
        ? []
        : following?.kind === 'more rows'
          ? await readAllRows(reads, statement, following, revisionsOf(plan), slot, kind)
          : await reads.queryArrays(statement, kind)
    const rows =
      following?.kind === 'stored' ? [...read, ...(await stored(database, following.statement(read)))] : read
    plan.check?.judge(await reads.queryArrays(plan.check.statement))
    const snapshotOf = (answer: Pick<Answer, 'page' | 'records'>, kind: ReadKind) =>
      plan.snapshot === undefined || pin === undefined
        ? undefined
        : prove(reads, center, plan.snapshot, pin, answer, kind)
    // The answer has the revision at which it was read, which may be newer than that of the admission. If the rows do
    // not tell, the admission's is used: an answer may be newer than it says.
    if (plan.inPieces?.kind === 'stream' && rows.length > plan.inPieces.heldRowsMax) {
      const revision = plan.revisionOf?.(rows) ?? basis.revision
      const { count, pieces } = await long(plan, plan.inPieces, center, pin)
      const records = { count, ids: [] }
      const snapshot = await snapshotOf({ records }, 'heavy')
      requireGeneration(database, generation)
      return { etag: longTag(cacheKey, revision), revision, snapshot, records: recordsRead(records), pieces }
    }
    const presented = await present(reads, plan, rows)
    const isSliced = 'next' in presented
    // An answer made in slices has no pages: it is the whole list.
    const snapshot = await snapshotOf(isSliced ? WHOLE : presented, kind)
    // A cached answer has a revision that the next server may give to other commits.
    requireGeneration(database, generation)
    const rest = (tookMs: number) => queue.rest(center, tookMs)
    // The rest takes a while and does not use the database.
    if (isSliced) slot.leave()
    const {
      body,
      page,
      records,
      revision,
      isQuiet = false,
      type = JSON_TYPE,
    } = isSliced ? await inSlices(presented, rest) : presented
    const { bytes: identity, sha256 } =
      typeof body === 'string' || Buffer.isBuffer(body)
        ? bytesOf(body)
        : await inSlices(bytesOfPieces(body), rest)
    const answer: CachedAnswer = {
      cacheKey,
      etag: contentTag(basis, plan.normalForm, sha256, snapshot),
      revision: revision ?? basis.revision,
      dependencies: plan.dependencies,
      until: plan.cacheMs === undefined ? Number.POSITIVE_INFINITY : clock() + plan.cacheMs,
      center,
      type,
      page,
      snapshot,
      records: recordsRead(records),
      isQuiet,
      identity,
      encoded: new Map(),
    }
    if (plan.cacheMs !== 0) cache.set(answer)
    return answer
  }

  async function present(reads: CenterReads, plan: Plan, rows: Rows): Promise<Answer | Sliced<Answer>> {
    try {
      return plan.present(rows)
    } catch (error) {
      if (!(error instanceof SeparatorInValue) || plan.withSeparator === undefined) throw error
      const again = plan.withSeparator(unguessableSeparator())
      return again.present(again.statement === undefined ? [] : await reads.queryArrays(again.statement))
    }
  }

  async function long(
    { snapshot }: Plan,
    stream: StreamPlan,
    center: CenterId,
    pin: Pin | undefined,
  ): Promise<Pick<LongAnswer, 'pieces'> & { readonly count: number }> {
    const [counted] = await database.queryArrays(stream.count(), 'heavy')
    const check = async () => {
      if (snapshot !== undefined && pin !== undefined) await checkPin(database, center, snapshot, pin, [])
    }
    const rows = () => checked(database.stream(stream.statement(), stream.rowsPerChunk), check)
    return {
      count: counted?.[0] as number,
      pieces: () => rested(stream.present(rows()), queue, center),
    }
  }
}

function revisionsOf({ revisionOf }: Plan) {
  if (revisionOf === undefined) throw new Error('rows of several statements have a revision')
  return revisionOf
}

/**
 * A replica's rows, if they are not older than the admission. What is read after the plan's statement on the same server is
 * not older either.
 * @throws {TooOld}
 * @throws {NoRevision}
 */
function notOlder(
  replica: CenterReads,
  { statement, revisionOf }: Plan,
  { revision }: Pick<Basis, 'revision'>,
): CenterReads {
  return {
    async queryArrays(sql, kind) {
      const rows = await replica.queryArrays(sql, kind)
      if (sql !== statement) return rows
      const shown = revisionOf?.(rows)
      if (shown === undefined) throw new NoRevision('no row shows a revision')
      if ((shown ?? 0) < revision) throw new TooOld('a replica has older rows')
      return rows
    },
  }
}

/** The text of the plan's statement if it is the only one, so that it can be batched. */
const onlyStatement = ({ statement, check, snapshot, following }: Plan): string | undefined =>
  check === undefined && snapshot === undefined && following?.kind !== 'stored' ? statement?.text : undefined

/** Passes rows through after a check that covers the first of them. */
async function* checked(chunks: AsyncIterable<Rows>, check: () => Promise<void>): AsyncGenerator<Rows> {
  let isChecked = false
  for await (const rows of chunks) {
    if (!isChecked) await check()
    isChecked = true
    yield rows
  }
}

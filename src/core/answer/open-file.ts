/** A whole list, read from one snapshot while it is sent as a file. */

import type { Database } from '../database/database.ts'
import { requireGeneration } from '../database/generation.ts'
import type { DatabaseQueue } from '../database/queue/database-queue.ts'
import { isHeavy } from '../database/queue/fair-queue.ts'
import { unguessableSeparator } from '../database/text-rows.ts'
import type { CenterId } from '../records/centers/center.ts'
import { LISTED_IDS_MAX } from '../request/listed-ids.ts'
import type { FilePlan, Manifest, Plan, Rows, Snapshot } from '../request/operation.ts'
import { type Basis, longTag } from './cache-keys.ts'
import { type RecordsRead, recordsRead } from './read-event.ts'
import { atPin, checkPin } from './snapshots.ts'
import { tooWideOr } from './too-wide.ts'

/** A file that is ready to be sent. None of its records has changed since its cursor. */
export interface OpenFile {
  readonly records: RecordsRead
  readonly etag: string
  readonly revision: number
  readonly snapshot: Snapshot
  pieces(): AsyncIterable<string | Uint8Array>
  /** Releases the database's resources, however much was sent. May be called repeatedly. */
  close(): Promise<void>
}

/** @param cacheKey of the answer (cache-keys.ts) */
export type OpensFile = (
  plan: Plan,
  file: FilePlan,
  basis: Basis,
  cacheKey: string,
  appId: string,
  received: Manifest['received'],
) => Promise<OpenFile>

/** Opens a file: counts and proves the list at a cursor, and reads the first rows before it returns. */
export function createOpensFile(database: Database, queue: DatabaseQueue): OpensFile {
  return (plan, file, basis, cacheKey, appId, received) => {
    const { center, generation } = basis
    const { snapshot } = plan
    if (snapshot === undefined) throw new Error('a file is read at a cursor')
    const queued = { center, key: appId, kind: basis.operation, cost: plan.cost ?? 1, statement: undefined }
    const kind = isHeavy(queued) ? 'heavy' : 'light'
    return queue
      .run(queued, () =>
        atPin(database, center, snapshot, async (pin) => {
          plan.check?.judge(await database.queryArrays(plan.check.statement))
          const [proof] = await database.queryArrays(snapshot.proof(), kind)
          // The driver returns untyped values; the comment of the statement documents them.
          const [count, digest] = proof as [number, string]
          if (count > file.recordsMax.count) throw file.recordsMax.refusal(count)
          const ids = count > LISTED_IDS_MAX ? [] : idsOf(await database.queryArrays(file.ids, kind))
          const reading = file.reading(unguessableSeparator())
          const { rows, end } = await begun(
            database.stream(reading.statement, file.rowsPerChunk),
            async () => {
              await checkPin(database, center, snapshot, pin, [])
              requireGeneration(database, generation)
            },
          )
          const manifest: Manifest = { rows: count, digest, cursor: pin.cursor, received }
          return {
            // Of a table with other people's data next to the records, these are named too.
            records: recordsRead({ count: Math.max(count, ids.length), ids }),
            etag: longTag(cacheKey, pin.position.revision),
            revision: pin.position.revision,
            snapshot: { cursor: pin.cursor, proof: { count, digest } },
            pieces: () => rested(reading.write(counted(rows, count), manifest), queue, center),
            close: end,
          }
        }),
      )
      .catch((error: unknown) => {
        throw tooWideOr(error, plan.dependencies)
      })
  }
}

/** Each identifier is followed by a line break. */
const idsOf = (rows: Rows): string[] =>
  String(rows[0]?.[0] ?? '')
    .split('\n')
    .slice(0, -1)

/** Reads the first rows, then runs `check`. After that, all rows are known to be of one snapshot. */
async function begun(rows: AsyncIterable<Rows>, check: () => Promise<void>) {
  const iterator = rows[Symbol.asyncIterator]()
  const end = async () => void (await iterator.return?.())
  try {
    const first = await iterator.next()
    await check()
    return { rows: going(iterator, first), end }
  } catch (error) {
    await end()
    throw error
  }
}

async function* going(iterator: AsyncIterator<Rows>, first: IteratorResult<Rows>): AsyncGenerator<Rows> {
  for (let result = first; result.done !== true; result = await iterator.next()) yield result.value
}

/** Passes rows through. @throws if their number differs from the count */
async function* counted(chunks: AsyncIterable<Rows>, count: number): AsyncGenerator<Rows> {
  let seen = 0
  for await (const rows of chunks) {
    seen += rows.length
    yield rows
  }
  if (seen !== count) throw new Error('a file has not the rows that were counted')
}

/** Passes pieces through with a rest after each, because making them takes the whole event loop. */
export async function* rested<T>(
  pieces: AsyncIterable<T>,
  queue: DatabaseQueue,
  center: CenterId,
): AsyncGenerator<T> {
  let since = performance.now()
  for await (const piece of pieces) {
    const tookMs = performance.now() - since
    yield piece
    await queue.rest(center, tookMs)
    since = performance.now()
  }
}

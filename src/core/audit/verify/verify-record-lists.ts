/** Checks that each list of records is unchanged and belongs to an entry. */
import type { Queryable } from '../../database/database.ts'
import { recordListHash } from '../entry.ts'
import { detachedMonths } from '../trail-months.ts'
import type { TrailProblem } from './trail-problem.ts'
import {
  countUnusedLists,
  type Part,
  selectEntriesOfList,
  selectEntriesWithoutList,
  selectListsOfEntries,
  selectRecordLists,
} from './verify-trail-sql.ts'

const PIECE = 1000
const PART_PIECE = 200
/** A report of many years names thousands of guests. */
const PIECE_BYTES = 4_000_000

/** Adds a problem for each list that was changed or is missing, and one for all that belong to no entry. */
export async function checkRecordLists(
  database: Queryable,
  center: string,
  problems: TrailProblem[],
): Promise<void> {
  let after = ''
  while (true) {
    const lists = await database.query<{ hash: string; ids: string }>(
      selectRecordLists(center, { hash: after, limit: PIECE, bytes: PIECE_BYTES }),
    )
    if (lists.length === 0) break
    for (const { hash, ids } of lists) {
      after = hash
      if (recordListHash(ids) === hash) continue
      const entries = await database.query<{ seq: number }>(selectEntriesOfList(center, hash))
      problems.push(ofRecords(entries, 'was changed after it was written'))
    }
  }
  const without = await database.query<{ seq: number }>(selectEntriesWithoutList(center))
  if (without.length > 0) problems.push(ofRecords(without, 'is missing'))
  const detached = (await detachedMonths(database)).map(({ name }) => name)
  const [unused] = await database.query<{ lists: number }>(countUnusedLists(center, detached))
  if (unused !== undefined && unused.lists > 0) {
    const which = unused.lists === 1 ? '1 list of records belongs' : `${unused.lists} lists of records belong`
    problems.push({
      kind: 'records',
      seq: 0,
      message: `${which} to no entry: the entries were removed, or the lists were inserted.`,
    })
  }
}

/** Adds a problem for each list named by entries of a part of the trail that was changed or is missing. */
export async function checkListsOfPart(
  database: Queryable,
  center: string,
  part: Part,
  problems: TrailProblem[],
): Promise<void> {
  for (let after = ''; ; ) {
    const lists = await database.query<{ hash: string; ids: string | null }>(
      selectListsOfEntries(center, part, { hash: after, limit: PART_PIECE }),
    )
    for (const { hash, ids } of lists) {
      after = hash
      if (ids !== null && recordListHash(ids) === hash) continue
      const entries = await database.query<{ seq: number }>(selectEntriesOfList(center, hash))
      problems.push(ofRecords(entries, ids === null ? 'is missing' : 'was changed after it was written'))
    }
    if (lists.length < PART_PIECE) return
  }
}

function ofRecords(entries: readonly { seq: number }[], what: string): TrailProblem {
  const seqs = entries.map(({ seq }) => seq)
  const which = seqs.length === 1 ? `entry ${seqs[0]}` : `entries ${seqs.join(', ')}`
  return {
    kind: 'records',
    seq: seqs[0] ?? 0,
    message: `The list of records of ${seqs.length === 0 ? 'no entry' : which} ${what}.`,
  }
}

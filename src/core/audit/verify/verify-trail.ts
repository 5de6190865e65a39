/** Verifies a center's whole trail and reports what is not as it was written. */
import type { Queryable } from '../../database/database.ts'
import { type Ends, readEnds } from '../trail-ends.ts'
import { GROUP_MS_MAX } from '../write/read-queue.ts'
import { missing, type TrailProblem } from './trail-problem.ts'
import { type Chain, followChain } from './verify-chain.ts'
import { checkPrunings, prunedBefore } from './verify-prunings.ts'
import { checkListsOfPart, checkRecordLists } from './verify-record-lists.ts'
import {
  type NeighborsRow,
  type Part,
  type PeriodRow,
  selectNeighbors,
  selectPeriod,
  selectTrails,
} from './verify-trail-sql.ts'

/** The head of a chain as noted elsewhere. It covers everything before it. */
export interface NotedHead {
  readonly seq: number
  readonly hash: string
  /** epoch ms of its entry; undefined if that was not noted */
  readonly at?: number | undefined
}

export interface TrailReport {
  readonly center: string
  readonly entries: number
  readonly reads: number
  /** the head of the chain: noted elsewhere, it proves later that nothing before it was changed */
  readonly head: NotedHead
  /** number of the oldest entries pruned because of their age */
  readonly pruned: number
  readonly problems: readonly TrailProblem[]
  /** if only a period was verified: the number of its first entry; `head` is then its last one */
  readonly first?: number
}

export interface Verification {
  /** a head that was noted earlier */
  readonly known?: NotedHead | undefined
  /** days that entries must be retained: a newer missing entry is a problem, whatever the trail records */
  readonly days?: number | undefined
}

/** Verifies a trail. Safe while a service runs: entries added or pruned in the meantime are not problems. */
export async function verifyTrail(
  database: Queryable,
  center: string,
  { known, days }: Verification = {},
): Promise<TrailReport> {
  const problems: TrailProblem[] = []
  const begin = await readEnds(database, center)
  const chain = await followChain(database, center, begin, problems, known)
  const end = await readEnds(database, center)
  checkEnd(begin, end, chain, problems)
  checkPrunings(begin, chain, days, problems)
  checkLastUse(begin, problems)
  if (known !== undefined) checkKnown(known, begin, chain, problems)
  await checkRecordLists(database, center, problems)
  problems.sort((a, b) => a.seq - b.seq)
  return {
    center,
    entries: chain.entries,
    reads: chain.reads,
    head: { seq: begin.seq, hash: begin.hash, at: chain.lastAt },
    pruned: begin.prunedSeq,
    problems,
  }
}

/**
 * Verifies the entries of a period: their content, their numbers, how they are linked to each other and to the entries around
 * them, and their lists of records. It says nothing about the rest of the trail, its prunings and its end. Its cost depends on
 * the period alone.
 * @param period epoch ms, both inclusive
 */
export async function verifyPeriod(
  database: Queryable,
  center: string,
  period: { readonly since: number; readonly until: number },
): Promise<TrailReport> {
  const iso = (ms: number) => new Date(ms).toISOString()
  const [found] = await database.query<PeriodRow>(selectPeriod(center, iso(period.since), iso(period.until)))
  const ends = await readEnds(database, center)
  return verifyPart(database, center, { first: found?.first ?? 0, last: found?.last ?? 0 }, ends, [])
}

/**
 * Verifies the newest entries of a trail as `verifyPeriod` does, and its end as `verifyTrail` does. Its cost depends on the
 * number of entries alone.
 * @param count the number of entries
 */
export async function verifyNewest(database: Queryable, center: string, count: number): Promise<TrailReport> {
  const problems: TrailProblem[] = []
  const ends = await readEnds(database, center)
  const first = Math.max(ends.prunedSeq + 1, ends.seq - count + 1)
  const last = ends.seq >= first ? ends.seq : 0
  if (!ends.exists && ends.lastSeq > 0) problems.push(headMissing(ends))
  checkInserted(ends, problems)
  checkLastUse(ends, problems)
  return verifyPart(database, center, { first, last }, ends, problems)
}

/** @param last 0 if the part is empty @param problems that are known already */
async function verifyPart(
  database: Queryable,
  center: string,
  { first, last }: Part,
  ends: Ends,
  problems: TrailProblem[],
): Promise<TrailReport> {
  const nothing = {
    center,
    entries: 0,
    reads: 0,
    head: { seq: 0, hash: '' },
    pruned: ends.prunedSeq,
    problems,
    first,
  }
  if (last === 0) return nothing
  const [around] = await database.query<NeighborsRow>(selectNeighbors(center, { first, last }))
  const before = first === ends.prunedSeq + 1 ? ends.prunedHash : around?.before
  const after = last === ends.seq ? ends.hash : around?.after
  if (before === null || before === undefined) problems.push(missing(first - 1, first - 1))
  if (after === null || after === undefined) problems.push(missing(last + 1, last + 1))
  const part: Ends = {
    ...ends,
    seq: last,
    hash: after ?? '',
    prunedSeq: first - 1,
    prunedHash: before ?? around?.previous ?? '',
  }
  const chain = await followChain(database, center, part, problems, undefined, first - 1)
  if (chain.lastSeq < last) problems.push(missing(chain.lastSeq + 1, last))
  else if (typeof after === 'string' && chain.lastHash !== after) {
    problems.push({
      kind: 'inserted',
      seq: last,
      message: `Entry ${last} is not the one that the entry after it or the head of the trail follows: it replaced another.`,
    })
  }
  await checkListsOfPart(database, center, { first, last }, problems)
  problems.sort((a, b) => a.seq - b.seq)
  const head = { seq: chain.lastSeq, hash: chain.lastHash, at: chain.lastAt }
  return { ...nothing, entries: chain.entries, reads: chain.reads, head, problems }
}

/** The centers with a trail, with a part of one, or with a key that was used, in order. */
export async function trails(database: Queryable): Promise<string[]> {
  const rows = await database.query<{ center_id: string }>(selectTrails)
  return rows.map((row) => row.center_id)
}

function checkEnd(begin: Ends, end: Ends, chain: Chain, problems: TrailProblem[]): void {
  if (!begin.exists) {
    if (begin.lastSeq > 0) problems.push(headMissing(begin))
    return
  }
  if (chain.lastSeq < begin.seq) problems.push(missing(chain.lastSeq + 1, begin.seq))
  else if (chain.lastHash !== begin.hash) {
    problems.push({
      kind: 'head',
      seq: begin.seq,
      message: `Entry ${begin.seq} does not match the head of the trail.`,
    })
  }
  checkInserted(end, problems)
}

const headMissing = ({ lastSeq }: Ends): TrailProblem => ({
  kind: 'head',
  seq: lastSeq,
  message: 'The head of the trail is missing.',
})

function checkInserted(end: Ends, problems: TrailProblem[]): void {
  if (!end.exists || end.lastSeq <= end.seq) return
  problems.push({
    kind: 'inserted',
    seq: end.seq + 1,
    message: `Entries from ${end.seq + 1} are after the end of the trail: they were inserted, or the head was set back.`,
  })
}

/** The last use of a key is written together with its reads, and the newest read of a center is never pruned. */
function checkLastUse({ lastUsed, newestRead, lastSeq, now }: Ends, problems: TrailProblem[]): void {
  // A time in the future was written by a clock that was ahead, and proves nothing.
  if (lastUsed === null || lastUsed > now) return
  if (newestRead === null) {
    problems.push({
      kind: 'missing',
      seq: 1,
      message: `A key of the center was used at ${iso(lastUsed)}, but the trail has no reads: it was deleted.`,
    })
  } else if (lastUsed > newestRead + GROUP_MS_MAX) {
    problems.push({
      kind: 'missing',
      seq: lastSeq + 1,
      message: `A key of the center was used at ${iso(lastUsed)}, after the newest read (${iso(newestRead)}): the end of the trail is missing.`,
    })
  }
}

function checkKnown(known: NotedHead, begin: Ends, chain: Chain, problems: TrailProblem[]): void {
  if (known.seq < begin.prunedSeq) {
    const before = prunedBefore(chain)
    if (known.at !== undefined && before !== undefined && known.at < before) return
    const why =
      known.at === undefined || before === undefined
        ? 'was pruned, so it can no longer be checked'
        : `is missing although it is from ${iso(known.at)}: only entries older than ${iso(before)} may be pruned`
    problems.push({
      kind: 'head',
      seq: known.seq,
      message: `Entry ${known.seq}, which the noted head names, ${why}.`,
    })
  } else if (chain.knownHash !== known.hash) {
    problems.push({
      kind: 'head',
      seq: known.seq,
      message: `Entry ${known.seq} is not the one that the noted head names: the trail was rewritten or cut off.`,
    })
  }
}

const iso = (ms: number) => new Date(ms).toISOString()

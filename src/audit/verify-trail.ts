/** Goes through a center's whole trail and says what is not as it was written. */
import type { Database } from '../database/database.ts'
import { type Entry, entryHash, recordListHash } from './entry.ts'
import type { HeadRow } from './heads-sql.ts'
import {
  selectEnds,
  selectEntries,
  selectEntriesOfList,
  selectEntriesWithoutList,
  selectRecordLists,
  selectTrails,
} from './verify-trail-sql.ts'

export interface TrailProblem {
  /** `changed`, `missing`, `moved`, `inserted`, `head` or `records` */
  readonly kind: 'changed' | 'missing' | 'moved' | 'inserted' | 'head' | 'records'
  /** the first entry that it concerns */
  readonly seq: number
  readonly message: string
}

export interface TrailReport {
  readonly center: string
  readonly entries: number
  readonly reads: number
  /** the end of the chain: noted elsewhere, it tells later that nothing before it was changed */
  readonly head: { readonly seq: number; readonly hash: string }
  /** how many of the oldest entries were pruned by age */
  readonly pruned: number
  readonly problems: readonly TrailProblem[]
}

const PIECE = 1000

/**
 * Safe beside a running service: entries that are added, and old ones that are pruned, meanwhile are no problem.
 * @param known a head that was noted earlier
 */
export async function verifyTrail(
  database: Database,
  center: string,
  known?: { readonly seq: number; readonly hash: string },
): Promise<TrailReport> {
  const problems: TrailProblem[] = []
  const begin = await readEnds(database, center)
  const chain = await followChain(database, center, begin, problems, known)
  const end = await readEnds(database, center)
  checkEnd(begin, end, chain, problems)
  if (known !== undefined) checkKnown(known, begin, chain, problems)
  await checkRecordLists(database, center, problems)
  return {
    center,
    entries: chain.entries,
    reads: chain.reads,
    head: { seq: begin.seq, hash: begin.hash },
    pruned: begin.prunedSeq,
    problems,
  }
}

/** The centers that have a trail, or what is left of one, in order. */
export async function trails(database: Database): Promise<string[]> {
  const rows = await database.query<{ center_id: string }>(selectTrails)
  return rows.map((row) => row.center_id)
}

interface Ends {
  readonly exists: boolean
  readonly seq: number
  readonly hash: string
  readonly prunedSeq: number
  readonly prunedHash: string
  /** of the last entry there is */
  readonly lastSeq: number
}

async function readEnds(database: Database, center: string): Promise<Ends> {
  type Row = { [Name in keyof HeadRow]: HeadRow[Name] | null } & { last_seq: number | null }
  const [row] = await database.query<Row>(selectEnds(center))
  return {
    exists: row?.center_id != null,
    seq: row?.seq ?? 0,
    hash: row?.hash ?? '',
    prunedSeq: row?.pruned_seq ?? 0,
    prunedHash: row?.pruned_hash ?? '',
    lastSeq: row?.last_seq ?? 0,
  }
}

interface Chain {
  entries: number
  reads: number
  /** of the last entry up to the head */
  lastSeq: number
  lastHash: string
  /** the hash that stands where the known head was */
  knownHash: string | undefined
}

/** Entry by entry up to the head that was read first. */
async function followChain(
  database: Database,
  center: string,
  begin: Ends,
  problems: TrailProblem[],
  known: { readonly seq: number } | undefined,
): Promise<Chain> {
  const chain: Chain = {
    entries: 0,
    reads: 0,
    lastSeq: begin.prunedSeq,
    lastHash: begin.prunedHash,
    knownHash: undefined,
  }
  // Where each hash leads: an entry that was moved still says, by its neighbours, where it stood.
  const suspects: Entry[] = []
  const followers = new Map([[begin.hash, begin.seq + 1]])
  let suspectSeq = 0
  // Also what somebody put before the first.
  let at = Number.MIN_SAFE_INTEGER
  while (at < begin.seq) {
    const rows = await database.query<Entry>(selectEntries(center, { seq: at, limit: PIECE }))
    if (rows.length === 0) break
    for (const row of rows) {
      at = row.seq
      if (row.seq > begin.seq) break
      if (row.seq <= begin.prunedSeq) {
        problems.push({
          kind: 'inserted',
          seq: row.seq,
          message: `Entry ${row.seq} stands before the beginning of the trail: it was put in.`,
        })
        continue
      }
      chain.entries += 1
      chain.reads += row.reads
      const intact = entryHash(row, row.previous_hash) === row.hash
      followers.set(row.previous_hash, row.seq)
      if (row.seq !== chain.lastSeq + 1) {
        await noteGap(database, center, { after: chain.lastSeq, before: row.seq, begin }, problems)
      } else if (intact && row.previous_hash !== chain.lastHash && suspectSeq !== row.seq - 1) {
        problems.push({
          kind: 'inserted',
          seq: row.seq - 1,
          message: `Entry ${row.seq} does not follow entry ${row.seq - 1}: that one was put in place of another.`,
        })
      }
      if (!intact) {
        suspects.push(row)
        suspectSeq = row.seq
      }
      if (row.seq === known?.seq) chain.knownHash = row.hash
      chain.lastSeq = row.seq
      chain.lastHash = row.hash
    }
  }
  for (const suspect of suspects) problems.push(explain(suspect, followers))
  problems.sort((a, b) => a.seq - b.seq)
  return chain
}

/** An entry whose hash is not that of its content: it was moved, if it is whole in another place. */
function explain(entry: Entry, followers: ReadonlyMap<string, number>): TrailProblem {
  const follower = followers.get(entry.hash)
  const origin = follower === undefined ? undefined : follower - 1
  if (
    origin !== undefined &&
    origin !== entry.seq &&
    entryHash({ ...entry, seq: origin }, entry.previous_hash) === entry.hash
  ) {
    return {
      kind: 'moved',
      seq: entry.seq,
      message: `Entry ${entry.seq} was moved: it was entry ${origin}.`,
    }
  }
  return { kind: 'changed', seq: entry.seq, message: `Entry ${entry.seq} was changed after it was written.` }
}

async function noteGap(
  database: Database,
  center: string,
  gap: { after: number; before: number; begin: Ends },
  problems: TrailProblem[],
): Promise<void> {
  // The oldest may have been pruned since.
  const { prunedSeq } = await readEnds(database, center)
  if (gap.after === gap.begin.prunedSeq && prunedSeq >= gap.before - 1) return
  problems.push(missing(gap.after + 1, gap.before - 1))
}

function missing(first: number, last: number): TrailProblem {
  const which = first === last ? `Entry ${first} is` : `Entries ${first} to ${last} are`
  return { kind: 'missing', seq: first, message: `${which} missing.` }
}

function checkEnd(begin: Ends, end: Ends, chain: Chain, problems: TrailProblem[]): void {
  if (!begin.exists) {
    if (begin.lastSeq > 0) {
      problems.push({ kind: 'head', seq: begin.lastSeq, message: 'The head of the trail is missing.' })
    }
    return
  }
  if (chain.lastSeq < begin.seq) problems.push(missing(chain.lastSeq + 1, begin.seq))
  else if (chain.lastHash !== begin.hash) {
    problems.push({
      kind: 'head',
      seq: begin.seq,
      message: `Entry ${begin.seq} is not the one that the head of the trail was made of.`,
    })
  }
  if (end.lastSeq > end.seq) {
    problems.push({
      kind: 'inserted',
      seq: end.seq + 1,
      message: `Entries from ${end.seq + 1} stand after the end of the trail: they were put in, or the head was set back.`,
    })
  }
}

function checkKnown(
  known: { seq: number; hash: string },
  begin: Ends,
  chain: Chain,
  problems: TrailProblem[],
): void {
  if (known.seq <= begin.prunedSeq && known.seq !== 0) {
    if (known.seq === begin.prunedSeq && known.hash === begin.prunedHash) return
    problems.push({
      kind: 'head',
      seq: known.seq,
      message: `Entry ${known.seq}, which the noted head names, was pruned: nothing can be said of it any more.`,
    })
  } else if (chain.knownHash !== known.hash) {
    problems.push({
      kind: 'head',
      seq: known.seq,
      message: `Entry ${known.seq} is not the one that the noted head names: the trail was written anew, or cut off.`,
    })
  }
}

async function checkRecordLists(database: Database, center: string, problems: TrailProblem[]): Promise<void> {
  let after = ''
  while (true) {
    const lists = await database.query<{ hash: string; ids: string }>(
      selectRecordLists(center, { hash: after, limit: PIECE }),
    )
    for (const { hash, ids } of lists) {
      after = hash
      if (recordListHash(ids) === hash) continue
      const entries = await database.query<{ seq: number }>(selectEntriesOfList(center, hash))
      problems.push(ofRecords(entries, 'was changed after it was written'))
    }
    if (lists.length < PIECE) break
  }
  const without = await database.query<{ seq: number }>(selectEntriesWithoutList(center))
  if (without.length > 0) problems.push(ofRecords(without, 'is missing'))
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

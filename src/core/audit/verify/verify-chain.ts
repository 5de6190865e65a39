/** Follows a center's chain entry by entry and reports where it is broken. */
import type { Queryable } from '../../database/database.ts'
import { type Entry, entryHash } from '../entry.ts'
import { isPruning } from '../pruning.ts'
import { type Ends, readEnds } from '../trail-ends.ts'
import { missing, type TrailProblem } from './trail-problem.ts'
import { selectEntries, selectFollowers } from './verify-trail-sql.ts'

export interface Chain {
  entries: number
  reads: number
  /** the last entry up to the head */
  lastSeq: number
  lastHash: string
  /** epoch ms of the last entry; undefined if there is none */
  lastAt: number | undefined
  /** the hash at the position of the known head. If that is the last pruned entry, the head still has its hash. */
  knownHash: string | undefined
  /** the entries that record prunings */
  readonly prunings: Entry[]
}

const PIECE = 1000

/**
 * Follows the chain up to the head that was read first. Memory use does not grow with the trail.
 * @param begin the ends of the trail, or of a part of it, which begins after `prunedSeq`
 * @param after the number after which entries are read; by default, entries before the beginning are read and reported too
 */
export async function followChain(
  database: Queryable,
  center: string,
  begin: Ends,
  problems: TrailProblem[],
  known: { readonly seq: number } | undefined,
  after = Number.MIN_SAFE_INTEGER,
): Promise<Chain> {
  const chain: Chain = {
    entries: 0,
    reads: 0,
    lastSeq: begin.prunedSeq,
    lastHash: begin.prunedHash,
    lastAt: undefined,
    knownHash: known?.seq === begin.prunedSeq ? begin.prunedHash : undefined,
    prunings: [],
  }
  let suspects: Entry[] = []
  let suspectSeq = 0
  // Includes entries that somebody inserted before the first.
  let at = after
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
          message: `Entry ${row.seq} is before the beginning of the trail: it was inserted.`,
        })
        continue
      }
      chain.entries += 1
      chain.reads += row.reads
      const intact = entryHash(row, row.previous_hash) === row.hash
      if (intact && isPruning(row)) chain.prunings.push(row)
      if (row.seq !== chain.lastSeq + 1) {
        await noteGap(database, center, { after: chain.lastSeq, before: row.seq, begin }, problems)
      } else if (intact && row.previous_hash !== chain.lastHash && suspectSeq !== row.seq - 1) {
        problems.push({
          kind: 'inserted',
          seq: row.seq - 1,
          message: `Entry ${row.seq} does not follow entry ${row.seq - 1}, which replaced another.`,
        })
      }
      if (!intact) {
        suspects.push(row)
        suspectSeq = row.seq
      }
      if (row.seq === known?.seq) chain.knownHash = row.hash
      chain.lastSeq = row.seq
      chain.lastHash = row.hash
      chain.lastAt = row.at / 1000
    }
    if (suspects.length < PIECE) continue
    problems.push(...(await explainAll(database, center, suspects, begin)))
    suspects = []
  }
  problems.push(...(await explainAll(database, center, suspects, begin)))
  return chain
}

/** Explains entries whose hashes do not match their contents. */
async function explainAll(
  database: Queryable,
  center: string,
  suspects: readonly Entry[],
  begin: Ends,
): Promise<TrailProblem[]> {
  if (suspects.length === 0) return []
  const hashes = suspects.map(({ hash }) => hash)
  const rows = await database.query<{ hash: string; seq: number }>(selectFollowers(center, hashes, begin))
  const followers = new Map([
    [begin.hash, begin.seq + 1],
    ...rows.map(({ hash, seq }) => [hash, seq] as const),
  ])
  return suspects.map((entry) => explain(entry, followers.get(entry.hash)))
}

/**
 * @param follower the entry that follows this one's hash; a moved entry is valid with its original number, which is the
 * one before
 */
function explain(entry: Entry, follower: number | undefined): TrailProblem {
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
  database: Queryable,
  center: string,
  gap: { after: number; before: number; begin: Ends },
  problems: TrailProblem[],
): Promise<void> {
  // The oldest entries may have been pruned in the meantime.
  const { prunedSeq } = await readEnds(database, center)
  if (gap.after === gap.begin.prunedSeq && prunedSeq >= gap.before - 1) return
  problems.push(missing(gap.after + 1, gap.before - 1))
}

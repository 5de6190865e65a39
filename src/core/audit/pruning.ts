/**
 * A pruning is itself an entry of the chain: which entries were deleted, up to which time, and for which retention
 * period. So the beginning of a trail is as hard to falsify as its middle: deleting the oldest entries also requires
 * forging an entry.
 */
import type { Entry, EntryContent } from './entry.ts'

/** Never the name of an operation of the interface. */
const PRUNING_OPERATION = 'pruneTrail'

export interface Pruning {
  /** the last entry deleted, and its hash, to which the oldest remaining entry is chained */
  readonly through: number
  readonly hash: string
  /** number of entries deleted, and of the reads in them; undefined if a whole month was dropped without reading it */
  readonly entries: number
  readonly reads: number | undefined
  /** retention period in days */
  readonly days: number
  /** epoch ms; entries older than this were deleted */
  readonly before: number
  /** epoch ms of the newest entry deleted, by its own time */
  readonly newest: number
}

/** @param entry `at`: epoch microseconds by the database's clock */
export function pruningContent(
  entry: Pick<Entry, 'center_id' | 'seq' | 'at' | 'batch'>,
  pruning: Pruning,
): EntryContent {
  const { center_id, seq, at, batch } = entry
  const said = {
    ...pruning,
    // Versions before this one expect a number, and read an empty text as 0.
    reads: pruning.reads ?? '',
    before: iso(pruning.before),
    newest: iso(pruning.newest),
  }
  return {
    center_id,
    seq,
    at,
    batch,
    public_key: '',
    app_id: '',
    key_name: '',
    operation: PRUNING_OPERATION,
    query: new URLSearchParams(Object.entries(said).map(([name, value]) => [name, `${value}`])).toString(),
    scopes: '',
    records: 0,
    record_list: null,
    revision: 0,
    // Without reads, so that lists of reads skip it.
    reads: 0,
    requests: '',
    channel: null,
  }
}

/** Whether an entry records a pruning. */
export const isPruning = (entry: Pick<Entry, 'operation'>) => entry.operation === PRUNING_OPERATION

/** @returns undefined if the entry is not a valid record of a pruning */
export function readPruning(entry: Pick<Entry, 'query'>): Pruning | undefined {
  const said = new URLSearchParams(entry.query)
  const number = (name: string) => Number(said.get(name) ?? Number.NaN)
  const moment = (name: string) => Date.parse(said.get(name) ?? '')
  const pruning = {
    through: number('through'),
    hash: said.get('hash') ?? '',
    entries: number('entries'),
    reads: said.get('reads') === '' ? undefined : number('reads'),
    days: number('days'),
    before: moment('before'),
    newest: moment('newest'),
  }
  return Object.values(pruning).some((value) => Number.isNaN(value)) ? undefined : pruning
}

const iso = (ms: number) => new Date(ms).toISOString()

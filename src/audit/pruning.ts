/**
 * A pruning is itself an entry of the chain: what was taken out, until when, and by which age. So the beginning of
 * a trail is as hard to fake as its middle: whoever deletes the oldest entries has to forge an entry as well.
 */
import type { Entry, EntryContent } from './entry.ts'

/** Never the name of an operation of the interface. */
const PRUNING_OPERATION = 'pruneTrail'

export interface Pruning {
  /** the last entry that was taken out, and its hash: what the oldest entry left is chained to */
  readonly through: number
  readonly hash: string
  /** how many entries went, and how many reads they held */
  readonly entries: number
  readonly reads: number
  /** the days that entries were kept */
  readonly days: number
  /** epoch ms: entries older than this went */
  readonly before: number
  /** epoch ms of the newest entry that went, by its own moment */
  readonly newest: number
}

/** @param at epoch microseconds, by the database's clock */
export function pruningContent(
  entry: Pick<Entry, 'center_id' | 'seq' | 'at' | 'batch'>,
  pruning: Pruning,
): EntryContent {
  const { center_id, seq, at, batch } = entry
  const said = { ...pruning, before: iso(pruning.before), newest: iso(pruning.newest) }
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
    // Nobody read anything: questions about reads pass it over.
    reads: 0,
    requests: '',
    channel: null,
  }
}

export const isPruning = (entry: Pick<Entry, 'operation'>) => entry.operation === PRUNING_OPERATION

/** @returns undefined where the entry does not say what a pruning says */
export function readPruning(entry: Pick<Entry, 'query'>): Pruning | undefined {
  const said = new URLSearchParams(entry.query)
  const number = (name: string) => Number(said.get(name) ?? Number.NaN)
  const moment = (name: string) => Date.parse(said.get(name) ?? '')
  const pruning = {
    through: number('through'),
    hash: said.get('hash') ?? '',
    entries: number('entries'),
    reads: number('reads'),
    days: number('days'),
    before: moment('before'),
    newest: moment('newest'),
  }
  return Object.values(pruning).some((value) => Number.isNaN(value)) ? undefined : pruning
}

const iso = (ms: number) => new Date(ms).toISOString()

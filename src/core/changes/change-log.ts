/**
 * The changes of each center's latest commits, in memory: read once for all requests that arrive after a commit. It
 * tells whether an answer of an earlier revision is still current. It is bounded per center and in total; when a change
 * is no longer known, the answer counts as affected. The changes of another server count for nothing.
 */
import { LRUCache } from 'lru-cache'
import type { Database } from '../database/database.ts'
import { type Generation, ofGeneration } from '../database/generation.ts'
import type { CenterId } from '../records/centers/center.ts'
import { type Change, type ChangeRow, type Dependency, toChange, touches } from './change.ts'
import { selectChangesBetween } from './changes-sql.ts'

/** At a busy front desk, with a change every second or two, this covers many minutes. */
const NOTES_MAX = 2000
/** The maximum number of commits read at once. Across a larger distance, the answer counts as affected. */
const COMMITS_MAX = 1000
const CENTERS_MAX = 2000

/** The commits after `from` up to and including `to`, without gaps. */
interface Known {
  readonly generation: Generation
  from: number
  to: number
  /** in the order of their revisions */
  changes: { readonly revision: number; readonly change: Change }[]
}

type NoteRow = readonly [revision: number, ...change: ChangeRow]

/** A center on one server: another one may have other commits of the same revisions. */
export interface LoggedCenter {
  readonly center: CenterId
  readonly generation: Generation
}

export interface ChangeLog {
  /**
   * Whether an answer of the center that shows revision `shown` may differ at revision `current`.
   * @param current revision that the gate has read for this request
   * @throws {DatabaseUnavailable}
   */
  isTouched(
    of: LoggedCenter,
    shown: number,
    current: number,
    dependencies: readonly Dependency[],
  ): Promise<boolean>
}

/** @param database read on the connection reserved for small statements */
export function createChangeLog(database: Pick<Database, 'queryReserved' | 'generation'>): ChangeLog {
  const centers = new LRUCache<CenterId, Known>({ max: CENTERS_MAX })
  const reading = new Map<CenterId, Promise<void>>()

  const knownOf = ({ center, generation }: LoggedCenter): Known | undefined => {
    const known = centers.get(center)
    return known?.generation === generation ? known : undefined
  }

  // One read per center at a time. Callers that arrive in the meantime wait for it, and read further only if it did not
  // reach far enough.
  const readUpTo = async (of: LoggedCenter, shown: number, current: number): Promise<void> => {
    const { center } = of
    for (let under = reading.get(center); under !== undefined; under = reading.get(center)) {
      await under
      if ((knownOf(of)?.to ?? -1) >= current) return
    }
    const work = read(of, shown, current).finally(() => reading.delete(center))
    reading.set(center, work)
    await work
  }

  const read = async (of: LoggedCenter, shown: number, current: number): Promise<void> => {
    const { center, generation } = of
    const known = knownOf(of)
    const after = known?.to ?? shown
    if (current - after > COMMITS_MAX) return forgetUpTo(of, current)
    const [row] = await ofGeneration(database, generation, () =>
      database.queryReserved<{ commits: number; notes: NoteRow[] | null }>(
        selectChangesBetween(center, after, current, NOTES_MAX),
      ),
    )
    const notes = row?.notes ?? null
    // A commit that is no longer known may have changed anything.
    if (notes === null || row?.commits !== current - after) return forgetUpTo(of, current)
    const changes = notes
      .map(([revision, ...change]) => ({ revision, change: toChange(change) }))
      .sort((a, b) => a.revision - b.revision)
    const from = known?.from ?? after
    const all = [...(known?.changes ?? []), ...changes]
    centers.set(center, bounded({ generation, from, to: current, changes: all }))
  }

  const forgetUpTo = ({ center, generation }: LoggedCenter, revision: number) => {
    centers.set(center, { generation, from: revision, to: revision, changes: [] })
  }

  return {
    async isTouched(of, shown, current, dependencies) {
      if (shown >= current) return false
      const seen = knownOf(of)
      if (seen === undefined || seen.to < current) await readUpTo(of, shown, current)
      const known = knownOf(of)
      if (known === undefined || known.from > shown || known.to < current) return true
      return known.changes.some(
        ({ revision, change }) => revision > shown && revision <= current && touches(change, dependencies),
      )
    },
  }
}

/** Keeps the newest changes. Older revisions are dropped as a whole, so that there are no gaps. */
function bounded(known: Known): Known {
  if (known.changes.length <= NOTES_MAX) return known
  const from = known.changes[known.changes.length - NOTES_MAX]!.revision
  return { ...known, from, changes: known.changes.filter(({ revision }) => revision > from) }
}

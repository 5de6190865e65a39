/** What does not fit, read for the page: by kind, the severe ones first, with the number of each; the dismissed apart. */
import type { ListContradictionsAnswer, Sojourn } from '../../../client/src/index.ts'
import {
  type Contradiction,
  KINDS,
  type Kind,
  SEVERITIES,
} from '../../../src/documents/contradiction-kinds.ts'

const KIND_NAMES = Object.keys(KINDS) as Kind[]

export interface Group {
  readonly kind: Kind
  /** how many there are; `entries` may have fewer */
  readonly total: number
  readonly entries: readonly Contradiction[]
}

/** Entries of a list, and how many it has. */
interface Part {
  readonly total: number
  readonly entries: readonly Contradiction[]
  readonly isComplete: boolean
}

export interface Contradictions {
  readonly groups: readonly Group[]
  /** those about which nobody has decided */
  readonly open: number
  readonly dismissed: Omit<Part, 'isComplete'>
  /** whether there are more than `entries` has */
  readonly hasMore: boolean
  readonly withheld: ListContradictionsAnswer['withheld']
  readonly notReported: readonly Kind[]
  /** whether every change has been evaluated */
  readonly complete: boolean
}

/** How many are not shown; undefined if the service does not count them, which is not none. */
export const withheldNumber = (withheld: Contradictions['withheld']): number | undefined =>
  withheld.reduce<number | undefined>(
    (sum, { count }) => (sum === undefined || count === null ? undefined : sum + count),
    0,
  )

export interface Extent {
  /** entries of a page */
  readonly length: number
  /** how many pages of each severity, and of the dismissed */
  readonly pages: number
}

/**
 * One request if everything fits into a page. If not, some pages of each severity, so that the severe ones are there
 * however many others are older, and the number of each kind that is not listed to its end.
 */
export async function readContradictions(
  { contradictions }: Pick<Sojourn, 'contradictions'>,
  { length, pages }: Extent,
  signal: AbortSignal,
): Promise<Contradictions> {
  const list = contradictions.list.bind(contradictions)
  const first = await list({ length }, { signal })
  const { withheld, notReported } = first
  if (first.data.length >= first.total) {
    const open = first.data.filter(({ dismissed }) => dismissed === null)
    const dismissed = first.data.filter((one) => one.dismissed !== null)
    return {
      groups: groupsOf(open),
      open: open.length,
      dismissed: { total: dismissed.length, entries: dismissed },
      hasMore: false,
      withheld,
      notReported,
      complete: first.complete,
    }
  }

  const part = async (query: Parameters<typeof list>[0]): Promise<Part> => {
    const entries = new Map<string, Contradiction>()
    let isComplete = true
    for (let start = 1; ; start += 1) {
      const { data, total, complete } = await list({ ...query, length, start }, { signal })
      isComplete &&= complete
      // One that was dismissed in the meantime moves the others: none is listed twice.
      for (const one of data) entries.set(one.id, one)
      if (start >= pages || start * length >= total)
        return { total, entries: [...entries.values()], isComplete }
    }
  }
  const [dismissed, ...open] = await Promise.all([
    part({ dismissed: true }),
    ...SEVERITIES.map((severity) => part({ dismissed: false, severity: [severity] })),
  ])
  const isReadable = (kind: Kind) => !notReported.includes(kind) && !withheld.some((one) => one.kind === kind)
  const groups = await Promise.all(
    SEVERITIES.map(async (severity, at) => {
      const { total, entries } = open[at]!
      if (entries.length >= total) return groupsOf(entries)
      const kinds = KIND_NAMES.filter((kind) => KINDS[kind].severity === severity && isReadable(kind))
      const totals = await Promise.all(
        kinds.map(
          async (kind) =>
            [kind, (await list({ kind: [kind], dismissed: false, length: 1 }, { signal })).total] as const,
        ),
      )
      return groupsOf(entries, new Map(totals))
    }),
  )
  return {
    groups: groups.flat(),
    open: open.reduce((sum, { total }) => sum + total, 0),
    dismissed,
    hasMore: [dismissed, ...open].some(({ total, entries }) => entries.length < total),
    withheld,
    notReported,
    complete: [dismissed, ...open].every(({ isComplete }) => isComplete) && first.complete,
  }
}

/** @param totals of kinds that have more than these entries */
function groupsOf(entries: readonly Contradiction[], totals: ReadonlyMap<Kind, number> = new Map()): Group[] {
  return KIND_NAMES.flatMap((kind) => {
    const own = entries.filter((entry) => entry.kind === kind)
    const total = Math.max(own.length, totals.get(kind) ?? 0)
    return total === 0 ? [] : [{ kind, total, entries: own }]
  })
}

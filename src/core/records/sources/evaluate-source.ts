/**
 * The state of a source: a pure function of its deliveries, its schedule and the time. The header of ruling 46,
 * `GET /sources`, `sojourn status` and the messages to people all come from it, so they agree.
 */
import { timingOf } from './deadlines.ts'
import { recordsOf, SOURCE_KINDS, type Source, type SourceKind } from './delivery.ts'
import { FAULTS, type Fault, type Judged, judgeDeliveries } from './judge-deliveries.ts'
import { everySeconds, knownSchedule } from './schedule.ts'

/**
 * Problems besides those of a delivery. `missing`: nothing arrived in time. `unfinished`: a file that its sender does not
 * finish. `folderMissing`, `folderUnusable`: the watched folder. `diskFull`, `waiting`: a file cannot be imported, and is
 * not the cause. `watcherEnded`: nobody watches the folder. `keyRevoked`: no key by which the sender could send.
 * `keyExpires`: in less than two weeks that is so. `rejectedLines`: some lines of the newest delivery were left out.
 */
export const CAUSES = [
  ...FAULTS,
  'missing',
  'unfinished',
  'folderMissing',
  'folderUnusable',
  'diskFull',
  'waiting',
  'watcherEnded',
  'keyRevoked',
  'keyExpires',
  'rejectedLines',
] as const
export type Cause = (typeof CAUSES)[number]

/** Those that do not keep data from arriving. */
export const WARNINGS: ReadonlySet<Cause> = new Set(['keyExpires', 'rejectedLines'])

export interface SourceProblem {
  readonly cause: Cause
  /** epoch ms */
  readonly since: number
  readonly fewer?: Judged['fewer']
}

export interface SourceState {
  readonly source: Source
  /** the kinds that it delivers: those that were set, and those of its deliveries */
  readonly kinds: readonly SourceKind[]
  /** those of them that the schedule is about */
  readonly expected: readonly SourceKind[]
  /** for each of them, when the last delivery that counts came; epoch ms */
  readonly receivedAt: ReadonlyMap<SourceKind, number>
  /** seconds between two deliveries; undefined without a schedule */
  readonly every: number | undefined
  /** whether it is late at this moment */
  readonly late: boolean
  /** when it becomes late if nothing arrives, or became late; undefined if nothing is expected */
  readonly dueAt: number | undefined
  /** in the order of their beginning */
  readonly problems: readonly SourceProblem[]
}

/** A sender that takes longer to write a file is not waited for. */
const UNFINISHED_MS = 30 * 60_000
const EMPTY_MS = 10 * 60_000
const WAITING_MS = 5 * 60_000
/** The watcher reports each minute. A restart takes less than this. */
const SILENT_MS = 4 * 60_000
const EXPIRES_SOON_MS = 14 * 24 * 60 * 60_000

/** @param zone the center's time zone @param now epoch ms */
export function evaluateSource(source: Source, zone: string, now: number): SourceState {
  const schedule = knownSchedule(source.schedule)
  const judged = judgeDeliveries(
    source.deliveries.filter(({ at }) => at <= now),
    schedule !== undefined,
  )
  const good = judged.filter(({ fault }) => fault === undefined).map(({ delivery }) => delivery)
  const expected = schedule === undefined ? [] : (source.kinds ?? [])
  const kinds = SOURCE_KINDS.filter(
    (kind) =>
      source.kinds?.includes(kind) ||
      source.committedAt?.has(kind) ||
      good.some((one) => recordsOf(one, kind) > 0),
  )
  const receivedAt = new Map<SourceKind, number>()
  for (const kind of kinds) {
    const last = arrivalsOf(kind).at(-1)
    if (last !== undefined) receivedAt.set(kind, last)
  }
  const timing = schedule === undefined ? undefined : earliest(expected.map((kind) => timed(kind)))
  function timed(kind: SourceKind) {
    return timingOf(schedule!, zone, arrivalsOf(kind), source.scheduledAt, now)
  }
  /** In ascending order. */
  function arrivalsOf(kind: SourceKind): number[] {
    const delivered = good.filter((one) => recordsOf(one, kind) > 0).map(({ at }) => at)
    const committed = source.committedAt?.get(kind)
    return committed === undefined ? delivered : [...delivered, committed].toSorted((a, b) => a - b)
  }
  const late = timing?.lateSince !== undefined
  const problems = schedule === undefined ? [] : problemsOf(source, judged, timing?.lateSince, now)
  return {
    source,
    kinds,
    expected,
    receivedAt,
    every: schedule === undefined ? undefined : everySeconds(schedule),
    late,
    dueAt: timing?.dueAt,
    problems: problems.toSorted((a, b) => a.since - b.since),
  }
}

type Timing = ReturnType<typeof timingOf>

/** A source with several kinds is late as soon as one of them is. */
function earliest(timings: readonly Timing[]): Timing | undefined {
  return timings.toSorted((a, b) => (a.dueAt ?? Infinity) - (b.dueAt ?? Infinity))[0]
}

function problemsOf(
  { folder, keys }: Source,
  judged: readonly Judged[],
  lateSince: number | undefined,
  now: number,
): SourceProblem[] {
  const after = (cause: Cause, since: number | null | undefined, ms: number): SourceProblem[] =>
    since !== null && since !== undefined && now - since >= ms ? [{ cause, since: since + ms }] : []
  return [
    ...faultsOf(judged),
    ...after('missing', lateSince, 0),
    ...(folder === null ? [] : problemsOfFolder(folder, after)),
    ...(keys === undefined ? [] : problemsOfKeys(keys, now)),
    ...rejectedOf(judged.at(-1)),
  ]
}

/** What was wrong with the deliveries since the last one that counts: the newest, from the first that was not in order. */
function faultsOf(judged: readonly Judged[]): SourceProblem[] {
  const since = judged.findLastIndex(({ fault }) => fault === undefined) + 1
  const [first, last] = [judged[since], judged.at(-1)]
  if (first === undefined || last?.fault === undefined) return []
  const { fewer } = last
  return [{ cause: last.fault satisfies Fault, since: first.delivery.at, ...(fewer && { fewer }) }]
}

function problemsOfFolder(
  { at, state, unfinishedSince, emptySince, waitingSince, isDiskFull }: NonNullable<Source['folder']>,
  after: (cause: Cause, since: number | null | undefined, ms: number) => SourceProblem[],
): SourceProblem[] {
  // A watch ends when its folder is missing.
  if (state === 'missing') return after('folderMissing', at, 0)
  // Without a report of these minutes, its state is not known.
  const silent = after('watcherEnded', at, SILENT_MS)
  if (silent.length > 0) return silent
  return [
    ...after('folderUnusable', state === 'unusable' ? at : null, 0),
    ...after('unfinished', unfinishedSince, UNFINISHED_MS),
    ...after('empty', emptySince, EMPTY_MS),
    ...after(isDiskFull ? 'diskFull' : 'waiting', waitingSince, WAITING_MS),
  ]
}

function problemsOfKeys({ isActive, expiresAt }: NonNullable<Source['keys']>, now: number): SourceProblem[] {
  if (!isActive || (expiresAt !== null && expiresAt <= now)) {
    return [{ cause: 'keyRevoked', since: expiresAt !== null && expiresAt <= now ? expiresAt : now }]
  }
  if (expiresAt === null || expiresAt - now > EXPIRES_SOON_MS) return []
  return [{ cause: 'keyExpires', since: expiresAt - EXPIRES_SOON_MS }]
}

function rejectedOf(last: Judged | undefined): SourceProblem[] {
  if (last === undefined || last.fault !== undefined || last.delivery.rejected === 0) return []
  return [{ cause: 'rejectedLines', since: last.delivery.at }]
}

/** Whether something keeps data from arriving. */
export const isBroken = ({ problems }: Pick<SourceState, 'problems'>): boolean =>
  problems.some(({ cause }) => !WARNINGS.has(cause))

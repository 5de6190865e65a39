/** Fourteen ways to break a nightly and an hourly feed, in simulated time. Each world is the same for the same seed. */
import type { Delivery, FolderReport, SenderKeys } from '../../../src/core/records/sources/delivery.ts'

export const ZONE = 'Europe/Bucharest'
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
export const SEED = Number(process.env.SEED ?? 7)
export const DAYS = Number(process.env.SIMULATED_DAYS ?? 12)
/** Often enough that five minutes can be seen. */
export const STEP = 5 * MINUTE

/** A small generator, so that a seed repeats a run (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export const at = (date: string, time: string) =>
  Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime(ZONE).epochMilliseconds
const dateOf = (first: string, day: number) => Temporal.PlainDate.from(first).add({ days: day }).toString()

export interface Feed {
  readonly name: string
  readonly schedule: string
  /** the moments of a day at which the sender starts, and by when each delivery is expected */
  starts(date: string): readonly { readonly at: number; readonly by: number }[]
  /** the first start that is faulty, and how many are */
  readonly fault: { readonly start: number; readonly count: number }
}

export const NIGHTLY: Feed = {
  name: 'nightly',
  schedule: 'every night by 04:00',
  starts: (date) => [{ at: at(date, '02:30'), by: at(date, '04:00') }],
  fault: { start: 0, count: 1 },
}

export const HOURLY: Feed = {
  name: 'hourly',
  schedule: 'hourly 06:00–22:00',
  starts: (date) =>
    Array.from({ length: 17 }, (_, hour) => {
      const start = at(date, `${String(hour + 6).padStart(2, '0')}:00`)
      // A whole interval after the last one at the latest, and an import takes some minutes.
      return { at: start, by: start + 3 * MINUTE }
    }),
  fault: { start: 5, count: 4 },
}

export type Fault =
  | 'no file'
  | 'an empty file'
  | 'a truncated file'
  | 'a refused file'
  | 'half of the rows'
  | 'the same file again'
  | 'a .part that is never renamed'
  | 'a missing folder'
  | 'a full disk'
  | 'a revoked key'
  | 'a clock a day off'
  | 'a killed watcher'
  | 'a restarted service'
  | 'records of another center'

export const FAULTS: readonly Fault[] = [
  'no file',
  'an empty file',
  'a truncated file',
  'a refused file',
  'half of the rows',
  'the same file again',
  'a .part that is never renamed',
  'a missing folder',
  'a full disk',
  'a revoked key',
  'a clock a day off',
  'a killed watcher',
  'a restarted service',
  'records of another center',
]

/** What the faulty delivery is; undefined if none comes. */
function faulty(fault: Fault, usual: Delivery, last: Delivery | undefined): Delivery | undefined {
  const short = usual.files.map((file) => ({ ...file, bytes: Math.floor(file.bytes / 3) }))
  switch (fault) {
    case 'an empty file':
    case 'records of another center':
      return { ...usual, counts: {} }
    case 'a truncated file':
      return { ...usual, outcome: 'refused', counts: {}, rejected: 1, files: short }
    case 'a refused file':
      return { ...usual, outcome: 'refused', counts: {}, rejected: 9 }
    case 'half of the rows':
      return { ...usual, counts: { booking: { unchanged: Math.floor(usual.lines / 2) } } }
    case 'the same file again':
      return last && { ...usual, files: last.files, fileTime: last.fileTime }
    case 'a clock a day off':
      return { ...usual, fileTime: (usual.fileTime ?? 0) - DAY }
    case 'a restarted service':
      return usual
    default:
      return undefined
  }
}

export interface World {
  readonly deliveries: readonly Delivery[]
  folder(now: number): FolderReport | null
  keys(now: number): SenderKeys | undefined
  /** when the fault begins, by when it must be seen, and when the next delivery in order comes */
  readonly from: number
  readonly seenBy: number
  readonly correctedAt: number
}

export function makeWorld(
  feed: Feed,
  fault: Fault | undefined,
  first: string,
  faultyDay: number,
  days = DAYS,
): World {
  const random = randomOf(SEED + FAULTS.indexOf(fault ?? 'no file'))
  const deliveries: Delivery[] = []
  let [from, seenBy, correctedAt] = [Infinity, Infinity, Infinity]
  for (let day = 0; day < days; day += 1) {
    for (const [index, start] of feed.starts(dateOf(first, day)).entries()) {
      const { start: firstFault, count } = feed.fault
      const isFaulty =
        fault !== undefined && day === faultyDay && index >= firstFault && index < firstFault + count
      const lines = 380 + Math.floor(random() * 40)
      const usual: Delivery = {
        id: `${day}-${index}`,
        at: start.at + MINUTE + Math.floor(random() * 90_000),
        way: 'watch',
        outcome: 'done',
        counts: { booking: { unchanged: lines - 5, changed: 5 } },
        lines,
        rejected: 0,
        causes: [],
        files: [{ sha256: `digest-${day}-${index}`, bytes: lines * 200 }],
        fileTime: start.at,
      }
      if (isFaulty) {
        from = Math.min(from, start.at)
        seenBy = Math.min(seenBy, start.by + 5 * MINUTE)
      }
      const delivery = isFaulty ? faulty(fault, usual, deliveries.at(-1)) : usual
      if (delivery !== undefined) deliveries.push(delivery)
      if (!isFaulty && from < usual.at) correctedAt = Math.min(correctedAt, usual.at)
    }
  }
  const isBad = (now: number) => now >= from && now < correctedAt
  return {
    deliveries,
    from,
    seenBy,
    correctedAt,
    folder(now) {
      if (fault === 'a revoked key') return null
      const silent =
        isBad(now) &&
        (fault === 'a killed watcher' || (fault === 'a restarted service' && now < from + 3 * MINUTE))
      return {
        at: silent ? from : now - 30_000,
        state: isBad(now) && fault === 'a missing folder' ? 'missing' : 'watching',
        unfinishedSince: isBad(now) && fault === 'a .part that is never renamed' ? from : null,
        emptySince: isBad(now) && fault === 'an empty file' ? from : null,
        waitingSince: isBad(now) && fault === 'a full disk' ? from : null,
        isDiskFull: isBad(now) && fault === 'a full disk',
      }
    },
    keys: (now) => (fault === 'a revoked key' ? { isActive: !isBad(now), expiresAt: null } : undefined),
  }
}

/** Whether a delivery is in order. One that is not does not make the data newer, so its source becomes late. */
import { type Delivery, recordsOf, SOURCE_KINDS, type SourceKind } from './delivery.ts'

/**
 * Why a delivery does not count: `refused` and `unreadable`: nothing of it was imported; `truncated`: that, and the file
 * is much shorter than usual; `empty`: no record; `fewer`: far fewer records than usual; `sameAgain`: the same file, not
 * written to since; `clock`: the time of the file cannot be right.
 */
export const FAULTS = ['refused', 'unreadable', 'truncated', 'empty', 'fewer', 'sameAgain', 'clock'] as const
export type Fault = (typeof FAULTS)[number]

export interface Judged {
  readonly delivery: Delivery
  /** undefined: it counts */
  readonly fault: Fault | undefined
  /** for `fewer`: the kind, its records, and as many as usual */
  readonly fewer?: { readonly kind: SourceKind; readonly records: number; readonly usual: number }
}

/** A clock that is less wrong than this does no harm. */
const AHEAD_MS = 5 * 60_000
/** A file may be written in the evening and arrive in the morning. One that is older is from the day before. */
const BEHIND_MS = 20 * 60 * 60_000

/** The deliveries before it that say what is usual. */
const USUAL_FROM = 10
const USUAL_FROM_MIN = 3
/** Fewer records vary too much. */
const USUAL_MIN = 20
/** Fewer than this share of the usual number is far fewer. */
const FAR_FEWER = 0.6
/** A source whose deliveries vary more than this sends changes, not everything, so no number is usual. */
const STEADY = 0.7

/**
 * Judges the deliveries of a source, oldest first, each by those before it.
 * @param isScheduled whether the center expects them at certain times; of others, no number and no time is usual
 */
export function judgeDeliveries(newestFirst: readonly Delivery[], isScheduled: boolean): Judged[] {
  const judged: Judged[] = []
  for (const delivery of newestFirst.toReversed()) judged.push(judge(delivery, judged, isScheduled))
  return judged
}

function judge(delivery: Delivery, before: readonly Judged[], isScheduled: boolean): Judged {
  if (delivery.outcome !== 'done') {
    const isShort = isScheduled && isFarShorter(delivery, before)
    return {
      delivery,
      fault: isShort ? 'truncated' : delivery.outcome === 'refused' ? 'refused' : 'unreadable',
    }
  }
  if (!SOURCE_KINDS.some((kind) => recordsOf(delivery, kind) > 0)) return { delivery, fault: 'empty' }
  if (!isScheduled) return { delivery, fault: undefined }
  // A person may import the same file twice, or an old one.
  if (delivery.way === 'watch') {
    const last = before.findLast((one) => one.delivery.outcome === 'done')?.delivery
    if (last !== undefined && isSameFile(delivery, last)) return { delivery, fault: 'sameAgain' }
    if (isTimeWrong(delivery)) return { delivery, fault: 'clock' }
  }
  for (const kind of SOURCE_KINDS) {
    const usual = usualOf(before, kind)
    const records = recordsOf(delivery, kind)
    // A delivery without the kind may be one of several files.
    if (usual !== undefined && records > 0 && records < usual * FAR_FEWER) {
      return { delivery, fault: 'fewer', fewer: { kind, records, usual } }
    }
  }
  return { delivery, fault: undefined }
}

/** Equal content with a newer time is a delivery without changes. The times of what a program sends are not known. */
function isSameFile(delivery: Delivery, last: Delivery): boolean {
  const digests = ({ files }: Delivery) => files.map(({ sha256 }) => sha256).join()
  return (
    delivery.fileTime !== null && delivery.fileTime === last.fileTime && digests(delivery) === digests(last)
  )
}

function isTimeWrong({ fileTime, at }: Delivery): boolean {
  return fileTime !== null && (fileTime > at + AHEAD_MS || fileTime < at - BEHIND_MS)
}

/** The usual number of records of a kind; undefined if the numbers vary, or too few deliveries are known. */
function usualOf(before: readonly Judged[], kind: SourceKind): number | undefined {
  const counts = before
    .filter(({ fault }) => fault === undefined || fault === 'fewer')
    .map(({ delivery }) => recordsOf(delivery, kind))
    .filter((count) => count > 0)
    .slice(-USUAL_FROM)
  const usual = usualNumber(counts)
  return usual === undefined || usual < USUAL_MIN ? undefined : usual
}

function isFarShorter(delivery: Delivery, before: readonly Judged[]): boolean {
  const bytes = ({ files }: Delivery) => files.reduce((sum, file) => sum + file.bytes, 0)
  const counts = before.filter(({ fault }) => fault === undefined).map((one) => bytes(one.delivery))
  const usual = usualNumber(counts.slice(-USUAL_FROM))
  return usual !== undefined && bytes(delivery) < usual * FAR_FEWER
}

/** The median, if most of the others are near it: one delivery that differs does not change what is usual. */
function usualNumber(counts: readonly number[]): number | undefined {
  if (counts.length < USUAL_FROM_MIN) return undefined
  const sorted = counts.toSorted((a, b) => a - b)
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0
  const near = counts.filter((count) => count >= median * STEADY && count <= median / STEADY)
  return near.length > counts.length / 2 ? median : undefined
}

import { describe, expect, test } from 'vitest'
import { receivedOf } from '../../../src/core/records/sources/data-age.ts'
import type { Delivery, FolderReport, Source } from '../../../src/core/records/sources/delivery.ts'
import { type Cause, evaluateSource } from '../../../src/core/records/sources/evaluate-source.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** 10 November 2026, 03:00 UTC. */
const FIRST = Date.UTC(2026, 10, 10, 3)

const delivery = (day: number, more: Partial<Delivery> & { bookings?: number } = {}): Delivery => {
  const { bookings = 100, ...rest } = more
  return {
    id: `import-${day}`,
    at: FIRST + day * DAY,
    way: 'watch',
    outcome: 'done',
    counts: bookings === 0 ? {} : { booking: { unchanged: bookings - 1, changed: 1 } },
    lines: bookings,
    rejected: 0,
    causes: [],
    files: [{ sha256: `digest-${day}`, bytes: bookings * 50 }],
    fileTime: FIRST + day * DAY - 60_000,
    ...rest,
  }
}

/** Nightly until day `last`, with one delivery in place of the usual one. */
function nightly(last: number, ...others: readonly Delivery[]): readonly Delivery[] {
  const usual = Array.from({ length: last }, (_, day) => delivery(day))
  return [...usual, ...others].toReversed()
}

const source = (more: Partial<Source>): Source => ({
  name: 'watch',
  kinds: ['bookings'],
  schedule: 'every night by 04:00',
  scheduledAt: FIRST - DAY,
  deliveries: nightly(8),
  folder: null,
  keys: undefined,
  ...more,
})

const state = (more: Partial<Source>, now = FIRST + 7 * DAY + HOUR / 2) =>
  evaluateSource(source(more), 'UTC', now)
const causes = (more: Partial<Source>, now?: number): Cause[] =>
  state(more, now).problems.map(({ cause }) => cause)

describe('a source', () => {
  test('is in time after its delivery, and late when the next one is missing', () => {
    const now = FIRST + 7 * DAY
    expect(state({}, now + HOUR)).toMatchObject({ late: false, problems: [], every: 86_400 })
    expect(state({}, now + 25 * HOUR + 3 * 60_000)).toMatchObject({ late: false, problems: [] })
    const late = state({}, now + 25 * HOUR + 4 * 60_000)
    expect(late).toMatchObject({
      late: true,
      problems: [{ cause: 'missing', since: now + 25 * HOUR + 4 * 60_000 }],
    })
    expect(late.receivedAt.get('bookings')).toBe(now)
  })

  test('is late if one of its kinds is missing', () => {
    expect(state({ kinds: ['bookings', 'orders'] }).late).toBe(true)
  })

  test('without a schedule has times and no problems', () => {
    const refused = delivery(8, { outcome: 'refused' })
    expect(
      state({ schedule: null, kinds: null, deliveries: nightly(8, refused) }, FIRST + 90 * DAY),
    ).toMatchObject({
      kinds: ['bookings'],
      late: false,
      dueAt: undefined,
      problems: [],
    })
  })

  const faults: [string, Partial<Delivery> & { bookings?: number }, Cause][] = [
    ['refused', { outcome: 'refused', rejected: 3, counts: {} }, 'refused'],
    ['unreadable', { outcome: 'failed', counts: {} }, 'unreadable'],
    ['cut short', { outcome: 'refused', counts: {}, files: [{ sha256: 'x', bytes: 1000 }] }, 'truncated'],
    ['empty', { bookings: 0 }, 'empty'],
    ['of another center', { bookings: 0, lines: 100 }, 'empty'],
    ['half as long', { bookings: 50 }, 'fewer'],
    ['the same file again', { files: delivery(6).files, fileTime: delivery(6).fileTime }, 'sameAgain'],
    ['dated tomorrow', { fileTime: FIRST + 8 * DAY }, 'clock'],
    ['dated yesterday', { fileTime: FIRST + 6 * DAY }, 'clock'],
  ]

  test.each(faults)('a delivery that is %s does not count', (_, fault, cause) => {
    const deliveries = nightly(7, delivery(7, fault))
    expect(causes({ deliveries })).toEqual([cause])
    expect(state({ deliveries }).receivedAt.get('bookings')).toBe(FIRST + 6 * DAY)
    expect(state({ deliveries }, FIRST + 7 * DAY + 2 * HOUR)).toMatchObject({ late: true })
    // The next one that is in order ends it.
    const corrected = [delivery(7.1), ...deliveries]
    expect(state({ deliveries: corrected }, FIRST + 8 * DAY)).toMatchObject({ late: false, problems: [] })
  })

  test('equal content with a newer time is a delivery without changes', () => {
    const deliveries = nightly(7, delivery(7, { files: delivery(6).files }))
    expect(state({ deliveries })).toMatchObject({ late: false, problems: [] })
  })

  test('fewer records are usual where numbers vary, or after some days', () => {
    const varying = Array.from({ length: 8 }, (_, day) =>
      delivery(day, { bookings: [5, 80, 40, 200][day % 4]! }),
    )
    expect(causes({ deliveries: varying.toReversed() })).toEqual([])
    const half = Array.from({ length: 14 }, (_, day) => delivery(day, { bookings: day < 7 ? 100 : 50 }))
    expect(causes({ deliveries: half.slice(0, 9).toReversed() }, FIRST + 8 * DAY + 1)).toContain('fewer')
    expect(causes({ deliveries: half.toReversed() }, FIRST + 13 * DAY + 1)).toEqual([])
  })

  test('lines that were left out are a problem that makes nothing late', () => {
    const deliveries = nightly(7, delivery(7, { rejected: 2 }))
    expect(state({ deliveries })).toMatchObject({ late: false, problems: [{ cause: 'rejectedLines' }] })
  })
})

describe('a watched folder', () => {
  const now = FIRST + 7 * DAY + HOUR / 2
  const folder = (more: Partial<FolderReport>): { folder: FolderReport } => ({
    folder: {
      at: now - 30_000,
      state: 'watching',
      unfinishedSince: null,
      emptySince: null,
      waitingSince: null,
      isDiskFull: false,
      ...more,
    },
  })

  test.each<[string, Partial<FolderReport>, Cause[]]>([
    ['is watched', {}, []],
    ['has not been reported for three minutes', { at: now - 180_000 }, []],
    ['has not been reported for four minutes', { at: now - 240_000 }, ['watcherEnded']],
    ['is not watched any more', { at: now - 240_000, state: 'ended' }, ['watcherEnded']],
    ['is watched again soon', { at: now - 100_000, state: 'ended' }, []],
    ['is missing', { at: now - 9 * HOUR, state: 'missing' }, ['folderMissing']],
    ['cannot be used', { state: 'unusable' }, ['folderUnusable']],
    ['has a new .part', { unfinishedSince: now - 29 * 60_000 }, []],
    ['has a .part that stays', { unfinishedSince: now - 30 * 60_000 }, ['unfinished']],
    ['has an empty file', { emptySince: now - 10 * 60_000 }, ['empty']],
    ['has a file that waits', { waitingSince: now - 5 * 60_000 }, ['waiting']],
    ['is on a full disk', { waitingSince: now - 5 * 60_000, isDiskFull: true }, ['diskFull']],
  ])('that %s', (_, report, expected) => {
    expect(causes(folder(report), now)).toEqual(expected)
  })
})

describe('an application that sends', () => {
  const now = FIRST + 7 * DAY + HOUR / 2
  test.each<[string, Source['keys'], Cause[]]>([
    ['has a key', { isActive: true, expiresAt: null }, []],
    ['has a key for a month', { isActive: true, expiresAt: now + 30 * DAY }, []],
    ['has a key for a week', { isActive: true, expiresAt: now + 7 * DAY }, ['keyExpires']],
    ['has no key', { isActive: false, expiresAt: null }, ['keyRevoked']],
    ['has an expired key', { isActive: true, expiresAt: now }, ['keyRevoked']],
  ])('%s', (_, keys, expected) => {
    expect(causes({ keys }, now)).toEqual(expected)
  })
})

describe('a kind', () => {
  const now = FIRST + 7 * DAY + HOUR / 2

  test('is as old as the oldest of the sources that are expected to deliver it', () => {
    const older = state({ deliveries: nightly(5) }, now)
    const manual = state({ schedule: null, deliveries: nightly(8, delivery(7.01)) }, now)
    expect(receivedOf([state({}, now), older, manual], 'bookings', now)).toMatchObject({
      at: FIRST + 4 * DAY,
      every: 86_400,
    })
  })

  test('without a schedule is as old as the newest delivery, and without deliveries as the last commit', () => {
    const manual = state({ schedule: null }, now)
    expect(receivedOf([manual], 'bookings', now)).toEqual({
      at: FIRST + 7 * DAY,
      every: undefined,
      dueAt: undefined,
    })
    expect(receivedOf([manual], 'orders', 5)).toEqual({ at: 5, every: undefined, dueAt: undefined })
    expect(receivedOf([manual], 'orders', undefined)).toBeUndefined()
  })
})

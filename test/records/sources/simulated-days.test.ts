/**
 * Fourteen ways to break a nightly and an hourly feed, and fifty quiet days, in simulated time: each problem is seen within
 * the schedule and five minutes, once, and ends with the next delivery that is in order. `SIMULATED_DAYS` and `SEED`
 * repeat it with more days and other numbers.
 */
import { describe, expect, test } from 'vitest'
import type { Delivery, Source } from '../../../src/core/records/sources/delivery.ts'
import { evaluateSource, isBroken } from '../../../src/core/records/sources/evaluate-source.ts'
import {
  at,
  DAY,
  DAYS,
  FAULTS,
  type Feed,
  HOUR,
  HOURLY,
  MINUTE,
  makeWorld,
  NIGHTLY,
  STEP,
  type World,
  ZONE,
} from './simulated-feeds.ts'

/** The spans in which something was wrong, and whether the source was late at each end of them. */
function brokenSpans(feed: Feed, world: World, first: string) {
  const spans: { from: number; to: number; wasLate: boolean; causes: Set<string> }[] = []
  const start = at(first, '00:00') + 12 * HOUR
  let isOpen = false
  const end = start + (DAYS - 1) * DAY
  for (let now = start; now < end; now += STEP) {
    const source: Source = {
      name: 'watch',
      kinds: ['bookings'],
      schedule: feed.schedule,
      scheduledAt: start - DAY,
      deliveries: world.deliveries
        .filter((one) => one.at <= now)
        .slice(-30)
        .toReversed(),
      folder: world.folder(now),
      keys: world.keys(now),
    }
    const state = evaluateSource(source, ZONE, now)
    const broken = isBroken(state)
    if (broken && !isOpen) spans.push({ from: now, to: now, wasLate: false, causes: new Set() })
    const span = spans.at(-1)
    if (broken && span !== undefined) {
      span.to = now
      span.wasLate ||= state.late
      for (const { cause } of state.problems) span.causes.add(cause)
    }
    isOpen = broken
  }
  return spans
}

describe.each([NIGHTLY, HOURLY])('a feed that is $name', (feed) => {
  const FIRST = '2026-05-04'

  test.each(FAULTS.filter((fault) => fault !== 'a restarted service'))(
    '%s is seen within the schedule and five minutes, once, and so is its end',
    (fault) => {
      const world = makeWorld(feed, fault, FIRST, DAYS - 3)
      const spans = brokenSpans(feed, world, FIRST)
      expect(spans, [...(spans[0]?.causes ?? [])].join()).toHaveLength(1)
      expect(spans[0]?.from).toBeGreaterThanOrEqual(world.from)
      // A problem is seen at the first look at or after the moment.
      expect(spans[0]?.from).toBeLessThan(world.seenBy + STEP)
      expect(spans[0]?.wasLate).toBe(true)
      expect(spans[0]?.to).toBeLessThan(world.correctedAt)
      expect(spans[0]?.to).toBeGreaterThanOrEqual(world.correctedAt - STEP)
    },
  )

  test('a restarted service is no problem', () => {
    expect(brokenSpans(feed, makeWorld(feed, 'a restarted service', FIRST, DAYS - 3), FIRST)).toEqual([])
  })

  test.each(['2026-03-24', '2026-10-20', '2026-12-20'])('quiet days from %s are no false alarm', (first) => {
    const world = makeWorld(feed, undefined, first, -1)
    expect(brokenSpans(feed, world, first)).toEqual([])
  })

  test('a late delivery that comes in the minutes of grace is no false alarm', () => {
    const world = makeWorld(feed, undefined, FIRST, -1)
    const deliveries = world.deliveries.map((one) => {
      const { by } = feed.starts(FIRST)[0] ?? { by: 0 }
      return one.id === '6-0' ? { ...one, at: by + 6 * DAY + (feed === NIGHTLY ? 3 * MINUTE : 0) } : one
    })
    expect(brokenSpans(feed, { ...world, deliveries }, FIRST)).toEqual([])
  })
})

test('days on which the schedule expects nothing are no false alarm', () => {
  const feed: Feed = { ...NIGHTLY, schedule: 'every night by 04:00 on mon–fri except 2026-12-25' }
  const first = '2026-12-18'
  const world = makeWorld(feed, undefined, first, -1)
  const isExpected = ({ at: moment }: Delivery) => {
    const date = Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(ZONE).toPlainDate()
    return date.dayOfWeek <= 5 && date.toString() !== '2026-12-25'
  }
  expect(brokenSpans(feed, { ...world, deliveries: world.deliveries.filter(isExpected) }, first)).toEqual([])
})

/**
 * Acceptance check 1 of sources: fifty days with the end of summer time or Christmas in them, and looks each five minutes around
 * the faults.
 */
import { expect, it } from 'vitest'
import { HOUR, MINUTE } from '../../records/sources/simulated-feeds.ts'
import { mistakesOf, simulate } from './simulated-days.ts'

const STEP = 5 * MINUTE

it.each(['2026-10-10', '2026-12-01', '2027-03-01'])(
  'fifty days from %s',
  async (first) => {
    const simulated = await simulate({ first, days: 50, stepMs: STEP, quietMs: HOUR })
    expect(mistakesOf(simulated, STEP)).toEqual([])
    const mails = [...simulated.seen.values()].flatMap((one) => one.mails)
    expect(mails).toHaveLength(2 * 2 * 13)
  },
  3_600_000,
)

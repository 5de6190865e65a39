/**
 * Acceptance check 1 of sources, on a database, with a week in which summer time ends. `DAYS=50` repeats it with fifty days and
 * looks each five minutes around the faults, `FROM=2026-12-01` with other ones, and `LOOKS=few` only when something begins,
 * must be seen or ends.
 */
import { expect, it } from 'vitest'
import { HOUR, MINUTE } from '../../records/sources/simulated-feeds.ts'
import { mistakesOf, simulate } from './simulated-days.ts'

const DAYS = Number(process.env.DAYS ?? 7)
const FROM = process.env.FROM ?? '2026-10-22'
const LONG = { stepMs: 5 * MINUTE, quietMs: HOUR }
const SHORT = { stepMs: undefined, quietMs: 6 * HOUR }

it('each of fourteen faults is seen everywhere in time, with one e-mail for it and one for its end; quiet days are no alarm', async () => {
  const isShort = DAYS < 10 || process.env.LOOKS === 'few'
  const simulated = await simulate({ first: FROM, days: DAYS, ...(isShort ? SHORT : LONG) })
  expect(mistakesOf(simulated, isShort ? 2 * MINUTE : LONG.stepMs)).toEqual([])
  const mails = [...simulated.seen.values()].flatMap((one) => one.mails)
  // A restarted service and quiet days are no problem.
  expect(mails).toHaveLength(2 * 2 * 13)
}, 3_600_000)

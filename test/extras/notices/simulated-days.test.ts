/** Acceptance check 1 of sources, on a database, with a week; `fifty-days.test.ts` has fifty days. */
import { expect, it } from 'vitest'
import { HOUR, MINUTE } from '../../records/sources/simulated-feeds.ts'
import { mistakesOf, simulate } from './simulated-days.ts'

it('each of fourteen faults is seen everywhere in time, with one e-mail for it and one for its end; quiet days are no alarm', async () => {
  const simulated = await simulate({ first: '2026-10-22', days: 7, stepMs: undefined, quietMs: 6 * HOUR })
  expect(mistakesOf(simulated, 2 * MINUTE)).toEqual([])
  const mails = [...simulated.seen.values()].flatMap((one) => one.mails)
  // A restarted service and quiet days are no problem.
  expect(mails).toHaveLength(2 * 2 * 13)
}, 300_000)

/** Each fault on one day, in the week in which clocks are put forward. */
import { expect, it } from 'vitest'
import { FAULTS, simulateDays } from './simulated-days.ts'

it('on eight days with faults, each destination gets each report once, within ten minutes', async () => {
  const days = FAULTS.length
  expect(await simulateDays('2025-03-26', days)).toEqual({ folder: days, printer: days, mail: days })
}, 600_000)

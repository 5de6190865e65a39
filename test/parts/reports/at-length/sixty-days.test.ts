/** The same for sixty days, in which clocks are put forward. */
import { expect, it } from 'vitest'
import { simulateDays } from '../simulated-days.ts'

it('on sixty days with faults, each destination gets each report once, within ten minutes', async () => {
  expect(await simulateDays('2025-03-01', 60)).toEqual({ folder: 60, printer: 60, mail: 60 })
}, 3_600_000)

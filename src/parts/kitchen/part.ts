import { onceADay } from '../../core/monitoring/once-a-day.ts'
import type { Part } from '../../core/part.ts'
import { acknowledgeChanges } from './acknowledge-changes.ts'
import { confirmSheet } from './confirm-sheet.ts'
import { mealPortions } from './meal-portions.ts'
import { mealSheet } from './meal-sheets.ts'
import { pruneSheets } from './prune-sheets.ts'
import { storeSheet } from './store-sheet.ts'
import { createCutOffTaker, takeCutOffsEachMinute } from './take-cut-offs.ts'

/** The kitchen: the portions, the sheets that it works with, their changes. */
export const kitchen: Part = {
  name: 'kitchen',
  operations: () => [mealPortions, mealSheet],
  actions: [storeSheet, confirmSheet, acknowledgeChanges],
  start({ app, database, clock }) {
    onceADay(app, 'kitchen sheets', () => pruneSheets(database))
    takeCutOffsEachMinute(app, createCutOffTaker(database, clock))
  },
}

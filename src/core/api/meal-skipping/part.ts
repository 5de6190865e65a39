import type { Part } from '../../part.ts'
import { mealSkippingReport } from './meal-skipping-report.ts'

export const mealSkipping: Part = {
  name: 'meal-skipping',
  operations: () => [mealSkippingReport],
}

/** `POST /actions/acknowledge-changes`: the kitchen has seen the changes that came after the cut-offs of a day. */
import { sheetAction } from './sheet-action.ts'
import { acknowledgeSheet } from './sheets-sql.ts'

export const acknowledgeChanges = sheetAction({
  name: 'acknowledge-changes',
  summary: 'Acknowledge the late changes of a day',
  description:
    'Says that the kitchen has seen the changes that came after the cut-offs of a day, up to a stored sheet of it. From then on, only changes after this sheet are late. With null, the last acknowledgement is taken back, and all changes after the cut-offs are late again. Store the day with `store-sheet` first, and look at its changes. `GET /changes` reports it as a change of `meals` on that day.',
  asked: 'Number of a stored sheet of the day that has the changes; null takes it back.',
  answered: 'number of the sheet, or null',
  at: 'acknowledgedAt',
  example: { day: '2025-01-16', sheet: 3, moment: '2025-01-15T11:02:31.482Z' },
  choose: acknowledgeSheet,
})

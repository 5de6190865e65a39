/** `POST /actions/confirm-sheet`: a person confirms which sheet of a day is on the wall. */
import { sheetAction } from './sheet-action.ts'
import { confirmOnWall } from './sheets-sql.ts'

export const confirmSheet = sheetAction({
  name: 'confirm-sheet',
  summary: 'Confirm which kitchen sheet is on the wall',
  description:
    'Says which numbered sheet of a day is on the wall, or with null that none is. From then on, every screen compares the day with this sheet, and `GET /meals/sheets/{day}` returns it with `sheet=wall`. `GET /changes` reports it as a change of `meals` on that day. Confirming another sheet later replaces it.',
  asked: 'Number of a stored sheet of the day; null if none is on the wall.',
  answered: 'number of the sheet on the wall, or null',
  at: 'confirmedAt',
  example: { day: '2025-01-16', sheet: 2, moment: '2025-01-16T06:14:02.117Z' },
  choose: confirmOnWall,
})

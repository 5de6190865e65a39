import type { Part } from '../../part.ts'
import { listSessions } from './list-sessions.ts'
import { sessionCalendar } from './session-calendar.ts'

export const sessions: Part = {
  name: 'sessions',
  operations: () => [listSessions, sessionCalendar],
}

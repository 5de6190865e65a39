/** The sessions, for the navigation. */
import type { Page } from '../base/page.ts'
import { may } from '../base/signed-in.ts'

export const SESSIONS_PAGES: readonly Page[] = [
  {
    path: 'sessions',
    title: 'sessions',
    isInBar: true,
    isOpen: () => may('sessions'),
    load: async () => (await import('./sessions-page.ts')).SessionsPage,
  },
]

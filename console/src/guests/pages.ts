/** The list of guests, for the navigation. */
import type { Page } from '../base/page.ts'
import { may } from '../base/signed-in.ts'

export const GUESTS_PAGES: readonly Page[] = [
  {
    path: 'guests',
    title: 'guests',
    isInBar: true,
    isOpen: () => may('guests'),
    load: async () => (await import('./guests-page.ts')).GuestsPage,
  },
]

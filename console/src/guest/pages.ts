/** One guest, for the navigation. */
import type { Page } from '../base/page.ts'
import { may } from '../base/signed-in.ts'

export const GUEST_PAGES: readonly Page[] = [
  {
    path: 'guests/one',
    title: 'guest',
    isOpen: () => may('guests'),
    load: async () => (await import('./guest-page.ts')).GuestPage,
  },
]

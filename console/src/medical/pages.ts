/** The doctor’s page, for the navigation. */
import type { Page } from '../base/page.ts'
import { may } from '../base/signed-in.ts'

export const MEDICAL_PAGES: readonly Page[] = [
  {
    path: 'new-guests',
    title: 'newGuests',
    isInBar: true,
    isOpen: () => may('guests') && may('guests.medical'),
    load: async () => (await import('./new-guests.ts')).NewGuests,
  },
]

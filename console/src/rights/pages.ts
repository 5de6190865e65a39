/** A person’s rights, for the navigation. */
import type { Page } from '../base/page.ts'
import { may } from '../base/signed-in.ts'

export const RIGHTS_PAGES: readonly Page[] = [
  {
    path: 'rights',
    title: 'rights',
    isInBar: true,
    isOpen: () => may('rights'),
    load: async () => (await import('./rights-page.ts')).RightsPage,
  },
]

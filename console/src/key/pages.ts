/** The key that is used, for the navigation. */
import type { Page } from '../base/page.ts'

export const KEY_PAGES: readonly Page[] = [
  {
    path: 'key',
    title: 'thisKey',
    isInBar: true,
    isOpen: () => true,
    load: async () => (await import('./key-page.ts')).KeyPage,
  },
]

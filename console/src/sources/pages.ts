/** The sources, for the navigation. */
import type { Page } from '../base/page.ts'
import { may } from '../base/signed-in.ts'

export const SOURCES_PAGES: readonly Page[] = [
  {
    path: 'sources',
    title: 'sources',
    isInBar: true,
    isOpen: () => may('sources'),
    load: async () => (await import('./sources-page.ts')).SourcesPage,
  },
]

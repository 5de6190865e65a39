/** What does not fit, for the navigation. */
import type { Page } from '../base/page.ts'
import { may } from '../base/signed-in.ts'

export const CONTRADICTIONS_PAGES: readonly Page[] = [
  {
    path: 'contradictions',
    title: 'contradictions',
    isInBar: true,
    isOpen: () => may('contradictions'),
    load: async () => (await import('./contradictions-page.ts')).ContradictionsPage,
  },
]

/** The rooms, for the navigation. */
import type { Page } from '../base/page.ts'
import { may } from '../base/signed-in.ts'

export const ROOMS_PAGES: readonly Page[] = [
  {
    path: 'rooms',
    title: 'rooms',
    isInBar: true,
    isOpen: () => may('rooms'),
    load: async () => (await import('./rooms-page.ts')).RoomsPage,
  },
]

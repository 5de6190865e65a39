/** The desk’s day, for the navigation. */
import type { Page } from '../base/page.ts'
import { may } from '../base/signed-in.ts'

const isOpen = () => may('guests')

export const TODAY_PAGES: readonly Page[] = [
  {
    path: 'today',
    title: 'today',
    isInBar: true,
    isOpen,
    load: async () => (await import('./today-page.ts')).DeskToday,
  },
  {
    path: 'today/room-list',
    title: 'roomList',
    isBare: true,
    isOpen,
    load: async () => (await import('./house-sheet.ts')).RoomList,
  },
  {
    path: 'today/evacuation-list',
    title: 'evacuationList',
    isBare: true,
    isOpen,
    load: async () => (await import('./house-sheet.ts')).EvacuationList,
  },
]

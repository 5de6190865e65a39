/** Every page: where it is, what it is called, who may open it, and where its code is. */

import { intakeKey, intakeUrl } from '../base/intake-port.ts'
import type { Page } from '../base/page.ts'
import { may } from '../base/signed-in.ts'
import { firstPath } from './first-page.ts'

const kitchen = { isOpen: () => may('meals') }

const desk = { isOpen: () => may('guests') }

export const PAGES: readonly Page[] = [
  {
    path: 'today',
    title: 'today',
    isInBar: true,
    isBare: false,
    ...desk,
    load: async () => (await import('../today/today-page.ts')).DeskToday,
  },
  {
    path: 'today/room-list',
    title: 'roomList',
    isInBar: false,
    isBare: true,
    ...desk,
    load: async () => (await import('../today/house-sheet.ts')).RoomList,
  },
  {
    path: 'today/evacuation-list',
    title: 'evacuationList',
    isInBar: false,
    isBare: true,
    ...desk,
    load: async () => (await import('../today/house-sheet.ts')).EvacuationList,
  },
  {
    path: 'new-guests',
    title: 'newGuests',
    isInBar: true,
    isBare: false,
    isOpen: () => may('guests') && may('guests.medical'),
    load: async () => (await import('../medical/new-guests.ts')).NewGuests,
  },
  {
    path: 'kitchen',
    title: 'kitchen',
    isInBar: true,
    isBare: false,
    ...kitchen,
    load: async () => (await import('../kitchen/today.ts')).Today,
  },
  {
    path: 'kitchen/week',
    title: 'sevenDays',
    isInBar: false,
    isBare: false,
    ...kitchen,
    load: async () => (await import('../kitchen/week.ts')).Week,
  },
  {
    path: 'kitchen/wall',
    title: 'wallDisplay',
    isInBar: false,
    isBare: true,
    ...kitchen,
    load: async () => (await import('../kitchen/wall.ts')).Wall,
  },
  {
    path: 'kitchen/day-sheet',
    title: 'kitchen',
    isInBar: false,
    isBare: true,
    ...kitchen,
    load: async () => (await import('../kitchen/day-sheet.ts')).DaySheet,
  },
  {
    path: 'kitchen/week-sheet',
    title: 'sevenDays',
    isInBar: false,
    isBare: true,
    ...kitchen,
    load: async () => (await import('../kitchen/week-sheet.ts')).WeekSheet,
  },
  {
    path: 'guests',
    title: 'guests',
    isInBar: true,
    isBare: false,
    isOpen: () => may('guests'),
    load: async () => (await import('../guests/guests-page.ts')).GuestsPage,
  },
  {
    path: 'guests/one',
    title: 'guest',
    isInBar: false,
    isBare: false,
    isOpen: () => may('guests'),
    load: async () => (await import('../guest/guest-page.ts')).GuestPage,
  },
  {
    path: 'sessions',
    title: 'sessions',
    isInBar: true,
    isBare: false,
    isOpen: () => may('sessions'),
    load: async () => (await import('../sessions/sessions-page.ts')).SessionsPage,
  },
  {
    path: 'rooms',
    title: 'rooms',
    isInBar: true,
    isBare: false,
    isOpen: () => may('rooms'),
    load: async () => (await import('../rooms/rooms-page.ts')).RoomsPage,
  },
  {
    path: 'orders',
    title: 'orders',
    isInBar: true,
    isBare: false,
    isOpen: () => may('orders'),
    load: async () => (await import('../orders/orders-page.ts')).OrdersPage,
  },
  {
    path: 'orders/one',
    title: 'order',
    isInBar: false,
    isBare: false,
    isOpen: () => may('orders'),
    load: async () => (await import('../orders/one-order.ts')).OneOrder,
  },
  {
    path: 'contradictions',
    title: 'contradictions',
    isInBar: true,
    isBare: false,
    isOpen: () => may('contradictions'),
    load: async () => (await import('../contradictions/contradictions-page.ts')).ContradictionsPage,
  },
  {
    path: 'rights',
    title: 'rights',
    isInBar: true,
    isBare: false,
    isOpen: () => may('rights'),
    load: async () => (await import('../rights/rights-page.ts')).RightsPage,
  },
  {
    path: 'administration',
    title: 'administration',
    isInBar: true,
    isBare: false,
    isOpen: () => may('administration'),
    load: async () => (await import('../administration/administration-page.ts')).AdministrationPage,
  },
  {
    path: 'administration/settings',
    title: 'centerSettings',
    isInBar: false,
    isBare: false,
    isOpen: () => may('administration'),
    load: async () => (await import('../administration/settings-page.ts')).SettingsPage,
  },
  {
    path: 'administration/new-key',
    title: 'newKey',
    isInBar: false,
    isBare: false,
    isOpen: () => may('administration'),
    load: async () => (await import('../administration/new-key.ts')).NewKey,
  },
  {
    path: 'import',
    title: 'importTitle',
    // Without an intake port, the page only says which setting is missing. The administration leads there.
    get isInBar() {
      return intakeUrl() !== undefined
    },
    isBare: false,
    // With an intake key of its own: a key that reads no guests imports none here.
    isOpen: () => may('guests') || may('administration') || intakeKey.value !== undefined,
    load: async () => (await import('../import/import-page.ts')).ImportPage,
  },
  {
    path: 'sources',
    title: 'sources',
    isInBar: true,
    isBare: false,
    isOpen: () => may('sources'),
    load: async () => (await import('../sources/sources-page.ts')).SourcesPage,
  },
  {
    path: 'key',
    title: 'thisKey',
    isInBar: true,
    isBare: false,
    isOpen: () => true,
    load: async () => (await import('../key/key-page.ts')).KeyPage,
  },
]

/** Where a one-time link for a device leads, signed in or not. */
export const DEVICE: Page = {
  path: 'device',
  title: 'thisDevice',
  isInBar: false,
  isBare: true,
  isOpen: () => true,
  load: async () => (await import('../device/device-page.ts')).DevicePage,
}

/** @returns undefined where there is no such page; for no path at all, the first one of those who have such a key */
export function pageAt(path: string): Page | undefined {
  if (path !== '') return pageOf(path)
  const first = pageOf(firstPath(may) ?? '')
  return first?.isOpen() ? first : PAGES.find((page) => page.isInBar && page.isOpen())
}

export const pageOf = (path: string): Page | undefined => PAGES.find((page) => page.path === path)

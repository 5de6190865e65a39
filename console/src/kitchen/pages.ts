/** The kitchen’s pages, for the navigation. */
import type { Page } from '../base/page.ts'
import { may } from '../base/signed-in.ts'

const isOpen = () => may('meals')

export const KITCHEN_PAGES: readonly Page[] = [
  {
    path: 'kitchen',
    title: 'kitchen',
    isInBar: true,
    isOpen,
    load: async () => (await import('./today.ts')).Today,
  },
  {
    path: 'kitchen/week',
    title: 'sevenDays',
    isOpen,
    load: async () => (await import('./week.ts')).Week,
  },
  {
    path: 'kitchen/wall',
    title: 'wallDisplay',
    isBare: true,
    isOpen,
    load: async () => (await import('./wall.ts')).Wall,
  },
  {
    path: 'kitchen/day-sheet',
    title: 'kitchen',
    isBare: true,
    isOpen,
    load: async () => (await import('./day-sheet.ts')).DaySheet,
  },
  {
    path: 'kitchen/week-sheet',
    title: 'sevenDays',
    isBare: true,
    isOpen,
    load: async () => (await import('./week-sheet.ts')).WeekSheet,
  },
]

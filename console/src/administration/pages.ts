/** The administration, for the navigation. */
import type { Page } from '../base/page.ts'
import { may } from '../base/signed-in.ts'

const isOpen = () => may('administration')

export const ADMINISTRATION_PAGES: readonly Page[] = [
  {
    path: 'administration',
    title: 'administration',
    isInBar: true,
    isOpen,
    load: async () => (await import('./administration-page.ts')).AdministrationPage,
  },
  {
    path: 'administration/settings',
    title: 'centerSettings',
    isOpen,
    load: async () => (await import('./settings-page.ts')).SettingsPage,
  },
  {
    path: 'administration/new-key',
    title: 'newKey',
    isOpen,
    load: async () => (await import('./new-key.ts')).NewKey,
  },
]

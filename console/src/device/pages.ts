/** A device with a link, for the navigation. */
import type { Page } from '../base/page.ts'

/** Where a one-time link for a device leads, signed in or not. */
export const DEVICE: Page = {
  path: 'device',
  title: 'thisDevice',
  isBare: true,
  isOpen: () => true,
  load: async () => (await import('./device-page.ts')).DevicePage,
}

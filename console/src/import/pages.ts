/** The import of files, for the navigation. */
import { intakeKey, intakeUrl } from '../base/intake-port.ts'
import type { Page } from '../base/page.ts'
import { may } from '../base/signed-in.ts'

export const IMPORT_PAGES: readonly Page[] = [
  {
    path: 'import',
    title: 'importTitle',
    // Without an intake port, the page only says which setting is missing. The administration leads there.
    get isInBar() {
      return intakeUrl() !== undefined
    },
    // With an intake key of its own: a key that reads no guests imports none here.
    isOpen: () => may('guests') || may('administration') || intakeKey.value !== undefined,
    load: async () => (await import('./import-page.ts')).ImportPage,
  },
]

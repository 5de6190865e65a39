/** All pages: each folder has its own, and this file lists them. */

import { ADMINISTRATION_PAGES } from '../administration/pages.ts'
import type { Page } from '../base/page.ts'
import { may } from '../base/signed-in.ts'
import { CONTRADICTIONS_PAGES } from '../contradictions/pages.ts'
import { GUEST_PAGES } from '../guest/pages.ts'
import { GUESTS_PAGES } from '../guests/pages.ts'
import { IMPORT_PAGES } from '../import/pages.ts'
import { KEY_PAGES } from '../key/pages.ts'
import { KITCHEN_PAGES } from '../kitchen/pages.ts'
import { MEDICAL_PAGES } from '../medical/pages.ts'
import { ORDERS_PAGES } from '../orders/pages.ts'
import { RIGHTS_PAGES } from '../rights/pages.ts'
import { ROOMS_PAGES } from '../rooms/pages.ts'
import { SESSIONS_PAGES } from '../sessions/pages.ts'
import { SOURCES_PAGES } from '../sources/pages.ts'
import { TODAY_PAGES } from '../today/pages.ts'
import { firstPath } from './first-page.ts'

/** In the order of the bar. */
export const PAGES: readonly Page[] = [
  ...TODAY_PAGES,
  ...MEDICAL_PAGES,
  ...KITCHEN_PAGES,
  ...GUESTS_PAGES,
  ...GUEST_PAGES,
  ...SESSIONS_PAGES,
  ...ROOMS_PAGES,
  ...ORDERS_PAGES,
  ...CONTRADICTIONS_PAGES,
  ...RIGHTS_PAGES,
  ...ADMINISTRATION_PAGES,
  ...IMPORT_PAGES,
  ...SOURCES_PAGES,
  ...KEY_PAGES,
]

/** @returns undefined where there is no such page; for no path at all, the first one of those who have such a key */
export function pageAt(path: string): Page | undefined {
  if (path !== '') return pageOf(path)
  const first = pageOf(firstPath(may) ?? '')
  return first?.isOpen() ? first : PAGES.find((page) => page.isInBar && page.isOpen())
}

export const pageOf = (path: string): Page | undefined => PAGES.find((page) => page.path === path)

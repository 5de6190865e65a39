/** The parts of the service: the only file that lists them. */

import { guests } from './core/api/guests/part.ts'
import { me } from './core/api/me/part.ts'
import { mealSkipping } from './core/api/meal-skipping/part.ts'
import { orders } from './core/api/orders/part.ts'
import { sessions } from './core/api/sessions/part.ts'
import type { Everything, Part } from './core/part.ts'
import type { Action } from './core/request/action.ts'
import type { Operation } from './core/request/operation.ts'
import type { StreamOperation } from './core/request/stream-operation.ts'
import { administration } from './parts/administration/part.ts'
import { assistants } from './parts/assistants/part.ts'
import { cells } from './parts/cells/part.ts'
import { changes } from './parts/changes/part.ts'
import { console } from './parts/console/part.ts'
import { contradictions } from './parts/contradictions/part.ts'
import { dataRights } from './parts/data-rights/part.ts'
import { demo } from './parts/demo/part.ts'
import { devices } from './parts/devices/part.ts'
import { doctor } from './parts/doctor/part.ts'
import { guide } from './parts/guide/part.ts'
import { kitchen } from './parts/kitchen/part.ts'
import { links } from './parts/links/part.ts'
import { mail } from './parts/mail/part.ts'
import { notices } from './parts/notices/part.ts'
import { openapi } from './parts/openapi/part.ts'
import { reports } from './parts/reports/part.ts'
import { rooms } from './parts/rooms/part.ts'
import { search } from './parts/search/part.ts'
import { sources } from './parts/sources/part.ts'
import { tracing } from './parts/tracing/part.ts'
import { trailTools } from './parts/trail-tools/part.ts'
import { usage } from './parts/usage/part.ts'
import { webhooks } from './parts/webhooks/part.ts'

/** In the order in which they are started, and in which their operations are described. */
export const PARTS: readonly Part[] = [
  guests,
  mealSkipping,
  kitchen,
  orders,
  sessions,
  rooms,
  search,
  contradictions,
  changes,
  sources,
  administration,
  usage,
  me,
  dataRights,
  webhooks,
  notices,
  links,
  devices,
  reports,
  assistants,
  openapi,
  guide,
  console,
  demo,
  doctor,
  tracing,
  trailTools,
  mail,
  cells,
]

const all: Everything = {
  operations: () => OPERATIONS,
  scoped: () => [...OPERATIONS, ...ACTIONS],
}

export const OPERATIONS: readonly Operation[] = PARTS.flatMap(({ operations }) => operations?.(all) ?? [])
export const STREAMS: readonly StreamOperation[] = PARTS.flatMap(({ streams }) => streams ?? [])
export const ACTIONS: readonly Action[] = PARTS.flatMap(({ actions }) => actions ?? [])

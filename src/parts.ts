/** The parts of the service: the only file that lists them. */
import { changes } from './core/api/changes/part.ts'
import { contradictions } from './core/api/contradictions/part.ts'
import { guests } from './core/api/guests/part.ts'
import { me } from './core/api/me/part.ts'
import { meals } from './core/api/meals/part.ts'
import { orders } from './core/api/orders/part.ts'
import { rooms } from './core/api/rooms/part.ts'
import { search } from './core/api/search/part.ts'
import { sessions } from './core/api/sessions/part.ts'
import type { Action } from './core/request/action.ts'
import type { Operation } from './core/request/operation.ts'
import type { StreamOperation } from './core/request/stream-operation.ts'
import type { Everything, Part } from './part.ts'
import { administration } from './parts/administration/part.ts'
import { assistants } from './parts/assistants/part.ts'
import { console } from './parts/console/part.ts'
import { dataRights } from './parts/data-rights/part.ts'
import { devices } from './parts/devices/part.ts'
import { guide } from './parts/guide/part.ts'
import { links } from './parts/links/part.ts'
import { notices } from './parts/notices/part.ts'
import { reference } from './parts/openapi/part.ts'
import { reports } from './parts/reports/part.ts'
import { sources } from './parts/sources/part.ts'
import { usage } from './parts/usage/part.ts'
import { webhooks } from './parts/webhooks/part.ts'

/** In the order in which they are started, and in which their operations are described. */
export const PARTS: readonly Part[] = [
  guests,
  meals,
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
  reference,
  guide,
  console,
]

const all: Everything = {
  operations: () => OPERATIONS,
  scoped: () => [...OPERATIONS, ...ACTIONS],
}

export const OPERATIONS: readonly Operation[] = PARTS.flatMap(({ operations }) => operations?.(all) ?? [])
export const STREAMS: readonly StreamOperation[] = PARTS.flatMap(({ streams }) => streams ?? [])
export const ACTIONS: readonly Action[] = PARTS.flatMap(({ actions }) => actions ?? [])

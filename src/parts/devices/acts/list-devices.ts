/** `GET /administration/devices`: the one-time links that hand keys to devices. */

import { listParameters, readList, uncachedPlan } from '../../../core/acts/list-page.ts'
import { defineOperation } from '../../../core/request/operation.ts'
import { selectDevices } from './acts-sql.ts'
import { DEVICES_SCHEMA } from './device-schema.ts'

const parameters = listParameters(
  'links',
  'Whether links are listed too that have expired unused, or whose key has ended.',
)

export const listDevices = defineOperation({
  name: 'listDevices',
  summary: 'Devices of the center',
  description:
    'The one-time links that hand a key to a device, never the links themselves: which key, whether a device has used it, and until when it can be used. Those that wait come first, then the newest. Links of the last 30 days are listed.',
  paths: ['/administration/devices'],
  scope: 'administration',
  dependsOn: [],
  parameters,
  response: DEVICES_SCHEMA,

  parse({ center, query }) {
    const list = readList(parameters, query, center.maximumPageLength)
    if ('refusal' in list) return { requiredScopes: [], refusal: list.refusal }
    const { page, part, normalForm } = list
    return uncachedPlan(
      normalForm,
      selectDevices(center.id, part),
      ([total, data]: readonly [number, readonly unknown[]]) => ({ data, total }),
      ({ total }) => ({ ...page, total }),
    )
  },
})

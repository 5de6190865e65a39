import type { Part } from '../../core/part.ts'
import { createDeviceLinkAction } from './acts/create-device-link.ts'
import { listDevices } from './acts/list-devices.ts'
import { revokeDeviceLinkAction } from './acts/revoke-device-link.ts'
import { SIGN_IN_DEVICE_PATH, serveDevices } from './serve-devices.ts'

/** One-time links that hand a key to a device, and the action that uses one. */
export const devices: Part = {
  name: 'devices',
  operations: () => [listDevices],
  actions: [createDeviceLinkAction, revokeDeviceLinkAction],
  actionPaths: [SIGN_IN_DEVICE_PATH],
  serve: ({ app, options, database, gate, clock, operations, actions }) =>
    serveDevices(app, {
      gate,
      database,
      clock,
      origins: options.corsOrigins ?? [],
      scoped: [...operations, ...actions],
    }),
}

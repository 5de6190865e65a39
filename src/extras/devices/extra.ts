import type { Extra } from '../extra.ts'
import { serveDevices } from './serve-devices.ts'

/** One-time links that hand a key to a device. */
export const devices: Extra = {
  serve: ({ app, options, database, gate, clock, operations, actions }) =>
    serveDevices(app, {
      gate,
      database,
      clock,
      origins: options.corsOrigins ?? [],
      scoped: [...operations, ...actions],
    }),
}

import type { Extra } from '../extra.ts'
import { intakeUrlFor } from './intake-url.ts'
import { registerConsole } from './register-console.ts'

/** The console. */
export const console: Extra = {
  serve: ({ app, options }) =>
    registerConsole(app, {
      isPrepared: options.preparesConsole ?? false,
      idleMinutes: options.consoleIdleMinutes,
      kitchenStays: options.consoleKitchenStays,
      devicesStay: options.consoleDevicesStay,
      intakeFor: (host) =>
        intakeUrlFor(
          {
            url: options.intakeUrl,
            port: () => options.intakeAt?.(),
          },
          host,
        ),
    }),
}

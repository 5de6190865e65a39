import type { Part } from '../../core/part.ts'
import { createIsEmpty } from './first-steps.ts'
import { intakeUrlFor } from './intake-url.ts'
import { registerConsole } from './register-console.ts'

/** Serves the console at `/console`: its modules without their types, in a few scripts, a second after the start. */
export const console: Part = {
  name: 'console',
  needs: ['openapi'],
  serve: ({ app, options, database, clock }) =>
    registerConsole(app, {
      isPrepared: options.preparesConsole ?? false,
      idleMinutes: options.consoleIdleMinutes,
      kitchenStays: options.consoleKitchenStays,
      devicesStay: options.consoleDevicesStay,
      isEmpty: createIsEmpty(database, clock),
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

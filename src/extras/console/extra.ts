import type { Extra } from '../extra.ts'
import { registerConsole } from './register-console.ts'

/** The console. */
export const console: Extra = {
  serve: ({ app, options }) =>
    registerConsole(app, {
      isPrepared: options.preparesConsole ?? false,
      idleMinutes: options.consoleIdleMinutes,
      kitchenStays: options.consoleKitchenStays,
    }),
}

/** The minute that it is, for what depends on the time; epoch milliseconds. */
import { signal } from '@preact/signals-core'

export const minute = signal(Date.now())
setInterval(() => {
  minute.value = Date.now()
}, 20_000)

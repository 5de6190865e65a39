import { AsyncLocalStorage } from 'node:async_hooks'
import type { LimitUse } from './limits.ts'

/**
 * The rate-limit state of the request that the service is handling, set while the service calls itself for that request
 * (for example for a message to `/mcp`). Those inner requests are not counted again.
 */
export const countedBefore = new AsyncLocalStorage<LimitUse>()

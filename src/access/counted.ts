import { AsyncLocalStorage } from 'node:async_hooks'
import type { Standing } from './limits.ts'

/**
 * Set while the service asks itself on behalf of a request that was counted in the limits of its key, such as a message
 * to `/mcp`: what is asked within is not counted again.
 */
export const countedBefore = new AsyncLocalStorage<Standing>()

/** Daily work of a running service, such as pruning. */
import type { FastifyInstance } from 'fastify'
import { DAY_MS } from '../locale/civil.ts'

/** Delayed so that it does not slow the start. By then, instances that were started together no longer run in step. */
const FIRST_MS = 60_000

/**
 * Runs the work once a day until the service closes, the first time after a minute. Does not keep the process alive.
 * @param work never rejects
 */
export function onceADay(app: FastifyInstance, work: () => Promise<void>): void {
  let timer = setTimeout(function daily() {
    void work()
    timer = setTimeout(daily, DAY_MS).unref()
  }, FIRST_MS).unref()
  app.addHook('onClose', async () => clearTimeout(timer))
}

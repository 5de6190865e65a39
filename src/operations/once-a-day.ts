/** What a running service does once a day, such as pruning. */
import type { FastifyInstance } from 'fastify'
import { DAY_MS } from '../locale/civil.ts'

/** Not at once: the start must not wait for it, and instances that started together have drifted apart by then. */
const FIRST_MS = 60_000

/**
 * Does the work once a day until the service closes, the first time after a minute. It never keeps the process alive.
 * @param work never rejects
 */
export function onceADay(app: FastifyInstance, work: () => Promise<void>): void {
  let timer = setTimeout(function daily() {
    void work()
    timer = setTimeout(daily, DAY_MS).unref()
  }, FIRST_MS).unref()
  app.addHook('onClose', async () => clearTimeout(timer))
}

/** Daily work of a running service, such as pruning. */
import type { FastifyInstance } from 'fastify'
import { DAY_MS } from '../locale/civil.ts'

/** Delayed so that it does not slow the start. By then, instances that were started together no longer run in step. */
const FIRST_MS = 60_000

/** How often daily work has failed, by service. */
const failures = new WeakMap<object, number>()

/** Number of times that daily work of this service has failed. */
export const failedDailyWork = (app: object): number => failures.get(app) ?? 0

/**
 * Runs the work once a day until the service closes, the first time after a minute. Does not keep the process alive. Logs
 * how many records it removed, if it says so, and that it failed: not the message, because that of a database may quote data.
 * @param what is pruned, for the log
 * @param work whose result is the number of removed records, or nothing
 */
export function onceADay(
  app: Pick<FastifyInstance, 'addHook' | 'log'>,
  what: string,
  work: () => Promise<unknown>,
): void {
  const run = async () => {
    try {
      const count = await work()
      if (typeof count === 'number' && count > 0) app.log.info({ count }, `pruned ${what}`)
    } catch (error) {
      failures.set(app, failedDailyWork(app) + 1)
      app.log.error({ name: nameOf(error) }, `pruning failed: ${what}`)
    }
  }
  let timer = setTimeout(function daily() {
    void run()
    timer = setTimeout(daily, DAY_MS).unref()
  }, FIRST_MS).unref()
  app.addHook('onClose', async () => clearTimeout(timer))
}

const nameOf = (error: unknown) => (error instanceof Error ? error.name : typeof error)

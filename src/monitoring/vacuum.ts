/** Vacuums the embedded database, which has no autovacuum processes. */
import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/database.ts'

/** The default interval of a server's autovacuum. */
const LOOK_MS = 60_000

/** Looks for tables with dead rows regularly until the service closes. Does not keep the process alive. */
export function vacuumOneByOne(app: FastifyInstance, database: Database, lookMs = LOOK_MS): void {
  let isUnderWay = false
  const timer = setInterval(async () => {
    if (isUnderWay) return
    isUnderWay = true
    try {
      await database.vacuum()
    } catch {
      // A full disk or a restarting engine is reported where it is detected.
    } finally {
      isUnderWay = false
    }
  }, lookMs).unref()
  app.addHook('onClose', async () => clearInterval(timer))
}

/** The embedded database has no processes of its own that would give back the room of dead rows. */
import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/database.ts'

/** As often as a server looks. */
const LOOK_MS = 60_000

/** Looks again and again whether there are dead rows, until the service closes. It never keeps the process alive. */
export function vacuumInTurns(app: FastifyInstance, database: Database, lookMs = LOOK_MS): void {
  let isUnderWay = false
  const timer = setInterval(async () => {
    if (isUnderWay) return
    isUnderWay = true
    try {
      await database.vacuum()
    } catch {
      // A disk that is full, an engine that is opened again: both are said where they are noticed.
    } finally {
      isUnderWay = false
    }
  }, lookMs).unref()
  app.addHook('onClose', async () => clearInterval(timer))
}

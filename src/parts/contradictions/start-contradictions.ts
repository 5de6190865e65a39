/** Keeps the contradictions of a running service current. */
import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../../core/database/database.ts'
import { createEvaluator } from './evaluator.ts'

/** A commit is evaluated within a second. If nobody may read contradictions, a look is one query of an empty index. */
const LOOK_MS = 500

/** Looks until the service closes. Does not keep the process alive. @param clock epoch ms by the database's clock */
export function startContradictions(app: FastifyInstance, database: Database, clock: () => number): void {
  const evaluator = createEvaluator({ database, clock, holder: randomUUID(), log: app.log })
  const timer = setInterval(() => void evaluator.look(), LOOK_MS).unref()
  app.addHook('onClose', () => {
    clearInterval(timer)
    return evaluator.close()
  })
}

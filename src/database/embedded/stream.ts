import type { Sql } from 'sql-template-tag'
import type { LivingEngine } from './living-engine.ts'
import type { Turns } from './turns.ts'

let cursors = 0

/**
 * The rows of one statement in chunks. A cursor "with hold" keeps its snapshot after its transaction, so a slow
 * reader of a long answer does not keep the one session from everybody else.
 */
export async function* stream(
  engine: LivingEngine,
  turns: Turns,
  limits: { readonly readMs: number; readonly writeMs: number },
  { text, values }: Sql,
  rowsPerChunk: number,
): AsyncGenerator<unknown[][]> {
  const name = `chunks_${cursors++}`
  const declare = { text: `declare ${name} no scroll cursor with hold for ${text}`, values }
  // The cursor is that session's: one that comes after it does not know it.
  const session = await turns.together(async () => {
    const { session } = engine
    // All rows are found here, and that may be a year of them.
    await session.runOnce(declare, limits.writeMs)
    return session
  })
  const fetch = `fetch ${Math.trunc(rowsPerChunk)} from ${name}`
  try {
    while (true) {
      const { rows } = await turns.together(() => session.script(fetch, limits.readMs))
      if (rows.length > 0) yield rows
      if (rows.length < rowsPerChunk) return
    }
  } finally {
    await turns.together(() => session.script(`close ${name}`, limits.readMs)).catch(() => {})
  }
}

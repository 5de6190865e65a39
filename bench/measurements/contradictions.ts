/** How long the contradictions of one commit take to be evaluated, in a center of many bookings and in a small one. */
import sql from 'sql-template-tag'
import { createEvaluator } from '../../src/parts/contradictions/evaluator.ts'
import type { Bench, Figure, Measurement } from '../support/bench.ts'
import { makeKey, openBookings } from '../support/database.ts'
import { figure } from '../support/rounds.ts'

const COMMITS = 50
/** The center with a quarter of the bookings, and an ordinary one. */
const CENTERS = { 'a big center': '1', 'an ordinary center': '2' }

export const contradictions: Measurement = {
  name: 'contradictions',
  title: 'how long one commit takes to be evaluated for contradictions, at many bookings (--bookings)',

  async run(bench: Bench): Promise<Figure[]> {
    const { database } = await openBookings(bench, bench.bookings)
    for (const center of Object.values(CENTERS)) await makeKey(database, center)
    const log = { warn: (text: unknown) => bench.log(JSON.stringify(text)) }
    const evaluator = createEvaluator({ database, clock: Date.now, holder: 'bench', log })
    bench.afterwards(() => evaluator.close())
    const began = performance.now()
    const rounds = await evaluator.look()
    bench.log(`all records of two centers are evaluated in ${rounds} rounds`)
    const figures: Figure[] = [
      { what: 'all records of both centers', value: (performance.now() - began) / 1000, unit: 's' },
    ]
    for (const [what, center] of Object.entries(CENTERS)) {
      const times = []
      for (let at = 0; at < COMMITS; at += 1) {
        await database.query(sql`
          update bookings set end_date = end_date + interval '1 day'
          where center_id = ${center} and id = (
            select id from bookings where center_id = ${center} and status = 'confirmed'
            order by id offset ${at * 7} limit 1)`)
        const start = performance.now()
        await evaluator.look()
        times.push(performance.now() - start)
      }
      figures.push(
        { ...figure(`${what}: a commit`, times), unit: 'ms', target: { atMost: 1000 } },
        {
          what: `${what}: the longest of ${COMMITS} commits`,
          value: Math.max(...times),
          unit: 'ms',
          target: { atMost: 1000 },
        },
      )
    }
    return figures
  },
}

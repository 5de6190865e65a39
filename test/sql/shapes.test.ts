/**
 * The SQL of the main shapes, as it is sent: so that a change of what is generated is seen in review. After a
 * change that is meant, `npm test -- test/sql -u` writes them anew.
 */
import type { Sql } from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { selectFeed } from '../../src/changes/feed-sql.ts'
import { selectTouchedSince } from '../../src/changes/snapshots-sql.ts'
import { CENTER, HOT_QUERIES, SESSION } from './hot-queries.ts'

const FEED_QUERIES = {
  'a page of the feed': selectFeed(CENTER, { revision: 7, offset: 0 }, 100, undefined),
  'a later page of the feed of a session': selectFeed(CENTER, { revision: 7, offset: 40 }, 1000, SESSION),
  'whether a snapshot stands': selectTouchedSince(CENTER, { revision: 7, offset: 0 }, [
    { kind: 'guest', sessionIds: [SESSION], columns: new Set(['bookings.status']) },
    { kind: 'guest', ids: ['b1'], columns: new Set(['bookings.doctor_name']) },
  ]),
}

describe('the statement of', () => {
  it.each(Object.entries({ ...HOT_QUERIES, ...FEED_QUERIES }))(
    '%s is the one in shapes/',
    async (name, statement) => {
      await expect(tidy(statement)).toMatchFileSnapshot(`shapes/${name.replaceAll(' ', '-')}.sql`)
    },
  )
})

/** Without the indentation of the code that it was put together from, and with its values below. */
function tidy({ text, values }: Sql): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const indents = lines.map((line) => /^ */.exec(line)?.[0].length ?? 0)
  const least = Math.min(...indents.filter((_, at) => at > 0 || indents.length === 1))
  const body = lines.map((line, at) => line.slice(Math.min(least, indents[at] ?? 0)).trimEnd())
  const parameters = values.map((value, at) => `-- $${at + 1} = ${JSON.stringify(value)}`)
  return `${[...body, ...parameters].join('\n')}\n`
}

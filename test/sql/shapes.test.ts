/**
 * The SQL of the main shapes, as it is sent: so that a change of what is generated is seen in review. After a
 * change that is meant, `npm test -- test/sql -u` writes them anew.
 */
import type { Sql } from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { HOT_QUERIES } from './hot-queries.ts'

describe('the statement of', () => {
  it.each(Object.entries(HOT_QUERIES))('%s is the one in shapes/', async (name, statement) => {
    await expect(tidy(statement)).toMatchFileSnapshot(`shapes/${name.replaceAll(' ', '-')}.sql`)
  })
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

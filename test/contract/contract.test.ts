/** docs/contract.md held to the tests, both ways. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sourceOf, testTitles } from '../../tools/docs/test-titles.ts'
import { clauseTests } from '../../tools/docs/tests-block.ts'
import { RULINGS } from '../support/rulings.ts'

interface Clause {
  readonly id: string
  readonly source: string
}

const root = join(import.meta.dirname, '..', '..')
const page = readFileSync(join(root, 'docs', 'contract.md'), 'utf8')
const clauses: Clause[] = [...page.matchAll(/^- \*\*(C-[A-Z]+-\d+)\*\* .+ \*([^*]+)\*$/gm)].map(
  ([, id = '', source = '']) => ({ id, source: source.replace(', beyond', '') }),
)

/** Each clause with a test of it, as `file title`. */
const rows = clauseTests().map(({ clause, file, title }) => ({ clause, test: `${file} ${title}` }))

const titles = testTitles(root)
const tests = new Map(titles.map(({ file, title, body }) => [`${file} ${title}`, body]))

describe('the contract', () => {
  it('has a clause on every line that begins like one', () => {
    expect(clauses.length).toBeGreaterThan(100)
    expect(clauses.map(({ id }) => id)).toEqual(
      [...page.matchAll(/^[-*\s]*\*\*(C-[^*]*)\*\*/gm)].map(([, id]) => id),
    )
  })

  it('numbers the clauses of each section from 1', () => {
    const counts = new Map<string, number>()
    for (const { id } of clauses) {
      const section = id.slice(0, id.lastIndexOf('-'))
      const next = (counts.get(section) ?? 0) + 1
      counts.set(section, next)
      expect(id).toBe(`${section}-${next}`)
    }
  })

  it('has clauses of the interface and of every ruling, and of nothing else', () => {
    const sources = new Set(clauses.map(({ source }) => source))
    expect([...sources].sort()).toEqual(['interface', ...RULINGS].sort())
  })

  it('ruling 41: every ruling has a clause, and every clause a test', () => {
    for (const ruling of RULINGS) expect(clauses.map(({ source }) => source)).toContain(ruling)
    expect([...new Set(rows.map(({ clause }) => clause))]).toEqual(clauses.map(({ id }) => id))
  })

  it('names each test of a clause once', () => {
    const named = rows.map(({ clause, test }) => `${clause} ${test}`)
    expect(named).toEqual([...new Set(named)])
  })
})

describe('a clause', () => {
  it.each(clauses.map(({ id }) => id))('%s names tests that are there, and expect something', (id) => {
    const held = rows.filter(({ clause }) => clause === id)
    expect(held).not.toEqual([])
    for (const { test } of held) expect(tests.get(test), test).toMatch(/\bexpect|\bfc\.assert\(/)
  })
})

describe('a test named after a ruling', () => {
  it('is named after one that the contract has', () => {
    const unknown = titles.filter(({ title }) => {
      const source = sourceOf(title)
      return source === undefined ? /^ruling/i.test(title) : !['interface', ...RULINGS].includes(source)
    })
    expect(unknown).toEqual([])
  })

  it.each(RULINGS)('there is one for %s', (ruling) => {
    expect(titles.filter(({ title }) => sourceOf(title) === ruling)).not.toEqual([])
  })
})

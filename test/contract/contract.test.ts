/** docs/contract.md held to the tests, both ways. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sourceOf, testTitles } from '../../tools/docs/test-titles.ts'

interface Clause {
  readonly id: string
  readonly text: string
  readonly source: string
  readonly heldBy: readonly string[]
}

const root = join(import.meta.dirname, '..', '..')
const page = readFileSync(join(root, 'docs', 'contract.md'), 'utf8')
const clauses: Clause[] = [
  ...page.matchAll(/^- \*\*(C-[A-Z]+-\d+)\*\* (.+) \*([^*]+)\*\n((?: {2}- .+\n)*)/gm),
].map(([, id = '', text = '', source = '', held = '']) => ({
  id,
  text,
  source: source.replace(', beyond', ''),
  heldBy: held.split('\n').filter((line) => line !== ''),
}))

const titles = testTitles(root)
const asLine = ({ file, title }: { file: string; title: string }) => `  - \`${file}\` ${title}`
const lines = new Set(titles.map(asLine))

/** The numbers of the rulings: the tests and the clauses name the same. */
const RULINGS = [...Array.from({ length: 40 }, (_, index) => `ruling ${index + 1}`), 'ruling 19a']

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
})

describe('a clause', () => {
  it.each(clauses.map((clause) => [clause.id, clause] as const))(
    '%s names tests that are there',
    (_, clause) => {
      expect(clause.heldBy).not.toEqual([])
      for (const line of clause.heldBy) expect(lines).toContain(line)
    },
  )
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

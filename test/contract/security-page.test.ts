/** docs/security.md names tests; they are there, under their titles. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testTitles } from '../../tools/docs/test-titles.ts'

const root = join(import.meta.dirname, '..', '..')
const page = readFileSync(join(root, 'docs', 'security.md'), 'utf8')
const section = (title: string) => page.split(/^## /m).find((text) => text.startsWith(title)) ?? ''
/** of a table: what it is about, and the test */
const rowsOf = (text: string) =>
  [...text.matchAll(/^\| ([AFV][A-Z]*\d+)\b.*\| `([^`]+)` (.+) \|$/gm)].map(
    ([, about = '', file = '', title = '']) => ({
      about,
      test: `${file} ${title}`,
    }),
  )
const top10 = rowsOf(section('OWASP API Security Top 10'))
const chapters = rowsOf(section('ASVS 5'))
const tried = rowsOf(section('Attacks and faults'))

it('every risk, attack and fault has a test, and every row of the tables one that exists', () => {
  const titles = new Set(testTitles(root).map(({ file, title }) => `${file} ${title}`))
  const named = [...top10, ...chapters, ...tried].map(({ test }) => test)
  expect(named.filter((test) => !titles.has(test))).toEqual([])
  expect(new Set(top10.map(({ about }) => about))).toEqual(
    new Set(Array.from({ length: 10 }, (_, n) => `API${n + 1}`)),
  )
  expect(chapters.length).toBeGreaterThan(10)
  const numbered = (letter: string, last: number) =>
    Array.from({ length: last }, (_, n) => `${letter}${n + 1}`)
  expect(new Set(tried.map(({ about }) => about))).toEqual(
    new Set([...numbered('A', 11), ...numbered('F', 9)]),
  )
})

it('no row of the tables is left unread', () => {
  expect(page.match(/^\| (A|API|F|V)\d+.*$/gm)?.length).toBe(top10.length + chapters.length + tried.length)
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { code } from './markdown.ts'
import { sourceOf, testTitles } from './test-titles.ts'

/** A test that holds a clause of the contract. */
export interface ClauseTest {
  readonly clause: string
  readonly file: string
  readonly title: string
}

/** The tests of each clause, from `tools/contract-tests.tsv`. */
export function clauseTests(): ClauseTest[] {
  const text = readFileSync(join(import.meta.dirname, '..', 'contract-tests.tsv'), 'utf8')
  const [, ...lines] = text.trimEnd().split('\n')
  return lines.map((line) => {
    const [clause = '', file = '', title = ''] = line.split('\t')
    return { clause, file, title }
  })
}

const link = (file: string, count: number) => `[${code(file)}](../${file})${count > 1 ? ` (${count})` : ''}`

/** The files with the tests of each clause. */
export function clauseTestsBlock(): string {
  const rows = [...Map.groupBy(clauseTests(), ({ clause }) => clause)].map(([clause, tests]) => {
    const files = [...Map.groupBy(tests, ({ file }) => file)].map(([file, { length }]) => link(file, length))
    return `| ${clause} | ${files.join(', ')} |`
  })
  return ['| clause | files, with their number of tests if several |', '|---|---|', ...rows].join('\n')
}

/** The files with tests that are named after the interface or a ruling, by that source. */
export function testsBlock(): string {
  const bySource = Map.groupBy(testTitles(join(import.meta.dirname, '..', '..')), ({ title }) =>
    sourceOf(title),
  )
  bySource.delete(undefined)
  const sources = [...bySource].sort(([a = ''], [b = '']) => a.localeCompare(b, 'en', { numeric: true }))
  const rows = sources.map(([source = '', tests]) => {
    const files = [...Map.groupBy(tests, ({ file }) => file)]
    const links = files.map(([file, { length }]) => `[${code(file)}](../${file}) (${length})`)
    return `| ${source} | ${links.join(', ')} |`
  })
  return ['| source | files, with their number of tests |', '|---|---|', ...rows].join('\n')
}

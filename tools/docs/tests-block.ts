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

/** The files of tests, each as a link, with their number if there are several. */
const links = (tests: readonly { readonly file: string }[]) =>
  [...Map.groupBy(tests, ({ file }) => file)]
    .map(([file, { length }]) => `[${code(file)}](../${file})${length > 1 ? ` (${length})` : ''}`)
    .join(', ')

const tableOf = (what: string, rows: Iterable<readonly [string, readonly { readonly file: string }[]]>) =>
  [
    `| ${what} | files, with their number of tests if several |`,
    '|---|---|',
    ...[...rows].map(([name, tests]) => `| ${name} | ${links(tests)} |`),
  ].join('\n')

/** The files with the tests of each clause. */
export const clauseTestsBlock = (): string =>
  tableOf(
    'clause',
    Map.groupBy(clauseTests(), ({ clause }) => clause),
  )

/** The files with tests that are named after the interface or a ruling, by that source. */
export function testsBlock(): string {
  const titles = testTitles(join(import.meta.dirname, '..', '..'))
  const named = [...Map.groupBy(titles, ({ title }) => sourceOf(title) ?? '')].filter(([name]) => name !== '')
  return tableOf(
    'source',
    named.toSorted(([a], [b]) => a.localeCompare(b, 'en', { numeric: true })),
  )
}

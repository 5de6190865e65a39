import { join } from 'node:path'
import { code } from './markdown.ts'
import { sourceOf, testTitles } from './test-titles.ts'

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

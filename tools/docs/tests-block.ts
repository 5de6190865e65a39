import { join } from 'node:path'
import { code } from './markdown.ts'
import { sourceOf, testTitles } from './test-titles.ts'

/** Every test that is named after the interface or a ruling, by that source. */
export function testsBlock(): string {
  const bySource = Map.groupBy(testTitles(join(import.meta.dirname, '..', '..')), ({ title }) =>
    sourceOf(title),
  )
  bySource.delete(undefined)
  const sources = [...bySource].sort(([a = ''], [b = '']) => a.localeCompare(b, 'en', { numeric: true }))
  return sources
    .map(([source = '', tests]) => {
      const byFile = Map.groupBy(tests, ({ file }) => file)
      const files = [...byFile].map(([file, titles]) => {
        const lines = titles.map(({ title }) => `  - ${title.slice(source.length + 2)}`)
        return [`- ${code(file)}`, ...lines].join('\n')
      })
      return `### ${source}\n\n${files.join('\n')}`
    })
    .join('\n\n')
}

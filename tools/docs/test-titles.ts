/** The titles of tests, read from their files without running them. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface TestTitle {
  /** from the root of the project, with forward slashes */
  readonly file: string
  /** as it is written, with its placeholders */
  readonly title: string
}

/**
 * A literal that is the first argument of `it`, `test` or `describe`, or of what one of their tables gives:
 * `it('title', …`, `it.each(…)('title', …`. A title that is computed is not seen.
 */
const TITLE =
  /(?:\b(?:it|test|describe)(?:\.\w+)*|\))\s*\(\s*(['"`])((?:\\.|(?!\1|\n).)+)\1\s*,\s*(?:async\b|\(|\w+\s*=>|\{)/g

export function testTitles(root: string): TestTitle[] {
  const files = globSync('test/**/*.test.ts', { cwd: root, exclude: ['**/node_modules/**'] }).map((file) =>
    file.replaceAll('\\', '/'),
  )
  return files.sort().flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return [...text.matchAll(TITLE)].map(([, , title = '']) => ({
      file,
      title: title.replaceAll(/\\(['"`])/g, '$1'),
    }))
  })
}

/** What a title says it holds: `interface`, or `ruling 19a`; undefined for a test that is named after neither. */
export function sourceOf(title: string): string | undefined {
  return /^(interface|ruling \d+[a-z]?)(?:, [^:]+)?: /.exec(title)?.[1]
}

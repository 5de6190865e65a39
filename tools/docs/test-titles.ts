/** The titles of tests, and what is below them, read from their files without running them. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface TestTitle {
  /** from the root of the project, with forward slashes */
  readonly file: string
  /** as it is written, with its placeholders */
  readonly title: string
  /** the text of the test, or of all tests of a group, from its title to its end */
  readonly body: string
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
    return [...text.matchAll(TITLE)].map((match) => ({
      file,
      title: (match[2] ?? '').replaceAll(/\\(['"`])/g, '$1'),
      body: bodyAt(text, match.index + match[0].search(/['"`]/)),
    }))
  })
}

/** To the line that closes what began on the title's line: files are formatted, so indentation tells. */
function bodyAt(text: string, title: number): string {
  const [first = '', ...others] = text.slice(text.lastIndexOf('\n', title) + 1).split('\n')
  const indent = first.search(/\S/)
  const end = others.findIndex((line) => {
    const at = line.search(/\S/)
    return at >= 0 && (at < indent || (at === indent && !/^(?:async\b|\(|\w+ =>)/.test(line.trim())))
  })
  return [first, ...others.slice(0, end < 0 ? undefined : end)].join('\n')
}

/** What a title says it holds: `interface`, or `ruling 19a`; undefined for a test that is named after neither. */
export function sourceOf(title: string): string | undefined {
  return /^(interface|ruling \d+[a-z]?)(?:, [^:]+)?: /.exec(title)?.[1]
}

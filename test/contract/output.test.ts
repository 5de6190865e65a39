/** Where the code writes to, and which patterns it builds. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const SRC = join(import.meta.dirname, '..', '..', 'src')
const FILES = globSync('**/*.ts', { cwd: SRC }).map((path) => ({
  path: path.replaceAll('\\', '/'),
  text: readFileSync(join(SRC, path), 'utf8'),
}))
const having = (pattern: RegExp) => FILES.filter(({ text }) => pattern.test(text)).map(({ path }) => path)

it('the service logs through its logger alone, and commands print through their context', () => {
  expect(FILES.length).toBeGreaterThan(400)
  expect(having(/\bconsole\.(log|info|warn|error|debug|trace)\(/)).toEqual([])
  expect(having(/\bprocess\.(stdout|stderr)\b/).filter((path) => !OUTPUTS.includes(path))).toEqual([])
})

/** Each is the program itself, or is written to by the program that it is a part of. */
const OUTPUTS = ['main.ts', 'parts/assistants/commands/mcp.ts', 'core/command-line/ending.ts']

/** Their patterns are constants of the code: a schema's, or a path's of an operation. */
const BUILT = [
  'core/answer/routes.ts',
  'core/intake/lines/csv-columns.ts',
  'core/intake/rejects/problems.ts',
  'core/records/fields/values.ts',
  'core/records/sources/schedule.ts',
  'core/request/text-parameters.ts',
]

it('no pattern is built from what was sent', () => {
  expect(having(/\bRegExp\(/).sort()).toEqual(BUILT)
})

/** What a package holds in place of the source: the same, line by line and column by column, without types. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { erased } from '../../tools/pack/erase-types.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const FILES = globSync(['src/**/*.ts', 'client/src/**/*.ts'], { cwd: ROOT })

it('keeps the position of everything that is left', () => {
  expect(FILES.length).toBeGreaterThan(200)
  for (const file of FILES) {
    const source = readFileSync(join(ROOT, file), 'utf8').split('\n')
    const lines = erased(source.join('\n')).split('\n')
    expect(lines.length, file).toBe(source.length)
    for (const [at, line] of lines.entries()) {
      // Letters of the text stand where they stood; what was a type is spaces now.
      const kept = [...line].every((letter, column) => /\s/.test(letter) || isSame(source[at], line, column))
      expect(kept, `${file}:${at + 1} ${line}`).toBe(true)
    }
  }
})

/** The same letter, but for `.js` where `.ts` was, and the semicolon that keeps two statements apart. */
function isSame(source: string | undefined, line: string, column: number): boolean {
  const before = source?.replaceAll(/\.ts(?=['"])/g, '.js') ?? ''
  return [...before][column] === [...line][column] || [...line][column] === ';'
}

it('imports only what is in the package', () => {
  for (const file of FILES) {
    const text = erased(readFileSync(join(ROOT, file), 'utf8'))
    expect(text, file).not.toMatch(/['"]\.{1,2}\/[^'"]*\.ts['"]/)
    for (const [, path = ''] of text.matchAll(/(?:\bfrom|\bimport\(|\bimport)\s*'(\.[^']+)'/g)) {
      const target = join(ROOT, dirname(file), path)
      expect(existsSync(target.replace(/\.js$/, '.ts')) || existsSync(target), `${file} → ${path}`).toBe(true)
    }
  }
})

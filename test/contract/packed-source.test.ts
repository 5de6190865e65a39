/** What a package holds in place of the source: the same, line by line and column by column, without types. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { erased } from '../../src/parts/console/erase-types.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const FILES = globSync(['src/**/*.ts', 'client/src/**/*.ts', 'console/src/**/*.ts'], { cwd: ROOT })

const packed = FILES.map((file) => {
  const source = readFileSync(join(ROOT, file), 'utf8')
  return { file, source, text: erased(source) }
})

it('keeps the position of everything that is left', () => {
  expect(packed.length).toBeGreaterThan(200)
  for (const { file, source, text } of packed) {
    const before = source.replaceAll(/\.ts(?=['"])/g, '.js').split('\n')
    const after = text.split('\n')
    expect(after.length, file).toBe(before.length)
    for (const [at, line] of after.entries()) {
      if (line === before[at]) continue
      const letters = [...(before[at] ?? '')]
      // A type is spaces now; a semicolon keeps two statements apart.
      const moved = [...line].findIndex(
        (letter, column) => !/[\s;]/.test(letter) && letter !== letters[column],
      )
      expect(moved, `${file}:${at + 1} ${line}`).toBe(-1)
    }
  }
})

it('imports only what is in the package', () => {
  for (const { file, text } of packed) {
    expect(text, file).not.toMatch(/['"]\.{1,2}\/[^'"]*\.ts['"]/)
    for (const [, path = ''] of text.matchAll(/(?:\bfrom|\bimport\(|\bimport)\s*'(\.[^']+)'/g)) {
      const target = join(ROOT, dirname(file), path)
      expect(existsSync(target.replace(/\.js$/, '.ts')) || existsSync(target), `${file} → ${path}`).toBe(true)
    }
  }
})

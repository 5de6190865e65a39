/**
 * The core alone, and the service without one part: in a copy, the part's folder and its lines in the two lists of parts are
 * deleted, with those of the parts that need it. Everything else compiles, and the command line works.
 */
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { partFolders } from '../../../tools/folders.ts'
import { removedWith } from '../removed-parts.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const run = promisify(execFile)
const parts = partFolders()
const copies: string[] = []

afterAll(() => {
  for (const copy of copies) rmSync(copy, { recursive: true })
})

/** @returns the folder of the copy */
function without(names: Iterable<string>): string {
  const copy = mkdtempSync(join(tmpdir(), 'sojourn-parts-'))
  copies.push(copy)
  for (const name of ['bin', 'src', 'client', 'console', 'package.json', 'tsconfig.json']) {
    cpSync(join(ROOT, name), join(copy, name), {
      recursive: true,
      filter: (file) => !file.includes('node_modules'),
    })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  for (const name of names) {
    rmSync(join(copy, 'src', 'parts', name), { recursive: true })
    for (const list of ['parts.ts', 'commands.ts']) removeLines(join(copy, 'src', list), name)
  }
  return copy
}

/** The lines that name the folder, and the one with what was imported from there. */
function removeLines(list: string, name: string): void {
  const text = readFileSync(list, 'utf8')
  const folder = `./parts/${name}/`
  const [, value = ''] = new RegExp(`^import \\{ (\\w+) \\} from '${folder}`, 'm').exec(text) ?? []
  const left = text.split('\n').filter((line) => !line.includes(folder) && line !== `  ${value},`)
  writeFileSync(list, left.join('\n'))
}

async function compiles(copy: string): Promise<void> {
  const config = join(copy, 'without-tests.json')
  writeFileSync(
    config,
    JSON.stringify({ extends: './tsconfig.json', include: ['src'], compilerOptions: { incremental: false } }),
  )
  const tsc = join(ROOT, 'node_modules', '.bin', 'tsc')
  const { stdout } = await run(tsc, ['-p', config], { cwd: copy }).catch((error) => error)
  expect(stdout).toBe('')
  const help = await run(process.execPath, [join(copy, 'bin', 'sojourn.js'), '--help'], { cwd: copy })
  expect(help.stdout).toContain('sojourn')
}

it('the core compiles without any part', async () => {
  await compiles(without(parts.map(({ name }) => name)))
})

it.each(['search', 'cells', 'webhooks'])('everything else compiles without %s', async (name) => {
  const removed = removedWith(name, parts)
  const copy = without(removed)
  expect(readdirSync(join(copy, 'src', 'parts'))).toHaveLength(parts.length - removed.size)
  await compiles(copy)
})

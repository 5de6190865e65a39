/** A copy of the source, in which a test adds what CONTRIBUTING.md describes. */
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '..', '..')
const run = promisify(execFile)

export class SourceCopy {
  readonly #folder = mkdtempSync(join(tmpdir(), 'sojourn-copy-'))
  /** the files that were edited or written by hand */
  readonly edited = new Set<string>()

  constructor() {
    for (const name of ['src', 'tools', 'docs', 'client', 'package.json', 'test/support', 'README.md']) {
      cpSync(join(ROOT, name), join(this.#folder, name), {
        recursive: true,
        filter: (file) => !file.includes('node_modules'),
      })
    }
    symlinkSync(join(ROOT, 'node_modules'), join(this.#folder, 'node_modules'))
  }

  /** Adds lines before a text that is in the file once. */
  add(file: string, before: string, lines: string): void {
    const path = join(this.#folder, file)
    const text = readFileSync(path, 'utf8')
    if (text.split(before).length !== 2) throw new Error(`${file} does not have once: ${before}`)
    this.edited.add(file)
    writeFileSync(
      path,
      text.replace(before, () => `${lines}\n${before}`),
    )
  }

  /** Writes a file that is not there yet. */
  create(file: string, text: string): void {
    const path = join(this.#folder, file)
    this.edited.add(file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text, { flag: 'wx' })
  }

  read(file: string): string {
    return readFileSync(join(this.#folder, file), 'utf8')
  }

  /** Writes a file anew. */
  replace(file: string, text: string): void {
    this.edited.add(file)
    writeFileSync(join(this.#folder, file), text)
  }

  /** What a program prints that runs in the copy. */
  async printed(program: string, env: NodeJS.ProcessEnv = {}): Promise<Record<string, unknown>> {
    const file = join(this.#folder, 'program.ts')
    writeFileSync(file, program)
    const { stdout } = await run(process.execPath, [file], {
      cwd: this.#folder,
      maxBuffer: 2 ** 24,
      env: { ...process.env, ...env },
    })
    return JSON.parse(stdout)
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true })
  }
}

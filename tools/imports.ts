/** Which file imports which, read from the text: the rules of folders and the choice of tests use the same reading. */
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'

/** The files that a text imports by a relative path: static and dynamic imports, and those of types. */
export function importedBy(file: string, text: string): string[] {
  return [...text.matchAll(/(?:\bfrom|\bimport\(|^import)\s*'(\.[^']+)'/gm)].map(([, path = '']) =>
    posix.normalize(posix.join(posix.dirname(file), path)),
  )
}

/** What Node loads with a file: neither types nor what is imported later. Packages are called by their names. */
export const loadedWith = (file: string, text: string): string[] =>
  [...text.matchAll(/^(?:import|export) (?!type )[^';]*?from '([^']+)'/gm)].map(([, path = '']) =>
    path.startsWith('.') ? posix.normalize(posix.join(posix.dirname(file), path)) : path,
  )

/** Reads each file once. Paths are relative to the folder that the process runs in. */
export class ImportGraph {
  readonly #texts = new Map<string, string>()
  readonly #imports = new Map<string, readonly string[]>()

  /** The text of a file; empty if there is none, as for an import of generated code. */
  textOf(file: string): string {
    let text = this.#texts.get(file)
    if (text === undefined) {
      try {
        text = readFileSync(file, 'utf8')
      } catch {
        text = ''
      }
      this.#texts.set(file, text)
    }
    return text
  }

  /** The files that a file imports. */
  importsOf(file: string): readonly string[] {
    let imports = this.#imports.get(file)
    if (imports === undefined) {
      imports = importedBy(file, this.textOf(file))
      this.#imports.set(file, imports)
    }
    return imports
  }

  /** A file and all files that it imports, directly or not, as far as `follows` says. */
  reachedFrom(file: string, follows: (file: string) => boolean = () => true): ReadonlySet<string> {
    const reached = new Set([file])
    for (const from of reached) {
      for (const to of this.importsOf(from)) if (follows(to)) reached.add(to)
    }
    return reached
  }

  /** Those of the files that need themselves, directly or through others, also if only for a type. */
  inCircle(files: readonly string[]): string[] {
    return files.filter((file) => this.importsOf(file).some((next) => this.reachedFrom(next).has(file)))
  }

  /** Everything that Node loads with a file, and the packages by their names. */
  loadedFrom(first: string): ReadonlySet<string> {
    const loaded = new Set([first])
    for (const file of loaded) {
      if (!file.endsWith('.ts')) continue
      for (const other of loadedWith(file, this.textOf(file))) loaded.add(other)
    }
    return loaded
  }
}

/**
 * The modules of the console: its first one, and those that it and they import. Types are erased, and each import names a
 * file next to them.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, extname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { erased } from './erase-types.ts'

export interface Module {
  /** its place below the folder of all, `console/src/main.js` */
  readonly name: string
  readonly text: string
}

/** What is between the quotes of `from '…'`, `import '…'` and `import('…')`, also in minified code. */
const IMPORTED = /\b(from|import\(?)(\s*["'])([^"'\s]+)(["'])/g
/** A line that begins so names a map, which is not served. */
const SOURCE_MAP = '//# sourceMappingURL='
const PACKAGES = `node_modules${sep}`

/** @param root the folder that holds `console/` and `client/`, as TypeScript or as JavaScript */
export function collectModules(root: string, entry: string): Module[] {
  const modules = new Map<string, Module>()
  const waiting = [join(root, entry)]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const [from, name] = [path, nameOf(root, path)]
    if (modules.has(name)) continue
    const text = javaScriptOf(from).replaceAll(IMPORTED, (whole, word, before, specifier, quote) => {
      const target = targetOf(from, specifier)
      if (target === undefined) return whole
      waiting.push(target)
      const to = relative(dirname(name), nameOf(root, target)).replaceAll(sep, '/')
      return `${word}${before}${to.startsWith('.') ? to : `./${to}`}${quote}`
    })
    modules.set(name, { name, text })
  }
  return [...modules.values()]
}

/** The text of a file without types. */
export function javaScriptOf(path: string): string {
  const source = readFileSync(path, 'utf8')
  if (/ts$/.test(extname(path))) return erased(source)
  const lines = source.split('\n')
  return lines.map((line) => (line.startsWith(SOURCE_MAP) ? '' : line)).join('\n')
}

/** @returns undefined for what is no import, such as words in a comment */
function targetOf(from: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) {
    // From here, not from the importing package: two copies of Preact render nothing and say nothing.
    return /^[@a-z]/.test(specifier) ? fileURLToPath(import.meta.resolve(specifier)) : undefined
  }
  const path = join(dirname(from), specifier)
  const source = path.replace(/js$/, 'ts')
  return existsSync(path) ? path : existsSync(source) ? source : undefined
}

/** Of a package, its place in it wherever it is installed. */
function nameOf(root: string, path: string): string {
  const own = relative(root, path)
  const at = path.lastIndexOf(PACKAGES)
  const isOwn = !own.startsWith('..') && !own.includes(PACKAGES)
  const place = isOwn ? own : path.slice(at + PACKAGES.length)
  return place.replaceAll(sep, '/').replace(/\.(?:ts|mjs)$/, '.js')
}

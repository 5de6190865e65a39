/**
 * `npm run pack`, in Sojourn's folder and in `client/`: Node strips no types below `node_modules`, so a package holds
 * JavaScript. Types become spaces, and `.ts` in the path of an import becomes `.js`: every line and column stays where
 * it is in the source, without a source map.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'

/** A path that begins with a dot: of an import, or of a file that is started as a thread. */
const OWN_PATH = /(['"]\.{1,2}\/[\w./-]+)\.ts(?=['"])/g

export const erased = (source: string): string => stripTypeScriptTypes(source).replaceAll(OWN_PATH, '$1.js')

/** Writes the folder anew: its TypeScript as JavaScript, everything else as it is. */
export function eraseFolder(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true })
  for (const name of readdirSync(from, { recursive: true, encoding: 'utf8' })) {
    const target = join(to, name)
    if (name.endsWith('.ts')) {
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(target.replace(/\.ts$/, '.js'), erased(readFileSync(join(from, name), 'utf8')))
    } else if (/\.\w+$/.test(name)) cpSync(join(from, name), target)
  }
}

if (import.meta.main) eraseFolder('src', 'dist')

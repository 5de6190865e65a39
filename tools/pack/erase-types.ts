/**
 * `npm run pack`, in Sojourn's folder and in `client/`: Node strips no types below `node_modules`, so a package holds
 * JavaScript. Types become spaces, and `.ts` in the path of an import becomes `.js`: every line and column stays where
 * it is in the source, without a source map.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { erased, withJavaScriptPaths } from '../../src/parts/console/erase-types.ts'

/** Its TypeScript as JavaScript, everything else as it is. */
function eraseFolder(from: string, to: string): void {
  for (const name of readdirSync(from, { recursive: true, encoding: 'utf8' })) {
    const target = join(to, name)
    if (name.endsWith('.ts')) {
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(target.replace(/\.ts$/, '.js'), erased(readFileSync(join(from, name), 'utf8')))
    } else if (/\.\w+$/.test(name)) cpSync(join(from, name), target)
  }
}

/** The declarations of a library, which import each other as the JavaScript does. */
function declare(project: string, to: string): void {
  const { status, stdout } = spawnSync('tsc', ['-p', project, '--outDir', to], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the declarations cannot be made: ${stdout}`)
  for (const name of readdirSync(to, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue
    const path = join(to, name)
    writeFileSync(path, withJavaScriptPaths(readFileSync(path, 'utf8')))
  }
}

/** Writes the JavaScript of the project in `root` to `dist`. */
export function eraseProject(root: string, dist: string): void {
  rmSync(dist, { recursive: true, force: true })
  eraseFolder(join(root, 'src'), dist)
  if (existsSync(join(root, 'console'))) {
    // What the browser loads, where the service looks for it.
    for (const folder of ['console', 'client/src', 'src/documents'])
      eraseFolder(join(root, folder), join(dist, 'browser', folder))
  }
}

if (import.meta.main) {
  eraseProject('.', 'dist')
  if (existsSync('tsconfig.build.json')) declare('tsconfig.build.json', 'dist')
}

/** Makes every file of the console from its source. */
import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { linkModules, type Script, withoutComments } from './link-modules.ts'
import { collectModules, javaScriptOf } from './modules.ts'

export interface ConsoleText {
  /** changes with every byte of what is served, and is in all addresses but the page's own */
  readonly version: string
  readonly scripts: readonly Script[]
  /** by name, `console.css`, `pages.css`, `icon.svg` and `words/de.json` */
  readonly others: ReadonlyMap<string, string>
  /** the service worker, a script that imports nothing */
  readonly worker: string
}

const PROJECT = join(import.meta.dirname, '..', '..', '..')
const EXTENSION = extname(import.meta.filename)
/** A package has the same as JavaScript, next to what the service runs. */
const ROOT = EXTENSION.endsWith('ts') ? PROJECT : join(PROJECT, 'dist', 'browser')
/** The page before signing in, which a slow line has at once. */
const FIRST_STYLES = ['base', 'frame', 'fields', 'states'] as const
/** In the order in which they overrule each other. Two of the first ones come again in their place. */
const PAGE_STYLES = [
  'meals',
  'today',
  'week',
  'rows',
  'sessions',
  'orders',
  'guest',
  'contradictions',
  'administration',
  'fields',
  'sources',
  'states',
  'import',
  'phones',
  'wall',
  'paper',
] as const
const ENTRY = 'console/src/main'
/** Asks for the words of the language. */
const AHEAD = 'console/src/base/spoken'
const WORKER = 'console/src/worker'
/** So that a browser can install the console as an application. */
const INSTALLED = ['manifest.webmanifest', 'icon.svg'] as const

/** In a thread of its own, because reading TypeScript takes a second and 35 MB, which end with it. */
export function makeConsole(): Promise<ConsoleText> {
  const thread = new Worker(new URL(import.meta.url), {
    workerData: { makes: 'console' },
    // What erases types is called an experiment.
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  return new Promise((resolve, reject) => {
    thread.on('message', resolve)
    thread.on('error', reject)
    thread.on('exit', (code) => reject(new Error(`the console was not made: its thread ended with ${code}`)))
  })
}

export function consoleText(): ConsoleText {
  const folder = join(ROOT, 'console')
  const styles = (names: readonly string[]) =>
    names
      .map((name) => withoutComments(readFileSync(join(folder, 'styles', `${name}.css`), 'utf8')))
      .join('\n')
  const others = new Map([
    ['console.css', styles(FIRST_STYLES)],
    ['pages.css', styles(PAGE_STYLES)],
  ])
  for (const name of INSTALLED) others.set(name, readFileSync(join(folder, name), 'utf8'))
  for (const name of readdirSync(join(folder, 'words')).sort()) {
    others.set(`words/${name}`, readFileSync(join(folder, 'words', name), 'utf8'))
  }
  const modules = collectModules(ROOT, ENTRY + EXTENSION)
  const scripts = linkModules(modules, { ahead: `${AHEAD}.js`, entry: `${ENTRY}.js` })
  const all = JSON.stringify([scripts, [...others]])
  const worker = javaScriptOf(join(ROOT, WORKER + EXTENSION))
  return { version: hash('sha256', all, 'hex').slice(0, 16), scripts, others, worker }
}

if (!isMainThread && workerData?.makes === 'console') parentPort?.postMessage(consoleText())

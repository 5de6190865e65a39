/**
 * `npm run structure -- [--at FOLDER]`: how large the source is and how much of it hangs together, as one table: of this
 * checkout, or of another one of the project, so that two versions are measured by the same rules.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { ImportGraph } from './imports.ts'

const { values } = parseArgs({
  options: { at: { type: 'string', default: join(import.meta.dirname, '..') } },
})
const ROOT = values.at
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const filesOf = (pattern: string) =>
  globSync(pattern, { cwd: ROOT }).map((file) => file.replaceAll('\\', '/'))

const SOURCE = filesOf('src/**/*.ts')
const CONSOLE = filesOf('console/src/**/*.ts')
const ALL = [...SOURCE, ...CONSOLE]

/** Without lines that are empty or only comment. */
const codeLines = (file: string): number =>
  read(file)
    .replaceAll(/^\s*\/\*[\s\S]*?\*\/\s*$/gm, '')
    .split('\n')
    .filter((line) => !/^\s*(\/\/.*)?$/.test(line)).length

const graph = new ImportGraph()
const isOwn = (file: string) => ALL.includes(file)

const foldersWith = (word: RegExp) =>
  new Set(ALL.filter((file) => word.test(read(file))).map((file) => dirname(file))).size

const largestFolder = [...Map.groupBy(ALL, (file) => posix.dirname(file))]
  .map(([folder, files]) => [folder, files.length] as const)
  .toSorted(([, a], [, b]) => b - a)

/** The files and functions of the project that ran. */
interface Ran {
  readonly files: number
  readonly functions: number
}

/** Of one request, counted by V8 in a demo of its own: the third of its kind, and one that the cache has answered before. */
async function ranIn(requests: readonly ((at: number) => string)[]): Promise<Ran[]> {
  const folder = mkdtempSync(join(tmpdir(), 'structure-'))
  const demo = spawn(process.execPath, ['--inspect=127.0.0.1:0', join(ROOT, 'bin', 'sojourn.js'), 'demo'], {
    env: { ...process.env, DATA_DIR: folder, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  try {
    let said = ''
    const found = (pattern: RegExp) => {
      const { promise, resolve } = Promise.withResolvers<string>()
      const look = () => {
        const text = pattern.exec(said)?.[0]
        if (text !== undefined) resolve(text)
      }
      for (const input of [demo.stdout, demo.stderr]) {
        createInterface({ input }).on('line', (line) => {
          said += `${line}\n`
          look()
        })
      }
      return promise
    }
    const [inspector, at, key] = await Promise.all([
      found(/ws:\/\/127\.0\.0\.1:\d+\/[\w-]+/),
      found(/http:\/\/(?:localhost|127\.0\.0\.1):\d+/),
      found(/sjn_key_\w+/),
    ])
    const socket = new WebSocket(inspector)
    await once(socket, 'open')
    let last = 0
    const call = async (method: string, params: object = {}) => {
      const id = ++last
      socket.send(JSON.stringify({ id, method, params }))
      for (;;) {
        const [{ data }] = await once(socket, 'message')
        const answer = JSON.parse(String(data))
        if (answer.id === id) return answer.result
      }
    }
    await call('Profiler.enable')
    await call('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    const ran: Ran[] = []
    for (const request of requests) {
      for (let n = 0; n < 4; n += 1) {
        await call('Profiler.takePreciseCoverage')
        const answer = await fetch(`${at}${request(n)}`, { headers: { authorization: `Bearer ${key}` } })
        if (!answer.ok) throw new Error(`${request(n)} was answered with ${answer.status}`)
        await answer.text()
      }
      const { result } = await call('Profiler.takePreciseCoverage')
      const counted = (result as Coverage[])
        .filter(
          ({ url }) => url.startsWith('file://') && url.includes('/src/') && !url.includes('/node_modules/'),
        )
        .map(({ functions }) => functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0).length)
        .filter((functions) => functions > 0)
      ran.push({ files: counted.length, functions: counted.reduce((sum, one) => sum + one, 0) })
    }
    socket.close()
    return ran
  } finally {
    demo.kill('SIGTERM')
    await once(demo, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Coverage {
  readonly url: string
  readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[]
}

const lines = (files: readonly string[]) => files.reduce((sum, file) => sum + codeLines(file), 0)
const [warm, cached] = await ranIn([
  (n) => `/v1/guests?startDate=2020-01-0${n + 1}&endDate=2040-01-01&length=10`,
  () => '/v1/guests?startDate=2020-01-01&endDate=2040-01-01&length=10',
])
const [flat = ['', 0]] = largestFolder
const rows: [string, string | number][] = [
  ['files of src', SOURCE.length],
  ['files of console', CONSOLE.length],
  ['lines of code of both', lines(ALL)],
  ['files that need themselves', graph.inCircle(ALL).length],
  ['files that `--version` loads', [...graph.loadedFrom('src/main.ts')].filter(isOwn).length],
  ['imports of src/app.ts', graph.importsOf('src/app.ts').length],
  ['files of the largest folder', `${flat[1]} (${flat[0]})`],
  ['folders with more than 25 files', largestFolder.filter(([, count]) => count > 25).length],
  ['folders with a webhook', foldersWith(/webhook/i)],
  ['folders with a contradiction', foldersWith(/contradiction/i)],
  ['folders with a sheet of the kitchen', foldersWith(/\b(?:day|week|meal)-?sheet/i)],
  ['files, functions of a warm read', `${warm?.files}, ${warm?.functions}`],
  ['files, functions of a cached read', `${cached?.files}, ${cached?.functions}`],
]
const width = Math.max(...rows.map(([name]) => name.length))
process.stdout.write(rows.map(([name, value]) => `${name.padEnd(width)}  ${value}\n`).join(''))

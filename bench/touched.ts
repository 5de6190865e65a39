/**
 * `npx node bench/touched.ts [--of FOLDER] [--database postgres] [--files]`: how many files and functions of `src/` run
 * for a request to each list: the first one of a service (cold), another page of the same kind (warm), and the same one
 * again (cached). Counted by V8's precise coverage, in the main thread; `--files` prints the files of the warm and the
 * cached request for guests, with their functions.
 */
import { parseArgs } from 'node:util'
import { addDays } from '../src/core/locale/dates.ts'
import { freePort } from '../test/support/free-port.ts'
import { type Bench, runAlone } from './support/bench.ts'
import { makeDemo } from './support/demo-versions.ts'
import { startNode } from './support/processes.ts'
import { serviceEnv, sojournOf } from './support/service.ts'

const { values } = parseArgs({
  options: {
    of: { type: 'string' },
    database: { type: 'string', default: 'folder' },
    files: { type: 'boolean' },
  },
})

/** V8's list of what has run since the last one. */
interface Coverage {
  readonly result: readonly {
    readonly url: string
    readonly functions: readonly {
      readonly functionName: string
      readonly ranges: readonly { readonly count: number }[]
    }[]
  }[]
}

/** The functions that ran, by file. */
type Touched = Map<string, readonly string[]>

/** A connection to the inspector of a process. */
async function inspect(port: number) {
  const list = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
    webSocketDebuggerUrl: string
  }[]
  const socket = new WebSocket(list[0]?.webSocketDebuggerUrl ?? '')
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  const waiting = new Map<number, (result: unknown) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result: unknown }
    if (id !== undefined) waiting.get(id)?.(result)
  })
  let last = 0
  const call = (method: string, params = {}) =>
    new Promise<unknown>((resolve) => {
      last += 1
      waiting.set(last, resolve)
      socket.send(JSON.stringify({ id: last, method, params }))
    })
  await call('Profiler.enable')
  await call('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  return {
    async touched() {
      const { result } = (await call('Profiler.takePreciseCoverage')) as Coverage
      const files = new Map<string, readonly string[]>()
      for (const { url: file, functions } of result) {
        const name = /\/src\/(.*)/.exec(file)?.[1]
        if (name === undefined || file.includes('node_modules')) continue
        const run = functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
        if (run.length > 0)
          files.set(
            name,
            run.map(({ functionName }) => functionName || '(no name)'),
          )
      }
      return files
    },
    close: () => socket.close(),
  }
}

const ROUNDS = 5

async function main(bench: Bench): Promise<void> {
  const today = new Date().toISOString().slice(0, 10)
  const demo = await makeDemo(bench, values.database, values.of, today)
  const around = (days: number) => `startDate=${addDays(today, -days)}&endDate=${addDays(today, days)}`
  // Each list with requests of the same kind, the first of which is the cold one.
  const lists: Readonly<Record<string, (at: number) => string>> = {
    guests: (at) => `/v1/guests?sessionId=session-0${1 + at}`,
    sessions: (at) => `/v1/sessions?${around(30 + at)}`,
    orders: (at) => `/v1/orders?${around(10 + at)}`,
    changes: (at) => `/v1/changes?length=${10 + at}`,
  }
  for (const [name, url] of Object.entries(lists)) {
    const port = await freePort()
    const started = await startNode(
      bench,
      [`--inspect=127.0.0.1:${port}`, ...sojournOf(values.of), 'serve'],
      serviceEnv({ ...(await demo.copy()), env: {} }),
      /listens on (http:\S+)/,
    )
    const inspector = await inspect(port)
    const ask = async (path: string) => {
      await new Promise((resolve) => setTimeout(resolve, 1500))
      await inspector.touched()
      const answer = await fetch(started.said + path, {
        headers: { authorization: `Bearer ${demo.keys.everything}` },
      })
      await answer.arrayBuffer()
      if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
      return inspector.touched()
    }
    const cold = await ask(url(0))
    const warm: Touched[] = []
    const cached: Touched[] = []
    for (let at = 1; at <= ROUNDS; at += 1) {
      warm.push(await ask(url(at)))
      cached.push(await ask(url(at)))
    }
    const few = (all: Touched[]) => all.sort((a, b) => functionsOf(a) - functionsOf(b))[2]
    const shown = { cold, warm: few(warm) ?? cold, cached: few(cached) ?? cold }
    const texts = Object.entries(shown).map(
      ([kind, files]) => `${kind} ${files.size} files ${functionsOf(files)} functions`,
    )
    console.log(`${values.database} ${name}: ${texts.join('; ')}`)
    if (values.files && name === 'guests') {
      for (const kind of ['warm', 'cached'] as const) {
        console.log(`${kind}:`)
        for (const [file, run] of [...shown[kind]].sort())
          console.log(`  ${run.length} ${file}: ${run.join(', ')}`)
      }
    }
    inspector.close()
    await started.stop()
  }
}

const functionsOf = (files: Touched) => [...files.values()].reduce((sum, { length }) => sum + length, 0)

await runAlone(main)

/**
 * `npx node bench/small-machine.ts [--deb FILE.deb] [--mb 384] [--seconds 120] [--rate 20] [FILE.ndjson[.gz]]`: the service of a Debian package on
 * the database of a folder, in a control group of so much memory. Prints what a first start takes, and what a desk is answered, at a
 * steady rate, while FILE is imported; without FILE, 75,000 records of the desk's own center are. Without --deb, this checkout runs.
 * The command that imports is outside of the group, as it is outside of the service's group under systemd. Needs root and Linux.
 * Exits with 1 if a request was refused, if the system ended the service, or if a target was missed.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { NODE_FLAGS } from '../test/support/command.ts'
import { keysCreate } from './support/commands.ts'
import { ControlGroup } from './support/control-group.ts'
import { FIRST_DAY } from './support/make-data-sql.ts'
import { cpuMicros, outputOf, residentMb } from './support/processes.ts'
import { pick, randomBelow } from './support/random.ts'
import { CENTER, writeRecords } from './support/records.ts'
import { ALLOCATOR } from './support/service.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    deb: { type: 'string' },
    mb: { type: 'string', default: '384' },
    seconds: { type: 'string', default: '120' },
    rate: { type: 'string', default: '20' },
  },
})
/** What the center has before the import, and what is imported by default. */
const RECORDS = { before: 10_000, imported: 75_000 }
const START = { secondsMax: 2, mbMax: 250 }
/** The import begins when the desk has read for a while. */
const QUIET_MS = 10_000

const home = mkdtempSync(join(tmpdir(), 'sojourn-small-'))
const group = new ControlGroup(Number(values.mb))
const dataDir = join(home, 'data')
let service: ChildProcess | undefined

/** Node and the program that it runs: those of the package, or of this checkout. */
async function program(): Promise<readonly string[]> {
  if (values.deb === undefined) {
    return [process.execPath, ...NODE_FLAGS, join(import.meta.dirname, '..', 'bin', 'sojourn.js')]
  }
  const unpacked = join(home, 'package')
  mkdirSync(unpacked)
  await outputOf('dpkg-deb', ['--extract', values.deb, unpacked], { PATH: process.env.PATH ?? '' })
  const own = join(unpacked, 'usr/lib/sojourn')
  return [join(own, 'node_modules/.bin/node'), ...NODE_FLAGS, join(own, 'bin/sojourn.js')]
}

const env = {
  ...ALLOCATOR,
  PATH: process.env.PATH ?? '',
  NODE_ENV: 'production',
  DATA_DIR: dataDir,
  PORT: '0',
  LOG_LEVEL: 'error',
}

/** Starts the service within the group. */
async function serve(command: readonly string[]) {
  const began = performance.now()
  // The shell enters the group before it becomes the service, so that everything it takes is counted.
  const enter = `echo $$ > ${group.processes} && exec "$0" "$@"`
  const child = spawn('sh', ['-c', enter, ...command, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  service = child
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const ended = once(child, 'close')
  for (;;) {
    const url = /listens on (http:\S+)/.exec(said)?.[1]
    if (url !== undefined)
      return { url, pid: child.pid ?? 0, ended, child, seconds: (performance.now() - began) / 1000 }
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the service ended: ${said}`)
    await wait(5)
  }
}

/** Pages that are open, others, files, reports, orders and a search, as a desk reads them. */
function desk(sessions: number): () => string {
  const open = Array.from({ length: 5 }, () => `/v1/guests?sessionId=${randomBelow(sessions)}`)
  const day = () => Temporal.PlainDate.from(FIRST_DAY).add({ days: randomBelow(300) })
  const kinds: (() => string)[] = [
    ...Array.from({ length: 5 }, () => () => pick(open)),
    () => `/v1/guests?sessionId=${randomBelow(sessions)}&length=${41 + randomBelow(60)}`,
    () => `/v1/guests?startDate=${day()}&endDate=${day().add({ days: 400 })}&length=50`,
    // One file in two seconds: an application may have two streams at a time.
    () => `/v1/guests?sessionId=${randomBelow(sessions)}${randomBelow(4) === 0 ? '&format=csv' : ''}`,
    () => `/v1/guests/meal-skipping-report?sessionId=${randomBelow(sessions)}`,
    () => {
      const first = day()
      return `/v1/orders?startDate=${first}&endDate=${first.add({ days: 7 })}`
    },
    () => `/v1/search?q=${1000 + randomBelow(sessions * 40)}`,
  ]
  return () => pick(kinds)()
}

interface Answered {
  readonly status: number | string
  readonly ms: number
  readonly isDuring: boolean
}

async function read(url: string, apiKey: string): Promise<Omit<Answered, 'isDuring'>> {
  const began = performance.now()
  const status = await fetch(url, { headers: { authorization: `Bearer ${apiKey}` } }).then(
    async (answer) => {
      const text = await answer.text()
      return answer.ok ? answer.status : `${answer.status} (${JSON.parse(text).error.code})`
    },
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  return { status, ms: performance.now() - began }
}

function print(what: string, value: string | number, ok = true): void {
  console.log(`${ok ? ' ' : '✗'} ${what.padEnd(52)} ${value}`)
  if (!ok) process.exitCode = 1
}

const percentile = (sorted: readonly number[], share: number) =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)

function printAnswers(when: string, answers: readonly Answered[]): void {
  const times = answers.map(({ ms }) => ms).sort((one, other) => one - other)
  const refused = answers.filter(({ status }) => status !== 200)
  print(
    `${when}: answers`,
    `${answers.length}, p50 ${percentile(times, 0.5)} ms, p99 ${percentile(times, 0.99)} ms, longest ${percentile(times, 1)} ms`,
  )
  const kinds = [...Map.groupBy(refused, ({ status }) => status)].map(
    ([status, all]) => `${all.length} × ${status}`,
  )
  print(`${when}: refused`, kinds.join(', ') || 0, refused.length === 0)
}

async function measure(): Promise<void> {
  const command = await program()
  const sojourn = (args: readonly string[]) => outputOf(command[0] ?? '', [...command.slice(1), ...args], env)
  if (values.deb === undefined) {
    // What Node compiles is in the cache, as in a package.
    await outputOf(command[0] ?? '', [...command.slice(1), 'migrate'], {
      ...env,
      DATA_DIR: join(home, 'warm'),
    })
  }
  const first = await serve(command)
  const memory = residentMb(first.pid)
  print('first start, s', first.seconds.toFixed(2), first.seconds <= START.secondsMax)
  print('its CPU, s', (cpuMicros(first.pid) / 1e6).toFixed(2))
  const all = group.allProcessesMb()
  print('memory of all its processes, MB', all.toFixed(0), all <= START.mbMax)
  print('… of the service, most resident', memory.peak.toFixed(0))
  print('… of the group, with the cache of files', group.mostMb().toFixed(0))

  const before = join(home, 'before.ndjson')
  const sessions = await writeRecords(before, RECORDS.before)
  await sojourn(['import', before])
  // Four people: a key may search 60 times a minute.
  const apiKeys: string[] = []
  for (const name of ['desk', 'kitchen', 'doctor', 'office']) {
    const args = keysCreate(CENTER, name, ['--scopes', 'guests,meals,orders,sessions'])
    apiKeys.push(JSON.parse(await sojourn(args)).apiKey)
  }
  let file = positionals[0]
  if (file === undefined) {
    file = join(home, 'imported.ndjson')
    await writeRecords(file, RECORDS.imported)
  }

  const next = desk(sessions)
  const answers: Promise<Answered>[] = []
  const state = { isImporting: false }
  const imported = wait(QUIET_MS).then(async () => {
    const began = performance.now()
    state.isImporting = true
    const said = await sojourn(['import', resolve(file)])
    state.isImporting = false
    return { said, seconds: (performance.now() - began) / 1000 }
  })
  const cpu = cpuMicros(first.pid)
  const began = performance.now()
  const count = Number(values.seconds) * Number(values.rate)
  for (let n = 0; n < count && first.child.exitCode === null && first.child.signalCode === null; n++) {
    // Steady, whatever the answers take.
    await wait(Math.max(0, began + (n * 1000) / Number(values.rate) - performance.now()))
    const isDuring = state.isImporting
    answers.push(read(first.url + next(), pick(apiKeys)).then((answer) => ({ ...answer, isDuring })))
  }
  const answered = await Promise.all(answers)
  const { said, seconds } = await imported
  printAnswers(
    'beside the import',
    answered.filter(({ isDuring }) => isDuring),
  )
  printAnswers(
    'before and after',
    answered.filter(({ isDuring }) => !isDuring),
  )
  print('the import, s', seconds.toFixed(1))
  print('…', said.trim().split('\n').at(-1) ?? '')
  print('CPU of the service in all, s', ((cpuMicros(first.pid) - cpu) / 1e6).toFixed(1))
  print('most resident memory, MB', residentMb(first.pid).peak.toFixed(0))
  print(`most of the group of ${values.mb} MB, with the cache of files`, group.mostMb().toFixed(0))
  print('ended by the system for memory', group.outOfMemory(), group.outOfMemory() === 0)
  first.child.kill('SIGTERM')
  await first.ended
}

try {
  await measure()
} finally {
  service?.kill('SIGKILL')
  if (service !== undefined && service.exitCode === null && service.signalCode === null)
    await once(service, 'close')
  group.remove()
  rmSync(home, { recursive: true, force: true })
}

/**
 * `npm run bench -- [NAME…]`: measurements, one after the other; all of them without a name.
 * `npm run bench -- profile NAME`: where a measurement's service spends its time.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { abusers } from './measurements/abusers.ts'
import { amongEngines } from './measurements/among-engines.ts'
import { attacks } from './measurements/attacks.ts'
import { changes } from './measurements/changes.ts'
import { consoleView } from './measurements/console.ts'
import { contradictions } from './measurements/contradictions.ts'
import { cost } from './measurements/cost.ts'
import { files } from './measurements/files.ts'
import { fire } from './measurements/fire.ts'
import { firstRead } from './measurements/first-read.ts'
import { folder } from './measurements/folder.ts'
import { importing } from './measurements/import.ts'
import { live } from './measurements/live.ts'
import { longImports } from './measurements/long-imports.ts'
import { longMemory } from './measurements/long-memory.ts'
import { memory } from './measurements/memory.ts'
import { memoryLimit } from './measurements/memory-limit.ts'
import { mixed } from './measurements/mixed.ts'
import { pages } from './measurements/pages.ts'
import { peace } from './measurements/peace.ts'
import { protections } from './measurements/protections.ts'
import { refusals } from './measurements/refusals.ts'
import { repeatedRead } from './measurements/repeated-read.ts'
import { replicas } from './measurements/replicas.ts'
import { revocation } from './measurements/revocation.ts'
import { search } from './measurements/search.ts'
import { singleWrites } from './measurements/single-writes.ts'
import { size } from './measurements/size.ts'
import { slowPhone } from './measurements/slow-phone.ts'
import { slowReaders } from './measurements/slow-readers.ts'
import { start } from './measurements/start.ts'
import { trail } from './measurements/trail.ts'
import { type Bench, BenchFailed, isMet, type Measurement } from './support/bench.ts'
import { startServer } from './support/database.ts'
import { load, machineFacts, postgresFacts } from './support/machine.ts'
import { printProfiles } from './support/profile.ts'
import { keepResult, printTable } from './support/report.ts'
import { requireWrk } from './support/wrk.ts'

/** In the order of the README. */
const MEASUREMENTS: readonly Measurement[] = [
  repeatedRead,
  firstRead,
  amongEngines,
  pages,
  size,
  search,
  importing,
  changes,
  contradictions,
  singleWrites,
  live,
  memory,
  memoryLimit,
  longMemory,
  files,
  longImports,
  start,
  consoleView,
  slowPhone,
  folder,
  cost,
  protections,
  mixed,
  fire,
  revocation,
  replicas,
  refusals,
  peace,
  abusers,
  attacks,
  slowReaders,
  trail,
]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'boolean' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
    bookings: { type: 'string', default: '1000000' },
    entries: { type: 'string', default: '10000000' },
    against: { type: 'string' },
    engine: { type: 'string' },
    abuses: { type: 'string' },
    kinds: { type: 'string' },
  },
})

type Cleanups = (() => unknown)[]

async function undo(cleanups: Cleanups): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
}

async function main(): Promise<void> {
  if (values.list) {
    for (const { name, title } of MEASUREMENTS) console.log(`${name.padEnd(16)}${title}`)
    return
  }
  const isProfile = positionals[0] === 'profile'
  const chosen = choose(isProfile ? positionals.slice(1) : positionals)
  if (isProfile && chosen.length !== 1) throw new BenchFailed('profile takes one measurement')
  requireWrk()

  const ofTheRun: Cleanups = []
  let server: Promise<string> | undefined
  const serverUrl = () => {
    server ??= (async () => {
      const given = process.env.BENCH_DATABASE_URL
      if (given !== undefined && given !== '') return given
      const started = await startServer()
      ofTheRun.push(() => started.stop())
      return started.url
    })()
    return server
  }
  const profileFolder = isProfile ? mkdtempSync(join(tmpdir(), 'sojourn-profile-')) : undefined
  try {
    for (const measurement of chosen) await measure(measurement, serverUrl, profileFolder)
  } finally {
    await undo(ofTheRun)
  }
  if (profileFolder !== undefined) printProfiles(profileFolder)
}

function choose(names: readonly string[]): readonly Measurement[] {
  if (names.length === 0) return MEASUREMENTS
  return names.map((name) => {
    const found = MEASUREMENTS.find((measurement) => measurement.name === name)
    if (found === undefined) throw new BenchFailed(`there is no measurement ${name}; see --list`)
    return found
  })
}

async function measure(
  measurement: Measurement,
  serverUrl: () => Promise<string>,
  profileFolder: string | undefined,
): Promise<void> {
  console.log(`\n${measurement.name}: ${measurement.title} (load ${load()})`)
  const cleanups: Cleanups = []
  const facts = machineFacts()
  const bench: Bench = {
    rounds: Number(values.rounds),
    roundSeconds: Number(values.seconds),
    bookings: Number(values.bookings),
    entries: Number(values.entries),
    against: values.against,
    engine: values.engine,
    abuses: values.abuses?.split(','),
    kinds: values.kinds?.split(','),
    profileFolder,
    log: (line) => console.log(`  · ${line}`),
    afterwards: (work) => cleanups.push(work),
    async serverUrl() {
      const url = await serverUrl()
      facts.postgres ??= await postgresFacts(url)
      return url
    },
  }
  try {
    const figures = await measurement.run(bench)
    facts.loadAfter = load()
    printTable(figures)
    // A profiler slows what it watches: such figures are not retained.
    if (profileFolder === undefined) {
      console.log(
        `  load ${facts.loadBefore} → ${facts.loadAfter}; ${keepResult(measurement, facts, figures)}`,
      )
    }
    if (figures.some((figure) => isMet(figure) === false)) process.exitCode = 1
  } finally {
    await undo(cleanups)
  }
}

try {
  await main()
} catch (error) {
  if (!(error instanceof BenchFailed)) throw error
  console.error(`The bench failed: ${error.message}`)
  process.exitCode = 2
}

/**
 * `npx node bench/power-cuts.ts [--cuts 30] [--kills 45]`: cuts the power under the database of a folder while it writes,
 * and looks for every commit that it had acknowledged.
 *
 * The database is on an ext4 image of its own. A cut is the kernel's own: the file system takes nothing more from one
 * moment on and writes nothing that it still held in memory (FS_IOC_SHUTDOWN, without its log). What was never synced
 * is gone then, as when the plug is pulled. Before every second cut random pages of random files are written to the
 * disk out of their order, as a kernel may at any time. Needs root, loop devices and perl.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import sql from 'sql-template-tag'
import { openDatabase } from '../src/core/database/open.ts'
import { Disk, requireDisks } from './support/disk.ts'

const { values } = parseArgs({
  options: { cuts: { type: 'string', default: '30' }, kills: { type: 'string', default: '45' } },
})

const IMAGE_MB = 2048
/** How long the writer writes before the cut. */
const WRITING_MS = { min: 300, max: 4000 }

const writers = new Set<ChildProcess>()

interface Writer {
  readonly process: ChildProcess
  readonly acknowledged: Set<number>
  readonly said: string[]
  readonly isOpen: Promise<boolean>
  readonly ended: Promise<unknown>
}

function startWriter(dataDir: string, from: number): Writer {
  const child = spawn(
    process.execPath,
    [new URL('./support/writer-server.ts', import.meta.url).pathname, dataDir, String(from)],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  writers.add(child)
  const acknowledged = new Set<number>()
  const said: string[] = []
  const opened = Promise.withResolvers<boolean>()
  createInterface(child.stdout).on('line', (line) => {
    if (line === 'open') return opened.resolve(true)
    const [first, last] = line.split(' ').map(Number)
    if (first === undefined || last === undefined) return
    for (let n = first; n <= last; n++) acknowledged.add(n)
  })
  createInterface(child.stderr).on('line', (line) => said.push(line))
  child.on('exit', () => {
    writers.delete(child)
    opened.resolve(false)
  })
  return { process: child, acknowledged, said, isOpen: opened.promise, ended: once(child, 'close') }
}

async function numbersIn(dataDir: string): Promise<{ numbers: Set<number>; ms: number }> {
  const started = performance.now()
  const database = await openDatabase(
    { databaseUrl: undefined, databasePoolSize: 1, dataDir },
    { purpose: 'command' },
  )
  const ms = Math.round(performance.now() - started)
  try {
    const rows = await database.queryArrays(sql`select n from cuts`)
    return { numbers: new Set(rows.map(([n]) => Number(n))), ms }
  } finally {
    await database.close()
  }
}

type Way = 'cut' | 'cut after random write-back' | 'kill -9'

/** @returns what was lost and whether it opened, over all rounds of one way */
async function test(disk: Disk, dataDir: string, way: Way, known: Set<number>): Promise<Round> {
  const writer = startWriter(dataDir, known.values().reduce((most, n) => Math.max(most, n), -1) + 1)
  if (!(await writer.isOpen))
    return { way, opened: false, why: writer.said.at(-1) ?? '?', acknowledged: 0, lost: 0 }
  await wait(WRITING_MS.min + Math.random() * (WRITING_MS.max - WRITING_MS.min))
  if (way === 'kill -9') {
    writer.process.kill('SIGKILL')
    await writer.ended
  } else {
    if (way !== 'cut') disk.writeBackSome(dataDir)
    disk.cut()
    await wait(50)
    writer.process.kill('SIGKILL')
    await writer.ended
    disk.unmount()
    disk.mount()
  }
  for (const n of writer.acknowledged) known.add(n)
  try {
    const { numbers, ms } = await numbersIn(dataDir)
    const lost = [...known].filter((n) => !numbers.has(n)).length
    // What was written and not acknowledged may be there: from now on it has to stay.
    for (const n of numbers) known.add(n)
    return { way, opened: true, acknowledged: writer.acknowledged.size, lost, ms }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { way, opened: false, why, acknowledged: writer.acknowledged.size, lost: 0 }
  }
}

interface Round {
  readonly way: Way
  readonly opened: boolean
  readonly why?: string
  /** commits' rows that were acknowledged in this round */
  readonly acknowledged: number
  /** of this round and all before */
  readonly lost: number
  readonly ms?: number
}

requireDisks('NO POWER WAS CUT, and nothing is known of durability')
const disk = new Disk(IMAGE_MB)
const dataDir = join(disk.place, 'data')
const known = new Set<number>()
const rounds: Round[] = []
const ways: Way[] = [
  ...Array.from(
    { length: Number(values.cuts) },
    (_, n): Way => (n % 2 ? 'cut after random write-back' : 'cut'),
  ),
  ...Array.from({ length: Number(values.kills) }, (): Way => 'kill -9'),
]
try {
  for (const way of ways) {
    const round = await test(disk, dataDir, way, known)
    rounds.push(round)
    console.log(
      `${rounds.length} ${way}: ${round.opened ? `opened in ${round.ms} ms` : `NOT OPENED: ${round.why}`}; ${round.acknowledged} rows acknowledged, ${round.lost} of ${known.size} lost`,
    )
    if (!round.opened) break
  }
} finally {
  for (const writer of writers) writer.kill('SIGKILL')
  disk.remove()
}
for (const way of new Set(ways)) {
  const of = rounds.filter((round) => round.way === way)
  const sum = (key: 'acknowledged' | 'lost') => of.reduce((total, round) => total + round[key], 0)
  console.log(
    `${way}: ${of.length} times, ${of.filter((round) => !round.opened).length} refused to open, ${sum('lost')} of ${sum('acknowledged')} rows lost`,
  )
}
if (rounds.length < ways.length || rounds.some((round) => !round.opened || round.lost > 0))
  process.exitCode = 1

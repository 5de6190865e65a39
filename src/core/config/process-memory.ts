/**
 * Everything by which Sojourn changes how Node and V8 use memory. The figures are in bench/README.md and
 * bench/history.md, the reasons in docs/decisions.md. Four flags can only be set on Node's command line: `bin/sojourn.js`
 * explains them. What is set of the C library is in the environment of a service (deploy/sojourn.service, Dockerfile).
 * test/contract/node-flags.test.ts compares every way to start the command.
 */
import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Of the live heap at the last full collection. */
const HEAP_GROWTH_PERCENT = 40

/**
 * By default, V8 lets a heap with 28 MB of live data grow to four times that before it collects it. A service that
 * reads for many centers allocates all the time, so its heap would stay at that size. When collected at 1.4 times, it
 * is 60 MB smaller; a first read costs up to a tenth more CPU, a repeated one no more.
 */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`)
}

let collector: (() => void) | undefined

/**
 * @returns a function that collects all garbage of this thread, in about 50 ms. V8 exposes it only to a context created
 * after the flag is set, which is created once.
 */
export function garbageCollector(): () => void {
  collector ??= exposed()
  return collector
}

function exposed(): () => void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  return () => {
    if (typeof collect === 'function') collect()
  }
}

/** The memory that the process may have, if its control group gives it less than the machine has. */
export function memoryGiven(): number | undefined {
  const given = process.constrainedMemory()
  return given === 0 || given >= totalmem() ? undefined : given
}

/** Of the files of programs and libraries, what is read all the time: with less than that, a process hardly advances. */
const HOT_FILES_BYTES = 32 * 1024 * 1024

/**
 * Bytes that the process needs. Of 70 MB of programs and libraries that are resident, the system can take most back, and reads
 * them again from their files when they are needed. Where it does not count them apart, all resident memory.
 */
export function neededBytes(): number {
  const ofFiles = bytesIn('/proc/self/status', 'RssFile') ?? 0
  return process.memoryUsage.rss() - Math.max(0, ofFiles - HOT_FILES_BYTES)
}

/** Bytes that another process has beyond the files of programs, which the system can take back; 0 where it does not say it. */
export const ownBytes = (pid: number): number => bytesIn(`/proc/${pid}/status`, 'RssAnon') ?? 0

/** Bytes that the process may still take: of its control group and of the machine, whichever has less. */
export function freeBytes(): number {
  const used = neededBytes()
  return Math.max(
    0,
    Math.min(
      (memoryGiven() ?? totalmem()) - used,
      bytesIn('/proc/meminfo', 'MemAvailable') ?? totalmem() - used,
    ),
  )
}

/** What a file of the system says of its memory; undefined where it does not, as in a service that sees no such files. */
function bytesIn(file: string, name: string): number | undefined {
  try {
    const line = readFileSync(file, 'utf8')
      .split('\n')
      .find((one) => one.startsWith(`${name}:`))
    return line === undefined ? undefined : Number.parseInt(line.slice(name.length + 1), 10) * 1024
  } catch {
    return undefined
  }
}

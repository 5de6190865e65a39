/**
 * Everything by which Sojourn changes how Node, V8 and the C library use memory. The figures are in bench/README.md and
 * bench/history.md, the reasons in docs/decisions.md. Four flags can only be set on Node's command line: `bin/sojourn.js`
 * explains them, and test/contract/node-flags.test.ts compares every way to start the command.
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

const LOOK_EVERY_MS = 5000
/** Less than a long answer takes. */
const GROWN_BYTES = 8 * 1024 * 1024
/** A minute: what is freed later does not show as growth. */
const LOOKS_PER_TRIM_MAX = 12
/** glibc's own default. Once it is set, glibc no longer raises it. */
const THRESHOLD_BYTES = 128 * 1024
/** `M_TRIM_THRESHOLD` of `malloc.h` */
const TRIM_THRESHOLD = -1

/**
 * Gives freed memory back from now on, without holding the process open.
 *
 * glibc keeps much of what was freed: of 45 MB it held for a service that had just started, 11 MB were in use, and of
 * 84 MB after reads for many centers 36. Node's threads have arenas of their own, whose ends glibc gives back above a
 * threshold that it raises up to 64 MB by itself, and whose gaps it gives back when `malloc_trim` is called. Nobody is
 * answered while it is, for 5 ms in quiet and up to 70 under load, and what is in use again at once costs page faults. So it
 * is not called where there is little to gain. Other C libraries and systems have no such functions, and there nothing is
 * done.
 *
 * @returns ends that
 */
export function returnFreedMemory(): () => void {
  const allocator = findAllocator()
  if (allocator === undefined) return () => {}
  allocator.keepAtMost(THRESHOLD_BYTES)
  const timer = setInterval(trimIfGrown(allocator, process.memoryUsage.rss), LOOK_EVERY_MS).unref()
  return () => clearInterval(timer)
}

/**
 * @param resident memory of the process now, in bytes
 * @returns looks, and trims if the process has grown beyond what it had before it was last trimmed, or has not been trimmed
 * for twelve looks. What it needs again after a trim is no growth: under lists of orders it was trimmed every five seconds
 * for it, and had as much memory at most.
 */
export function trimIfGrown({ trim }: Pick<Allocator, 'trim'>, resident: () => number): () => void {
  let before = 0
  let looks = LOOKS_PER_TRIM_MAX
  return () => {
    looks += 1
    const now = resident()
    if (looks < LOOKS_PER_TRIM_MAX && now - before < GROWN_BYTES) return
    before = now
    looks = 0
    trim()
  }
}

interface Allocator {
  /** The free end of an arena that is longer than so many bytes is given back at once. */
  keepAtMost(bytes: number): void
  /** Gives back whole pages that are free. @returns whether there were any */
  trim(): boolean
}

/** @returns undefined where the process has another allocator than glibc's */
export function findAllocator(): Allocator | undefined {
  // Node warns that its interface to C libraries may change. Users cannot act on that, and the runtime is pinned.
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    const { functions } = process.getBuiltinModule('node:ffi').dlopen(null, {
      mallopt: { arguments: ['i32', 'i32'], return: 'i32' },
      malloc_trim: { arguments: ['u64'], return: 'i32' },
    })
    return {
      keepAtMost: (bytes) => void functions.mallopt(TRIM_THRESHOLD, bytes),
      trim: () => functions.malloc_trim(0n) === 1,
    }
  } catch {
    return undefined
  } finally {
    process.emitWarning = emitWarning
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

/**
 * Loaded into a service before its own code: how long the thread that answers computes without a break. It is measured by the CPU
 * time of that thread, so that other programs on the machine make no difference; the delay of the event loop is what its clients wait.
 * SIGUSR2 writes to `LOOP_WATCH_FILE` what was since the signal before.
 */
import { renameSync, writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

/** What a service says of its answering thread. */
export interface LoopWatch {
  /** most CPU time between two looks, in ms */
  readonly sliceMs: number
  /** longest delay of a timer, in ms, also where other programs had the CPU */
  readonly delayMs: number
}

const LOOK_EVERY_MS = 5
const file = process.env.LOOP_WATCH_FILE

const cpuMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

// Threads and processes that the service starts load it too, and are not asked.
if (file !== undefined && isMainThread) {
  const delays = monitorEventLoopDelay({ resolution: LOOK_EVERY_MS })
  delays.enable()
  let [before, sliceMs] = [cpuMs(), 0]
  setInterval(() => {
    const now = cpuMs()
    sliceMs = Math.max(sliceMs, now - before)
    before = now
  }, LOOK_EVERY_MS).unref()
  process.on('SIGUSR2', () => {
    const watch: LoopWatch = { sliceMs, delayMs: delays.max / 1e6 }
    sliceMs = 0
    delays.reset()
    writeFileSync(`${file}.part`, JSON.stringify(watch))
    renameSync(`${file}.part`, file)
  })
}

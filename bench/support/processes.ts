/** Starts processes for measurements, and reads what the kernel knows of them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type Bench, BenchFailed } from './bench.ts'

/** Linux counts CPU time in hundredths of a second. */
const TICK_MICROS = 10_000

/** CPU time of a process with all its threads so far, in µs. */
export const cpuMicros = (pid: number): number => ticksOf(pid).own * TICK_MICROS

/** The same for a process with one thread, with nanosecond precision. */
export const exactCpuMicros = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1000

/** The same for a process whose threads all live as long as it does. */
export const exactCpuMicrosOfThreads = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + exactCpuMicros(Number(thread)), 0)

/** CPU time of a process with its running and ended children, in µs. */
export function cpuMicrosWithChildren(pid: number): number {
  let ticks = 0
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const { parent, own, ended } = ticksOf(Number(name))
      if (name === String(pid)) ticks += own + ended
      else if (parent === pid) ticks += own
    } catch {
      // It has ended in the meantime.
    }
  }
  return ticks * TICK_MICROS
}

/** The parent's process number. */
export const parentOf = (pid: number): number => ticksOf(pid).parent

function ticksOf(pid: number): { parent: number; own: number; ended: number } {
  // The second field is the program's name, which may contain spaces.
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const sum = (...at: number[]) => at.reduce((ticks, index) => ticks + Number(fields[index]), 0)
  return { parent: Number(fields[1]), own: sum(11, 12), ended: sum(13, 14) }
}

/** Resident memory in MB: current and peak. */
export function residentMb(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024
  return { now: read('VmRSS'), peak: read('VmHWM') }
}

/** Resets the peak of `residentMb`. */
export const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5')

export interface Started {
  readonly child: ChildProcess
  readonly pid: number
  /** its output when it was ready */
  readonly said: string
  stop(): Promise<void>
}

const START_MS_MAX = 60_000

/** Starts `node args…` and waits until its output matches `ready`. It ends with the measurement at the latest. */
export async function startNode(
  bench: Bench,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  ready: RegExp,
): Promise<Started> {
  const { child, stop } = startProgram(bench, process.execPath, args, env)
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let said = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said += text
    const found = ready.exec(said)
    if (found !== null) resolve(found[1] ?? found[0])
  })
  child.once('error', reject)
  child.once('exit', (code) => reject(new BenchFailed(`node ${args.join(' ')} ended with code ${code}`)))
  const timer = setTimeout(() => reject(new BenchFailed('a process did not get ready')), START_MS_MAX)
  try {
    const line = await promise
    if (child.pid === undefined) throw new BenchFailed('a process did not start')
    return { child, pid: child.pid, said: line, stop }
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Starts a program that ends with the measurement at the latest.
 * @param errors whether its error output is shown; `ignore` for programs that write too much
 * @param user who it runs as; by default, who runs this
 */
export function startProgram(
  bench: Bench,
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  errors: 'inherit' | 'ignore' = 'inherit',
  user?: { readonly uid: number; readonly gid: number },
): { child: ChildProcess; stop: () => Promise<void> } {
  const child = spawn(file, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', errors],
    ...user,
  })
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
  bench.afterwards(stop)
  return { child, stop }
}

/** Runs a program to its end. */
export async function runProgram(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  await outputOf(file, args, env)
}

/** Runs a program to its end. @returns its output */
export async function outputOf(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const child = spawn(file, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  const [code] = await once(child, 'close').catch(() => {
    throw new BenchFailed(`${file} is missing`)
  })
  if (code !== 0) throw new BenchFailed(`${file} ended with code ${code}`)
  return printed
}

/** Runs a program to its end. @returns its peak resident memory, in MB */
export async function peakOf(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const child = spawn(file, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  let peak = 0
  const timer = setInterval(() => {
    try {
      peak = Math.max(peak, residentMb(child.pid ?? 0).peak || 0)
    } catch {
      // It has ended.
    }
  }, 20)
  try {
    const [code] = await once(child, 'close')
    if (code !== 0) throw new BenchFailed(`${args.join(' ')} ended with code ${code}`)
    return peak
  } finally {
    clearInterval(timer)
  }
}

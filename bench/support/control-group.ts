/** A group of processes to which the system gives only so much memory. Needs root and Linux. */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BenchFailed } from './bench.ts'

const GROUPS = '/sys/fs/cgroup'

/** Of either version: the first has a tree for each kind of resource. */
export class ControlGroup {
  readonly #isSecond = existsSync(join(GROUPS, 'cgroup.controllers'))
  readonly #path: string

  constructor(mb: number) {
    this.#path = join(GROUPS, this.#isSecond ? '' : 'memory', `sojourn-bench-${process.pid}`)
    try {
      mkdirSync(this.#path)
      const bytes = String(mb * 1024 * 1024)
      if (this.#isSecond) this.#write({ 'memory.max': bytes, 'memory.swap.max': '0' })
      else this.#write({ 'memory.limit_in_bytes': bytes })
    } catch (error) {
      throw new BenchFailed(`there is no control group: ${String(error)}`)
    }
  }

  get processes(): string {
    return join(this.#path, 'cgroup.procs')
  }

  /** Most memory that was used at once, with the system's cache of the files, in MB. */
  mostMb(): number {
    const file = this.#isSecond ? 'memory.peak' : 'memory.max_usage_in_bytes'
    return Number(readFileSync(join(this.#path, file), 'utf8')) / 1024 / 1024
  }

  /** Memory of all its processes now, in MB; what several of them share is counted once. */
  allProcessesMb(): number {
    return this.#pids()
      .map((pid) => /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1])
      .reduce((sum, kb) => sum + Number(kb ?? 0) / 1024, 0)
  }

  #pids(): string[] {
    return readFileSync(this.processes, 'utf8').trim().split('\n')
  }

  /** How often the system ended a process because the limit was reached. */
  outOfMemory(): number {
    const file = this.#isSecond ? 'memory.events' : 'memory.oom_control'
    return Number(/^oom_kill (\d+)$/m.exec(readFileSync(join(this.#path, file), 'utf8'))?.[1])
  }

  remove(): void {
    if (existsSync(this.#path)) rmdirSync(this.#path)
  }

  #write(files: Readonly<Record<string, string>>): void {
    for (const [file, text] of Object.entries(files)) writeFileSync(join(this.#path, file), text)
  }
}

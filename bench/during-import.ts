/**
 * `npx node bench/during-import.ts FILE.ndjson[.gz] [CHECKOUT …]`: what the database of a folder takes, for this checkout
 * and others: first and second start, memory, and an import of FILE through the service while others read. Others are a
 * center of their own, half of whom repeat one page and half of whom read a new page each time.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { NODE_FLAGS } from '../test/support/command.ts'
import { keysCreate } from './support/commands.ts'
import { cpuMicros, residentMb } from './support/processes.ts'
import { writeRecords } from './support/records.ts'

const [file = '', ...others] = process.argv.slice(2)
const HERE = join(import.meta.dirname, '..')
const READERS = 8

function start(checkout: string, dataDir: string, args: readonly string[]) {
  const child = spawn(process.execPath, [...NODE_FLAGS, join(checkout, 'bin', 'sojourn.js'), ...args], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  return { child, pid: child.pid ?? 0, said: () => said, ended: once(child, 'close') }
}

async function command(checkout: string, dataDir: string, args: readonly string[]): Promise<string> {
  const { said, ended } = start(checkout, dataDir, args)
  const [code] = await ended
  if (code !== 0) throw new Error(`sojourn ${args.join(' ')} ended with ${code}`)
  return said()
}

async function serve(checkout: string, dataDir: string) {
  const service = start(checkout, dataDir, ['serve'])
  for (;;) {
    const url = /listens on (http:\S+)/.exec(service.said())?.[1]
    if (url !== undefined) {
      const stop = async () => {
        service.child.kill('SIGTERM')
        await service.ended
      }
      return {
        ...service,
        url,
        stop,
        cpu: () => cpuMicros(service.pid) / 1e6,
        memory: () => residentMb(service.pid),
      }
    }
    if (service.child.exitCode !== null) throw new Error(`the service ended: ${service.said()}`)
    await wait(50)
  }
}

async function measure(checkout: string): Promise<Record<string, string | number>> {
  const home = mkdtempSync(join(tmpdir(), 'sojourn-import-'))
  const dataDir = join(home, 'data')
  try {
    // Its sources are compiled, and where there is a template of a new folder, it is made.
    const warm = await serve(checkout, join(home, 'warm'))
    await warm.stop()

    const first = await serve(checkout, dataDir)
    const firstStart = { cpu: first.cpu(), ...first.memory() }
    await first.stop()
    const own = join(home, 'own.ndjson')
    await writeRecords(own, 10_000)
    await command(checkout, dataDir, ['import', own])
    const { apiKey } = JSON.parse(
      await command(checkout, dataDir, keysCreate('1', 'r', ['--scopes', 'sessions'])),
    ) as { apiKey: string }

    const service = await serve(checkout, dataDir)
    const secondStart = { cpu: service.cpu(), ...service.memory() }
    const statuses = { repeated: new Map<number, number>(), first: new Map<number, number>() }
    const longest = { repeated: 0, first: 0 }
    let isOver = false
    let n = 0
    const read = async (kind: 'repeated' | 'first', path: string) => {
      const began = performance.now()
      const answer = await fetch(service.url + path, { headers: { authorization: `Bearer ${apiKey}` } })
      await answer.arrayBuffer()
      if (answer.status !== 200 && answer.status !== 503) throw new Error(`a read was a ${answer.status}`)
      longest[kind] = Math.max(longest[kind], performance.now() - began)
      statuses[kind].set(answer.status, (statuses[kind].get(answer.status) ?? 0) + 1)
    }
    const REPEATED = '/v1/sessions?startDate=2024-01-01&endDate=2024-03-01'
    const day = Temporal.PlainDate.from('2024-01-01')
    const pathOf = (at: number) =>
      `/v1/sessions?startDate=${day.add({ days: at % 997 })}&endDate=${day.add({ days: (at % 997) + 1 + Math.floor(at / 997) })}`
    const firstReads = async (seconds: number) => {
      const end = performance.now() + seconds * 1000
      const before = { n, cpu: service.cpu() }
      while (performance.now() < end) await read('first', pathOf(n++))
      return Math.round(((service.cpu() - before.cpu) * 1e6) / (n - before.n))
    }
    await firstReads(3)
    const firstReadMicros = await firstReads(4)
    const cpuOfReads = { cpu: service.cpu() }
    for (let at = 0; at < 3000; at++) await read('repeated', REPEATED)
    const repeatedMicros = Math.round(((service.cpu() - cpuOfReads.cpu) * 1e6) / 3000)
    const atWork = service.memory()
    for (const kind of ['repeated', 'first'] as const) {
      statuses[kind].clear()
      longest[kind] = 0
    }
    const loop = async (kind: 'repeated' | 'first') => {
      while (!isOver) {
        await read(kind, kind === 'repeated' ? REPEATED : pathOf(n++))
        await wait(20)
      }
    }
    const reading = Array.from({ length: READERS }, (_, at) => loop(at % 2 === 0 ? 'repeated' : 'first'))
    const cpuBefore = service.cpu()
    const began = performance.now()
    await command(checkout, dataDir, ['import', resolve(file)])
    const seconds = (performance.now() - began) / 1000
    const importCpu = service.cpu() - cpuBefore
    isOver = true
    await Promise.all(reading)
    const peak = service.memory()
    await service.stop()
    const table = (of: Map<number, number>) =>
      [...of].map(([status, times]) => `${times} × ${status}`).join(', ')
    return {
      'first start, s of CPU': firstStart.cpu.toFixed(2),
      'its memory, MB (now, most)': `${firstStart.now.toFixed(0)}, ${firstStart.peak.toFixed(0)}`,
      'later start, s of CPU': secondStart.cpu.toFixed(2),
      'memory at idle, MB': secondStart.now.toFixed(0),
      'memory at work, MB': `${atWork.now.toFixed(0)}, ${atWork.peak.toFixed(0)}`,
      'a first read, µs of CPU': firstReadMicros,
      'a repeated read, µs of CPU': repeatedMicros,
      'import, s': seconds.toFixed(1),
      'import, s of CPU of the service': importCpu.toFixed(1),
      'most memory while importing, MB': peak.peak.toFixed(0),
      'repeated reads meanwhile': `${table(statuses.repeated)}; longest ${Math.round(longest.repeated)} ms`,
      'first reads meanwhile': `${table(statuses.first)}; longest ${Math.round(longest.first)} ms`,
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

const checkouts = [...others.map((path) => resolve(path)), HERE]
const results = []
for (const checkout of checkouts) {
  results.push(await measure(checkout))
  console.log(checkout, results.at(-1))
}
writeFileSync(join(tmpdir(), 'during-import.json'), JSON.stringify(results, null, 2))

/** What another center waits next to each attack, one after the other, on the database of a folder or PostgreSQL. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Bench, BenchFailed, type Figure, type Measurement } from '../support/bench.ts'
import { chosen } from '../support/chosen.ts'
import type { LoopWatch } from '../support/loop-watch.ts'
import {
  ABUSES,
  type Abuse,
  type Answers,
  ATTACKS,
  abuserOf,
  onBoth,
  percentile,
  type Reads,
  readerOf,
  refusedOf,
  type Side,
  timesOf,
} from '../support/other-center.ts'

/** What a person notices. */
const LONGEST_MS = 100
/** Of the answering thread, in one go. */
const SLICE_MS = 50
const WARMING_SECONDS = 3
const SETTLING_MS = 1000

export const attacks: Measurement = {
  name: 'attacks',
  title:
    'what a center waits next to each attack: longest, p99, and how long the answering thread computes in one go',

  async run(bench) {
    const kinds =
      bench.abuses === undefined ? ATTACKS : chosen('attack', bench.abuses, [...ATTACKS, ...ABUSES])
    const folder = mkdtempSync(join(tmpdir(), 'sojourn-bench-'))
    bench.afterwards(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'loop.json')
    const env = { LOOP_WATCH_FILE: file, REPORTS_FOLDER: folder }
    const nodeArgs = ['--import', fileURLToPath(new URL('../support/loop-watch.ts', import.meta.url))]
    return onBoth(bench, (side) => nextToEach(bench, side, kinds, file), { env, nodeArgs })
  },
}

async function nextToEach(
  bench: Bench,
  side: Side,
  kinds: readonly Abuse[],
  file: string,
): Promise<Figure[]> {
  const reader = readerOf(bench, side)
  const readFor = (seconds: number) => reader.ask<Reads>({ seconds })
  await readFor(WARMING_SECONDS)
  const figures: Figure[] = []
  const measured = async (what: string, abuse: Abuse | undefined) => {
    const abuser = abuse === undefined ? undefined : abuserOf(bench, side, [abuse], 0)
    const spans: Reads[] = []
    const watches: LoopWatch[] = []
    const answers: Answers = {}
    side.service.forgetPeak()
    for (let round = 0; round < bench.rounds; round += 1) {
      await abuser?.ask({})
      await watched(side, file)
      spans.push(await readFor(bench.roundSeconds))
      watches.push(await watched(side, file))
      for (const [name, count] of Object.entries((await abuser?.ask<Answers>({})) ?? {}))
        answers[name] = (answers[name] ?? 0) + count
      await wait(SETTLING_MS)
    }
    abuser?.end()
    if (abuse !== undefined) bench.log(`${side.where}: ${abuse}: ${JSON.stringify(answers)}`)
    const most = (of: (watch: LoopWatch) => number) => Math.max(...watches.map(of))
    figures.push(
      { what: `${what}, p50`, value: percentile(spans, 0.5), unit: 'ms' },
      { what: `${what}, p99`, value: percentile(spans, 0.99), unit: 'ms' },
      {
        what: `${what}, longest of ${timesOf(spans).length}`,
        value: percentile(spans, 1),
        unit: 'ms',
        ...(abuse !== undefined && { target: { atMost: LONGEST_MS } }),
      },
      {
        what: `${what}, longest slice of the answering thread`,
        value: most(({ sliceMs }) => sliceMs),
        unit: 'ms',
        ...(abuse !== undefined && { target: { atMost: SLICE_MS } }),
      },
      { what: `${what}, longest delay of its timers`, value: most(({ delayMs }) => delayMs), unit: 'ms' },
      { what: `${what}, refused`, value: refusedOf(spans), target: { atMost: 0 } },
      { what: `${what}, resident at most`, value: side.service.residentMb().peak, unit: 'MB' },
    )
  }
  await measured(`${side.where}: in quiet`, undefined)
  for (const kind of kinds) await measured(`${side.where}: ${kind}`, kind)
  await measured(`${side.where}: in quiet again`, undefined)
  return figures
}

/** What the answering thread has done since it was asked the last time. */
async function watched({ service }: Side, file: string): Promise<LoopWatch> {
  rmSync(file, { force: true })
  process.kill(service.pid, 'SIGUSR2')
  for (let tries = 0; tries < 3000; tries += 1) {
    if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
    await wait(10)
  }
  throw new BenchFailed('the service does not say how long its answering thread computed')
}

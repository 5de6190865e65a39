/**
 * `npx node bench/soak.ts [--minutes 30] [--per-second 100]`: a deployment under steady load, and whether the memory of its
 * instances, their handles and the waits of clients stay as they are. Prints a line for each minute.
 */
import { readdirSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { runAlone } from './support/bench.ts'
import { startDeployment } from './support/deployment.ts'
import { load } from './support/machine.ts'
import { residentMb } from './support/processes.ts'
import { type Asked, quantile, startLoad } from './support/steady-load.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    'per-second': { type: 'string', default: '100' },
  },
})
const MINUTES = Number(values.minutes)
const COMMITS_PER_SECOND = 2
/** More than this from the second quarter to the last one is growth. */
const GROWTH_MAX = 1.15
/** Handles that come and go with connections. */
const HANDLES_MORE_MAX = 10

const JANUARY = 'startDate=2025-01-01&endDate=2025-01-31'
const OTHERS = [
  `/v1/guests/meal-skipping-report?${JANUARY}`,
  `/v1/sessions?${JANUARY}`,
  `/v1/orders?${JANUARY}`,
  `/v1/meals/portions?${JANUARY}`,
  `/v1/guests?${JANUARY}&format=ndjson&project=firstName,lastName,email,status`,
  `/v1/guests?${JANUARY}&format=xlsx&project=firstName,lastName`,
  '/v1/changes',
  '/v1/search?q=anna',
  '/v1/fields',
]

interface Minute {
  readonly mb: number
  readonly handles: number
  readonly p99: number
}

await runAlone(async (bench) => {
  const { url, keys, database, instances } = await startDeployment({ ...bench, log: console.error })
  let asked: Asked[] = []
  const reading = startLoad({
    url,
    keys,
    database,
    perSecond: Number(values['per-second']),
    commitsPerSecond: COMMITS_PER_SECOND,
    others: OTHERS,
    onAsked: (one) => asked.push(one),
  })
  const minutes: Minute[] = []
  const troubles = { lost: 0, stale: 0 }
  console.log('| minute | requests | refused or lost | p50, ms | p99, ms | memory, MB | handles | load |')
  console.log('|---|---|---|---|---|---|---|---|')
  for (let minute = 1; minute <= MINUTES; minute += 1) {
    await wait(60_000)
    const those = asked
    asked = []
    const waits = those.map(({ ms }) => ms)
    const bad = those.filter(({ outcome }) => outcome !== 'answered')
    const reasons = Map.groupBy(bad, ({ outcome, why }) => `${outcome}: ${why.replace(/"requestId.*/, '')}`)
    for (const [reason, those] of reasons) console.error(`    ${those.length} × ${reason}`)
    const pids = instances.map(({ service }) => service().pid)
    const mb = pids.reduce((sum, pid) => sum + residentMb(pid).now, 0)
    const handles = pids.reduce((sum, pid) => sum + readdirSync(`/proc/${pid}/fd`).length, 0)
    const p99 = quantile(waits, 0.99)
    minutes.push({ mb, handles, p99 })
    for (const { outcome } of bad) if (outcome === 'lost' || outcome === 'stale') troubles[outcome] += 1
    console.log(
      `| ${minute} | ${those.length} | ${bad.length} | ${quantile(waits, 0.5).toFixed(1)} | ${p99.toFixed(1)} | ${Math.round(mb)} | ${handles} | ${load()} |`,
    )
  }
  await reading.stop()
  const quarter = Math.max(1, Math.floor(MINUTES / 4))
  const second = minutes.slice(quarter, 2 * quarter)
  const last = minutes.slice(-quarter)
  const of = (part: readonly Minute[], value: (minute: Minute) => number) => quantile(part.map(value), 0.5)
  const grown = of(last, ({ mb }) => mb) / of(second, ({ mb }) => mb)
  const more = of(last, ({ handles }) => handles) - of(second, ({ handles }) => handles)
  const slower = of(last, ({ p99 }) => p99) / of(second, ({ p99 }) => p99)
  console.log(
    `\nlast quarter against the second: memory ${grown.toFixed(2)}, handles ${more >= 0 ? '+' : ''}${more}, p99 ${slower.toFixed(2)}; ${troubles.lost} lost, ${troubles.stale} stale`,
  )
  if (grown > GROWTH_MAX || more > HANDLES_MORE_MAX || troubles.lost + troubles.stale > 0)
    process.exitCode = 1
})

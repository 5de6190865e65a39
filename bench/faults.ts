/**
 * `npx node bench/faults.ts [NAME…]`: breaks one part of a deployment after the other while clients read a hundred times a second, and
 * prints what they got, and how long it took until every request was answered again. `--list` prints the names.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { adminQuery } from '../test/support/postgres-databases.ts'
import { type Bench, runAlone } from './support/bench.ts'
import { type Deployment, serverProcesses, startDeployment } from './support/deployment.ts'
import { load } from './support/machine.ts'
import { type Asked, quantile, startLoad } from './support/steady-load.ts'

const PER_SECOND = 100
const COMMITS_PER_SECOND = 10
const QUIET_MS = 3000
/** How long something is broken that does not heal by itself. */
const BROKEN_MS = 5000
/** All is well again if nothing was refused, and nobody waited long, for so long. */
const WELL_MS = 4000
const WELL_MS_MAX = 60_000
/** Who waits for longer notices it. */
const LONG_MS = 1000

interface Fault {
  readonly name: string
  /** with a pooler between the service and the server */
  readonly pooled?: boolean
  /** Breaks something. Resolves when it is as it was before, except for what recovers by itself. */
  run(deployment: Deployment): Promise<void>
}

const stopped = async (pids: readonly number[], ms: number) => {
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  await wait(ms)
  for (const pid of [...pids].reverse()) process.kill(pid, 'SIGCONT')
}

const FAULTS: readonly Fault[] = [
  { name: 'nothing', run: () => wait(BROKEN_MS) },
  {
    name: 'a process of PostgreSQL is killed, and the server recovers',
    async run({ primary }) {
      const { rows } = await adminQuery(
        primary.url,
        `select pid from pg_stat_activity where backend_type = 'client backend' and application_name like 'sojourn%' limit 1`,
      )
      process.kill(rows[0].pid, 'SIGKILL')
    },
  },
  { name: 'PostgreSQL is restarted', run: ({ primary }) => primary.restart() },
  {
    name: 'PostgreSQL is paused for 5 s',
    run: ({ primary }) => stopped(serverProcesses(primary), BROKEN_MS),
  },
  {
    name: 'Redis is killed, and started after 5 s',
    async run({ redis }) {
      await redis.kill()
      await wait(BROKEN_MS)
      await redis.start()
    },
  },
  { name: 'Redis is paused for 5 s', run: ({ redis }) => stopped([redis.pid()], BROKEN_MS) },
  { name: 'the replica is restarted', run: ({ standby }) => standby.restart() },
  {
    name: 'the replica is paused for 5 s',
    run: ({ standby }) => stopped(serverProcesses(standby), BROKEN_MS),
  },
  {
    name: 'the replica falls behind for 5 s',
    async run({ standby }) {
      await adminQuery(standby.url, 'select pg_wal_replay_pause()')
      await wait(BROKEN_MS)
      await adminQuery(standby.url, 'select pg_wal_replay_resume()')
    },
  },
  {
    name: 'an instance is killed, and started after 5 s',
    async run({ instances: [instance] }) {
      await instance?.kill()
      await wait(BROKEN_MS)
      await instance?.start()
    },
  },
  {
    name: 'an instance is paused for 5 s',
    run: ({ instances: [instance] }) => stopped([instance?.service().pid ?? 0], BROKEN_MS),
  },
  { name: 'nothing, with a pooler', pooled: true, run: () => wait(BROKEN_MS) },
  {
    name: 'the pooler is killed, and started at once',
    pooled: true,
    async run({ pooler }) {
      await pooler?.kill()
      await pooler?.start()
    },
  },
  {
    name: 'the pooler is paused for 5 s',
    pooled: true,
    run: ({ pooler }) => stopped([pooler?.pid() ?? 0], BROKEN_MS),
  },
]

const names = process.argv.slice(2)
if (names[0] === '--list') {
  for (const { name } of FAULTS) console.log(name)
  process.exit()
}
const chosen = FAULTS.filter(({ name }) => names.length === 0 || names.some((part) => name.includes(part)))
let isWrong = false
console.log(`load ${load()}; ${PER_SECOND} requests and ${COMMITS_PER_SECOND} commits a second\n`)
console.log(
  '| what breaks | answered | 503 | lost | stale | longest wait, s | all well after, s | requests for longer than 1 s |',
)
console.log('|---|---|---|---|---|---|---|---|')
for (const pooled of [false, true]) {
  const faults = chosen.filter((fault) => (fault.pooled ?? false) === pooled)
  if (faults.length > 0) await runAlone((bench) => measure(bench, pooled, faults))
}
process.exitCode = isWrong ? 1 : 0

async function measure(bench: Bench, pooled: boolean, faults: readonly Fault[]): Promise<void> {
  const deployment = await startDeployment({ ...bench, log: console.error }, { pooled })
  for (const { name, run } of faults) {
    const { url, keys, database } = deployment
    const reading = startLoad({
      url,
      keys,
      database,
      perSecond: PER_SECOND,
      commitsPerSecond: COMMITS_PER_SECOND,
    })
    await wait(QUIET_MS)
    const from = reading.now()
    await run(deployment)
    const healed = reading.now()
    while (
      reading.now() - lastTrouble(reading.asked, healed) < WELL_MS &&
      reading.now() - healed < WELL_MS_MAX
    ) {
      await wait(100)
    }
    await reading.stop()
    const asked = reading.asked.filter(({ at }) => at >= from - LONG_MS)
    const count = (outcome: Asked['outcome']) => asked.filter((one) => one.outcome === outcome).length
    const waits = asked.map(({ ms }) => ms)
    const seconds = (ms: number) => (ms / 1000).toFixed(1)
    const last = lastTrouble(asked, from)
    console.log(
      `| ${name} | ${count('answered')} | ${count('refused')} | ${count('lost')} | ${count('stale')} | ${seconds(quantile(waits, 1))} | ${seconds(Math.max(0, last - from))} | ${waits.filter((ms) => ms > LONG_MS).length} |`,
    )
    const reasons = Map.groupBy(
      asked.filter(({ outcome }) => outcome !== 'answered'),
      ({ outcome, why }) => `${outcome}: ${why}`,
    )
    for (const [why, those] of reasons) console.error(`    ${those.length} × ${why}`)
    isWrong ||= count('lost') + count('stale') > 0
  }
}

/** When the last request was answered that was refused, lost or waited long; `otherwise` if there was none. */
function lastTrouble(asked: readonly Asked[], otherwise: number): number {
  return asked.reduce(
    (last, { at, ms, outcome }) => (outcome !== 'answered' || ms > LONG_MS ? Math.max(last, at + ms) : last),
    otherwise,
  )
}

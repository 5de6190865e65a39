/**
 * `npx node bench/model.ts [--database postgres] [--changes 100000] [--seed N]`: random writers against followers that
 * read nothing but the feed and the lists. Two instances of the service (on PostgreSQL) and two followers are processes
 * of their own, killed with kill -9 at random and started again. After every pause each follower's copy must be what
 * the lists show. Exits with 1 where it is not.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import sql from 'sql-template-tag'
import { createKey } from '../src/core/access/keys/create-key.ts'
import { ORDINARY_SCOPES } from '../src/core/access/keys/scopes.ts'
import type { Database } from '../src/core/database/database.ts'
import { importRecords } from '../src/core/intake/import-records.ts'
import { type DeskOrder, writeAll } from '../test/changes/model.ts'
import { NODE_FLAGS } from '../test/support/command.ts'
import { RANDOM_PROFILE, randomCenter, seededRandom } from '../test/support/random-center.ts'
import { SPA, spa } from '../test/support/world.ts'
import { killAll, serve } from './support/commands.ts'
import { openEither } from './support/either-database.ts'
import { openFolder } from './support/folder-data.ts'
import type { FollowerOrder, FollowerReport } from './support/follower-server.ts'

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'folder' },
    changes: { type: 'string', default: '100000' },
    seed: { type: 'string' },
  },
})
const WRITERS = 3
const COMMITS = 60
const FOLLOWERS = 2
/** A round takes about that long. */
const KILL_MS_MAX = 3000
/** Once in so many pauses, on average. */
const INSTANCE_KILLS = 2
const FOLLOWER_KILLS = 2

const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32))
const random = seededRandom(seed)
const folder = mkdtempSync(join(tmpdir(), 'sojourn-model-'))
const children = new Set<ChildProcess>()
const begun = performance.now()
console.log(`SEED ${seed}, ${values.database}`)

/** Where the service is, and how to write to its database. */
interface World {
  readonly apiKey: string
  readonly order: () => Omit<FollowerOrder, 'compare'>
  /** kills one of the processes that serve, and starts it again */
  readonly killOne: () => Promise<void>
  /** resolves when all is written, or when the writers were killed with the service */
  readonly write: (order: DeskOrder) => Promise<void>
  readonly countChanges: () => Promise<number>
  readonly close: () => Promise<void>
}

async function fill(database: Database): Promise<string> {
  const lines = [spa(RANDOM_PROFILE), ...randomCenter(random)].map((record, at) => ({
    file: 'desk',
    line: at + 1,
    text: JSON.stringify(record),
  }))
  await importRecords(database, lines)
  const key = { centerId: SPA, name: 'bench', scopes: ORDINARY_SCOPES, perHour: 0, perMinute: 0 }
  return (await createKey(database, key, { random: randomBytes, now: Date.now() })).apiKey
}

const numberOfChanges = async (database: Pick<Database, 'query'>): Promise<number> =>
  (await database.query<{ n: number }>(sql`select count(*) as n from changes`))[0]?.n ?? 0

/** Two instances that keep answers, one that keeps none, and writers here. */
async function onServer(): Promise<World> {
  const { database, url, close } = await openEither('server')
  const apiKey = await fill(database)
  const start = async (env: Record<string, string> = {}) => {
    const started = await serve('', { DATABASE_URL: url ?? '', ...env })
    if ('code' in started) throw new Error(`the service did not start: ${started.said}`)
    return started
  }
  const fresh = await start({ ANSWER_CACHE_MB: '0' })
  const instances = [await start(), await start()]
  return {
    apiKey,
    order: () => ({ urls: instances.map((instance) => instance.url), fresh: fresh.url }),
    async killOne() {
      const at = random.below(instances.length)
      instances[at]?.child.kill('SIGKILL')
      instances[at] = await start()
    },
    write: (order) => writeAll(database, order),
    countChanges: () => numberOfChanges(database),
    async close() {
      killAll()
      await close()
    },
  }
}

/** One process that serves and writes. */
async function onFolder(): Promise<World> {
  const dataDir = join(folder, 'data')
  const database = await openFolder(dataDir)
  const apiKey = await fill(database)
  await database.close()
  const start = async () => {
    const child = forkServer('desk-server.ts', [dataDir])
    const [order] = await once(child, 'message')
    return { child, order: order as Omit<FollowerOrder, 'compare'> }
  }
  let service = await start()
  return {
    apiKey,
    order: () => service.order,
    async killOne() {
      service.child.kill('SIGKILL')
      await once(service.child, 'exit')
      service = await start()
    },
    async write(order) {
      const { child } = service
      child.send(order)
      await Promise.race([once(child, 'message'), once(child, 'exit')])
    },
    async countChanges() {
      service.child.kill('SIGKILL')
      await once(service.child, 'exit')
      const closed = await openFolder(dataDir)
      const count = await numberOfChanges(closed)
      await closed.close()
      return count
    },
    close: async () => {},
  }
}

function forkServer(name: string, args: readonly string[]): ChildProcess {
  const child = fork(join(import.meta.dirname, 'support', name), args, { execArgv: [...NODE_FLAGS] })
  children.add(child)
  // Each pause waits for its end next to its report.
  child.setMaxListeners(0)
  child.on('exit', () => children.delete(child))
  return child
}

const world = values.database === 'server' ? await onServer() : await onFolder()
const startFollower = (at: number) => {
  const child = forkServer('follower-server.ts', [join(folder, `follower-${at}.json`), world.apiKey])
  child.send({ ...world.order(), compare: false })
  return child
}
const followers = Array.from({ length: FOLLOWERS }, (_, at) => startFollower(at))
let reported: number[] = []
let rounds = 0
const kills = { instances: 0, followers: 0 }
let difference: string | undefined

const isEnough = () => reported.some((entries) => entries >= Number(values.changes))
try {
  for (; !isEnough() && difference === undefined; rounds += 1) {
    const writing = world.write({ seed: seed + rounds * WRITERS, writers: WRITERS, commits: COMMITS })
    await Promise.all([writing, ...killing()])
    const orders = followers.map(async (child, at) => {
      child.send({ ...world.order(), compare: true })
      const [report] = await Promise.race([
        once(child, 'message'),
        once(child, 'exit').then(() => {
          throw new Error(`follower ${at} ended; SEED ${seed}, round ${rounds}`)
        }),
      ])
      return report as FollowerReport
    })
    const reports = await Promise.all(orders)
    reported = reports.map(({ entries }) => entries)
    difference = reports.find((report) => report.difference !== undefined)?.difference
    if (rounds % 10 === 0) say(`round ${rounds}`)
  }
  for (const child of followers) child.disconnect()
  say(`${await world.countChanges()} changes noted`)
  console.log(difference === undefined ? 'no difference' : `DIFFERENT: ${difference}`)
  if (difference !== undefined) process.exitCode = 1
} finally {
  for (const child of children) child.kill('SIGKILL')
  await world.close()
  rmSync(folder, { recursive: true, force: true })
}

/** What is killed in this round, somewhere while the writers write. */
function* killing(): Generator<Promise<void>> {
  if (random.below(INSTANCE_KILLS) === 0) {
    kills.instances += 1
    yield wait(random.below(KILL_MS_MAX)).then(() => world.killOne())
  }
  if (random.below(FOLLOWER_KILLS) === 0) {
    kills.followers += 1
    const at = random.below(FOLLOWERS)
    yield wait(random.below(KILL_MS_MAX)).then(() => {
      followers[at]?.kill('SIGKILL')
      followers[at] = startFollower(at)
    })
  }
}

function say(what: string): void {
  const seconds = Math.round((performance.now() - begun) / 1000)
  console.log(
    `${what}: ${rounds} pauses, entries reported ${reported.join(' and ')}, killed ${kills.instances} instances and ${kills.followers} followers, ${seconds} s`,
  )
}
